"""Decompositions of matrices as this room uses them, with the types that NumPy leaves open."""

from __future__ import annotations

from typing import Any

import numpy as np

from armdyn.scalars import Array


def triangle(rows: Array) -> Array:
    """R of a QR decomposition, over leading axes."""
    found: Any = np.linalg.qr(rows, mode="r")
    return found


def singular_values(A: Array) -> Array:
    """Descending."""
    found: Any = np.linalg.svd(A, compute_uv=False)
    return found


def inverse(A: Array) -> Array:
    """A^-1 of a matrix that has one."""
    found: Any = np.linalg.inv(A)
    return found


def least_squares(A: Array, y: Array) -> Array:
    """x of the least |A x - y|, the shortest of several."""
    found: Any = np.linalg.lstsq(A, y)[0]
    return found
