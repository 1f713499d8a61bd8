"""Extremes of any function over a box, as far as they are found: no bound is known."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from math import inf
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from armdyn.errors import InputError, ShapeError
from armdyn.extremes.arguments import checked_box
from armdyn.extremes.climbing import SAMPLES, best_of_parts, spread_points
from armdyn.extremes.results import Bound, Extremes
from armdyn.scalars import Array

Function = Callable[[Array], Array]
STARTS = 16
"""So many parts of the samples are followed uphill from their best one."""
FEWEST, MOST = 6, 24
"""Powers of 2"""
STEP = 1e-6
"""Of differences that stand for derivatives, relative to the box."""


def attained(function: Function, box: ArrayLike, *, samples: int = SAMPLES) -> Extremes:
    """The lowest and the highest value found of a function; the bounds are infinite.

    Args:
        function: of many postures (N, n) at once, gives (N) numbers.
        box: (n, 2) the joints' ranges; a joint may be locked, with both ends equal [rad or m].
        samples: 2 to the power of this many postures are looked at, some of them at ends of ranges; from
            the best ones the search goes on uphill (L-BFGS-B).
    """
    ranges = checked_box(box)
    if not FEWEST <= samples <= MOST:
        raise InputError(f"samples is {samples}, expected {FEWEST} to {MOST}: 2 to that power are looked at")
    points = spread_points(ranges, samples)
    values = _values(function, points)
    low, high = (_polished(function, ranges, points, sign * values, sign) for sign in (-1, 1))
    return Extremes(Bound(*low, -inf, certified=False), Bound(*high, inf, certified=False))


def _polished(function: Function, box: Array, points: Array, values: Array, sign: int) -> tuple[float, Array]:
    """The highest sign times function that is found from the best points, as a value of the function."""
    optimize: Any = import_module("scipy.optimize")  # slow to import: only where it is needed
    low, width = box[:, 0], box[:, 1] - box[:, 0]
    scale = float(np.ptp(values)) or 1.0
    best = int(np.argmax(values))
    value, q = float(values[best]), points[best]

    def downhill(x: Array) -> tuple[float, Array]:
        return _downhill(function, box, x, -sign / scale)

    for start in best_of_parts(values, STARTS).tolist():
        found = optimize.minimize(
            downhill,
            np.divide(points[start] - low, width, out=np.zeros_like(low), where=width > 0),
            jac=True,
            bounds=[(0.0, 1.0)] * len(box),
            method="L-BFGS-B",
        )
        there = _inside(box, found.x)
        reached = sign * float(_values(function, there[None])[0])
        if reached > value:
            value, q = reached, there
    return sign * value, q


def _downhill(function: Function, box: Array, x: Array, factor: float) -> tuple[float, Array]:
    """Factor times function and its derivatives by shares x of the box, all from one call."""
    n = len(x)
    upper, lower = np.minimum(x + STEP * np.eye(n), 1.0), np.maximum(x - STEP * np.eye(n), 0.0)
    values = factor * _values(function, _inside(box, np.concatenate([x[None], upper, lower])))
    distance = np.diag(upper) - np.diag(lower)
    return float(values[0]), (values[1 : n + 1] - values[n + 1 :]) / distance


def _inside(box: Array, x: Array) -> Array:
    """(..., n) postures at shares x of the box, none outside by rounding."""
    low, high = box.T
    return np.clip(low + (high - low) * x, low, high)


def _values(function: Function, q: Array) -> Array:
    """(N) the function's values, which must be numbers."""
    values: Array = np.asarray(function(q), dtype=np.float64)
    if values.shape != (len(q),):
        raise ShapeError("the function's result", values.shape, f"it got {len(q)} postures", f"({len(q)},)")
    if not np.isfinite(values).all():
        bad = int(np.argmin(np.isfinite(values)))
        where = ", ".join(f"{x:.4g}" for x in q[bad])
        raise InputError(
            f"the function is {values[bad]} at q = ({where}), expected finite numbers in the box"
        )
    return values
