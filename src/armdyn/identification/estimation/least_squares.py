"""Least squares of several kinds, from the triangular factors of the observations.

Every estimate is linear in the moments of the torques: beta = constant + sum_j L_j Y_j^T tau_j, with gains
L_j. That is all its covariance needs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from armdyn.errors import InputError
from armdyn.identification.estimation.decompositions import inverse, singular_values, triangle
from armdyn.identification.estimation.factors import Factors
from armdyn.scalars import Array

RANK = 1e-10
"""Singular values below this share of the largest, columns of one size, are none: the data say nothing."""
DAMPING, STRONGEST = 1e-3, 1e6
"""Of damped least squares by default, as a share of the largest singular value, columns of one size."""


@dataclass(frozen=True)
class Solution:
    """An estimate, and how it hangs on what was measured."""

    beta: Array
    """(b)"""
    gains: Array
    """(n, b, b) L_j"""
    unresolved: Array
    """(b, k) directions of beta that the data do not show; there it is what was assumed"""


@dataclass(frozen=True)
class System:
    """Equations A beta = y of all joints, columns brought to one size."""

    A: Array
    """(b + 1, b) upper triangular"""
    y: Array
    size: Array
    """(b) what the columns were divided by"""
    weights: Array
    """(n) of the joints: one over the square of their deviations"""

    @classmethod
    def of(cls, factors: Factors, deviation: Array) -> System:
        """The equations of all joints in units of their deviations."""
        A, y = factors.stacked(deviation)
        norms = np.linalg.norm(A, axis=0)
        size = np.where(norms > 0, norms, 1.0)
        used = (factors.rows > 0) & (deviation > 0)
        weights = np.where(used, 1.0 / np.where(used, deviation, 1.0) ** 2, 0.0)
        return cls(A / size, y, size, weights)

    @property
    def singular_values(self) -> Array:
        """Descending."""
        return singular_values(self.A)

    @property
    def condition_number(self) -> float:
        """Largest over smallest singular value, columns of one size."""
        values = self.singular_values
        return float(values[0] / values[-1]) if values[-1] > 0 else np.inf


def weighted(factors: Factors, deviation: Array, assumed: Array) -> Solution:
    """Least squares of all joints together, a joint's equations in units of its deviation.

    Along directions that the data do not show it stays at what is assumed.
    """
    # [Siciliano2009] (7.86): pi = (Y^T Y)^-1 Y^T tau, by a decomposition instead of normal equations
    return _filtered(System.of(factors, deviation), assumed, lambda s: _inverse(s, RANK * s[0]))


def damped(factors: Factors, deviation: Array, assumed: Array, damping: float) -> Solution:
    """Least squares that pay for leaving what is assumed: 1/s becomes s/(s^2 + d^2)."""
    if not 0 < damping <= STRONGEST:
        expected = f"a number above zero, at most {STRONGEST:g}, as {DAMPING:g}"
        raise InputError(f"damping is {damping}, expected {expected}")
    system = System.of(factors, deviation)
    return _filtered(system, assumed, lambda s: s / (s**2 + (damping * s[0]) ** 2))


def total(factors: Factors, deviation: Array, exact: NDArray[np.bool_]) -> Solution:
    """Total least squares: errors in the regressor, too, of each column as large beside it as the torques'.

    [A y] is made dependent by the least change of all but the exact columns, which takes the smallest
    singular value s of the rest off: beta = (A^T A - s^2 1)^-1 A^T y.
    """
    system = System.of(factors, deviation)
    values = system.singular_values
    if values[-1] <= RANK * values[0]:
        raise InputError(
            "total least squares need data that show every parameter; another method says what is missing"
        )
    exactly = int(np.count_nonzero(exact))
    order = np.concatenate([np.flatnonzero(exact), np.flatnonzero(~exact)])
    torques = system.y / max(float(np.linalg.norm(system.y)), np.finfo(float).tiny)
    R = triangle(np.column_stack([system.A[:, order], torques]))[exactly:, exactly:]
    least = float(singular_values(R)[-1]) if len(R) == R.shape[1] else 0.0
    B = inverse(system.A.T @ system.A - np.diag(np.where(exact, 0.0, least**2)))
    beta = B @ (system.A.T @ system.y) / system.size
    return Solution(beta, _gains(B, system), np.empty((len(beta), 0)))


def sequential(factors: Factors, assumed: Array) -> Solution:
    """Joint by joint from the last to the first, each leaving what the joints after it have settled.

    [Siciliano2009] 7.4: take tau_n = y_nn pi_n, then go inwards; errors add up on the way.
    """
    b = factors.unknowns
    size = System.of(factors, np.ones(len(factors.R))).size
    beta, free = assumed * size, np.eye(b)
    gains = np.zeros((len(factors.R), b, b))
    for j in range(len(factors.R) - 1, -1, -1):
        unscaled, y = factors.of_joint(j)
        A = unscaled / size
        shown, hidden = _split(A @ free)
        if not shown.shape[1]:
            continue
        directions = free @ shown
        G = directions @ inverse((A @ directions).T @ (A @ directions)) @ directions.T
        kept = np.eye(b) - G @ A.T @ A
        gains = kept @ gains
        gains[j] = G
        beta = kept @ beta + G @ (A.T @ y)
        free = free @ hidden
    return Solution(beta / size, gains / np.outer(size, size), free / size[:, None])


def _filtered(system: System, assumed: Array, inverted_by: Callable[[Array], Array]) -> Solution:
    """The change from what is assumed, each singular direction taken as `inverted_by` says."""
    U, s, Vt = np.linalg.svd(system.A, full_matrices=False)
    inverted = inverted_by(s)
    change = Vt.T @ (inverted * (U.T @ (system.y - system.A @ (assumed * system.size))))
    quotient = np.divide(inverted, s, out=np.zeros_like(s), where=s > 0)
    B = (Vt.T * quotient) @ Vt
    unresolved = Vt[s <= RANK * s[0]].T / system.size[:, None]
    return Solution(assumed + change / system.size, _gains(B, system), unresolved)


def _inverse(values: Array, least: float) -> Array:
    return np.divide(1.0, values, out=np.zeros_like(values), where=values > least)


def _gains(B: Array, system: System) -> Array:
    """L_j = D^-1 B D^-1 w_j."""
    return (B / np.outer(system.size, system.size)) * system.weights[:, None, None]


def _split(A: Array) -> tuple[Array, Array]:
    """Orthonormal directions: those that A shows, and those that it does not."""
    _, s, Vt = np.linalg.svd(A)
    rank = int(np.count_nonzero(s > RANK * s[0])) if s.size and s[0] > 0 else 0
    return Vt[:rank].T, Vt[rank:].T
