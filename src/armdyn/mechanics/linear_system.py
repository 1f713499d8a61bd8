"""Vectors and symmetric matrices of n coordinates: products, and the solution of H x = b."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from armdyn.scalars import reciprocal
from armdyn.scalars.origin import note

SYSTEM = "linear system"
"""The origin of what solves one."""


def dot(a: Sequence[Any], b: Sequence[Any]) -> Any:
    """sum_i a_i b_i."""
    total: Any = 0
    for x, y in zip(a, b, strict=True):
        total = total + x * y
    return total


def symmetric_times(lower: Sequence[Sequence[Any]], x: Sequence[Any]) -> list[Any]:
    """D x of a symmetric D, of which the lower triangle is read."""
    result: list[Any] = [0] * len(x)
    for i, row in enumerate(lower):
        for j, value in enumerate(row[: i + 1]):
            result[i] = result[i] + value * x[j]
            if i != j:
                result[j] = result[j] + value * x[i]
    return result


Solver = Callable[[Sequence[Any]], list[Any]]
"""What gives x of H x = b for one b after another."""


def solve(
    H: Sequence[Sequence[Any]],
    b: Sequence[Any],
    inverted: Callable[[int, Any], Any] = lambda _, pivot: reciprocal(pivot),
) -> list[Any]:
    """x of H x = b, as `solver` finds it."""
    return solver(H, inverted)(b)


def solver(
    H: Sequence[Sequence[Any]],
    inverted: Callable[[int, Any], Any] = lambda _, pivot: reciprocal(pivot),
) -> Solver:
    """What solves H x = b by H = L^T D L, eliminating from the tip inwards so that branches stay apart.

    H is positive definite, and its lower triangle is read. Of a singular H no number of x need be finite,
    unless `inverted` makes finite numbers of the pivots D_k.
    """
    note(SYSTEM)
    n = len(H)
    A = [list(row) for row in H]  # above the diagonal the factors
    inverse: list[Any] = [0] * n
    for k in range(n - 1, -1, -1):
        inverse[k] = inverted(k, A[k][k])
        for i in range(k):
            factor = A[i][k] = A[k][i] * inverse[k]
            for j in range(i + 1):
                A[i][j] = A[i][j] - factor * A[k][j]
    note(None)

    def solved(b: Sequence[Any]) -> list[Any]:
        note(SYSTEM)
        x = list(b)
        for k in range(n - 1, -1, -1):
            for i in range(k):
                x[i] = x[i] - A[i][k] * x[k]
        for k in range(n):
            x[k] = x[k] * inverse[k]
            for i in range(k):
                x[k] = x[k] - A[i][k] * x[i]
        note(None)
        return x

    return solved


def solve_unsymmetric(A: Sequence[Sequence[Any]], b: Sequence[Any]) -> list[Any]:
    """x of A x = b, as `unsymmetric_solver` finds it."""
    return unsymmetric_solver(A)(b)


def unsymmetric_solver(A: Sequence[Sequence[Any]]) -> Solver:
    """What solves A x = b by elimination from the tip inwards, without looking for better pivots.

    For matrices near a mass matrix; where a pivot is zero no number of x need be finite.
    """
    note(SYSTEM)
    n = len(A)
    R = [list(row) for row in A]  # above the diagonal the factors
    inverse: list[Any] = [0] * n
    for k in range(n - 1, -1, -1):
        inverse[k] = reciprocal(R[k][k])
        for i in range(k):
            factor = R[i][k] = R[i][k] * inverse[k]
            for j in range(k):
                R[i][j] = R[i][j] - factor * R[k][j]
    note(None)

    def solved(b: Sequence[Any]) -> list[Any]:
        note(SYSTEM)
        x = list(b)
        for k in range(n - 1, -1, -1):
            for i in range(k):
                x[i] = x[i] - R[i][k] * x[k]
        for k in range(n):
            for j in range(k):
                x[k] = x[k] - R[k][j] * x[j]
            x[k] = x[k] * inverse[k]
        note(None)
        return x

    return solved
