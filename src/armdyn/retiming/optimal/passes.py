"""The fastest speeds along a path cut into intervals, by two passes over them.

Reachability analysis (H. Pham, Q.-C. Pham, A new approach to time-optimal path parameterization based on
reachability analysis, IEEE Transactions on Robotics 34, 2018). In an interval the path acceleration u is
constant, x is the squared path speed at the start and z = x + 2 step u at the end; limits are rows
a u + b x <= c. Backward: the speeds at the start from which the end can be reached are an interval [lowest,
highest]. Forward: the largest u that leads into the next of these.

No motion is faster as long as a higher speed at the start of an interval allows a higher one at its end.
Where a limit hardly feels u (a < 2 step b) that may not be so, and a little time is lost: less with smaller
steps.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armdyn.errors import InputError, ShapeError
from armdyn.native.setting import is_native
from armdyn.retiming.optimal import passes_native, passes_plain
from armdyn.retiming.optimal.passes_problem import ENDLESS, HUGE, Ending, Outcome, Problem
from armdyn.scalars import Array


@dataclass(frozen=True, eq=False)
class Intervals:
    """A path in N intervals with m limits in each: rows a u + b x <= c, and caps on the speeds."""

    step: Array
    """(N) lengths in the path's parameter."""
    ratio: Array
    """(N) squared speed at the start of the next interval over that at the end of this one: 1 but where the
    path's parameter changes; the last is not used."""
    a: Array
    """(N, m) coefficients of the path acceleration u."""
    b: Array
    """(N, m) coefficients of the squared path speed x at the start."""
    c: Array
    """(N, m) bounds; infinity is no bound."""
    start_cap: Array
    """(N) largest x, 0 at stops; may be infinite."""
    end_cap: Array
    """(N) largest z, 0 at stops; may be infinite."""


@dataclass(frozen=True, eq=False)
class Profile:
    """The fastest speeds, or where and why there are none; what is not known is NaN."""

    x: Array
    """(N) squared path speeds at the start of each interval, never negative."""
    u: Array
    """(N) path accelerations."""
    z: Array
    """(N) squared path speeds at the end of each interval, never negative."""
    lowest: Array
    """(N) least squared speed at the start from which the path can be finished."""
    highest: Array
    """(N) largest squared speed at the start from which the path can be finished."""
    lost: int | None
    """The interval, from 0, in which nothing is possible, or before which the start's speed is not."""
    rows: tuple[int, ...]
    """The limits that contradict each other there; one alone contradicts the caps or the speeds beyond, and
    none is needed where those contradict each other."""


def fastest(intervals: Intervals, start: tuple[float, float], end: tuple[float, float]) -> Profile:
    """The fastest speeds from a range of x at the start to a range of z at the end.

    Args:
        intervals: the path and its limits.
        start: least and largest squared speed at the start: (0, 0) at rest, (v v, v v) moving, (0, inf) free.
        end: the same at the end.
    """
    problem = _problem(intervals, start, end)
    outcome = (passes_native if is_native() else passes_plain).solved(problem)
    if outcome.ending is Ending.UNLIMITED:
        raise InputError(
            f"nothing limits the speed along the path in interval {outcome.interval + 1} of its "
            f"{len(intervals.step)}; give a joint that moves there a limit of speed, acceleration or torque"
        )
    if outcome.ending is Ending.NO_NUMBER:
        raise InputError(f"a limit in interval {outcome.interval} of the path is no number")
    return _profile(problem, outcome)


def _profile(problem: Problem, outcome: Outcome) -> Profile:
    x, u, z, lowest, highest = outcome.table
    highest[highest >= ENDLESS] = np.inf
    if outcome.ending is Ending.DONE:
        return Profile(x, u, z, lowest, highest, None, ())
    rows = passes_plain.contradiction(problem, outcome)
    return Profile(x, u, z, lowest, highest, outcome.interval, rows)


def _problem(intervals: Intervals, start: tuple[float, float], end: tuple[float, float]) -> Problem:
    """The same with finite caps, those of the ends with what the next start allows."""
    step, ratio = _contiguous(intervals.step), _contiguous(intervals.ratio)
    a, b, c = (_contiguous(rows) for rows in (intervals.a, intervals.b, intervals.c))
    _check(intervals, step, ratio, a)
    for name, (low, high) in (("start", start), ("end", end)):
        if not 0 <= low <= high:
            raise InputError(f"{name} is {(low, high)}, expected squared speeds 0 <= least <= largest")
    start_cap = np.minimum(intervals.start_cap, HUGE)
    end_cap = np.minimum(intervals.end_cap, HUGE)
    end_cap[-1] = min(end_cap[-1], end[1])
    ratio = np.append(ratio[:-1], 1.0)
    end_cap[:-1] = np.minimum(end_cap[:-1], start_cap[1:] / ratio[:-1])
    return Problem(step, ratio, a, b, c, start_cap, end_cap, start, (end[0], min(end[1], HUGE)))


def _contiguous(values: Array) -> Array:
    return np.ascontiguousarray(values, float)


def _check(intervals: Intervals, step: Array, ratio: Array, a: Array) -> None:
    n = len(step)
    if step.ndim != 1 or n == 0:
        raise ShapeError("step", step.shape, "a path has one interval at least", "(N,)")
    if a.ndim != 2:
        raise ShapeError("a", a.shape, f"the path has {n} intervals", f"({n}, m)")
    for name, shape in (("ratio", (n,)), ("start_cap", (n,)), ("end_cap", (n,)), ("a", (n, a.shape[1]))):
        if np.shape(getattr(intervals, name)) != shape:
            raise ShapeError(
                name, np.shape(getattr(intervals, name)), f"the path has {n} intervals", f"{shape}"
            )
    for name in ("b", "c"):
        if np.shape(getattr(intervals, name)) != a.shape:
            raise ShapeError(name, np.shape(getattr(intervals, name)), "a has another", f"{a.shape}")
    for name, values in (("step", step), ("ratio", ratio[:-1])):
        if not np.all((values > 0) & (values < np.inf)):
            k = int(np.argmin((values > 0) & (values < np.inf)))
            raise InputError(f"{name} of interval {k} is {values[k]}, expected a positive number")
    for name in ("start_cap", "end_cap"):
        caps = getattr(intervals, name)
        if not np.all(caps >= 0):
            k = int(np.argmin(caps >= 0))
            raise InputError(f"{name} of interval {k} is {caps[k]}, expected a squared speed of at least 0")
