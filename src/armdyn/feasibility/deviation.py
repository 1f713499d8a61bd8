"""How far the tool leaves its programmed path."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from armdyn.scalars import Array

WINDOW = 1.0
"""Time before and after within which the path's nearest point is looked for [s]: it may cross itself."""
AT_ONCE = 400_000
"""Pairs of a point and a segment that are looked at together."""


@dataclass(frozen=True)
class Deviation:
    """The largest distance of the tool from its programmed path, and when."""

    maximum: float
    """[m]"""
    time: float
    """[s]"""
    line: int

    def document(self) -> dict[str, Any]:
        """As plain data."""
        return dict(vars(self))


def distances(path: Array, points: Array, cycle: float) -> Array:
    """(t) distance of each point (t, 3) from the polyline of the path (p, 3), near in time."""
    found = np.zeros(len(points))
    window = max(1, min(round(WINDOW / cycle), len(path)))
    chunk = max(1, AT_ONCE // (2 * window))
    last = len(path) - 1
    same = np.minimum(np.arange(len(points)), last)
    off = np.flatnonzero((points != path[same]).any(axis=1))
    for rows in np.split(off, range(chunk, len(off), chunk)):
        near = rows[:, None] + np.arange(-window, window)
        starts, ends = np.clip(near, 0, last), np.clip(near + 1, 0, last)
        found[rows] = _to_segments(points[rows], path[starts], path[ends])
    return found


def _to_segments(points: Array, a: Array, b: Array) -> Array:
    """(t) distance of each point (t, 3) from the nearest of its segments (t, s, 3)."""
    step, away = b - a, points[:, None] - a
    length = np.einsum("tsk,tsk->ts", step, step)
    along = np.einsum("tsk,tsk->ts", step, away)
    share = np.clip(np.divide(along, length, out=np.zeros_like(along), where=length > 0), 0.0, 1.0)
    return np.sqrt(((away - share[..., None] * step) ** 2).sum(axis=-1).min(axis=1))
