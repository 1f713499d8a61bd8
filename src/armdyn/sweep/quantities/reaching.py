"""Postures for places of the tool: all of inverse kinematics where it has an orientation, many where not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from armdyn.dynamics import Dynamics
from armdyn.errors import InputError
from armdyn.extremes.climbing import spread_points
from armdyn.extremes.workspace import workspace
from armdyn.motion.inverse_kinematics import InverseKinematics, UnreachableError
from armdyn.robot import Robot
from armdyn.scalars import Array
from armdyn.spatial import Transform
from armdyn.studies.loads.manipulability_grid import Reach

MOST_STARTS = 12
"""2 to the power of this many starts are enough for anyone."""


class Turned:
    """Postures for whole poses."""

    def __init__(self, robot: Robot) -> None:
        """Look at the structure of the arm."""
        self._inverse = InverseKinematics(robot)
        self._home = np.array(robot.home, dtype=float)

    def postures(self, place: Sequence[float], rpy: Sequence[float]) -> Array:
        """(k, n) those within the limits; none where the pose is out of reach."""
        x, y, z = (float(value) for value in place)
        roll, pitch, yaw = (float(value) for value in rpy)
        pose = Transform.of(xyz=(x, y, z), rpy=(roll, pitch, yaw))
        try:
            found = self._inverse.solutions(_matrix(pose), self._home)
        except UnreachableError:
            return np.empty((0, len(self._home)))
        inside = [solution.q for solution in found if solution.within_limits]
        return np.array(inside).reshape(-1, len(self._home))


class Free:
    """Postures for places, however the tool is turned: many starts are brought there by least squares."""

    def __init__(self, dyn: Dynamics, rows: Sequence[int], exponent: int) -> None:
        """`rows` are the coordinates that count; there are 2^exponent starts, the same for every place."""
        if not 0 <= exponent <= MOST_STARTS:
            raise InputError(f"starts is 2^{exponent}, expected 1 to {2**MOST_STARTS}")
        box = workspace(dyn.robot).box
        self._starts = spread_points(box, exponent)
        places = Reach(dyn, None, box).places(self._starts)
        self._reach = Reach(dyn, None, box, float(np.ptp(places, axis=0).max()) or 1.0)
        self._rows = list(rows)

    def postures(self, place: Sequence[float]) -> Array:
        """(k, n) those that arrived within the joints' ranges."""
        wanted = np.tile([float(value) for value in place], (len(self._starts), 1))
        q, there = self._reach.brought(self._starts, wanted, self._rows)
        return q[there]


def _matrix(pose: Transform) -> Array:
    T = np.eye(4)
    rotation: Any = pose.rotation
    translation: Any = pose.translation
    T[:3, :3], T[:3, 3] = rotation, translation
    return T
