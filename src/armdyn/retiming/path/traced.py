"""Curves through exact postures: as many as a spline needs to be the motion itself, up to rounding.

What is traced is a function from a way x (an arc length of the tool, an angle, a time) to postures. Its curve
is over a parameter between that and the distance in joint space (`SplineCurve.evened`), near to singular
postures, too. Points lie evenly over it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from armdyn.retiming.path.curve import SplineCurve, distances
from armdyn.scalars import Array

Postures = Callable[[Array], Array]
"""Increasing ways (m), from the start of what is traced on, to joint positions (m, n) [rad or m]."""

FIRST = 16
"""Intervals of the first look at what is traced."""
SPACING = 0.05
"""[rad or m] Between two points at first."""
FINEST = 1e-4
"""[rad or m] Nearer points tell more about rounding than about curvature."""
UNIFORM = 0.5
"""Share by which points are spread evenly over the way; the others over the distance in joint space."""
AT_ENDS = 0.5
"""Share by which points lie closer to one another at both ends, where a spline is worse than elsewhere."""
GOOD = 2e-7
"""Share of the square of the spacing by which the spline through every second point may miss the others: the
spline through all then has d2q/dp2 to 1e-7 or so."""
ROUNDING = 5e-13
"""[rad or m] Nobody needs to meet them better than that."""
TINY, LINE, NOTHING = 1e-3, 2e-6, 1e-9
"""[rad or m] Shorter ones are one polynomial of degree 3, a straight line, or nothing."""


@dataclass(frozen=True, eq=False)
class Traced:
    """A stretch of a motion: its curve, and where it is after which way."""

    curve: SplineCurve
    """The curve"""
    by_way: SplineCurve
    """The same points over the way, counted from the first on"""
    start: float
    """The first way"""

    def at(self, ways: Array) -> Array:
        """(t, n) positions after ways (t)."""
        return self.by_way.at(ways - self.start)[0]


def traced(postures: Postures, start: float, end: float) -> Traced | None:
    """The curve between two ways; None if nothing moves."""
    ways = np.linspace(start, end, FIRST + 1)
    q = postures(ways)
    length = float(distances(q)[-1])
    if length < LINE:
        return None if length < NOTHING else _spline(ways[[0, -1]], q[[0, -1]], 1)
    if length < TINY:
        return _spline(*_refined(postures, ways, q, 3), 3)
    count = FIRST * max(1, int(np.ceil(length / SPACING / FIRST)))
    while True:
        ways, q = _refined(postures, ways, q, count)
        found = _spline(ways, q, 5)
        if _is_good(found) or distances(q)[-1] / (2 * count) < FINEST:
            return found
        count *= 2


def _refined(postures: Postures, ways: Array, q: Array, count: int) -> tuple[Array, Array]:
    """So many intervals: ways and postures."""
    along, even = distances(q), (ways - ways[0]) / (ways[-1] - ways[0])
    share = UNIFORM * even + (1 - UNIFORM) * along / along[-1]
    smooth = SplineCurve(share, ways[:, None], 3)
    found = smooth.at(_places(count))[0][:, 0]
    if not (np.diff(found) > 0).all():
        found = np.interp(_places(count), share, ways)
    found[0], found[-1] = ways[0], ways[-1]
    return found, postures(found)


def _places(count: int) -> Array:
    """(count + 1) from 0 to 1, closer to one another at both ends."""
    even = np.linspace(0.0, 1.0, count + 1)
    return (1 - AT_ENDS) * even + AT_ENDS * (1 - np.cos(np.pi * even)) / 2


def _is_good(found: Traced) -> bool:
    """Whether the splines through every second point meet the others, over the way and over the parameter."""
    q = found.by_way.q
    spacing = distances(q)[-1] / (len(q) - 1)
    missed = max(_missed(found.by_way.p, q), _missed(found.curve.p, q))
    return missed < max(GOOD * spacing**2, ROUNDING)


def _missed(p: Array, q: Array) -> float:
    """By how much the spline through every second point misses the others [rad or m]."""
    return float(np.abs(SplineCurve(p[::2], q[::2]).at(p[1::2])[0] - q[1::2]).max())


def _spline(ways: Array, q: Array, degree: int) -> Traced:
    by_way = SplineCurve(ways - ways[0], q, degree)
    return Traced(by_way.evened(), by_way, float(ways[0]))
