"""Which joints points hold that do not move: a question of their weights alone, whatever ratio a gear has."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from armdyn.mechanics.rubbing import FrictionPoint
from armdyn.scalars import Array

ROUNDING = 1e-9
"""Of weights, relative to the largest: what is below it is zero."""


def held_joints(points: Sequence[FrictionPoint], n: int) -> NDArray[np.intp]:
    """The joints that cannot move while none of the points does."""
    weights = joint_weights(points, n)
    return np.flatnonzero(_spanned(np.linalg.pinv(weights, rcond=ROUNDING) @ weights))


def joints_as_sums(points: Sequence[FrictionPoint], n: int) -> list[list[int]] | None:
    """For each joint the points that it is a sum of, none where it is no such sum.

    There is one such sum at most if no point follows from others; where one does the answer is None.
    """
    weights = joint_weights(points, n)
    shares = np.linalg.pinv(weights, rcond=ROUNDING)  # (n, points)
    if not np.allclose(weights @ shares, np.eye(len(points)), rtol=0, atol=ROUNDING):
        return None
    exact = _spanned(shares @ weights)
    taken = np.abs(shares) > ROUNDING * np.abs(shares).max(axis=1, keepdims=True, initial=0.0)
    return [np.flatnonzero(row).tolist() if sums else [] for row, sums in zip(taken, exact, strict=True)]


def _spanned(projection: Array) -> NDArray[np.bool_]:
    """Which unit vectors a projection leaves as they are."""
    return np.abs(projection - np.eye(len(projection))).max(axis=1, initial=0.0) < ROUNDING


def joint_weights(points: Sequence[FrictionPoint], n: int) -> Array:
    """(points, n): how much of each joint is in each point, the largest of each made 1."""
    weights = np.zeros((len(points), n))
    for row, point in zip(weights, points, strict=True):
        for j, weight in point.coordinate.weights:
            row[j] = weight
    return weights / np.abs(weights).max(axis=1, keepdims=True, initial=0.0)
