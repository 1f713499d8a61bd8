"""Stretches of a log without gaps, at even instants."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from itertools import pairwise
from typing import Any

import numpy as np

from armdyn.scalars import Array

GAP = 5.0
"""Usual periods: what is further apart belongs to two stretches."""
EVEN = 1e-3
"""Periods: instants that are nowhere further from even ones count as these. At 1 kHz and 1 rad/s that is
1e-6 rad, a step of a 22-bit encoder."""


@dataclass(frozen=True, eq=False)
class Segment:
    """A stretch of a log at even instants."""

    time: Array
    """(t) [s]"""
    signals: Mapping[str, Array]
    """(t, ..) by name"""
    resampled: bool
    """Whether its instants are not those of the log"""


def usual_period(time: Array) -> float:
    """The period [s] at which a log was sampled: its time without gaps by the periods that fit into it."""
    steps = np.diff(time)
    usual = float(np.median(steps))
    kept = steps[steps <= GAP * usual]
    periods = np.maximum(np.rint(kept / usual), 1.0)
    return float(kept.sum() / periods.sum())


def segments_of(time: Array, signals: Mapping[str, Array], period: float) -> list[Segment]:
    """The stretches of a log, each at instants that are a period [s] apart.

    Where the log's own are not, signals are taken from cubic splines, whose error is of fourth order.
    """
    ends = [0, *(np.flatnonzero(np.diff(time) > GAP * np.median(np.diff(time))) + 1), len(time)]
    pieces = [slice(first, last) for first, last in pairwise(ends)]
    return [_segment(time[p], {k: v[p] for k, v in signals.items()}, period) for p in pieces]


def _segment(time: Array, signals: Mapping[str, Array], period: float) -> Segment:
    even = time[0] + period * np.arange(len(time), dtype=float)
    offset = float((time - even).mean())
    if np.abs(time - even - offset).max() <= EVEN * period or len(time) < 4:
        return Segment(even + offset, signals, resampled=False)
    interpolate: Any = import_module("scipy.interpolate")
    grid = time[0] + period * np.arange(int((time[-1] - time[0]) / period * (1 + 1e-12)) + 1)
    grid = grid[grid <= time[-1]]
    return Segment(
        grid,
        {name: interpolate.CubicSpline(time, values)(grid) for name, values in signals.items()},
        resampled=True,
    )
