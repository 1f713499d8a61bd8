"""Six joints whose last three axes meet: the first three place the wrist's centre, the last three turn."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from armdyn.motion.inverse_kinematics.arms import SIGNS, Arm, arm_of
from armdyn.motion.inverse_kinematics.geometry import Axes
from armdyn.motion.inverse_kinematics.subproblems import turned_back
from armdyn.motion.inverse_kinematics.wrist import WRISTS, Wrist
from armdyn.motion.vectors import beside_of
from armdyn.scalars import Array


@dataclass(frozen=True)
class SphericalWrist:
    """X w = exp(S1 q1) exp(S2 q2) exp(S3 q3) w, then R4 R5 R6 = (R1 R2 R3)^T R."""

    axes: Axes
    centre: Array
    """(3) where the last axes meet at q = 0"""
    arm: Arm

    @classmethod
    def of(cls, axes: Axes) -> SphericalWrist | None:
        """The closed form of an arm that has such a wrist."""
        if len(axes.slides) != 6 or any(axes.slides[3:]):
            return None
        centre = axes.meeting(3, 4, 5)
        if centre is None or axes.parallel(3, 4) or axes.parallel(4, 5):
            return None
        arm = arm_of(axes, centre)
        return None if arm is None else cls(axes, centre, arm)

    @property
    def names(self) -> tuple[str, ...]:
        """What each branch is."""
        return tuple(f"{arm}, {wrist}" for arm in self.arm.names for wrist in WRISTS)

    @cached_property
    def point(self) -> Array:
        """(3) the wrist's centre in the tool's frame: what the first three joints place."""
        return self.axes.in_tool(self.centre)

    @cached_property
    def _columns(self) -> Array:
        """(4, 3) a6, b6 and the wrist's centre in the tool's frame at q = 0, homogeneous."""
        a6 = self.axes.directions[5]
        fixed = self.axes.zero[:3, :3].T @ np.stack([a6, beside_of(a6)], axis=-1)
        return np.vstack([np.column_stack([fixed, self.point]), (0.0, 0.0, 1.0)])

    def solve(self, poses: Array, branch: Any, free: Array) -> Array:
        """q (..., 6) for poses (..., 4, 4) and branches counted from 0; free angles are as in `free`.

        A pose without a solution gives angles of least squares, or NaN.
        """
        seen = (poses.reshape(-1, 4) @ self._columns).reshape(*poses.shape[:-1], 3)
        seen = np.ascontiguousarray(np.moveaxis(seen[..., :3, :], -1, 0))
        q1, q2, q3 = self.arm.solve(seen[2], np.asarray(branch) // 2, free)
        vectors = seen[:2]
        for axis, angle, slides in zip(self.axes.directions, (q1, q2, q3), self.axes.slides, strict=False):
            vectors = vectors if slides else turned_back(axis, angle, vectors)
        wrist = Wrist(self.axes.directions[3:])
        rest = wrist.solve(vectors[0], vectors[1], SIGNS[np.asarray(branch) % 2], free[..., 3])
        return np.stack([q1, q2, q3, *rest], axis=-1)
