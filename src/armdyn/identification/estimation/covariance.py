"""How sure an estimate is: the noise that its residuals show, and what that does to it.

Torques come filtered, so that errors of neighbouring samples are alike. With gamma_j(l) the autocovariance of
joint j's noise, an estimate beta = sum_j L_j Y_j^T tau_j has the covariance

    sum_j L_j M_j L_j^T,    M_j = sum_l gamma_j(l) sum_t Y_j(t)^T Y_j(t + l).

What the filter does to white noise is known; what residuals show beyond it counts as far as it is
significant.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from armdyn.identification.estimation.factors import Factors
from armdyn.identification.estimation.least_squares import Solution
from armdyn.identification.estimation.observations import Observations
from armdyn.scalars import Array

LONGEST = 60
"""Lags that are looked at: samples are thinned out until few are left within the filter's memory."""
SIGNIFICANT = 2.5
"""Standard errors of an autocorrelation beyond which it is one."""


@dataclass(frozen=True)
class Noise:
    """What the torques of each joint show beside the model."""

    deviation: Array
    """(n) standard deviation, degrees of freedom counted"""
    autocovariance: Array
    """(n, lags + 1)"""


def freedom(observations: Observations, factors: Factors, solution: Solution) -> Array:
    """(n) degrees of freedom of the joints' residuals: each has lost what the estimate has fitted to it.

    Where noise is alike in neighbouring samples, slow columns take more of it than their share.
    """
    fitted = [np.trace(L @ R[:, :-1].T @ R[:, :-1]) for L, R in zip(solution.gains, factors.R, strict=True)]
    taken = max(2 * float(np.sum(observations.memory)) - 1, 1.0)
    return np.maximum(factors.rows - taken * np.array(fitted), 1.0)


def noise(observations: Observations, residuals: Array, degrees: Array) -> Noise:
    """The noise of every joint, from residuals (t, n) with so many degrees of freedom (n)."""
    counted = np.where(observations.used, residuals, 0.0)
    correlation, pairs = autocorrelation(observations, residuals)
    variance = np.sum(counted**2, axis=0)[:, None] / degrees[:, None]
    known = np.zeros(correlation.shape[1])
    known[: len(observations.memory)] = observations.memory[: len(known)]
    return Noise(np.sqrt(variance[:, 0]), variance * (known + _beyond(correlation - known, pairs)))


def autocorrelation(observations: Observations, residuals: Array) -> tuple[Array, Array]:
    """(n, lags + 1) of residuals (t, n), from lag 0 on, and how many pairs of rows that count show it."""
    counted = np.where(observations.used, residuals, 0.0)
    lags = min(LONGEST, len(observations) // 10)
    products = np.zeros((observations.n, lags + 1))
    pairs = np.zeros((observations.n, lags + 1))
    for part in observations.segments:
        r, used = counted[part], observations.used[part].astype(float)
        for lag in range(min(lags, len(r) - 1) + 1):
            products[:, lag] += np.sum(r[lag:] * r[: len(r) - lag], axis=0)
            pairs[:, lag] += np.sum(used[lag:] * used[: len(r) - lag], axis=0)
    mean = np.divide(products, pairs, out=np.zeros_like(products), where=pairs > 0)
    return mean / np.where(mean[:, :1] > 0, mean[:, :1], 1.0), pairs


def _beyond(excess: Array, pairs: Array) -> Array:
    """Correlations beyond those known: all up to where they end, then less and less (flat-topped)."""
    significant = np.abs(excess) > SIGNIFICANT / np.sqrt(np.maximum(pairs, 1.0))
    kept = np.zeros_like(excess)
    for row, seen, own in zip(kept, significant, excess, strict=True):
        end = int(np.argmin(seen[1:])) + 1 if not seen[1:].all() else len(seen)  # the first lag without any
        width = min(3 * end, len(own)) if end > 1 else 1
        fading = np.clip((width - np.arange(width)) / max(width - end, 1), 0.0, 1.0)
        row[:width] = own[:width] * fading
    return kept


def covariance(observations: Observations, solution: Solution, found: Noise) -> Array:
    """(b, b) of an estimate under this noise."""
    lags = int(np.flatnonzero(np.abs(found.autocovariance).max(axis=0)).max(initial=0))
    gamma = found.autocovariance[:, : lags + 1]
    moments = np.zeros((observations.n, observations.unknowns, observations.unknowns))
    before = np.zeros((0, observations.n, observations.unknowns))
    segment = _segment_numbers(observations)
    for part, Y, _ in observations.chunks():
        together = np.concatenate([before, Y])
        moments += _moments(together, len(before), gamma, segment[part.start - len(before) : part.stop])
        before = together[max(len(together) - lags, 0) :]
    spread = np.einsum("jab,jbc,jdc->ad", solution.gains, moments, solution.gains, optimize=True)
    return 0.5 * (spread + spread.T)


def _moments(rows: Array, done: int, gamma: Array, segment: NDArray[np.intp]) -> Array:
    """sum_l gamma(l) sum_t (Y(t)^T Y(t - l) + its transpose), over t from `done` on, within segments."""
    by_joint = np.swapaxes(rows, 0, 1)
    here = by_joint[:, done:]
    smoothed = 0.5 * gamma[:, 0, None, None] * here
    for lag in range(1, gamma.shape[1]):
        first = max(done, lag)
        earlier = by_joint[:, first - lag : rows.shape[0] - lag]
        same = segment[first:] == segment[first - lag : len(segment) - lag]
        smoothed[:, first - done :] += gamma[:, lag, None, None] * np.where(same[:, None], earlier, 0.0)
    half = np.swapaxes(here, 1, 2) @ smoothed
    return half + np.swapaxes(half, 1, 2)


def _segment_numbers(observations: Observations) -> NDArray[np.intp]:
    """Which segment each sample belongs to: (t)."""
    numbers = np.zeros(len(observations), dtype=np.intp)
    for k, part in enumerate(observations.segments):
        numbers[part] = k
    return numbers


def standard_errors(spread: Array, unresolved: Array) -> Array:
    """(b) roots of the diagonal; infinite where a direction that the data do not show takes part."""
    errors = np.sqrt(np.maximum(np.diag(spread), 0.0))
    if unresolved.shape[1]:
        share = np.abs(unresolved).max(axis=1)
        errors = np.where(share > 1e-9 * share.max(), np.inf, errors)
    return errors
