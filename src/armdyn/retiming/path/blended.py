"""Where two legs overlap: the path that they make together, q_a(t) + q_b(t) - q_corner."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from armdyn.motion.legs import SAME
from armdyn.retiming.path.curve import Curve, SplineCurve
from armdyn.retiming.path.traced import Postures, traced
from armdyn.retiming.path.tracks import Track
from armdyn.scalars import Array

LOOKS = 257
"""Instants at which a blend is looked at for where it all but stands still."""
STANDING = 1e-4
"""Share of the largest joint speed in a blend below which it stands still for a moment: it turns back."""


def blended(
    before: Track, after: Track, leaving: float, lasting: float
) -> tuple[Sequence[Curve], Sequence[Curve]]:
    """The curves of the first and of the second half of a blend.

    Args:
        before: the leg that ends.
        after: the leg that begins.
        leaving: when in its own time the first leg's share of the blend begins [s].
        lasting: how long the blend is [s].
    """

    def together(time: Array) -> Array:
        return before.at(leaving + time) + after.at(time) - before.end

    kinks = np.concatenate([before.kinks() - leaving, after.kinks(), _turning_back(together, lasting)])
    middle = lasting / 2
    inner = np.array([t for t in np.unique(kinks) if SAME < t < lasting - SAME and abs(t - middle) > SAME])
    instants = np.sort(np.concatenate([[0.0, middle, lasting], inner]))
    instants = instants[np.concatenate([[True], np.diff(instants) > SAME])]
    found = [(end <= middle, traced(together, start, end)) for start, end in pairwise(instants.tolist())]
    first = [curve.curve for early, curve in found if early and curve is not None]
    return first, [curve.curve for early, curve in found if not early and curve is not None]


def _turning_back(together: Postures, lasting: float) -> Array:
    """When the joints all but stand still within a blend, none or one instant."""
    time = np.linspace(0.0, lasting, LOOKS)
    spline = SplineCurve(time, together(time))
    speeds = np.linalg.norm(spline.at(time)[1], axis=1)
    k = int(np.argmin(speeds))
    # the nearest to rest between two of them: speed^2 is a parabola there
    a, b = float(time[max(k - 1, 0)]), float(time[min(k + 1, LOOKS - 1)])
    fine: Array = np.linspace(a, b, LOOKS)
    _, slopes, bends = spline.at(fine)
    nearest = int(np.argmin(np.linalg.norm(slopes, axis=1)))
    slope, bend = slopes[nearest], bends[nearest]
    t = float(fine[nearest]) - float(slope @ bend) / float(bend @ bend + 1e-300)
    t = min(max(t, 0.0), lasting)
    slowest = float(np.linalg.norm(spline.at(np.array([t]))[1]))
    return np.array([t]) if slowest < STANDING * speeds.max() else np.empty(0)
