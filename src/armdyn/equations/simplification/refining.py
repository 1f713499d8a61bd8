"""Coefficients for the mean or the largest error instead of its mean square, on a sample of postures."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from armdyn.equations.simplification.fitting import EQUAL, Fit, selection
from armdyn.equations.simplification.sampling import Sample
from armdyn.scalars import Array

Measure = Literal["mean", "range"]
"""What a tolerance is about: mean |error| beside mean |value|, or the largest |error| beside the range."""

ROUNDS = 25
WORTHWHILE = 0.995
"""What of the error may be left for coefficients to be changed: less is the sample's doing."""
SMALLEST = 1e-3
"""Errors that weigh no more than this, relative to the mean."""


def refined(found: Fit, sample: Sample, measure: Measure) -> Array:
    """(groups, cases) coefficients that leave less by a measure; what no case changes stays common to all.

    Least squares, weighted anew from what is left: by 1 / |error| for the mean, by a weight that grows with
    |error| for the largest (Lawson).
    """
    if not found.loss or not found.structure:
        return found.coefficients
    T, used = selection(found.structure)
    X = sample.columns([found.dictionary.monomials[i] for i in used]) @ T
    scales = sample.mean_values if measure == "mean" else sample.ranges
    Y = sample.values / scales
    columns = common_columns(found.coefficients)
    x = best = found.coefficients / scales
    weights: Array = np.ones_like(Y)
    left = first = _size(Y - X @ x, measure)
    for _ in range(ROUNDS):
        error = np.abs(Y - X @ x)
        if measure == "mean":
            weights = 1 / np.maximum(error, SMALLEST * error.mean())
        else:
            weights = weights * error
            weights /= weights.mean()
        x = _weighted(X, Y, weights, columns, scales)
        if (size := _size(Y - X @ x, measure)) < left:
            best, left = x, size
    return best * scales if left < WORTHWHILE * first else found.coefficients


def common_columns(coefficients: Array) -> NDArray[np.int64]:
    """(groups, cases) the number of each coefficient's unknown: one for all cases that have it alike."""
    columns = np.zeros(coefficients.shape, dtype=np.int64)
    unknowns = 0
    for row, values in enumerate(coefficients):
        same = np.ptp(values) <= EQUAL * np.abs(values).max()
        count = 1 if same else len(values)
        columns[row] = unknowns + (0 if same else np.arange(count))
        unknowns += count
    return columns


def _size(error: Array, measure: Measure) -> float:
    return float(np.abs(error).mean() if measure == "mean" else np.abs(error).max())


def _weighted(X: Array, Y: Array, weights: Array, columns: NDArray[np.int64], scales: Array) -> Array:
    """(groups, cases) the weighted least squares, in units of each case's scale."""
    unknowns = int(columns.max()) + 1
    A: Array = np.zeros((unknowns, unknowns))
    b: Array = np.zeros(unknowns)
    for case in range(Y.shape[1]):
        mine = columns[:, case]
        scaled = X / scales[case]
        weighted = scaled * weights[:, case, None]
        A[np.ix_(mine, mine)] += scaled.T @ weighted
        b[mine] += weighted.T @ Y[:, case]
    solution = np.linalg.lstsq(A, b, rcond=None)[0]
    return solution[columns] / scales
