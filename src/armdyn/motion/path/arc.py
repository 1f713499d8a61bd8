"""Arcs of circles through three points, over their arc length."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from armdyn.errors import InputError
from armdyn.motion.path.curve import NEAR
from armdyn.motion.vectors import cross
from armdyn.scalars import Array

STRAIGHT = 1e-6
"""Three points are on one line when the sine of the angle between the ways to them is below this."""


@dataclass(frozen=True, eq=False)
class Arc:
    """From a start along a circle; the circle is start + r sin(a) t + r (1 - cos(a)) n with a = s / r."""

    start: Array
    ahead: Array
    """(3) t, the tangent at the start"""
    inward: Array
    """(3) n, from the start to the centre"""
    radius: float
    length: float
    via: float
    """Where on the arc the via point is [m]"""

    @classmethod
    def through(cls, start: ArrayLike, via: ArrayLike, end: ArrayLike) -> Arc:
        """The arc that begins at start, passes via and stops at end, (3) each [m]."""
        a, b, c = (np.asarray(point, np.float64) for point in (start, via, end))
        ab: Array = b - a
        ac: Array = c - a
        across: Array = cross(ab, ac)
        _check_points(ab, ac, across)
        # the centre of the circle around a triangle: a + (ac^2 (n x ab) + ab^2 (ac x n)) / 2 n^2, n = ab x ac
        to_centre: Array = (ac @ ac) * cross(across, ab) + (ab @ ab) * cross(ac, across)
        to_centre = to_centre / (2 * (across @ across))
        radius = float(np.linalg.norm(to_centre))
        inward: Array = to_centre / radius
        ahead: Array = cross(inward, across / np.linalg.norm(across))
        # about ab x ac the three points follow one another in their order: via is passed before the end

        def angle(way: Array) -> float:
            return math.atan2(float(way @ ahead), radius - float(way @ inward)) % math.tau

        return cls(a, ahead, inward, radius, radius * angle(ac), radius * angle(ab))

    @property
    def centre(self) -> Array:
        """(3) [m]."""
        return self.start + self.radius * self.inward

    @property
    def axis(self) -> Array:
        """(3) the unit vector across the plane, about which the arc turns."""
        return cross(self.ahead, self.inward)

    @property
    def curvature(self) -> float:
        """One over the radius."""
        return 1.0 / self.radius

    def point(self, s: ArrayLike) -> Array:
        """s: (...) to points (..., 3)."""
        angle = self._angle(s)
        along: Array = self.radius * np.sin(angle)
        inwards: Array = 2 * self.radius * np.sin(angle / 2) ** 2
        return self.start + along * self.ahead + inwards * self.inward

    def tangent(self, s: ArrayLike) -> Array:
        """s: (...) to unit vectors (..., 3)."""
        angle = self._angle(s)
        return np.cos(angle) * self.ahead + np.sin(angle) * self.inward

    def normal(self, s: ArrayLike) -> Array:
        """s: (...) to unit vectors (..., 3) towards the centre."""
        angle = self._angle(s)
        return np.cos(angle) * self.inward - np.sin(angle) * self.ahead

    def _angle(self, s: ArrayLike) -> Array:
        return np.asarray(s, np.float64)[..., None] / self.radius


def _check_points(ab: Array, ac: Array, across: Array) -> None:
    """Refuse three points through which there is no circle, or more than one."""
    if np.linalg.norm(ac) < NEAR:
        raise InputError(
            "a circle ends where it starts; a full circle takes two moves, each through a via point"
        )
    if np.linalg.norm(ab) < NEAR:
        raise InputError("the via point of a circle is its start, expected a point between start and end")
    if np.linalg.norm(ac - ab) < NEAR:
        raise InputError("the via point of a circle is its end, expected a point between start and end")
    sides = (np.linalg.norm(side) for side in (ab, ac, ac - ab))
    if np.linalg.norm(across) < STRAIGHT * math.prod(sorted(float(side) for side in sides)[1:]):
        raise InputError("start, via and end of a circle are on one line; move the via point or use a line")
