"""Products of vectors (..., 3), quicker than NumPy's for the few that planning multiplies at a time."""

from __future__ import annotations

import numpy as np

from armdyn.scalars import Array


def cross(a: Array, b: Array) -> Array:
    """a x b (..., 3)."""
    product = np.empty(np.broadcast_shapes(a.shape, b.shape))
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        product[..., i] = a[..., j] * b[..., k] - a[..., k] * b[..., j]
    return product


def beside_of(direction: Array) -> Array:
    """A unit vector at right angles to one (3)."""
    least = np.zeros(3)
    least[np.argmin(np.abs(direction))] = 1.0
    across = cross(direction, least)
    return across / np.linalg.norm(across)
