"""One move of a chain in space: its curve, how the tool turns along it, and what was said about it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from armdyn.errors import InputError, PlanError
from armdyn.motion.moves import FARTHEST, PathMove
from armdyn.motion.path.arc import Arc
from armdyn.motion.path.curve import NEAR
from armdyn.motion.path.line import Line
from armdyn.motion.path.rules import turning_along, turning_on_the_spot
from armdyn.motion.path.turning import Turning
from armdyn.scalars import Array


@dataclass(frozen=True, eq=False)
class Stretch:
    """A move with its curve, or without one where it only turns the tool."""

    move: PathMove
    start: Array
    """(3) where it begins [m]"""
    curve: Line | Arc | None
    turning: Turning
    """Over arc length, or over the angle where there is no curve"""
    angle: float
    """By which it turns on the spot [rad]"""
    notes: tuple[str, ...]

    @property
    def length(self) -> float:
        """Of the curve [m]."""
        return 0.0 if self.curve is None else self.curve.length

    @property
    def end(self) -> Array:
        """(3) where it ends [m]."""
        return self.start if self.curve is None else np.array(self.move.end.position, np.float64)

    @property
    def last_rotation(self) -> Array:
        """(3, 3) the orientation with which it ends."""
        return self.turning.rotation(self.angle if self.curve is None else self.length)


def stretch_of(move: PathMove, start: Array, rotation: Array) -> Stretch:
    """The move from a point (3) and an orientation (3, 3)."""
    _check(move)
    curve = _curve(move, start)
    if curve is None:
        turning, angle, notes = turning_on_the_spot(move, rotation)
        return Stretch(move, start, None, turning, angle, notes)
    turning, notes = turning_along(move, curve, rotation)
    return Stretch(move, start, curve, turning, 0.0, notes)


def _curve(move: PathMove, start: Array) -> Line | Arc | None:
    """The line or arc of a move, None where it goes nowhere."""
    end = np.array(move.end.position, np.float64)
    try:
        if move.via is not None:
            return Arc.through(start, np.array(move.via.position, np.float64), end)
        return None if np.linalg.norm(end - start) < NEAR else Line.between(start, end)
    except InputError as error:
        raise PlanError(str(error), line=move.line) from error


def _check(move: PathMove) -> None:
    """Refuse numbers with which no tool can move."""
    numbers = {"speed": move.speed, "acceleration": move.acceleration}
    if move.turn_acceleration is not None:
        numbers["turn acceleration"] = move.turn_acceleration
    for name, value in numbers.items():
        if not 0 < value < math.inf:
            raise PlanError(f"{name} {value:g} of a path move, expected a number above 0", line=move.line)
    if move.corner is not None and not 0 <= move.corner < math.inf:
        raise PlanError(f"corner distance {move.corner:g} m, expected a number above 0", line=move.line)
    targets = [move.end] if move.via is None else [move.via, move.end]
    for target in targets:
        if not np.abs(np.array(target.position, np.float64)).max() <= FARTHEST:
            expected = f"expected three numbers up to {FARTHEST:g} m"
            raise PlanError(f"position {target.position}, {expected}", line=move.line)
