"""What slowing a program move by move gives."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from armdyn.feasibility import Verification
from armdyn.motion.planned import Plan


@dataclass(frozen=True)
class MoveFactors:
    """A move statement before and after; speeds and accelerations in the program's units."""

    line: int
    column: int
    kind: str
    """ptp: shares of the joints' limits; lin, circle: mm/s and mm/s2"""
    executions: int
    """How often the program comes by"""
    speed_before: float
    """In its first execution, as all values here"""
    speed_after: float
    acceleration_before: float
    acceleration_after: float

    @property
    def speed_factor(self) -> float:
        """Above 0, at most 1."""
        return self.speed_after / self.speed_before

    @property
    def acceleration_factor(self) -> float:
        """Above 0, at most 1."""
        return self.acceleration_after / self.acceleration_before

    def document(self) -> dict[str, Any]:
        """As plain data."""
        factors = {"speed_factor": self.speed_factor, "acceleration_factor": self.acceleration_factor}
        return {**vars(self), **factors}


@dataclass(frozen=True)
class PerMove:
    """A program slowed just enough, move by move."""

    moves: tuple[MoveFactors, ...]
    """Every statement that moves, in the order of the text"""
    given: Plan
    """As programmed"""
    text: str
    """The program with its new speeds and accelerations"""
    verification: Verification
    """Of that text"""
    notes: tuple[str, ...] = ()

    @property
    def before(self) -> float:
        """Programmed duration [s]."""
        return self.given.duration

    @property
    def after(self) -> float:
        """Duration with the new speeds [s]."""
        return self.verification.plan.duration

    @property
    def factor(self) -> float:
        """Of the duration: after/before."""
        return self.after / self.before if self.before else 1.0

    @property
    def is_changed(self) -> bool:
        """Whether any move is slower than programmed."""
        return any(move.speed_factor < 1 or move.acceleration_factor < 1 for move in self.moves)

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the program into a file, line ends as they were."""
        Path(path).write_bytes(self.text.encode())

    def document(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "duration": {"before": self.before, "after": self.after},
            "factor": self.factor,
            "moves": [move.document() for move in self.moves],
            "notes": list(self.notes),
        }
