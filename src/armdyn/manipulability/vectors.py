"""Vectors of a task's axes, as they are given."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from armdyn.errors import InputError, ShapeError
from armdyn.scalars import Array


def task_vectors(axes: tuple[str, ...], given: ArrayLike) -> Array:
    """(..., m) numbers, one for each axis."""
    try:
        x = np.asarray(given, dtype=float)
    except (TypeError, ValueError) as error:
        raise InputError(f"{given!r} is no array of numbers, expected shape (..., {len(axes)})") from error
    if x.ndim == 0 or x.shape[-1] != len(axes):
        raise ShapeError("x", x.shape, f"axes are {', '.join(axes)}", f"(..., {len(axes)})")
    return x


def directions(axes: tuple[str, ...], given: ArrayLike) -> Array:
    """(..., m) of length one."""
    x = task_vectors(axes, given)
    length = np.linalg.norm(x, axis=-1, keepdims=True)
    if (length == 0).any():
        raise InputError("a direction is zero, expected one of some length")
    return x / length
