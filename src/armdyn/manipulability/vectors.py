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


def one_vector(name: str, given: ArrayLike, size: int, reason: str) -> Array:
    """(size) finite numbers of one state."""
    try:
        x = np.asarray(given, dtype=float)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} is not an array of numbers, expected shape ({size},)") from error
    if x.shape != (size,):
        raise ShapeError(name, x.shape, reason, f"({size},)")
    if not np.isfinite(x).all():
        raise InputError(f"{name} is {x.tolist()}, expected finite numbers")
    return x


def directions(axes: tuple[str, ...], given: ArrayLike) -> Array:
    """(..., m) of length one."""
    x = task_vectors(axes, given)
    if not np.isfinite(x).all():
        raise InputError(f"a direction has parts that are no finite numbers, expected {len(axes)} that are")
    largest = np.abs(x).max(axis=-1, keepdims=True)
    if (largest == 0).any():
        raise InputError("a direction is zero, expected one of some length")
    scaled = x / largest  # so that no square is too large or too small
    return scaled / np.linalg.norm(scaled, axis=-1, keepdims=True)


def two_axes(axes: tuple[str, ...], first: str | None, second: str | None) -> list[int]:
    """The places of two axes that are drawn, by default the first two."""
    if len(axes) < 2:
        raise InputError(f"a task of one axis ({''.join(axes)}) has no outline, expected two or more")
    named = (axes[0] if first is None else first, axes[1] if second is None else second)
    for name in named:
        if name not in axes:
            raise InputError(f'no axis "{name}" to draw, expected two of {", ".join(axes)}')
    return [axes.index(name) for name in named]
