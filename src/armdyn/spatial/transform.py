"""Rigid placements: `T_a_b` maps coordinates in frame b into frame a."""

from __future__ import annotations

from dataclasses import dataclass

from armdyn.spatial.rotation import IDENTITY
from armdyn.spatial.vector import ZERO, Mat3, Vec3, add, negate, product, times, transpose


@dataclass(frozen=True)
class Transform:
    """A rotation followed by a translation [m]."""

    rotation: Mat3 = IDENTITY
    translation: Vec3 = ZERO

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
