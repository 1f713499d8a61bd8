"""How far the tool leaves its programmed path.

However late the arm may be, what counts is the nearest point of the whole path. Where the path crosses itself
or comes by again that may be one of another time, which only makes the distance smaller.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from armdyn.scalars import Array

LOOKS = (4, 16, 64)
"""Vertices that are looked at about a point, more where fewer do not settle it."""
EXACT = 1e-3
"""To this share of itself a distance is settled."""
AT_ONCE = 100_000
"""Pairs of a point and a vertex that are looked at together."""


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


def distances(path: Array, points: Array) -> Array:
    """(t) distance of each point (t, 3) from the polyline of the path (p, 3), whenever it is there."""
    found = np.zeros(len(points))
    same = np.minimum(np.arange(len(points)), len(path) - 1)
    off = np.flatnonzero((points != path[same]).any(axis=1))
    if len(off):
        found[off] = _Polyline(path).distances(points[off])
    return found


class _Polyline:
    """Vertices (v, 3) without repetitions and without long gaps, in a tree."""

    def __init__(self, path: Array) -> None:
        vertices, self.longest = _even(path)
        spatial: Any = import_module("scipy.spatial")  # slow to import: only where it is needed
        self.tree = spatial.cKDTree(vertices)
        self.vertices = np.concatenate([vertices[:1], vertices, vertices[-1:]])  # all have two neighbours

    def distances(self, points: Array) -> Array:
        """(t) distance of each point (t, 3)."""
        found = np.empty(len(points))
        left = np.arange(len(points))
        for count in LOOKS:
            settled = np.zeros(len(left), dtype=bool)
            for part in _chunks(len(left), max(1, AT_ONCE // count)):
                rows = left[part]
                found[rows], settled[part] = self._near(points[rows], count)
            left = left[~settled]
        return found

    def _near(self, points: Array, count: int) -> tuple[Array, Any]:
        """(t) distances from the segments at so many nearest vertices, and whether no other can be nearer.

        With both of its ends at least r away, a segment of length l is at least sqrt(r^2 - l^2/4) away.
        """
        away, near = self.tree.query(points, k=np.arange(1, min(count, self.tree.n) + 1), eps=EXACT)
        here = self.vertices[near + 1]
        squared = np.minimum(
            _to_segments(points, self.vertices[near], here),
            _to_segments(points, here, self.vertices[near + 2]),
        )
        others = away[:, -1] ** 2 - 0.25 * self.longest**2
        settled = (others >= (1 - 2 * EXACT) * squared) | (count >= self.tree.n)
        return np.sqrt(squared), settled


def _even(path: Array) -> tuple[Array, float]:
    """The path without repeated vertices, its long segments divided, and how long segments are at most.

    None is longer than their mean, for which at most as many vertices again are needed.
    """
    step = np.diff(path, axis=0)
    length = np.sqrt(np.einsum("tk,tk->t", step, step))
    moving = np.flatnonzero(length > 0)
    if not len(moving):
        return path[:1], 0.0
    mean = float(length[moving].mean())
    parts = np.ceil(length[moving] / mean).astype(np.intp)
    firsts = np.repeat(np.cumsum(parts) - parts, parts)
    share: Array = (np.arange(len(firsts)) - firsts) / np.repeat(parts, parts)
    start = np.repeat(moving, parts)
    return np.concatenate([path[start] + share[:, None] * step[start], path[-1:]]), mean


def _chunks(length: int, size: int) -> list[slice]:
    return [slice(first, first + size) for first in range(0, length, size)]


def _to_segments(points: Array, a: Array, b: Array) -> Array:
    """(t) squared distance of each point (t, 3) from the nearest of its segments (t, s, 3)."""
    step, away = b - a, points[:, None] - a
    length = np.einsum("tsk,tsk->ts", step, step)
    along = np.einsum("tsk,tsk->ts", step, away)
    share = np.clip(np.divide(along, length, out=np.zeros_like(along), where=length > 0), 0.0, 1.0)
    return ((away - share[..., None] * step) ** 2).sum(axis=-1).min(axis=1)
