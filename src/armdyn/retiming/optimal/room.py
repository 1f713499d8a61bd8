"""What motions are possible at places of a path, seen from outside: straight lines around all of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armdyn.scalars import Array

CUTS = 8
"""Tangents by which the largest value of a line is closed in; it is not above any of them."""

Line = tuple[Array, Array, Array]
"""c_u, c_x, c_1 (N) of c_u u + c_x x + c_1."""


@dataclass(frozen=True, eq=False)
class Room:
    """Places (N) where a u + b x <= c, and x is within bounds; a motion has no other u and x there."""

    a: Array
    """(N, m)"""
    b: Array
    """(N, m)"""
    c: Array
    """(N, m)"""
    low: Array
    """(N) least x"""
    high: Array
    """(N) largest x, finite"""

    def most(self, line: Line) -> Array:
        """(N) a number that a line does not exceed: its largest value, or a little more.

        The largest value over u is concave over x, and below its tangents. Where one that rises and one that
        falls meet is the next to be taken (Kelley's method in one dimension).
        """
        c_u, c_x, c_1 = line
        with np.errstate(divide="ignore", invalid="ignore"):
            same = self.a * c_u[:, None] > 0
            d = np.where(same, self.c / np.abs(self.a), np.inf)
            s = np.where(same, -self.b / np.abs(self.a), 0.0)

        def tangent(x: Array) -> tuple[Array, Array]:
            """Value and slope at x."""
            first = np.argmin(d + s * x[:, None], axis=1)[:, None]
            offset, slope = (np.take_along_axis(each, first, axis=1)[:, 0] for each in (d, s))
            with np.errstate(invalid="ignore"):
                u = np.where(c_u == 0, 0.0, np.abs(c_u) * (offset + slope * x))
            return u + c_x * x + c_1, np.abs(c_u) * slope + c_x

        left, right = self.low, self.high
        (at_left, rising), (at_right, falling) = tangent(left), tangent(right)
        for _ in range(CUTS):
            x = _meeting(left, at_left, rising, right, at_right, falling)
            value, slope = tangent(x)
            up = slope >= 0
            left, at_left, rising = (
                np.where(up, new, old) for new, old in ((x, left), (value, at_left), (slope, rising))
            )
            right, at_right, falling = (
                np.where(up, old, new) for new, old in ((x, right), (value, at_right), (slope, falling))
            )
        x = _meeting(left, at_left, rising, right, at_right, falling)
        with np.errstate(invalid="ignore"):
            largest = np.minimum(at_left + rising * (x - left), at_right + falling * (x - right))
        return np.where(np.isnan(largest), np.inf, largest)


def _meeting(
    left: Array, at_left: Array, rising: Array, right: Array, at_right: Array, falling: Array
) -> Array:
    """Where two tangents meet, or the end at which the larger value is where none of them turns."""
    with np.errstate(divide="ignore", invalid="ignore"):
        x = (at_right - falling * right - at_left + rising * left) / (rising - falling)
    x = np.where(np.isfinite(x), np.clip(x, left, right), left)
    return np.where(rising <= 0, left, np.where(falling >= 0, right, x))
