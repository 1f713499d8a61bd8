"""Products of powers of the joints near the centres of boxes: value, derivatives, and what lies beyond."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armdyn.extremes.terms import Whole, monomials
from armdyn.scalars import Array


@dataclass(frozen=True)
class Monomials:
    """On box i, d from its centre: |P - (value + slopes . d + d . bends d / 2)| <= beyond; all (N, m)."""

    value: Array
    slopes: dict[int, Array]
    """By joint; joints without powers are left out"""
    bends: dict[tuple[int, int], Array]
    """By two joints, the first no later than the second"""
    beyond: Array


def near_monomials(powers: Whole, centre: Array, half: Array) -> Monomials:
    """The products of powers (m, n) on boxes centre -+ half: (N, n).

    What is beyond the second order is no larger than for centres |c|, where all of its parts are positive:
    there it is the product at |c| + h without value, slopes and bends.
    """
    value, slopes, bends = _derivatives(powers, centre)
    size, steepest, most_bent = _derivatives(powers, np.abs(centre))
    beyond = monomials(powers, np.abs(centre) + half) - size
    for j, slope in steepest.items():
        beyond -= slope * half[:, j, None]
    for (j, other), bend in most_bent.items():
        beyond -= bend * (half[:, j] * half[:, other])[:, None] * (0.5 if j == other else 1.0)
    return Monomials(value, slopes, bends, np.maximum(beyond, 0.0))


def _derivatives(powers: Whole, q: Array) -> tuple[Array, dict[int, Array], dict[tuple[int, int], Array]]:
    """The products, their slopes and their bends at q: (N, n)."""
    joints = np.flatnonzero(powers.any(axis=0)).tolist()
    slopes: dict[int, Array] = {}
    bends: dict[tuple[int, int], Array] = {}
    for j in joints:
        less = _less(powers, j)
        slopes[j] = powers[:, j] * monomials(less, q)
        for other in (o for o in joints if o >= j):
            bends[j, other] = powers[:, j] * less[:, other] * monomials(_less(less, other), q)
    return monomials(powers, q), slopes, bends


def _less(powers: Whole, joint: int) -> Whole:
    result = powers.copy()
    result[:, joint] = np.maximum(result[:, joint] - 1, 0)
    return result
