"""Linear systems H X = B, one for every state of a batch."""

from __future__ import annotations

from typing import Any

import numpy as np

from armdyn.scalars import Array


def solve_columns(H: Array, B: Array) -> Array:
    """X (..., n, k) of H X = B for every row; NaN where H is singular or anything is not finite."""
    batch = np.broadcast_shapes(H.shape[:-2], B.shape[:-2])
    A, Y = np.broadcast_to(H, (*batch, *H.shape[-2:])), np.broadcast_to(B, (*batch, *B.shape[-2:]))
    finite: Any = np.isfinite(A).all(axis=(-1, -2)) & np.isfinite(Y).all(axis=(-1, -2))
    identity = np.eye(A.shape[-1])
    with np.errstate(all="ignore"):
        good: Any = finite & (np.linalg.slogdet(np.where(finite[..., None, None], A, identity))[0] != 0)
        X = np.linalg.solve(np.where(good[..., None, None], A, identity), Y)
    return np.where(good[..., None, None], X, np.nan)
