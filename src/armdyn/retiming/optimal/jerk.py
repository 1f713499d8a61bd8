"""As fast as can be found along a path while the jerk of every joint stays below a limit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil

import numpy as np
from numpy.typing import ArrayLike, NDArray

from armdyn.errors import InputError, ShapeError
from armdyn.retiming.optimal.grid import Grid
from armdyn.retiming.optimal.passes import Profile
from armdyn.retiming.optimal.rounds import Found, solve
from armdyn.retiming.optimal.schedule import Schedule
from armdyn.retiming.optimal.shortening import shortened
from armdyn.retiming.optimal.smoothing import CLOSE_LOOKS, Fastest, JerkLimit, kept, smoothed
from armdyn.retiming.optimal.stretches import Stretch, stretches
from armdyn.retiming.optimal.time_law import ROUNDING, TimeLaw
from armdyn.scalars import Array

STEPS, FEWEST = 300, 80
"""Of constant jerk, along the whole path, and from one rest to the next."""
KINK = 1e-3
"""[1/rad] A curvature that jumps by more does so for the joints' accelerations, too."""


@dataclass(frozen=True, eq=False)
class SmoothSchedule(Schedule):
    """A path in time without jolts; the profile holds at the ends of intervals (N), in which u changes."""

    laws: tuple[TimeLaw, ...]
    """One from each rest to the next"""

    @cached_property
    def _stretches(self) -> list[tuple[slice, Stretch]]:
        return list(stretches(self.grid))

    @cached_property
    def _durations(self) -> Array:
        """(N) of the intervals [s]."""
        both = zip(self._stretches, self.laws, strict=True)
        return np.concatenate([np.diff(law.when(_nodes(stretch))) for (_, stretch), law in both])

    @cached_property
    def _departures(self) -> Array:
        """(stretches) when the arm leaves each rest [s]."""
        firsts = np.append(0, self._lasts[:-1] + 1)[[mine.start for mine, _ in self._stretches]]
        return self.begins[firsts]

    def at(self, time: Array) -> tuple[Array, Array, Array]:
        """q, qd and qdd (t, n) at instants (t); at rest in waits, and before and after the motion."""
        q, qd, qdd = (np.zeros((len(time), self.grid.path.robot.n)) for _ in range(3))
        number = np.clip(np.searchsorted(self._departures, time, side="right") - 1, 0, None)
        for k, ((_, stretch), law) in enumerate(zip(self._stretches, self.laws, strict=True)):
            mine = number == k
            since = np.clip(time[mine] - self._departures[k], 0.0, law.duration)
            s, y, u = law.at(since)
            rests = (since <= 0) | (since >= law.duration * (1 - ROUNDING))
            y, u = (np.where(rests, 0.0, values)[:, None] for values in (y, u))
            q[mine], first, second, _ = stretch.at(np.clip(s, 0.0, stretch.length))
            qd[mine], qdd[mine] = first * y, first * u + second * y * y
        return q, qd, qdd


def limited_jerk(
    found: Found, jerk: ArrayLike, *, cycle: float | None = None, steps: int = STEPS
) -> SmoothSchedule:
    """A motion along the same path that keeps limits of the joints' jerks, too.

    Where the path's curvature jumps so do the accelerations, at any speed: the arm must stop there, or a jump
    is allowed that is not more than what the jerk makes of an acceleration in one cycle.

    Args:
        found: the fastest motion without them, from rest to rest.
        jerk: (n) or one for all joints [rad/s3 or m/s3].
        cycle: in which accelerations may jump [s]; by default never, and the arm stops.
        steps: of constant jerk along the path, about.
    """
    limit = JerkLimit(_checked(found, jerk), _checked_cycle(cycle))
    grid = found.grid if cycle is not None else _stopping(found.grid)
    fastest = found if grid is found.grid else solve(grid)
    if fastest.profile.lost is not None:
        raise InputError(
            "the path cannot be passed with stops where its curvature jumps; leave the jerk free"
        )
    schedule = Schedule(grid, fastest.profile)
    laws = [_law(schedule, mine, stretch, limit, steps) for mine, stretch in stretches(grid)]
    return SmoothSchedule(grid, _profile(grid, laws), tuple(laws))


def _checked(found: Found, jerk: ArrayLike) -> Array:
    n = found.grid.path.robot.n
    given = np.asarray(jerk, dtype=float)
    if given.shape not in ((), (n,)):
        raise ShapeError("jerk", given.shape, f"the robot has {n} joints", f"({n},)")
    if not (given > 0).all():
        raise InputError(f"jerk is {given.min():g}, expected limits above 0 in rad/s3 or m/s3")
    if found.profile.lost is not None:
        raise InputError("there is no motion along the path; a limit of its jerk cannot be kept")
    if not (found.grid.starts_at_rest and found.grid.rests_after[-1]):
        raise InputError(
            "the motion starts or ends moving, expected rest at both ends where the jerk is limited; "
            "leave the jerk free"
        )
    return np.broadcast_to(given, (n,))


def _checked_cycle(cycle: float | None) -> float | None:
    if cycle is not None and not 0 < cycle < np.inf:
        raise InputError(
            f"cycle is {cycle:g} s, expected a finite number above 0, or None for no jump at all"
        )
    return cycle


# Where the curvature jumps --------------------------------------------------------------------


def _stopping(grid: Grid) -> Grid:
    """The grid with stops where the curvature jumps, itself if there are none."""
    jumps = [
        k
        for k, (before, after) in enumerate(zip(grid.parts[:-1], grid.parts[1:], strict=True))
        if not before.piece.stops
        and np.abs(
            _curvature(before.first[-1], before.second[-1]) - _curvature(after.first[0], after.second[0])
        ).max()
        > KINK
    ]
    if not jumps:
        return grid
    pieces = list(grid.path.pieces)
    for k in jumps:
        pieces[k] = pieces[k].stopped("the path's curvature jumps")
    lines = list(dict.fromkeys(pieces[k].line for k in jumps if pieces[k].line))
    note = (
        f"the path's curvature jumps at {len(jumps)} places{_in_lines(lines)}, "
        "where the arm stops to keep its jerk limited"
    )
    path = replace(grid.path, pieces=tuple(pieces), notes=(*grid.path.notes, note))
    parts = [replace(part, piece=piece) for part, piece in zip(grid.parts, pieces, strict=True)]
    return replace(grid, path=path, parts=parts)


def _curvature(first: Array, second: Array) -> Array:
    return second / float(first @ first)


def _in_lines(lines: Sequence[int]) -> str:
    return f" (line {', '.join(map(str, lines))})" if lines else ""


# From rest to rest ----------------------------------------------------------------------------


def _law(schedule: Schedule, mine: slice, stretch: Stretch, jerk: JerkLimit, steps: int) -> TimeLaw:
    """Of one stretch."""
    grid, profile = schedule.grid, schedule.profile
    intervals = np.flatnonzero((grid.part_of >= mine.start) & (grid.part_of < mine.stop))
    scale = stretch.scales[grid.part_of[intervals] - mine.start]
    first = schedule.begins[intervals[0]]
    fastest = Fastest(
        np.append(schedule.begins[intervals], schedule.ends[intervals[-1]]) - first,
        np.append(np.sqrt(profile.x[intervals]) * scale, 0.0),
    )
    share = len(intervals) / len(grid.step)
    law = smoothed(stretch, fastest, max(ceil(share * steps), FEWEST), jerk)
    tried = () if law is None else (law, shortened(stretch, law, jerk))
    possible = [each for each in (kept(stretch, law, jerk, CLOSE_LOOKS) for law in tried) if each is not None]
    if not possible:
        raise InputError(
            f"no motion with limited jerk was found along move {stretch.parts[0].piece.move}; "
            "leave the jerk free, or give a margin"
        )
    return min(possible, key=lambda law: law.duration)


def _nodes(stretch: Stretch) -> Array:
    """The s at which intervals begin, and the end."""
    both = zip(stretch.parts, stretch.starts[:-1], stretch.scales, strict=True)
    return np.append(
        np.concatenate([start + scale * part.p[:-1] for part, start, scale in both]), stretch.length
    )


def _profile(grid: Grid, laws: Sequence[TimeLaw]) -> Profile:
    """What the laws are at the ends of intervals."""
    found: list[Array] = []
    for (mine, stretch), law in zip(stretches(grid), laws, strict=True):
        counts: NDArray[np.intp] = np.array([part.count for part in grid.parts[mine]])
        scale = np.repeat(stretch.scales, counts)
        _, y, u = law.at(law.when(_nodes(stretch)))
        y[[0, -1]], u[[0, -1]] = 0.0, 0.0
        y = np.maximum(y, 0.0)
        found.append(np.stack([(y[:-1] / scale) ** 2, u[:-1] / scale, (y[1:] / scale) ** 2]))
    x, u, z = np.concatenate(found, axis=1)
    unknown = np.full(len(x), np.nan)
    return Profile(x, u, z, unknown, unknown, None, ())
