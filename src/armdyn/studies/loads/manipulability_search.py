"""Extremes of functions that bend sharply, as far as they are found: many starts at once, no derivatives.

From the best of many postures steps are tried both ways along perpendicular directions, which are drawn anew
each time; where none is better they become half as long.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import inf

import numpy as np

from armdyn.extremes import Bound, Extremes
from armdyn.extremes.climbing import SAMPLES, best_of_parts, spread_points
from armdyn.scalars import Array

Function = Callable[[Array], Array]
STARTS = 32
FIRST, LAST = 0.1, 1e-8
"""Longest and shortest steps, of the joints' ranges."""
ROUNDS = 120
NOTHING = 1e-6
"""A smallest value below this share of the largest is zero, unless it is proved that it is not."""
TINY = 1e-4
"""An unproved smallest value below this share of the largest may be zero: no ratio is told."""


def attained_extremes(function: Function, box: Array, samples: int = SAMPLES) -> Extremes:
    """The lowest and the highest value found of a function (N, n) -> (N) over a box (n, 2).

    2 to the power of `samples` postures are looked at first.
    """
    points = spread_points(box, samples)
    values = function(points)
    ends = [_climbed(lambda q, s=s: s * function(q), box, points, s * values) for s in (-1.0, 1.0)]
    (low, q_low), (high, q_high) = ends
    return Extremes(Bound(-low, q_low, -inf, certified=False), Bound(high, q_high, inf, certified=False))


def _climbed(function: Function, box: Array, points: Array, values: Array) -> tuple[float, Array]:
    """The highest value found, and where."""
    chosen = best_of_parts(values, STARTS)
    q, best, step = points[chosen], values[chosen], np.full(STARTS, FIRST)
    low, high = box.T
    n, rng = len(box), np.random.default_rng(0)
    for _ in range(ROUNDS):
        basis = np.linalg.qr(rng.normal(size=(n, n)))[0]
        ways = np.concatenate([basis, -basis]) * (high - low)
        tried = np.clip(q[:, None] + step[:, None, None] * ways, low, high)
        found = function(tried.reshape(-1, n)).reshape(STARTS, 2 * n)
        choice = found.argmax(axis=1)
        most = np.take_along_axis(found, choice[:, None], axis=1)[:, 0]
        better = most > best
        q = np.where(better[:, None], tried[np.arange(STARTS), choice], q)
        best = np.where(better, most, best)
        step = np.where(better, np.minimum(1.5 * step, FIRST), 0.5 * step)
        if (step < LAST).all():
            break
    top = int(best.argmax())
    return float(best[top]), q[top]


def with_common_zeros(found: Sequence[Extremes], functions: Sequence[Function]) -> list[Extremes]:
    """Smallest values of functions >= 0 that vanish at the same postures: each looks where the others are.

    A singular value that vanishes does so along a sharp edge, which one search may miss and another find.
    """
    if not found:
        return []
    postures = np.stack([one.minimum.q for one in found])
    return [_lowered(one, function, postures) for one, function in zip(found, functions, strict=True)]


def _lowered(found: Extremes, function: Function, postures: Array) -> Extremes:
    """Where one of the postures is lower, its value; zero where that is next to nothing."""
    low, high = found.minimum, found.maximum.value
    values = function(postures)
    least = int(np.nanargmin(values)) if np.isfinite(values).any() else 0
    if values[least] < low.value:
        low = replace(low, value=max(float(values[least]), low.bound), q=postures[least])
    if low.bound <= 0 and low.value <= NOTHING * high:
        low = replace(low, value=0.0)
    return replace(found, minimum=low)


def ratio(found: Extremes) -> float | None:
    """Largest over smallest value; none where the smallest is zero, or may be."""
    low, high = found.minimum, found.maximum.value
    proved = low.certified and low.bound > 0
    return high / low.value if low.value > (NOTHING if proved else TINY) * high else None
