"""The pieces of a tool path: what is left of a move between its corners, a corner, a turn on the spot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from armdyn.motion.path.corner import Corner
from armdyn.motion.path.curve import Curve
from armdyn.motion.path.turning import Passage, Turning
from armdyn.motion.profile import Trapezoid
from armdyn.scalars import Array


class Piece(Protocol):
    """A motion in time along a way of its own."""

    @property
    def profile(self) -> Trapezoid:
        """Way over time."""
        ...

    @property
    def travels(self) -> bool:
        """Whether the way is one of the tool's point [m], or its angle [rad]."""
        ...

    def place(self, s: Array) -> tuple[Array, Array]:
        """s: (t) ways to positions (t, 3) and R_base_tool (t, 3, 3)."""
        ...


@dataclass(frozen=True, eq=False)
class Part:
    """A move without its corners."""

    profile: Trapezoid
    curve: Curve
    turning: Turning
    start: float
    """Where on the curve it begins [m]"""
    entering: Passage | None
    """Over from the turning of the move before, around the curve's start"""
    leaving: Passage | None
    """Over to the turning of the next move, around the curve's end"""
    travels: bool = True

    def place(self, s: Array) -> tuple[Array, Array]:
        """s: (t) ways to positions (t, 3) and R_base_tool (t, 3, 3)."""
        way: Array = self.start + s
        rotations = self.turning.rotation(way)
        for passage, centre in ((self.entering, 0.0), (self.leaving, self.curve.length)):
            if passage is not None and passage.reach > 0:
                inside = np.abs(way - centre) < passage.reach
                u: Array = (way[inside] - centre) / (2 * passage.reach) + 0.5
                rotations[inside] = passage.rotation(u)
        return self.curve.point(way), rotations


@dataclass(frozen=True, eq=False)
class Rounding:
    """A corner, taken at one speed; the tool turns over as the curves run over."""

    profile: Trapezoid
    corner: Corner
    passage: Passage
    travels: bool = True

    def place(self, s: Array) -> tuple[Array, Array]:
        """s: (t) ways to positions (t, 3) and R_base_tool (t, 3, 3)."""
        u = self.corner.parameter(s)
        return self.corner.point(u), self.passage.rotation(u)


@dataclass(frozen=True, eq=False)
class Turn:
    """The tool turns and its point stays; the way is the angle."""

    profile: Trapezoid
    point: Array
    turning: Turning
    travels: bool = False

    def place(self, s: Array) -> tuple[Array, Array]:
        """s: (t) angles to positions (t, 3) and R_base_tool (t, 3, 3)."""
        return np.broadcast_to(self.point, (len(s), 3)), self.turning.rotation(s)
