"""How long a motion along a path takes at least, on a grid: no motion on it is shorter.

Viscous friction and friction under load make limits that are not convex, and what is found may not be the
fastest motion. Here every limit is replaced by straight lines that leave out nothing that is possible. What
speeds these allow is known for certain: at every place those that can be reached from the start, and from
which the end can be reached. Knowing them the lines can be drawn closer. Where the speeds come to be those of
the motion that was found, nothing faster is left to find.

The motion without viscous friction would be no bound: friction also helps to brake.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from armdyn.retiming.limits import Limits
from armdyn.retiming.optimal.grid import Grid
from armdyn.retiming.optimal.minorants import Minorants
from armdyn.retiming.optimal.passes import Intervals, fastest
from armdyn.retiming.optimal.room import Room
from armdyn.retiming.optimal.rounds import KEPT, Ends, assembled
from armdyn.retiming.optimal.rows import Rows, is_straight, reached
from armdyn.scalars import Array
from armdyn.scalars.forms import U

ROUNDS = 30
SETTLED = 1e-6
"""By which the bound, relative, may still rise."""
TOUCHED = (1.0, 0.25, 0.01)
"""Shares of the largest x at which lines are drawn near to limits."""
FASTEST = 1e3
"""Where nothing else limits the rate it is at most as many times what all limits would allow together if they
were of inertia alone."""


@dataclass(frozen=True, eq=False)
class _Reach:
    """What x and z are possible in intervals (N), and the lines that say so."""

    x: tuple[Array, Array]
    """Least and largest"""
    z: tuple[Array, Array]
    intervals: Intervals | None = None


def lower_bound(grid: Grid, start: Ends = (0.0, 0.0), end: Ends = (0.0, 0.0)) -> float:
    """How long a motion on a grid takes at least [s], waits included; inf if there is none.

    Args:
        grid: the path and its limits.
        start: least and largest square of the path's rate at the start.
        end: the same at the end.
    """
    reach, least = _at_first(grid), 0.0
    for _ in range(ROUNDS):
        found = _reached(_relaxed(grid, reach), reach, start, end)
        if found is None:
            return np.inf
        reach, before, least = found, least, max(least, _duration(grid, found))
        if least - before <= SETTLED * least or (is_straight(grid.starts) and is_straight(grid.ends)):
            break
    return least + grid.path.wait_before + sum(part.piece.wait for part in grid.parts)


def _duration(grid: Grid, reach: _Reach) -> float:
    """Of all intervals at their largest speeds."""
    with np.errstate(divide="ignore"):
        return float((2 * grid.step / (np.sqrt(reach.x[1]) + np.sqrt(reach.z[1]))).sum())


# What can be reached --------------------------------------------------------------------------


def _at_first(grid: Grid) -> _Reach:
    """All that speed limits allow."""
    slopes = np.abs([limit.share.terms[U] for limits in (grid.starts, grid.ends) for limit in limits.shares])
    with np.errstate(divide="ignore"):
        strongest = (1 / slopes.max(axis=0, initial=0.0)).max()
    most = FASTEST**2 * 2 * grid.step.sum() * strongest
    both = (np.minimum(limits.largest_square, most) for limits in (grid.starts, grid.ends))
    x, z = ((np.zeros(len(high)), high) for high in both)
    return _Reach(x, z)


def _reached(intervals: Intervals, known: _Reach, start: Ends, end: Ends) -> _Reach | None:
    """What x and z there are on the way from the start to the end; None if there is no way."""
    to_end = fastest(intervals, start, end)
    from_start = fastest(_backwards(intervals), end, start)
    ratio = intervals.ratio[:-1]
    sides: list[tuple[Array, Array]] = []
    for k, narrower in ((0, np.maximum), (1, np.minimum)):
        ahead = (to_end.lowest, to_end.highest)[k]
        behind = (from_start.lowest, from_start.highest)[k][::-1]
        x = narrower(ahead, np.append(start[k], ratio * behind[:-1]))
        z = narrower(behind, np.append(ahead[1:] / ratio, end[k]))
        slack = (1 - KEPT, 1 + KEPT)[k]
        sides.append((narrower(known.x[k], slack * x), narrower(known.z[k], slack * z)))
    (least_x, least_z), (most_x, most_z) = sides
    if not ((least_x <= most_x).all() and (least_z <= most_z).all()):  # or no numbers
        return None
    return _Reach((least_x, most_x), (least_z, most_z), intervals)


def _backwards(intervals: Intervals) -> Intervals:
    """The same from the end to the start: u changes its sign, and x and z their places."""
    twice = 2 * intervals.step[:, None]
    return Intervals(
        intervals.step[::-1],
        np.append(1 / intervals.ratio[:-1][::-1], 1.0),
        (twice * intervals.b - intervals.a)[::-1],  # a u + b x = (a - 2 step b) u + b z
        intervals.b[::-1],
        intervals.c[::-1],
        intervals.end_cap[::-1],
        intervals.start_cap[::-1],
    )


# Limits as lines ------------------------------------------------------------------------------


def _relaxed(grid: Grid, reach: _Reach) -> Intervals:
    """The problem with lines that keep all that is possible, and with the speeds that are known."""
    at_start, at_end = _rooms(grid, reach)
    no_rate = np.zeros(len(grid.step))
    at_rest = replace(at_start, low=no_rate, high=no_rate)
    every = ((grid.starts, at_start), (grid.ends, at_end), (grid.breakaway, at_rest))
    first, last, starting = (_rows(limits, room) for limits, room in every)
    problem = assembled(grid, first, last, starting)
    return replace(
        problem,
        start_cap=np.minimum(problem.start_cap, reach.x[1]),
        end_cap=np.minimum(problem.end_cap, reach.z[1]),
    )


def _rooms(grid: Grid, reach: _Reach) -> tuple[Room, Room]:
    """What is known to be possible at the start of each interval, and at its end."""
    twice, one = 2 * grid.step[:, None], np.ones((len(grid.step), 1))
    # z = x + 2 step u is between its bounds
    rows = np.hstack([twice, -twice]), np.hstack([one, -one]), np.stack([reach.z[1], -reach.z[0]], axis=1)
    if reach.intervals is not None:
        rows = _beside((reach.intervals.a, reach.intervals.b, reach.intervals.c), rows)
    a, b, c = rows
    # x = z - 2 step u is between its bounds, too
    limited = np.hstack([-twice, twice]), np.hstack([one, -one]), np.stack([reach.x[1], -reach.x[0]], axis=1)
    at_end = _beside((a - twice * b, b, c), limited)
    return Room(a, b, c, *reach.x), Room(*at_end, *reach.z)


def _beside(some: Rows, others: Rows) -> Rows:
    (a, b, c), (d, e, f) = some, others
    return np.hstack([a, d]), np.hstack([b, e]), np.hstack([c, f])


def _rows(limits: Limits, room: Room) -> Rows:
    """Lines at which the limits are reached, or beyond."""
    minorants, columns = Minorants(room), list[tuple[Array, Array, Array]]()
    touched = TOUCHED[:1] if is_straight(limits) else TOUCHED
    for limit in limits.shares:
        for side in (1, -1):
            share = side * limit.share
            for part in touched:
                x = part * room.high
                u = reached(share.without_rate(x <= 0), np.zeros_like(x), x)
                by_u, by_x, constant = minorants.below(share, u, x)
                columns.append((by_u, by_x, 1 + KEPT - constant))
    if not columns:
        none = np.empty((limits.count, 0))
        return none, none, none
    a, b, c = (np.stack([column[k] for column in columns], axis=1) for k in range(3))
    return a, b, c
