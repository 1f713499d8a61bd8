"""Extremes of functions that bend sharply, as far as they are found: many starts at once, no derivatives.

From the best of many postures steps are tried both ways along perpendicular directions, which are drawn anew
each time; where none is better they become half as long.
"""

from __future__ import annotations

from collections.abc import Callable
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
