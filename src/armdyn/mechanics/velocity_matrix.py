"""Matrices C whose product C(q, qd) qd is the velocity torques: Christoffel's choice, and Lagrange's.

All of them follow from the symmetric Christoffel symbols c_ijk = c_ikj, n x n x n:

    C qd = sum_jk c_ijk qd_j qd_k,  c_ijk = 1/2 (d H_ij/d q_k + d H_ik/d q_j - d H_jk/d q_i)   (7.45)

([Siciliano2009] prints the second term as d b_ik/d q_i.) They hold the slopes of the mass matrix as well,

    d H_ij/d q_k = c_ijk + c_jik,

for in this sum the second and third terms of the one are the opposites of the third and second of the other.

C is free by any matrix E with E qd = 0 ([Siciliano2009] 7.2.1). With every choice N = Hdot - 2 C takes no
power, qd^T N qd = 0 (7.49); it is skew, w^T N w = 0 for all w (7.48), with Christoffel's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from armdyn.mechanics.linear_system import dot

Symbols = Sequence[Sequence[Sequence[Any]]]
"""c_ijk as [i][j][k], symmetric in j and k."""
Matrix = list[list[Any]]


def christoffel_matrix(velocity: Symbols, qd: Sequence[Any]) -> Matrix:
    """C_ij = sum_k c_ijk qd_k  [Siciliano2009] (7.44)."""
    return _contracted(velocity, qd)


def lagrange_matrix(velocity: Symbols, qd: Sequence[Any]) -> Matrix:
    """C_ij = sum_k h_ijk qd_k with the coefficients as Lagrange's equations give them.

    h_ijk = d H_ij/d q_k - 1/2 d H_jk/d q_i  [Siciliano2009] (7.41), not symmetric in j and k. As valid as
    Christoffel's: (7.43) asks for C qd only, and h_ijk - c_ijk changes its sign with j and k exchanged.
    """
    slopes, n = mass_slopes(velocity), len(velocity)

    def coefficient(i: int, j: int, k: int) -> Any:
        return slopes[i][j][k] - 0.5 * slopes[j][k][i]

    return _contracted([[[coefficient(i, j, k) for k in range(n)] for j in range(n)] for i in range(n)], qd)


def mass_slopes(velocity: Symbols) -> list[Matrix]:
    """d H_ij/d q_k = c_ijk + c_jik, as [i][j][k]."""
    n = len(velocity)
    return [[[velocity[i][j][k] + velocity[j][i][k] for k in range(n)] for j in range(n)] for i in range(n)]


def mass_rate(velocity: Symbols, qd: Sequence[Any]) -> Matrix:
    """Hdot_ij = sum_k d H_ij/d q_k qd_k: Christoffel's C plus its transpose."""
    C = christoffel_matrix(velocity, qd)
    return [[C[i][j] + C[j][i] for j in range(len(C))] for i in range(len(C))]


def power_matrix(velocity: Symbols, qd: Sequence[Any], C: Sequence[Sequence[Any]]) -> Matrix:
    """N = Hdot - 2 C of some choice of C  [Siciliano2009] (7.47)."""
    rates = mass_rate(velocity, qd)
    return [[a - 2 * b for a, b in zip(rate, row, strict=True)] for rate, row in zip(rates, C, strict=True)]


# Without a choice of C ------------------------------------------------------------------------


def gamma(velocity: Symbols) -> Matrix:
    """Gamma(q) of C(q, qd) qd = Gamma(q) [qd qd], n x n(n+1)/2  [Siciliano2009] (7.117).

    Every pair of velocities has one column: c_ijj for j = k, and c_ijk + c_ikj = 2 c_ijk for j < k.
    """
    pairs = _pairs(len(velocity))
    return [[row[j][k] if j == k else 2 * row[j][k] for j, k in pairs] for row in velocity]


def velocity_products(qd: Sequence[Any]) -> list[Any]:
    """[qd qd] = (qd_1^2, qd_1 qd_2, .., qd_(n-1) qd_n, qd_n^2), n(n+1)/2  [Siciliano2009] (7.117)."""
    return [qd[j] * qd[k] for j, k in _pairs(len(qd))]


def _pairs(n: int) -> list[tuple[int, int]]:
    return [(j, k) for j in range(n) for k in range(j, n)]


def _contracted(coefficients: Symbols, qd: Sequence[Any]) -> Matrix:
    """sum_k coefficients[i][j][k] qd_k."""
    return [[dot(terms, qd) for terms in row] for row in coefficients]
