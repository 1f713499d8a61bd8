"""The solution of H x = b: accelerations from torques."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from armdyn.scalars import reciprocal


def solve(H: Sequence[Sequence[Any]], b: Sequence[Any]) -> list[Any]:
    """x of H x = b by H = L^T D L, eliminating from the tip inwards so that branches stay apart."""
    n = len(b)
    A = [list(row) for row in H]
    x = list(b)
    inverse: list[Any] = [0] * n
    for k in range(n - 1, -1, -1):
        inverse[k] = reciprocal(A[k][k])
        for i in range(k):
            factor = A[k][i] * inverse[k]
            for j in range(i + 1):
                A[i][j] = A[i][j] - factor * A[k][j]
            x[i] = x[i] - factor * x[k]
            A[i][k] = factor
    for k in range(n):
        x[k] = x[k] * inverse[k]
        for i in range(k):
            x[k] = x[k] - A[i][k] * x[i]
    return x
