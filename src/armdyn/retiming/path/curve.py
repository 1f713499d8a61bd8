"""Curves in joint space, over a parameter of their own."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any, Protocol

import numpy as np

from armdyn.scalars import Array

RESTS = 1e-3
"""Share of its mean below which the slope of a curve counts as none."""
NODES, WEIGHTS = np.polynomial.legendre.leggauss(6)
"""Of Gauss and Legendre between two points of a spline: its length to rounding."""


class Curve(Protocol):
    """A smooth (C2) stretch of a path in joint space; dq/dp is nowhere 0."""

    @property
    def length(self) -> float:
        """Where the parameter p, which begins at 0, ends."""
        ...

    def at(self, p: Array) -> tuple[Array, Array, Array]:
        """p: (t) in [0, length] to q, dq/dp, d2q/dp2, (t, n) each."""
        ...

    def third(self, p: Array) -> Array:
        """p: (t) to d3q/dp3 (t, n); where it jumps it is that of one side."""
        ...


@dataclass(frozen=True, eq=False)
class StraightCurve:
    """Straight in joint space; the parameter is the distance."""

    start: Array
    """(n) joint positions [rad or m]"""
    end: Array
    """(n), elsewhere"""

    @property
    def length(self) -> float:
        """[rad or m]."""
        return float(np.linalg.norm(self.end - self.start))

    def at(self, p: Array) -> tuple[Array, Array, Array]:
        """p: (t) to q, dq/dp, d2q/dp2, (t, n) each."""
        share = (p / self.length)[:, None]
        slope = np.broadcast_to((self.end - self.start) / self.length, (len(p), len(self.start)))
        return (1 - share) * self.start + share * self.end, slope.copy(), np.zeros(slope.shape)

    def third(self, p: Array) -> Array:
        """p: (t) to zeros (t, n)."""
        return np.zeros((len(p), len(self.start)))


@dataclass(frozen=True, eq=False)
class SplineCurve:
    """A spline through points."""

    p: Array
    """(m) increasing from 0 on"""
    q: Array
    """(m, n) joint positions there [rad or m]"""
    degree: int = 5
    """Less where there are fewer points; from 3 on the curve is C2"""
    natural: bool = False
    """Whether it is cubic with d2q/dp2 = 0 at both ends; by default no knot is at the points next to these"""

    @property
    def length(self) -> float:
        """Where the parameter ends."""
        return float(self.p[-1])

    def at(self, p: Array) -> tuple[Array, Array, Array]:
        """p: (t) to q, dq/dp, d2q/dp2, (t, n) each."""
        inside = np.clip(p, 0.0, self.length)
        return self._splines[0](inside), self._splines[1](inside), self._splines[2](inside)

    def third(self, p: Array) -> Array:
        """p: (t) to d3q/dp3 (t, n)."""
        return self._splines[3](np.clip(p, 0.0, self.length))

    def evened(self) -> SplineCurve:
        """The same points over another parameter, that makes neither speeds nor bends of the joints large.

        It grows with the distance in joint space, and as much with the parameter that was, in all by the
        distance: dq/dp is at most 2, and where the joints move least and turn, as at a corner that is just
        rounded, there is room to do so. Where they rest it grows with the distance alone.
        """
        half = np.diff(self.p)[:, None] / 2
        places = (self.p[1:, None] + self.p[:-1, None]) / 2 + half * NODES
        speeds = np.linalg.norm(self._splines[1](places), axis=-1)
        along = np.concatenate([[0.0], np.cumsum((half * speeds) @ WEIGHTS)])
        resting = (
            float(np.linalg.norm(self._splines[1](self.p), axis=-1).min()) * self.length < RESTS * along[-1]
        )
        even = along if resting else (along + along[-1] * self.p / self.length) / 2
        return SplineCurve(even, self.q, self.degree, self.natural)

    @cached_property
    def _splines(self) -> tuple[Any, Any, Any, Any]:
        """The spline and its first three derivatives."""
        interpolate: Any = import_module("scipy.interpolate")  # slow to import: only where it is needed
        degree = 3 if self.natural else min(self.degree, len(self.p) - 1)
        ends = "natural" if self.natural else None
        spline = interpolate.make_interp_spline(self.p, self.q, k=degree, bc_type=ends)
        zero = _Zero(self.q.shape[1])
        slopes = [spline.derivative(k) if k <= degree else zero for k in (1, 2, 3)]
        return spline, slopes[0], slopes[1], slopes[2]


@dataclass(frozen=True)
class _Zero:
    """A derivative beyond the degree."""

    n: int

    def __call__(self, p: Array) -> Array:
        return np.zeros((*np.shape(p), self.n))


@dataclass(frozen=True, eq=False)
class CutCurve:
    """A stretch of another curve."""

    whole: Curve
    begins: float
    """Where on the whole it begins,"""
    ends: float
    """and ends"""

    @property
    def length(self) -> float:
        """Where the parameter ends."""
        return self.ends - self.begins

    def at(self, p: Array) -> tuple[Array, Array, Array]:
        """p: (t) to q, dq/dp, d2q/dp2, (t, n) each."""
        return self.whole.at(self.begins + p)

    def third(self, p: Array) -> Array:
        """p: (t) to d3q/dp3 (t, n)."""
        return self.whole.third(self.begins + p)


def distances(q: Array) -> Array:
    """(m) the distance in joint space from the first of postures (m, n) on, along straight lines."""
    return np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(q, axis=0), axis=1))])


def ends_of(curve: Curve) -> tuple[Array, Array]:
    """(2, n) the postures and (2, n) the unit tangents at both ends of a curve."""
    q, slope, _ = curve.at(np.array([0.0, curve.length]))
    return q, slope / np.linalg.norm(slope, axis=1)[:, None]
