"""What a search for extremes is asked with, checked."""

from __future__ import annotations

from math import inf

import numpy as np
from numpy.typing import ArrayLike

from armdyn.errors import InputError, ShapeError
from armdyn.scalars import Array


def checked_box(box: ArrayLike, n: int | None = None) -> Array:
    """(n, 2) ranges of joints, finite and not reversed."""
    ranges: Array = np.array(box, dtype=np.float64)
    count = ranges.shape[0] if n is None and ranges.ndim == 2 else n
    if ranges.ndim != 2 or ranges.shape != (count, 2) or (n is None and not count):
        reason = "a row holds both ends of a joint's range" if n is None else f"the function has {n} joints"
        raise ShapeError("box", ranges.shape, reason, f"({'n' if n is None else n}, 2)")
    for j, (low, high) in enumerate(ranges.tolist(), start=1):
        if not (-inf < low < inf and -inf < high < inf):
            raise InputError(
                f"box of joint {j} is [{low:g}, {high:g}], expected finite numbers; "
                "for a joint that turns without end give one turn"
            )
        if low > high:
            raise InputError(f"box of joint {j} is [{low:g}, {high:g}], expected the lower end first")
    return ranges


def checked_limits(resolution: float | None, effort: int) -> None:
    """Refuse a resolution or an effort with which nothing can be found."""
    if resolution is not None and not 0 < resolution < inf:
        raise InputError(f"resolution is {resolution!r}, expected a finite number above 0")
    check_effort(effort)


def check_effort(effort: float) -> None:
    """Refuse what is no number of boxes."""
    if not (1 <= effort < inf and effort == int(effort)):
        raise InputError(f"effort is {effort!r}, expected 1 box or more, a whole number")
