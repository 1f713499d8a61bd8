"""Estimates by every method, each with its covariance."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from armdyn.errors import InputError
from armdyn.identification.estimation.covariance import (
    Noise,
    covariance,
    freedom,
    noise,
    standard_errors,
)
from armdyn.identification.estimation.factors import Factors, factors
from armdyn.identification.estimation.least_squares import (
    DAMPING,
    Solution,
    System,
    damped,
    sequential,
    total,
    weighted,
)
from armdyn.identification.estimation.observations import Observations
from armdyn.scalars import Array

Method = Literal["ordinary", "weighted", "reweighted", "damped", "total", "sequential"]
METHODS: tuple[Method, ...] = ("ordinary", "weighted", "reweighted", "damped", "total", "sequential")
ROUNDS = 30
STEADY = 1e-2
"""Share by which the noise of no joint changes any more."""
SETTLED = 1e-3
"""Reweighting ends when no parameter changes by more than this share of its standard error."""
OUTLYING = 1.345
"""Residuals beyond so many deviations count less (Huber; 95 % efficient where there are no outliers)."""


@dataclass(frozen=True)
class Estimate:
    """Base parameters with their covariance, and what the torques show beside them."""

    method: Method
    beta: Array
    """(b)"""
    covariance: Array
    """(b, b)"""
    standard_error: Array
    """(b) infinite where the data do not show a parameter"""
    noise: Noise
    residuals: Array
    """(t, n) measured less predicted torques"""
    rms: Array
    """(n) of those that count, outliers and all"""
    factors: Factors
    """Of the observations, as the estimate has weighted them"""
    unresolved: Array
    """(b, k) directions that the data do not show"""

    @property
    def system(self) -> System:
        """The equations of all joints in units of their noise."""
        return System.of(self.factors, self.noise.deviation)


def estimate(
    observations: Observations,
    method: Method,
    assumed: Array,
    *,
    exact: NDArray[np.bool_] | None = None,
    damping: float | None = None,
) -> Estimate:
    """Estimate the base parameters.

    Args:
        observations: what was seen.
        method: one of METHODS.
        assumed: (b) what parameters are where the data say nothing, and what damping pulls to.
        exact: (b) for total least squares, columns of the regressor that have no errors, as signs of speeds.
        damping: of damped least squares, a share of the largest singular value.
    """
    if method not in METHODS:
        raise InputError(f'method "{method}", expected one of {", ".join(METHODS)}')
    if damping is not None and method != "damped":
        raise InputError(f'damping is for the method "damped", not for "{method}"; leave it out')
    found, weights = factors(observations), None
    solution = weighted(found, np.ones(observations.n), assumed)
    deviation = _settled_deviation(observations, found, solution, assumed)
    if method == "weighted":
        solution = weighted(found, deviation, assumed)
    elif method == "reweighted":
        found, solution, weights = _reweighted(observations, found, deviation, assumed)
    elif method == "damped":
        solution = damped(found, deviation, assumed, DAMPING if damping is None else damping)
    elif method == "total":
        none = np.zeros(observations.unknowns, dtype=bool)
        solution = total(found, deviation, none if exact is None else exact)
    elif method == "sequential":
        solution = sequential(found, assumed)
    return _judged(observations, method, found, solution, weights)


def _settled_deviation(
    observations: Observations, found: Factors, solution: Solution, assumed: Array
) -> Array:
    """(n) noise of the joints, each estimate weighted by what the one before it has shown."""
    deviation = np.zeros(observations.n)
    for _ in range(ROUNDS):
        before = deviation
        degrees = freedom(observations, found, solution)
        deviation = np.sqrt(found.residual_sums(solution.beta) / degrees)
        if np.all(np.abs(deviation - before) <= STEADY * deviation):
            break
        solution = weighted(found, deviation, assumed)
    return deviation


def _judged(
    observations: Observations, method: Method, found: Factors, solution: Solution, weights: Array | None
) -> Estimate:
    """The estimate with its covariance.

    Reweighting ends where sum Y^T psi(r) = 0 with psi(r) = w r, whose slope is 1 for what is no outlier,
    else 0: noise is that of psi, and gains are those for the slopes (Huber).
    """
    residuals = observations.residuals(solution.beta)
    seen, linear = residuals, solution
    if weights is not None:
        seen = weights * residuals
        counted = weights[observations.used]
        inlying = np.count_nonzero(counted == 1.0) / len(counted)
        slope = float(np.mean(counted)) / max(inlying, 0.5)
        linear = replace(solution, gains=slope * solution.gains)
    shown = noise(observations, seen, freedom(observations, found, solution))
    spread = covariance(observations, linear, shown)
    errors = standard_errors(spread, solution.unresolved)
    squares = np.sum(np.where(observations.used, residuals, 0.0) ** 2, axis=0)
    rms = np.sqrt(squares / np.maximum(observations.rows, 1))
    return Estimate(method, solution.beta, spread, errors, shown, residuals, rms, found, solution.unresolved)


def _reweighted(
    observations: Observations, found: Factors, deviation: Array, assumed: Array
) -> tuple[Factors, Solution, Array]:
    """Least squares again and again, rows weighted by how far they are off, joints by their noise."""
    solution = weighted(found, deviation, assumed)
    weights = np.ones((len(observations), observations.n))
    for _ in range(ROUNDS):
        before = solution.beta
        residuals = observations.residuals(before)
        scale = _robust_deviation(observations, residuals)
        weights = np.minimum(1.0, OUTLYING * scale / np.maximum(np.abs(residuals), np.finfo(float).tiny))
        found = factors(observations, np.sqrt(weights))
        solution = weighted(found, np.where(scale > 0, scale, 1.0), assumed)
        errors = np.sqrt(np.maximum(np.einsum("jaa->a", solution.gains), 0.0) / observations.n)
        if np.all(np.abs(solution.beta - before) <= SETTLED * np.maximum(errors, np.finfo(float).tiny)):
            break
    return found, solution, weights


def _robust_deviation(observations: Observations, residuals: Array) -> Array:
    """(n) from the median of the residuals' sizes: a few that are far off do not matter."""
    sizes = np.where(observations.used, np.abs(residuals), np.nan)
    rows = observations.rows > 0
    found = np.zeros(observations.n)
    found[rows] = np.nanmedian(sizes[:, rows], axis=0) / 0.6745
    return found
