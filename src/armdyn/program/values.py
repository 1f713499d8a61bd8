"""What values are while a program runs: numbers, truths, strings, tuples for positions; targets, joints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeGuard

Triple = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class RobTarg:
    """A target as the program has it: mm and degrees."""

    position: Triple
    orientation: Triple | None = None
    """A, B, C of R = Rz(A) Ry(B) Rx(C)"""
    status: int | None = None

    def shifted(self, by: Triple, sign: int = 1) -> RobTarg:
        """The target moved in the base frame."""
        x, y, z = (a + sign * b for a, b in zip(self.position, by, strict=True))
        return RobTarg((x, y, z), self.orientation, self.status)


@dataclass(frozen=True, slots=True)
class Joints:
    """Values of the joints as the program has them: degrees and mm."""

    values: tuple[float, ...]


def is_triple(value: object) -> TypeGuard[Triple]:
    """Whether a value is a position; types have been checked."""
    return isinstance(value, tuple)


def converted(value: Any, kind: str) -> Any:
    """A value as what it is declared as."""
    if kind == "real":
        return float(value)
    if kind == "robtarg" and is_triple(value):
        return RobTarg(value)
    return value
