"""Corners of sampled paths: where the direction changes at once, and not as it does around."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from armdyn.scalars import Array

SPARSE = 0.1
"""Share of the usual distance between samples below which they are left out: they lie around a rest."""
ANGLE = 0.05
"""[rad] A direction that changes by less from one sample to the next is no corner,"""
SHARPER = 5.0
"""nor one that bends less than so many times more than the path does two and three samples away."""
BETWEEN, BEYOND = 0.05, 1.5
"""A corner lies between two samples if the direction changes by that share of it at the other one, too; it is
then not farther from either than so many times their distance."""


def thinned(q: Array, least: float) -> NDArray[np.intp]:
    """Which of the postures (t, n) are kept, so that they are apart by a distance; first and last stay."""
    kept = [0]
    for k in range(1, len(q) - 1):
        if np.linalg.norm(q[k] - q[kept[-1]]) >= least:
            kept.append(k)
    while len(kept) > 1 and np.linalg.norm(q[-1] - q[kept[-1]]) < least:
        kept.pop()
    return np.array([*kept, len(q) - 1])


def usual_distance(q: Array) -> float:
    """Between two postures (t, n) that follow one another, where they are apart [rad or m]."""
    apart = np.linalg.norm(np.diff(q, axis=0), axis=1)
    moving = apart > SPARSE * apart.max()
    return float(np.median(apart[moving]))


def smooth_stretches(q: Array, kept: NDArray[np.intp]) -> Iterator[tuple[Array, Array]]:
    """Between corners: postures (m, n), and their numbers (m) among all, half ones of corners between two."""
    points = q[kept]
    angles, sharp = _sharp(points)
    numbers, first = kept.astype(np.float64), 0
    start: tuple[float, Array] | None = None
    for corner in sharp.tolist():
        before, after, between = _place(points, angles, corner)
        mine = slice(first, before + 1)
        number = (numbers[before] + numbers[after]) / 2
        yield _with_ends(numbers[mine], points[mine], start, None if between is None else (number, between))
        first, start = after, None if between is None else (number, between)
    yield _with_ends(numbers[first:], points[first:], start, None)


def _with_ends(
    numbers: Array, points: Array, start: tuple[float, Array] | None, end: tuple[float, Array] | None
) -> tuple[Array, Array]:
    """Postures with corners in front of them and behind them."""
    ends = [[] if place is None else [place] for place in (start, end)]
    n = points.shape[1]
    heads, tails = (np.array([q for _, q in side]).reshape(-1, n) for side in ends)
    counted = [np.array([number for number, _ in side], np.float64) for side in ends]
    return np.concatenate([counted[0], numbers, counted[1]]), np.concatenate([heads, points, tails])


def _sharp(q: Array) -> tuple[Array, NDArray[np.intp]]:
    """By how much the direction changes at each posture (m) [rad], and which of them are corners."""
    ways = np.diff(q, axis=0)
    lengths = np.linalg.norm(ways, axis=1)
    units = ways / lengths[:, None]
    across = np.linalg.norm(np.diff(units, axis=0), axis=1)
    angles = 2 * np.arcsin(np.clip(across / 2, 0.0, 1.0))
    bends = angles / (0.5 * (lengths[1:] + lengths[:-1]))
    # a corner that lies between two samples bends at both: its neighbours tell nothing
    padded = np.pad(bends, 3)
    around = np.max([padded[3 + k : len(padded) - 3 + k] for k in (-3, -2, 2, 3)], axis=0)
    sharp = (angles > ANGLE) & (bends > SHARPER * around)
    ahead, behind = np.append(angles[1:], 0.0), np.insert(angles[:-1], 0, 0.0)
    sharp &= (angles >= ahead) & (angles > behind)
    return np.pad(angles, 1), np.flatnonzero(sharp) + 1


def _place(q: Array, angles: Array, corner: int) -> tuple[int, int, Array | None]:
    """The last posture before a corner, the first behind it, and where it is if that is between the two."""
    other = corner + (1 if angles[corner + 1] > angles[corner - 1] else -1)
    before, after = min(corner, other), max(corner, other)
    smooth = max(angles[k] for k in (before - 2, before - 1, after + 1, after + 2) if 0 <= k < len(q))
    if angles[other] < max(BETWEEN * angles[corner], 2 * smooth) or before < 1 or after > len(q) - 2:
        return corner, corner, None
    a, b = q[before] - q[before - 1], q[after] - q[after + 1]
    gap = q[after] - q[before]
    # where the lines through the two before it and the two behind it are nearest to one another
    s, r = (float(x) for x in np.linalg.pinv(np.column_stack([a, -b])) @ gap)
    farthest = BEYOND * float(np.linalg.norm(gap))
    if min(s, r) < 0 or max(s * np.linalg.norm(a), r * np.linalg.norm(b)) > farthest:
        return corner, corner, None
    return before, after, (q[before] + s * a + q[after] + r * b) / 2
