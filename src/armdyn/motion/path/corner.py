"""Rounded corners: from a distance before the corner to as far behind it two curves run into each other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from armdyn.motion.path.curve import Curve
from armdyn.motion.vectors import cross
from armdyn.scalars import Array

PANELS = 32
"""Into so many panels the corner is cut to find its arc length"""
NODES, WEIGHTS = np.polynomial.legendre.leggauss(10)
"""Of Gauss and Legendre in each panel: to rounding for corners of up to 170 degrees"""
SAMPLES = 257
"""At so many places the sharpest bend is looked for; the middle, where a parabola's is, is one"""
ITERATIONS = 8
"""Of Newton's at most; three do"""


@dataclass(frozen=True, eq=False)
class Corner:
    """x(u) = x1(L1 - d (1 - u)^2) + x2(d u^2) - corner, u from 0 to 1.

    Between lines it is the parabola; between any two curves it goes on from the first and into the second
    with their tangents, and is never farther than d from the corner.
    """

    before: Curve
    """x1, of length L1"""
    after: Curve
    """x2, which begins where x1 ends"""
    reach: float
    """d [m]"""
    lengths: Array
    """(PANELS + 1) arc length at the panels' ends [m]"""

    @classmethod
    def between(cls, before: Curve, after: Curve, reach: float) -> Corner:
        """The corner where one curve ends and the other begins, rounded within `reach` [m]."""
        corner = cls(before, after, reach, np.zeros(PANELS + 1))
        ends = np.linspace(0.0, 1.0, PANELS + 1)
        lengths = np.concatenate([[0.0], np.cumsum(corner._stretch(ends[:-1], ends[1:]))])
        return cls(before, after, reach, lengths)

    @property
    def length(self) -> float:
        """[m]."""
        return float(self.lengths[-1])

    def point(self, u: ArrayLike) -> Array:
        """u: (...) to points (..., 3)."""
        first, second = self._ways(u)
        corner = self.before.point(self.before.length)
        return self.before.point(first) + (self.after.point(second) - corner)

    def slope(self, u: ArrayLike) -> Array:
        """u: (...) to dx/du (..., 3), along the tangent."""
        x = np.asarray(u, np.float64)
        first, second = self._ways(x)
        leaving: Array = (1 - x)[..., None] * self.before.tangent(first)
        return 2 * self.reach * (leaving + x[..., None] * self.after.tangent(second))

    def bend(self, u: ArrayLike) -> Array:
        """u: (...) to d2x/du2 (..., 3)."""
        x = np.asarray(u, np.float64)
        first, second = self._ways(x)
        turning: Array = self.after.tangent(second) - self.before.tangent(first)
        # [d(d u^2)/du]^2 = 4 d^2 u^2 times the curvature of each
        leaving: Array = (self.before.curvature * (1 - x) ** 2)[..., None] * self.before.normal(first)
        entering: Array = (self.after.curvature * x**2)[..., None] * self.after.normal(second)
        return 2 * self.reach * turning + 4 * self.reach**2 * (leaving + entering)

    def parameter(self, s: ArrayLike) -> Array:
        """s: (...) arc lengths to u (...), to rounding."""
        way: Array = np.clip(np.asarray(s, np.float64), 0.0, self.length)
        panel = np.clip(np.searchsorted(self.lengths, way, side="right") - 1, 0, PANELS - 1)
        known: Array = self.lengths[panel]
        start: Array = panel / PANELS
        u: Array = start + (way - known) / (self.lengths[panel + 1] - known) / PANELS
        for _ in range(ITERATIONS):
            step: Array = (known + self._stretch(start, u) - way) / _norm(self.slope(u))
            u = np.clip(u - step, 0.0, 1.0)
            if not np.any(np.abs(step) > 1e-15):
                break
        return u

    def sharpest(self) -> float:
        """The largest curvature [rad/m]."""
        u = np.linspace(0.0, 1.0, SAMPLES)
        slope = self.slope(u)
        return float(np.max(_norm(cross(slope, self.bend(u))) / _norm(slope) ** 3))

    def narrowest(self) -> float:
        """How far it is from a reversal, which is 0: cos(angle / 2) between lines."""
        return float(np.min(_norm(self.slope(np.linspace(0.0, 1.0, SAMPLES))))) / (2 * self.reach)

    def _ways(self, u: ArrayLike) -> tuple[Array, Array]:
        """Where on the two curves u is."""
        x = np.asarray(u, np.float64)
        return self.before.length - self.reach * (1 - x) ** 2, self.reach * x**2

    def _stretch(self, start: Array, end: Array) -> Array:
        """Arc lengths between start and end (...), as far apart as a panel is wide at most."""
        half: Array = (end - start) / 2
        u: Array = ((start + end) / 2)[..., None] + half[..., None] * NODES
        return half * (_norm(self.slope(u)) @ WEIGHTS)


def _norm(vectors: Array) -> Array:
    return np.sqrt(np.einsum("...i,...i->...", vectors, vectors))
