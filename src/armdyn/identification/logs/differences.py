"""Central differences of eighth order: slopes of what is sampled evenly.

    x'  = (4/5 d1 - 1/5 d2 + 4/105 d3 - 1/280 d4)/h,         dk = x[+k] - x[-k]
    x'' = (8/5 s1 - 1/5 s2 + 8/315 s3 - 1/560 s4)/h^2,       sk = x[+k] - 2 x[0] + x[-k]

The first is short by (w h)^8/630 of the slope of a sine of w [rad/s], the second by (w h)^8/3150 of its bend:
1e-15 for 5 Hz at 1 kHz, 2e-6 at a twelfth of the rate.
"""

from __future__ import annotations

from armdyn.scalars import Array

REACH = 4
"""Samples on both sides that a slope needs."""
_SLOPE = (4 / 5, -1 / 5, 4 / 105, -1 / 280)
_BEND = (8 / 5, -1 / 5, 8 / 315, -1 / 560)


def slopes(x: Array, period: float) -> Array:
    """x': (t - 8, ..) of x (t, ..) sampled at a period [s], but for four samples at both ends."""
    terms = (weight * (_shifted(x, k) - _shifted(x, -k)) for k, weight in enumerate(_SLOPE, start=1))
    return sum(terms, start=0.0 * _shifted(x, 0)) / period


def bends(x: Array, period: float) -> Array:
    """x'': (t - 8, ..) of x (t, ..) sampled at a period [s], but for four samples at both ends."""
    here = _shifted(x, 0)
    terms = (
        weight * ((_shifted(x, k) - here) - (here - _shifted(x, -k)))
        for k, weight in enumerate(_BEND, start=1)
    )
    return sum(terms, start=0.0 * here) / period**2


def inner(x: Array) -> Array:
    """x itself where slopes are."""
    return _shifted(x, 0)


def _shifted(x: Array, by: int) -> Array:
    return x[REACH + by : len(x) - REACH + by]
