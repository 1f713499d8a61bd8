"""Motions of polynomial pieces: positions, velocities and accelerations between samples."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from armdyn.errors import InputError
from armdyn.scalars import Array

Wanted = tuple[Array, Array, Array]
"""Positions, velocities and accelerations, (n) each at one instant or (t, n) at many."""


@dataclass(frozen=True, eq=False)
class Polynomials:
    """A reference of polynomial pieces of degree five."""

    time: Array
    """(k) where pieces begin [s]; the first holds before it, too"""
    coefficients: Array
    """(k, 6, n) of the powers 0 to 5 of the time since then"""
    end: float = math.inf
    source: str = "the reference"
    derivatives: bool = True

    @property
    def n(self) -> int:
        """How many joints it moves."""
        return self.coefficients.shape[-1]

    @property
    def breaks(self) -> Array:
        """Where pieces begin, but for the first, and where the last one ends."""
        return self.time[1:] if math.isinf(self.end) else np.append(self.time[1:], self.end)

    def between(self, start: float, end: float) -> Callable[[float], Wanted]:
        """The piece in the middle of the stretch."""
        k = max(int(np.searchsorted(self.time, 0.5 * (start + end), side="right")) - 1, 0)
        begin, n = float(self.time[k]), self.n
        block = np.hstack(_with_slopes(self.coefficients[k]))

        def wanted(t: float) -> Wanted:
            s = t - begin
            s2 = s * s
            s3 = s2 * s
            values: Array = np.array((1.0, s, s2, s3, s2 * s2, s2 * s3)) @ block
            return values[:n], values[n : 2 * n], values[2 * n :]

        return wanted

    def at(self, time: Array) -> Wanted:
        """q, qd, qdd (t, n) at instants (t)."""
        k: Any = np.clip(np.searchsorted(self.time, time, side="right") - 1, 0, None)
        since = (time - self.time[k])[:, None]
        q, qd, qdd = (_horner(c, since) for c in _with_slopes(self.coefficients[k]))
        return q, qd, qdd


def through(time: Array, samples: Wanted, source: str, *, rests: bool) -> Polynomials:
    """Pieces through samples, the first posture held before them, and after them the last if it rests."""
    q = samples[0]
    with np.errstate(all="ignore"):  # what is not finite is refused
        inside = _hermite(np.diff(time)[:, None], *samples)
    if not np.isfinite(inside).all():
        raise InputError(f"{source}: steps of time are too small or values too large to interpolate between")
    begins, pieces = [time[:1] - 1.0, time[:-1]], [held(q[0])[None], inside]
    if rests:
        begins, pieces = [*begins, time[-1:]], [*pieces, held(q[-1])[None]]
    begin, coefficients = np.concatenate(begins), np.concatenate(pieces)
    still = (coefficients[:, 1:] == 0).all(axis=(1, 2))
    same = (coefficients[1:, 0] == coefficients[:-1, 0]).all(axis=1)
    kept = np.append(True, ~(still[1:] & still[:-1] & same))
    return Polynomials(begin[kept], coefficients[kept], math.inf if rests else float(time[-1]), source)


def _hermite(h: Array, q: Array, qd: Array, qdd: Array) -> Array:
    """(t - 1, 6, n): polynomials with q, qd and qdd as given at both ends of steps h (t - 1, 1)."""
    v, a = qd[:-1], qdd[:-1]
    # what is left of q, qd h and qdd h^2 at the end, next to a constant acceleration
    x = np.diff(q, axis=0) - h * (v + 0.5 * h * a)
    y = h * (qd[1:] - v - h * a)
    z = h * h * (qdd[1:] - a)
    high = (10 * x - 4 * y + 0.5 * z, -15 * x + 7 * y - z, 6 * x - 3 * y + 0.5 * z)
    return np.stack([q[:-1], v, 0.5 * a, *(c / h**k for c, k in zip(high, (3, 4, 5), strict=True))], axis=1)


def held(q: Array) -> Array:
    """(6, n) of a posture that is held."""
    return np.concatenate([q[None], np.zeros((5, len(q)))])


def _with_slopes(c: Array) -> Wanted:
    """Coefficients (..., 6, n) of a polynomial and of its first two derivatives."""
    powers, end = np.arange(1.0, 6.0)[:, None], np.zeros_like(c[..., :1, :])
    slope = np.concatenate([powers * c[..., 1:, :], end], axis=-2)
    return c, slope, np.concatenate([powers * slope[..., 1:, :], end], axis=-2)


def _horner(c: Array, s: Array) -> Array:
    """Polynomials with coefficients (t, 6, n) at s (t, 1)."""
    value = c[:, 5]
    for k in range(4, -1, -1):
        value = value * s + c[:, k]
    return value
