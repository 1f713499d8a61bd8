"""As fast as can be: the time-optimal motion along a path, verified."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from armdyn.errors import InputError
from armdyn.feasibility.arm import Arm
from armdyn.feasibility.demand import Demand
from armdyn.motion.planned import Plan
from armdyn.motion.planner import check_times
from armdyn.retiming.active import ActiveLimit
from armdyn.retiming.hindrances import of_posture, of_range
from armdyn.retiming.optimal.active import active_limits
from armdyn.retiming.optimal.explanation import infeasible
from armdyn.retiming.optimal.grid import INTERVALS, Grid, grid_of
from armdyn.retiming.optimal.jerk import limited_jerk
from armdyn.retiming.optimal.lower_bound import lower_bound
from armdyn.retiming.optimal.rounds import Ends, solve
from armdyn.retiming.optimal.schedule import Schedule
from armdyn.retiming.path.joint_path import JointPath
from armdyn.retiming.sample_shares import sample_shares
from armdyn.robot import Robot
from armdyn.scalars import Array

End = Literal["rest", "moving", "free"] | float
"""How a motion begins or ends: at rest, as fast as it was given, as it likes, or with joint speeds |qd|."""
AT_REST: Ends = (0.0, 0.0)
ATTEMPTS = 24
"""That are made until the samples of the motion keep the limits, too."""
SLOWER = 4
"""So many times fewer where the jerk is limited, which takes long."""
MORE, GROWTH = 1.1, 1.1
"""So much more room than what was lacking is given, and every time more."""
NEAR, WIDER = 1.0, 1.05
"""Cycles around a sample in which it is given, and how much wider every time."""
OUTSIDE = 1e-9
"""[rad or m] So much beyond its range a joint is by rounding."""
ROUNDING = 1e-9
"""A share that is always given."""
MOST_INTERVALS, FASTEST = 1_000_000, 1e6
"""That a path is cut into; a speed of the joints [rad/s or m/s] that none has."""


@dataclass(frozen=True)
class Stop:
    """A place where the arm must rest."""

    time: float
    """[s]"""
    line: int
    """Of the program, 0 if there is none"""
    reason: str
    wait: float
    """How long [s]"""

    def document(self) -> dict[str, Any]:
        """As plain data."""
        return dict(vars(self))


@dataclass(frozen=True, eq=False)
class Optimal:
    """The fastest motion along a path that was found."""

    schedule: Schedule
    demand: Demand
    """What its samples ask for"""
    ends: tuple[Ends, Ends]
    """Ranges of the squared rate at both ends of the path"""
    jerk_limited: bool = False

    @property
    def margin(self) -> float:
        """Largest share of every limit that is left free anywhere, so that samples keep the limits, too."""
        return self.schedule.grid.largest_margin

    @property
    def plan(self) -> Plan:
        """Its samples."""
        return self.demand.plan

    @property
    def duration(self) -> float:
        """[s]."""
        return self.schedule.duration

    @cached_property
    def lower_bound(self) -> float | None:
        """No motion with constant acceleration in each interval is shorter, if it leaves the same margin [s].

        Not known of motions whose jerk is limited, which have other intervals.
        """
        return None if self.jerk_limited else lower_bound(replace(self.schedule.grid, room=None), *self.ends)

    @property
    def wait_before(self) -> float:
        """How long the arm stands before it moves [s]."""
        return self.schedule.grid.path.wait_before

    @cached_property
    def stops(self) -> tuple[Stop, ...]:
        """Where the arm rests on its way, and why."""
        schedule = self.schedule
        ended = zip(schedule.grid.parts, schedule.part_ends.tolist(), strict=True)
        return tuple(
            Stop(end, part.piece.line, part.piece.reason, part.piece.wait)
            for part, end in ended
            if part.piece.stops
        )

    @cached_property
    def active_limits(self) -> tuple[ActiveLimit, ...]:
        """Which limit holds it back where."""
        return active_limits(self.schedule)


def optimal(
    path: JointPath,
    arm_of: Callable[[Robot], Arm],
    *,
    count: int = INTERVALS,
    margin: float = 0.0,
    tool_speed: float | None = None,
    begin: End | None = None,
    end: End | None = None,
    cycle: float | None = None,
    jerk: ArrayLike | None = None,
) -> Optimal:
    """The fastest motion along a path.

    Where its samples, as the feasibility check sees them, exceed limits that the motion itself keeps, it is
    looked for again with a little less of the limits there.

    Args:
        path: where to.
        arm_of: what makes robots arms at work.
        count: about how many intervals.
        margin: share of every limit that is left free at least.
        tool_speed: that the tool may have [m/s]; by default any.
        begin: how the motion begins; by default as it was given.
        end: how it ends; by default as it was given.
        cycle: [s] between two samples; by default that of the path.
        jerk: (n) or one, largest jerk of the joints [rad/s3 or m/s3]; by default any.

    Raises:
        InfeasibleError: there is no motion along the path.
    """
    _check(path, count, margin, tool_speed)
    step = path.cycle if cycle is None else cycle
    check_times(step, None)
    ends = _ends(path, begin, path.first_rate, 0), _ends(path, end, path.last_rate, -1)
    *others, last = path.pieces
    path = replace(path, pieces=(*others, replace(last, stops=ends[1] == AT_REST)))
    grid = grid_of(
        path, arm_of, count, margin=margin, tool_speed=tool_speed, starts_at_rest=ends[0] == AT_REST
    )
    _check_postures(grid)
    found = _sampled(grid, ends, step, jerk)
    for attempt in range(ATTEMPTS if jerk is None else ATTEMPTS // SLOWER):
        shares = sample_shares(found.demand, margin)
        if (shares <= 1).all():
            break
        room = _room(found, shares, attempt)
        found = _sampled(replace(grid, room=room), ends, step, jerk)
    return found


def _sampled(grid: Grid, ends: tuple[Ends, Ends], cycle: float, jerk: ArrayLike | None) -> Optimal:
    """The fastest motion on a grid, and what the feasibility check sees of its samples."""
    found = solve(grid, *ends)
    if found.profile.lost is not None:
        raise infeasible(found)
    schedule = Schedule(grid, found.profile) if jerk is None else limited_jerk(found, jerk, cycle=cycle)
    plan = schedule.plan(cycle)
    of_robot = dict(zip((part.piece.robot for part in grid.parts), grid.arms, strict=True))
    demand = Demand.of(plan, [of_robot[phase.robot] for phase in plan.phases])
    return Optimal(schedule, demand, ends, jerk is not None)


def _room(found: Optimal, shares: Array, attempt: int) -> Array:
    """(N) how much of the limits may be used, less than before around samples (t) that need too much."""
    schedule, time = found.schedule, found.plan.time
    before = np.ones(len(schedule.begins)) if schedule.grid.room is None else schedule.grid.room
    around = np.inf if found.jerk_limited else NEAR * WIDER**attempt * found.plan.cycle
    room = before
    for k in np.flatnonzero(shares > 1).tolist():
        more = MORE * GROWTH ** (attempt * (SLOWER if found.jerk_limited else 1))
        less = 1 / (1 + more * (float(shares[k]) - 1 + ROUNDING))
        near = (schedule.ends >= time[k] - around) & (schedule.begins <= time[k] + around)
        room = np.where(near, np.minimum(room, less * before), room)
    return room


def _ends(path: JointPath, wanted: End | None, given: float, place: int) -> Ends:
    """The range of the squared rate at an end of the path."""
    if wanted is None:
        wanted = "moving" if given else "rest"
    if wanted == "free":
        return 0.0, math.inf
    if wanted == "rest":
        return AT_REST
    if wanted == "moving":
        return given * given, given * given
    if not isinstance(wanted, int | float) or not 0 <= wanted <= FASTEST:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError(
            f'an end of the motion is "{wanted}", expected rest, moving, free or a speed up to {FASTEST:g}'
        )
    curve = path.pieces[place].curve
    tangent = curve.at(np.array([0.0 if place == 0 else curve.length]))[1][0]
    rate = wanted / float(np.linalg.norm(tangent))
    return rate * rate, rate * rate


def _check(path: JointPath, count: int, margin: float, tool_speed: float | None) -> None:
    if not 1 <= count <= MOST_INTERVALS:
        raise InputError(f"grid is {count}, expected 1 to {MOST_INTERVALS} intervals")
    if not 0 <= margin < 1:
        raise InputError(f"margin is {margin:g}, expected a share of the limits of 0 or more, less than 1")
    if tool_speed is not None and not 0 < tool_speed < math.inf:
        raise InputError(f"the tool's speed is {tool_speed:g} m/s, expected a finite number above 0")
    for problem in path.problems:
        raise of_posture(problem, path.robot).error()


def _check_postures(grid: Grid) -> None:
    """Refuse a path that leaves the joints' ranges; of those with times that is known already."""
    for part in grid.parts:
        for j, joint in enumerate(grid.path.robot.joints):
            if joint.limits.position is None:
                continue
            low, high = joint.limits.position
            q = part.q[:, j]
            worst = float(q.max() if q.max() - high > low - q.min() else q.min())
            beyond = max(worst - high, low - worst)
            if beyond > OUTSIDE:
                raise of_range(grid.path.robot, j, part.piece, worst, high if worst > high else low).error()
