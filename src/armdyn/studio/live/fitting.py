"""Cubics through the last samples: values, slopes and bends a known time ago.

The cubic that fits 2m + 1 samples best (least squares over their own instants) is looked at in their middle:

    x = c0,  x' = c1,  x'' = 2 c2        with  x(t) ~ c0 + c1 (t - t_m) + c2 (t - t_m)^2 + c3 (t - t_m)^3

Every frequency is late by the same m periods: nothing but a known delay stands between what is measured and
what is told. At even instants the weights are those of Savitzky and Golay; where a sample is missing or late
the fit takes the instants as they are.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from armdyn.scalars import Array

EVEN = 1e-3
"""Periods: instants nowhere further from even ones count as these, as in logs for identification."""
FEWEST = 2
"""Samples on both sides that a cubic needs to be told."""


@dataclass(frozen=True, slots=True)
class Fit:
    """The middle of a window."""

    time: float
    """[s] of the sample in the middle"""
    raw: Array
    """The sample itself"""
    value: Array
    slope: Array
    bend: Array


class Window:
    """The last 2m + 1 samples."""

    def __init__(self, half: int, width: int) -> None:
        """So many samples on both sides, each of so many numbers."""
        self.half = max(half, FEWEST)
        self._time = np.empty(2 * self.half + 1)
        self._rows = np.empty((2 * self.half + 1, width))
        self._count = 0

    def clear(self) -> None:
        """Forget all: what comes next does not follow on what was."""
        self._count = 0

    def push(self, time: float, row: Array) -> Fit | None:
        """The fit in the middle once a sample more is there; None until there are enough."""
        self._time[:-1], self._rows[:-1] = self._time[1:], self._rows[1:]
        self._time[-1], self._rows[-1] = time, row
        self._count = min(self._count + 1, len(self._time))
        if self._count < len(self._time):
            return None
        middle = self._rows[self.half]
        # from the middle: what is large and still costs no digits
        value, slope, bend = self._weights() @ (self._rows - middle)
        return Fit(float(self._time[self.half]), middle.copy(), middle + value, slope, bend)

    def _weights(self) -> Array:
        """(3, 2m + 1) of value, slope and bend."""
        from_middle = self._time - self._time[self.half]
        period = (from_middle[-1] - from_middle[0]) / (2 * self.half)
        steps = from_middle / period
        even = np.abs(steps - even_steps(self.half)).max() <= EVEN
        weights = even_weights(self.half) if even else _cubic(steps)
        return weights / np.array([[1.0], [period], [period**2]])


@lru_cache(maxsize=16)
def even_steps(half: int) -> Array:
    """Even instants about the middle, in periods."""
    return np.arange(-half, half + 1, dtype=float)


@lru_cache(maxsize=16)
def even_weights(half: int) -> Array:
    """(3, 2m + 1) weights at even instants a period of 1 apart."""
    return _cubic(even_steps(half))


def _cubic(steps: Array) -> Array:
    """(3, t) weights of value, slope and bend at 0 of the cubic that fits best."""
    scale = np.abs(steps).max()
    inverse = np.linalg.pinv(np.vander(steps / scale, 4, increasing=True))
    return inverse[:3] * np.array([[1.0], [1 / scale], [2 / scale**2]])
