"""The quadratics that are nearest to cosine and sine on an interval around 0, and how near they are."""

from __future__ import annotations

from dataclasses import dataclass
from math import pi, sqrt

import numpy as np

from armdyn.scalars import Array


@dataclass(frozen=True)
class NearWaves:
    """For |x| <= w: |cos x - (level - bend x^2)| <= cosine_error and |sin x - slope x| <= sine_error."""

    level: Array
    bend: Array
    cosine_error: Array
    slope: Array
    sine_error: Array


def near_waves(w: Array) -> NearWaves:
    """The quadratics for intervals of half widths w, 0 or more; beyond pi they are 0.

    Touching points are those of the Chebyshev polynomials, so that the errors come to w^4/192 and w^3/24
    where Taylor's would be w^4/24 and w^3/6; they are computed, not estimated:

        sin x - slope x        has its extremes on [0, w] where cos x = slope, the larger, and at w;
        cos x + bend x^2       has them at 0, where sin x / x = 2 bend, and at w.
    """
    wide = w > pi
    width = np.where(wide, 0.0, w)
    u, v = width / 2, width / sqrt(2)
    slope, rise = np.cos(u), np.sin(u)
    sine_error = rise - u * slope
    bend = 0.5 * np.divide(np.sin(v), v, out=np.ones_like(v), where=v > 0)
    inside, end = np.cos(v) + bend * v**2, 1 - 2 * rise**2 + bend * width**2  # cos w = 1 - 2 sin^2 u
    lowest, highest = np.minimum(np.minimum(inside, end), 1.0), np.maximum(np.maximum(inside, end), 1.0)
    return NearWaves(
        np.where(wide, 0.0, (lowest + highest) / 2),
        np.where(wide, 0.0, bend),
        np.where(wide, 1.0, (highest - lowest) / 2),
        np.where(wide, 0.0, slope),
        np.where(wide, 1.0, sine_error),
    )
