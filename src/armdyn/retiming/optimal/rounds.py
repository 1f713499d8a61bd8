"""The fastest motion along a path: rounds of rows and passes until speeds no longer change.

Without viscous friction and friction under load the limits are straight and one round is the answer.
Otherwise each round takes the limits by their tangents at the speeds of the last (Newton's method); the first
one leaves viscous friction out. What comes out is held to the limits themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from armdyn.retiming.optimal.grid import Grid
from armdyn.retiming.optimal.passes import Intervals, Profile, fastest
from armdyn.retiming.optimal.rows import RowOf, Rows, is_straight, labels, rows
from armdyn.scalars import Array

ROUNDS = 40
ALONE = 8
"""Rounds with tangents of their own only: later ones keep those before, or two may take turns for ever where
the direction of a load under friction changes."""
SETTLED = 1e-9
"""By which the duration, relative, may still change."""
KEPT = 1e-9
"""By which a limit may be exceeded at the ends of intervals."""

LEAST = 1 / 64
"""Share of viscous friction that is added at least, where all of it at once is too much for tangents."""
FINEST = 1e-6
"""Share of the squared speeds to which they are lowered where rounds do not settle."""

Ends = tuple[float, float]
"""Least and largest square of the path's rate at an end of it"""


@dataclass(frozen=True, eq=False)
class Found:
    """The fastest profile on a grid, or where there is none."""

    grid: Grid
    profile: Profile
    largest_share: float
    """Of any limit, at the ends of intervals"""
    rounds: int

    @property
    def rows(self) -> list[RowOf]:
        """Which limits the rows stand for."""
        return _labels(self.grid)


def solve(grid: Grid, start: Ends = (0.0, 0.0), end: Ends = (0.0, 0.0)) -> Found:
    """The fastest motion on a grid from and to ranges of squared rates."""
    count = len(grid.step)
    still = np.zeros(count)
    profile = fastest(_intervals(grid, still, still, still), start, end)
    if profile.lost is not None or (is_straight(grid.starts) and is_straight(grid.ends)):
        return Found(grid, profile, _largest_share(grid, profile), 1)
    best: Found | None = None
    tightened, before = np.ones(count), list[Intervals]()
    known, tried = 0.0, 1.0  # shares of viscous friction: without it a guess may be far off
    for k in range(1, ROUNDS):
        intervals = _intervals(grid, profile.u, profile.x, profile.z, tried)
        following = fastest(_tightened(_joined([*before, intervals]), tightened), start, end)
        if following.lost is not None:
            if tried - known < LEAST:
                return best or Found(grid, following, np.nan, k + 1)
            tried = 0.5 * (known + tried)
            before.clear()
            continue
        if tried < 1:
            profile, known, tried = following, tried, 1.0
            continue
        if k >= ALONE:
            before.append(intervals)
        settled = abs(_duration(grid, following) / _duration(grid, profile) - 1) < SETTLED
        profile = following
        used = _used(grid, profile)
        share = float(used.max(initial=0.0))
        if share <= 1 + KEPT and (best is None or _duration(grid, profile) <= _duration(grid, best.profile)):
            best = Found(grid, profile, share, k + 1)
        if settled and share <= 1 + KEPT:
            break
        if settled:
            tightened = np.where(used > 1 + KEPT, tightened * np.minimum(1 / used, 1 - KEPT), tightened)
    return best or _slowed(grid, profile, rests=start[0] == end[0] == 0)


def _slowed(grid: Grid, profile: Profile, *, rests: bool) -> Found:
    """The same speeds, all of them lowered until every limit is kept; lost where that is no way out."""
    kept, broken = 0.0, 1.0
    while rests and broken - kept > FINEST:
        share = 0.5 * (kept + broken)
        inside = _used(grid, _scaled(profile, share)).max(initial=0.0) <= 1 + KEPT
        kept, broken = (share, broken) if inside else (kept, share)
    slower = _scaled(profile, kept) if kept else replace(profile, lost=0, rows=())
    return Found(grid, slower, _largest_share(grid, slower), ROUNDS)


def _scaled(profile: Profile, share: float) -> Profile:
    """A share of all squared speeds."""
    return replace(profile, x=share * profile.x, z=share * profile.z, u=share * profile.u)


def _intervals(grid: Grid, u: Array, x: Array, z: Array, viscous: float = 1.0) -> Intervals:
    """The problem with limits as near u, x and z as rows can be, and a share of viscous friction."""
    starting = rows(grid.breakaway, u, np.zeros_like(x))
    return assembled(grid, rows(grid.starts, u, x, viscous), rows(grid.ends, u, z, viscous), starting)


def assembled(grid: Grid, first: Rows, last: Rows, starting: Rows) -> Intervals:
    """The problem with rows at the start of each interval, at its end, and where the arm leaves rest."""
    # at the end: a u + b z <= c, z = x + 2 step u
    by_u, by_z, bound = last
    last = (by_u + 2 * grid.step[:, None] * by_z, by_z, bound)
    every = zip(first, last, _only(starting, grid.from_rest), strict=True)
    a, b, c = (np.concatenate(each, axis=1) for each in every)
    start_cap, end_cap = grid.starts.largest_square, grid.ends.largest_square
    start_cap[1:][grid.rests_after[:-1]] = 0.0
    end_cap[grid.rests_after] = 0.0
    return Intervals(grid.step, grid.ratio, a, b, c, start_cap, end_cap)


def _only(of: Rows, places: NDArray[np.bool_]) -> Rows:
    """Rows that hold at some of the places."""
    there = places[:, None]
    a, b, c = of
    return np.where(there, a, 0.0), np.where(there, b, 0.0), np.where(there, c, np.inf)


def _tightened(intervals: Intervals, factor: Array) -> Intervals:
    """With so much (N) of each limit."""
    return replace(intervals, c=intervals.c - (1 - factor)[:, None]) if (factor < 1).any() else intervals


def _joined(rounds: Sequence[Intervals]) -> Intervals:
    """With the rows of several rounds."""
    if len(rounds) == 1:
        return rounds[0]
    a, b, c = (np.concatenate(each, axis=1) for each in zip(*((r.a, r.b, r.c) for r in rounds), strict=True))
    return replace(rounds[0], a=a, b=b, c=c)


def _labels(grid: Grid) -> list[RowOf]:
    sides = ((grid.starts, False), (grid.ends, True), (grid.breakaway, False))
    return [label for limits, at_end in sides for label in labels(limits, at_end=at_end)]


def shares(grid: Grid, profile: Profile) -> Array:
    """(N, m) signed shares of the limits at both ends of the intervals, in the order of rows but one side."""
    both = ((grid.starts, profile.x), (grid.ends, profile.z))
    columns = [limit.share.at(profile.u, x) for limits, x in both for limit in limits.shares]
    return np.stack(columns, axis=1) if columns else np.zeros((len(profile.u), 0))


def _largest_share(grid: Grid, profile: Profile) -> float:
    return np.nan if profile.lost is not None else float(_used(grid, profile).max(initial=0.0))


def _used(grid: Grid, profile: Profile) -> Array:
    """(N) the largest share in each interval."""
    return np.abs(shares(grid, profile)).max(axis=1, initial=0.0)


def durations(grid: Grid, profile: Profile) -> Array:
    """(N) how long each interval takes [s]."""
    return 2 * grid.step / (np.sqrt(profile.x) + np.sqrt(profile.z))


def _duration(grid: Grid, profile: Profile) -> float:
    return float(durations(grid, profile).sum())
