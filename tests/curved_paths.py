"""Paths in joint space, for the tests of retiming."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.interpolate import CubicSpline

from armdyn.feasibility.arm import Arm
from armdyn.retiming.optimal.grid import Grid, grid_of
from armdyn.retiming.path.curve import Curve
from armdyn.retiming.path.joint_path import JointPath, PathMove, Piece
from armdyn.robot import Robot
from armdyn.scalars import Array

# Curves ---------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Bend:
    """A cubic spline through points (m, n) that are evenly spaced in the parameter."""

    points: Array
    length: float = 1.0

    @cached_property
    def _spline(self) -> Any:
        return CubicSpline(np.linspace(0.0, self.length, len(self.points)), self.points)

    def at(self, p: Array) -> tuple[Array, Array, Array]:
        return self._spline(p), self._spline(p, 1), self._spline(p, 2)

    def third(self, p: Array) -> Array:
        return self._spline(p, 3)


@dataclass(frozen=True, eq=False)
class Stretch:
    """What lies between two places of another curve, over a parameter that runs `pace` times as fast.

    A negative pace is the way back.
    """

    whole: Curve
    begins: float
    ends: float
    pace: float = 1.0

    @property
    def length(self) -> float:
        return (self.ends - self.begins) * abs(self.pace)

    def at(self, p: Array) -> tuple[Array, Array, Array]:
        q, first, second = self.whole.at(self._place(p))
        return q, first / self.pace, second / self.pace**2

    def third(self, p: Array) -> Array:
        return self.whole.third(self._place(p)) / self.pace**3

    def _place(self, p: Array) -> Array:
        return (self.begins if self.pace > 0 else self.ends) + p / self.pace


REACH = {"irb6": 0.2}
"""How far random postures are from home, 0.5 if nothing else is said; the IRb-6 has dead points near home."""


def random_bend(robot: Robot, seed: int, *, points: int = 5) -> Bend:
    """Through random postures around home."""
    reach = REACH.get(robot.name, 0.5)
    away = np.random.default_rng(seed).uniform(-reach, reach, (points, robot.n))
    return Bend(np.array(robot.home) + away)


def onward_bend(robot: Robot, seed: int, *, points: int = 5) -> Bend:
    """On and on in every joint, through home: nothing turns back."""
    reach = REACH.get(robot.name, 0.5)
    steps = np.random.default_rng(seed).uniform(0.85, 1.15, (points, robot.n))
    return Bend(np.array(robot.home) + reach * (2 * np.cumsum(steps, axis=0) / points - 1))


def path_along(
    robot: Robot, *curves: Curve, stops: Sequence[bool] | None = None, waits: Sequence[float] | None = None
) -> JointPath:
    """Curves one behind the other, a move each, at rest at the end unless said otherwise."""
    stops = [False] * (len(curves) - 1) + [True] if stops is None else stops
    waits = [0.0] * len(curves) if waits is None else waits
    pieces = [
        Piece(curve, robot, k, 0, "ptp", stop, wait)
        for k, (curve, stop, wait) in enumerate(zip(curves, stops, waits, strict=True), 1)
    ]
    moves = [PathMove(0, "ptp", robot) for _ in curves]
    return JointPath(robot, tuple(pieces), tuple(moves))


def grid_along(
    arm: Arm, *curves: Curve, count: int = 1000, margin: float = 0.0, tool_speed: float | None = None
) -> Grid:
    """The grid of a path along curves, for one arm."""
    path = path_along(arm.dyn.robot, *curves)
    return grid_of(path, lambda _: arm, count, margin=margin, tool_speed=tool_speed)
