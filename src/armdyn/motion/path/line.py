"""Straight lines over their arc length."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from armdyn.errors import InputError
from armdyn.motion.path.curve import NEAR
from armdyn.motion.vectors import beside_of
from armdyn.scalars import Array


@dataclass(frozen=True, eq=False)
class Line:
    """From one point straight to another."""

    start: Array
    direction: Array
    """(3) of length one"""
    length: float

    @classmethod
    def between(cls, start: ArrayLike, end: ArrayLike) -> Line:
        """The line from start to end, (3) each [m]."""
        first = np.asarray(start, np.float64)
        way: Array = np.asarray(end, np.float64) - first
        length = float(np.linalg.norm(way))
        if length < NEAR:
            raise InputError(f"a line of length {length:g} m has no direction, expected two points apart")
        return cls(first, way / length, length)

    @property
    def curvature(self) -> float:
        """None: 0."""
        return 0.0

    def point(self, s: ArrayLike) -> Array:
        """s: (...) to points (..., 3)."""
        return self.start + np.asarray(s, np.float64)[..., None] * self.direction

    def tangent(self, s: ArrayLike) -> Array:
        """s: (...) to the direction, (..., 3)."""
        return np.broadcast_to(self.direction, (*np.shape(s), 3))

    def normal(self, s: ArrayLike) -> Array:
        """s: (...) to one of the unit vectors across, (..., 3): a line bends nowhere."""
        return np.broadcast_to(beside_of(self.direction), (*np.shape(s), 3))
