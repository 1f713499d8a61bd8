"""Rigid placements: `T_a_b` maps coordinates in frame b into frame a."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from armdyn.errors import InputError
from armdyn.spatial.rotation import IDENTITY, check_rotation, from_rpy
from armdyn.spatial.vector import ZERO, Mat3, Vec3, add, matrix, negate, product, times, transpose, vector


@dataclass(frozen=True)
class Transform:
    """A rotation followed by a translation [m]."""

    rotation: Mat3 = IDENTITY
    translation: Vec3 = ZERO

    @classmethod
    def of(
        cls,
        xyz: Sequence[float] = (0.0, 0.0, 0.0),
        rpy: Sequence[float] = (0.0, 0.0, 0.0),
    ) -> Transform:
        """From a translation [m] and roll, pitch, yaw [rad], R = Rz(yaw) Ry(pitch) Rx(roll)."""
        roll, pitch, yaw = (float(angle) for angle in rpy)
        return cls(from_rpy(roll, pitch, yaw), vector(float(x) for x in xyz))

    @classmethod
    def from_matrix(cls, matrix4: ArrayLike) -> Transform:
        """From a 4x4 matrix, as `Dynamics.pose` gives it."""
        rows = np.asarray(matrix4, dtype=float)
        if rows.shape != (4, 4) or not np.array_equal(rows[3], (0, 0, 0, 1)):
            raise InputError(f"a placement of shape {rows.shape}, expected 4x4 with last row 0, 0, 0, 1")
        rotation = check_rotation(matrix(rows[:3, :3].tolist()), "placement")
        return cls(rotation, vector(rows[:3, 3].tolist()))

    def __matmul__(self, other: Transform) -> Transform:
        """T_a_b @ T_b_c = T_a_c."""
        return Transform(product(self.rotation, other.rotation), self.apply(other.translation))

    def apply(self, point: Vec3) -> Vec3:
        """Map a point."""
        return add(times(self.rotation, point), self.translation)

    def inverse(self) -> Transform:
        """T_b_a of T_a_b."""
        back = transpose(self.rotation)
        return Transform(back, negate(times(back, self.translation)))
