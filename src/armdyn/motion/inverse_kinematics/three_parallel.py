"""Six joints of which the second, third and fourth are parallel, and the last two meet."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from armdyn.motion.inverse_kinematics.arms import ELBOWS, SIDES, front_sign
from armdyn.motion.inverse_kinematics.geometry import Axes
from armdyn.motion.inverse_kinematics.subproblems import (
    circle_to_distance,
    circle_to_plane,
    circle_to_point,
    dot,
    rotated,
    turned_back,
    two_circles,
)
from armdyn.motion.inverse_kinematics.wrist import WRISTS
from armdyn.motion.vectors import beside_of
from armdyn.scalars import Array


@dataclass(frozen=True)
class ThreeParallel:
    """With a = a2 and w where axes 5 and 6 meet: the arms of Universal Robots.

    a . exp(S1 q1)^-1 X w = a . w gives q1 (subproblem 4), R6^T R5^T a = R^T R1 a gives q5 and q6
    (subproblem 2), R(a, q2 +- q3 +- q4) = R1^T R R6^T R5^T the sum of the others (subproblem 1), and the
    place of axis 4 gives q3 and q2 (subproblems 3 and 1).
    """

    axes: Axes
    centre: Array

    @classmethod
    def of(cls, axes: Axes) -> ThreeParallel | None:
        """The closed form of an arm built like this."""
        if len(axes.slides) != 6 or any(axes.slides):
            return None
        centre = axes.meeting(4, 5)
        parallel = axes.parallel(1, 2) and axes.parallel(2, 3)
        crossing = not (axes.parallel(0, 1) or axes.parallel(3, 4) or axes.parallel(4, 5))
        return cls(axes, centre) if centre is not None and parallel and crossing else None

    @property
    def names(self) -> tuple[str, ...]:
        """What each branch is."""
        return tuple(f"{side}, {elbow}, {wrist}" for side in SIDES for elbow in ELBOWS for wrist in WRISTS)

    @cached_property
    def point(self) -> Array:
        """(3) where axes 5 and 6 meet, in the tool's frame."""
        return self.axes.in_tool(self.centre)

    @cached_property
    def _signs(self) -> Array:
        """(8, 3) of the solutions for q1, q3 and (q5, q6), in the order of the names."""
        front = front_sign(self.axes, self.centre)
        up = np.sign(self.axes.directions[1] @ self.axes.directions[2]) * front
        plain = np.sign(self.axes.directions[1] @ self.axes.directions[3])
        both = (1, -1)
        return np.array([(-front * s, up * s * e, plain * w) for s in both for e in both for w in both])

    @cached_property
    def _level(self) -> Array:
        """(3, 3) points of axes 2, 3 and 4 in one plane across them."""
        a, points = self.axes.directions[1], self.axes.points[1:4]
        return points - np.outer((points - points[0]) @ a, a)

    def solve(self, poses: Array, branch: Any, free: Array) -> Array:
        """q (..., 6) for poses (..., 4, 4) and branches counted from 0; free angles are as in `free`.

        A pose without a solution gives angles of least squares.
        """
        a1, a, a3, a4, a5, a6 = self.axes.directions
        p1 = self.axes.points[0]
        p2, p3, p4 = self._level
        sign = self._signs[branch]
        R = poses[..., :3, :3] @ self.axes.zero[:3, :3].T
        u = poses[..., :3, :3] @ self.point + poses[..., :3, 3] - p1
        q1 = circle_to_plane(-a1, a, u, a @ (self.centre - p1), sign[..., 0], free[..., 0])
        t = np.einsum("...ji,...j->...i", R, rotated(a1, q1, a))
        q6, q5 = two_circles(-a6, -a5, a, t, sign[..., 2], free[..., 5])
        side = beside_of(a)
        unturned = turned_back(a6, q6, turned_back(a5, q5, side))
        total = circle_to_point(a, side, turned_back(a1, q1, np.einsum("...ij,...j->...i", R, unturned)))
        z = p1 - p2 + turned_back(a1, q1, u) - rotated(a, total, self.centre - p4)
        q3 = circle_to_distance(a3, p4 - p3, p2 - p3, dot(z, z), sign[..., 1])
        q2 = circle_to_point(a, p3 - p2 + rotated(a3, q3, p4 - p3), z, free[..., 1])
        q4 = (total - q2 - np.sign(a3 @ a) * q3) * np.sign(a4 @ a)
        return np.stack([q1, q2, q3, q4, q5, q6], axis=-1)
