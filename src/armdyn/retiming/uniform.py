"""The whole motion at one multiple r of its speed: the largest that the limits allow.

[Siciliano2009] (7.117)-(7.126): samples of which the arm passes r times as many in the same time ask for

    q, r qd, r^2 qdd,

so that inertia and velocity terms go with r^2, tau_s(t) = c^2 tau_s(c t), while gravity does not change.
Neither does Coulomb friction; viscous friction goes with r, and friction under load has pieces. Every share
of a limit is thus a quadratic of r, piece by piece, and no inverse dynamics need be computed again.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from armdyn.errors import InputError
from armdyn.feasibility.arm import Arm
from armdyn.feasibility.demand import Demand
from armdyn.feasibility.execution import check_finite
from armdyn.feasibility.violations import EDGE, EDGES
from armdyn.motion.legs import sample_times
from armdyn.motion.planned import Plan, Problem
from armdyn.retiming.hindrances import Hindrance, at_rest, of_posture
from armdyn.retiming.intervals import SLOWEST, Kinks, allowed, beyond, too_fast
from armdyn.retiming.limits import Limits, Quantity, ShareLimit, SpeedLimit, limits
from armdyn.retiming.torques import Course
from armdyn.scalars import Array

ACTIVE = 1e-9
"""How near to 1 the share of an active limit is."""
AT_ONCE = 4096
"""Samples that are looked at in one go."""


@dataclass(frozen=True)
class Active:
    """A limit that a motion just keeps."""

    quantity: Quantity
    joint: int | None
    """From 1; of a motor the joint that it mainly moves; None for the tool"""
    side: Literal[-1, 1]
    """Which limit, the lower or the upper"""
    sample: int
    """From 0"""
    time: float
    """[s], in the plan's time"""
    line: int
    """Of the program; 0 where there is none"""


@dataclass(frozen=True, eq=False)
class Uniform:
    """At which multiples of its speed a motion keeps all limits."""

    demand: Demand
    parts: tuple[tuple[slice, Limits], ...]
    """What limits rows of the demand"""
    intervals: tuple[tuple[float, float], ...]
    """All such multiples, low to high; from 0 where any slower motion will do, to inf where nothing limits"""
    hindrances: tuple[Hindrance, ...]
    """Postures that no speed mends, and what is broken at rest already, the worst first: of each quantity of
    each joint the worst instant"""

    @property
    def r(self) -> float | None:
        """The largest of them; inf if nothing limits the motion, None if it is possible at no speed."""
        return self.intervals[-1][1] if self.intervals else None

    @cached_property
    def feasible_as_is(self) -> bool:
        """Whether the motion keeps its limits as it is, but for what feasibility takes for rounding."""
        return not _problems(self.demand) and all(
            (np.abs(share) <= 1 + EDGES.get(limit.quantity, EDGE)).all()
            for _, limit, share in self.shares(1.0)
        )

    @property
    def slowed(self) -> float | None:
        """The largest of them up to 1, and 1 if the motion is feasible as it is; None if there is none."""
        if self.feasible_as_is:
            return 1.0
        return max((min(high, 1.0) for low, high in self.intervals if low <= 1), default=None)

    def active(self, r: float) -> tuple[Active, ...]:
        """The limits that the motion just keeps at a multiple of its speed, in the order of time."""
        plan, found = self.demand.plan, list[Active]()
        for rows, limit, share in self.shares(r) if math.isfinite(r) else ():
            for k in np.flatnonzero(np.abs(np.abs(share) - 1) <= ACTIVE).tolist():
                sample = int(self.demand.samples[rows][k])
                side = 1 if share[k] > 0 else -1
                where = sample, float(plan.time[sample]), int(plan.line[sample])
                found.append(Active(limit.quantity, limit.joint, side, *where))
        return tuple(sorted(dict.fromkeys(found), key=lambda each: each.sample))

    def shares(self, r: float) -> Iterator[tuple[slice, ShareLimit | SpeedLimit, Array]]:
        """Rows of the demand, what limits them, and the share (t) of it at a multiple of the speed."""
        for rows, known in self.parts:
            for limit in known.shares:
                yield rows, limit, np.broadcast_to(limit.share.at(0.0, r * r), known.count)
            for limit in known.speeds:
                yield rows, limit, limit.share * r


def uniform(demand: Demand, *, margin: float = 0.0, tool_speed: float | None = None) -> Uniform:
    """At which multiples of its speed what is asked for keeps all limits.

    Args:
        demand: a plan, or some of its moves, and the arms that do it.
        margin: share of every limit that is left free, 0 or more, less than 1.
        tool_speed: that the tool may have [m/s]; by default any.
    """
    _check(margin, tool_speed)
    check_finite(demand)
    parts = tuple(
        (rows, limits(arm, _course(demand, rows), margin=margin, tool_speed=tool_speed))
        for arm, rows in _parts(demand)
    )
    broken, held = _broken(parts)
    postures = [of_posture(problem, demand.plan.robot) for problem in _problems(demand)]
    found = () if postures else allowed(broken)
    resting = (at_rest(demand, each.row, each.limit, margin, each.relief) for each in held)
    return Uniform(demand, parts, tuple(found), (*postures, *resting))


def slowed_plan(plan: Plan, r: float) -> Plan:
    """The same samples at a multiple r of the speed: every time is r times as short."""
    if not 0 < r < math.inf:
        raise InputError(f"a plan is to run at {r:g} times its speed, expected a finite number above 0")
    moves = (replace(move, start=move.start / r, end=move.end / r) for move in plan.moves)
    problems = (
        replace(problem, time=(problem.time[0] / r, problem.time[1] / r), worst_time=problem.worst_time / r)
        for problem in plan.problems
    )
    cycle = plan.cycle / r
    return replace(
        plan,
        cycle=cycle,
        time=sample_times(len(plan.time), cycle),
        moves=tuple(moves),
        problems=tuple(problems),
        duration=plan.duration / r,
        first_velocity=None if plan.first_velocity is None else r * plan.first_velocity,
    )


def _check(margin: float, tool_speed: float | None) -> None:
    if not 0 <= margin < 1:
        raise InputError(f"margin is {margin:g}, expected a share of the limits of 0 or more, less than 1")
    if tool_speed is not None and not 0 < tool_speed < math.inf:
        raise InputError(f"the tool's speed is {tool_speed:g} m/s, expected a finite number above 0")


# Parts of a demand ----------------------------------------------------------------------------


def _parts(demand: Demand) -> Iterator[tuple[Arm, slice]]:
    """The arm of each phase and its rows, not too many at once."""
    edges = np.searchsorted(demand.samples, [phase.first for phase in demand.plan.phases]).tolist()
    for arm, first, last in zip(demand.arms, edges, [*edges[1:], len(demand.samples)], strict=True):
        for begin in range(first, last, AT_ONCE):
            yield arm, slice(begin, min(begin + AT_ONCE, last))


def _course(demand: Demand, rows: slice) -> Course:
    q, qd, qdd = demand.q[rows], demand.qd[rows], demand.qdd[rows]
    return Course(q, rate=qd, along=np.zeros_like(q), bend=qdd)


def _problems(demand: Demand) -> list[Problem]:
    """What is wrong with the postures, whatever the speed."""
    return [problem for problem in demand.plan.problems if problem.move in demand.move]


# Limits that are broken -----------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Held:
    """A limit that is broken at rest."""

    limit: ShareLimit
    row: int
    share: float
    relief: float | None


def _broken(parts: tuple[tuple[slice, Limits], ...]) -> tuple[list[Array], list[_Held]]:
    """All intervals (m, 2) in which some limit is broken, and the worst at rest, one of each limit."""
    found: list[Array] = []
    worst: dict[tuple[Quantity, int], _Held] = {}
    for rows, known in parts:
        kinks = Kinks(known.count)
        for limit in known.shares:
            intervals, place = beyond(limit.share, kinks)
            found.append(intervals)
            held = _held(limit, rows, intervals, place)
            key = limit.quantity, limit.joint
            if held is not None and (key not in worst or worst[key].share < held.share):
                worst[key] = held
        found += [too_fast(limit.share) for limit in known.speeds]
    return found, sorted(worst.values(), key=lambda held: -held.share)


def _held(limit: ShareLimit, rows: slice, intervals: Array, place: NDArray[np.intp]) -> _Held | None:
    """Where a limit is broken most at rest, if anywhere."""
    from_rest = place[intervals[:, 0] == SLOWEST]
    if not len(from_rest):
        return None
    share = np.abs(np.broadcast_to(limit.share.at(0.0, SLOWEST**2), rows.stop - rows.start))
    k = int(from_rest[np.argmax(share[from_rest])])
    kept = allowed([intervals[place == k]])
    return _Held(limit, rows.start + k, float(share[k]), kept[0][0] if kept else None)
