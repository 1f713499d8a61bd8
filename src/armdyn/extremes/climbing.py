"""Values that are attained: many starts over the box, each followed uphill."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from armdyn.extremes.models import Model, model
from armdyn.extremes.quotient import Quotient
from armdyn.extremes.terms import Flags
from armdyn.scalars import Array

SAMPLES = 13
"""2 to the power of this many points are looked at."""
STARTS = 256
"""The best point of every so-manieth part of them is followed uphill."""
ROUNDS = ((256, 8), (32, 40), (4, 100))
"""So many of the highest points take so many steps."""
SMALL = 1e-12
"""Steps shorter than this, relative to the box, end a climb."""
REACH = 1.1
"""Points are spread over so many times the box and brought back into it: some lie at ends of ranges."""
FARTHEST = 0.25
"""A step's largest share of the box"""
FLAT = 1e-8
"""The smallest curvature that a step is divided by, relative to the largest."""


def spread_points(box: Array, exponent: int = SAMPLES) -> Array:
    """(2^exponent, n) points all over a box: (n, 2), the same ones always, ends of ranges among them."""
    qmc: Any = import_module("scipy.stats.qmc")  # slow to import: only where it is needed
    low, high = box.T
    shares: Array = qmc.Sobol(len(box), rng=np.random.default_rng(0)).random_base2(exponent)
    return np.clip(low + (high - low) * (0.5 + REACH * (shares - 0.5)), low, high)


def best_of_parts(values: Array, parts: int) -> Any:
    """(parts) places of the highest values in equal parts of the samples: starts that lie apart."""
    size = len(values) // parts
    return values.reshape(parts, size).argmax(axis=1) + size * np.arange(parts)


def climbed(f: Quotient, box: Array, starts: Array | None = None) -> tuple[float, Array]:
    """The highest value found over a box: (n, 2), and where; from starts (s, n), by default all over it."""
    if not len(box):  # a constant
        return float(f(np.zeros(0))), np.zeros(0)
    if starts is None:
        points = spread_points(box)
        starts = points[best_of_parts(f(points), STARTS)]
    q, value, radius = starts, f(starts), np.full(len(starts), FARTHEST)
    for count, steps in ROUNDS:
        best = np.argsort(-value)[:count]
        q, value, radius = _walked(f, q[best], value[best], radius[best], box, steps)
    best = int(np.argmax(value))
    return float(value[best]), q[best]


def _walked(
    f: Quotient, q: Array, value: Array, radius: Array, box: Array, steps: int
) -> tuple[Array, Array, Array]:
    """Points (s, n) after some steps that rise, their values, and how far the next step may go."""
    width = box[:, 1] - box[:, 0]
    for _ in range(steps):
        limit = radius[:, None] * width
        new = np.clip(q + np.clip(_uphill(f, q, value, box), -limit, limit), *box.T)
        there = f(new)
        better = there > value
        moved = (np.abs(new - q) / width).max()
        q, value = np.where(better[:, None], new, q), np.where(better, there, value)
        radius = np.where(better, np.minimum(2 * radius, FARTHEST), radius / 4)
        if moved <= SMALL:
            break
    return q, value, radius


def _uphill(f: Quotient, q: Array, value: Array, box: Array) -> Array:
    """(s, n) Newton's steps up N - value D, along which N/D rises too, away from saddles and along walls.

    With the Hessian's eigenvectors e and eigenvalues l a step is sum e (e . g) / |l|.
    """
    none = np.zeros_like(q)
    above, below = model(f.numerator, q, none), model(f.denominator, q, none)
    gradient = above.gradient - value[:, None] * below.gradient
    hessian = _hessian(above, below, value)
    held: Flags = ((q <= box[:, 0]) & (gradient <= 0)) | ((q >= box[:, 1]) & (gradient >= 0))
    gradient = np.where(held, 0.0, gradient)
    hessian = np.where(held[:, :, None] | held[:, None, :], 0.0, hessian)
    curvatures, axes = np.linalg.eigh(hessian)
    size = np.abs(curvatures)
    size = np.maximum(size, FLAT * size.max(axis=1, keepdims=True, initial=0.0))
    along = (np.swapaxes(axes, 1, 2) @ gradient[:, :, None])[:, :, 0]
    along = np.divide(along, size, out=along, where=size > 0)
    return (axes @ along[:, :, None])[:, :, 0]


def _hessian(above: Model, below: Model, value: Array) -> Array:
    return above.hessian - value[:, None, None] * below.hessian
