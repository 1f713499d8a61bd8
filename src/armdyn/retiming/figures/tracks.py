"""Motions over the way that they go: how far the joints have come together, and how fast they are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from armdyn.feasibility.arm import Arm
from armdyn.feasibility.demand import Demand
from armdyn.feasibility.verify import arms
from armdyn.motion.planned import Plan, PlannedMove
from armdyn.retiming.optimal.grid import INTERVALS, Grid, grid_of
from armdyn.retiming.optimal.limit_curve import limit_curve
from armdyn.retiming.optimal.optimal import Optimal
from armdyn.retiming.optimal.schedule import Schedule
from armdyn.retiming.path import path_of_plan
from armdyn.retiming.path.of_samples import NOWHERE
from armdyn.retiming.per_move import PerMove
from armdyn.retiming.retime import Retimed
from armdyn.retiming.uniform import Uniform
from armdyn.robot import Robot
from armdyn.scalars import Array


@dataclass(frozen=True, eq=False)
class Track:
    """A motion, or a limit of it, over the way: the length of the path in joint space."""

    time: Array
    """(t) [s], not decreasing"""
    way: Array
    """(t) [rad or m], not decreasing"""
    speed: Array
    """(t) |qd| [rad/s or m/s]"""
    marks: Array
    """(moves + 1) the ways at which moves begin and end"""

    def way_at(self, time: float) -> float:
        """Where it is at an instant."""
        return float(np.interp(time, self.time, self.way))

    def laid_on(self, other: Track) -> Track:
        """Itself with its moves where those of another motion along the same path are."""
        if len(self.marks) != len(other.marks):
            return self
        return replace(self, way=np.interp(self.way, self.marks, other.marks), marks=other.marks)


def track_of_plan(plan: Plan) -> Track:
    """Samples: the speed of every cycle in its middle."""
    steps = np.linalg.norm(np.diff(plan.q, axis=0), axis=1)
    ends = np.concatenate([[0.0], np.cumsum(steps)])
    time = np.concatenate([plan.time[:1], 0.5 * (plan.time[1:] + plan.time[:-1]), plan.time[-1:]])
    way = np.concatenate([ends[:1], 0.5 * (ends[1:] + ends[:-1]), ends[-1:]])
    speed = steps / plan.cycle
    first = 0.0 if plan.first_velocity is None else float(np.linalg.norm(plan.first_velocity))
    rests = not plan.moves or plan.moves[-1].stops
    last = speed[-1:] if len(speed) and not rests else np.zeros(1)
    return Track(time, way, np.concatenate([[first], speed, last]), _marks(plan.moves, time, way))


def track_of_schedule(schedule: Schedule, moves: Sequence[PlannedMove]) -> Track:
    """A path in time: the speeds where intervals begin and end."""
    grid, profile = schedule.grid, schedule.profile
    times, speeds, first = list[Array](), list[Array](), 0
    for part in grid.parts:
        mine = slice(first, first + part.count)
        rate = np.sqrt(np.append(profile.x[mine], profile.z[mine][-1]))
        times.append(np.append(schedule.begins[mine], schedule.ends[mine][-1]))
        speeds.append(rate * np.linalg.norm(part.first, axis=1))
        first += part.count
    time, way = np.concatenate(times), np.concatenate(_ways(grid))
    return Track(time, way, np.concatenate(speeds), _marks(moves, time, way))


def track_of_limits(grid: Grid, motion: Track) -> Track:
    """The largest speeds at which the limits can be kept, inf where nothing limits them."""
    tangents = np.concatenate([part.first[:-1] for part in grid.parts])
    speed = np.sqrt(limit_curve(grid)) * np.linalg.norm(tangents, axis=1)
    ways = _ways(grid)
    way = np.concatenate([each[:-1] for each in ways])
    way, speed = np.append(way, ways[-1][-1]), np.append(speed, speed[-1])
    way = way * float(
        motion.way[-1] / way[-1]
    )  # chords of intervals are shorter than chords of cycles, or longer
    return Track(np.asarray(np.interp(way, motion.way, motion.time)), way, speed, motion.marks)


def _ways(grid: Grid) -> list[Array]:
    """The way at the ends of the intervals of each part."""
    ways, start = list[Array](), 0.0
    for part in grid.parts:
        steps = np.linalg.norm(np.diff(part.q, axis=0), axis=1)
        ways.append(start + np.concatenate([[0.0], np.cumsum(steps)]))
        start = float(ways[-1][-1])
    return ways


def _marks(moves: Sequence[PlannedMove], time: Array, way: Array) -> Array:
    return np.interp([0.0, *(move.end for move in moves)], time, way)


# Of what was retimed --------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Tracks:
    """A retimed motion, as it was before, and what limits it, over the same way."""

    after: Track
    before: Track | None
    limit: Track


def tracks_of(retimed: Retimed, given: Plan | None) -> Tracks:
    """Those of what was retimed, and of the motion as it was given."""
    if isinstance(retimed.found, Optimal):
        after = track_of_schedule(retimed.found.schedule, retimed.plan.moves)
        grid = retimed.found.schedule.grid
    else:
        after = track_of_plan(retimed.plan)
        grid = _grid(retimed)
    before = None if given is None else track_of_plan(given).laid_on(after)
    return Tracks(after, before, track_of_limits(grid, after))


def _grid(retimed: Retimed) -> Grid:
    """The path of the samples, cut into intervals."""
    return grid_of(path_of_plan(retimed.plan), _arm_of(retimed), INTERVALS)


def _arm_of(retimed: Retimed) -> Callable[[Robot], Arm]:
    """The arms of what was retimed, and others like them: tools or payloads that it has for no sample."""
    phases, own = retimed.plan.phases, retimed.verification.arms
    known = dict(zip((phase.robot for phase in phases), own, strict=True))
    others = arms(own[0].dyn.motors, own[0].dyn.friction, own[0].wrench, own[0].at)
    return lambda robot: known[robot] if robot in known else others(robot)


def moves(plan: Plan) -> bool:
    """Whether a plan leads anywhere: where it does not, there is no path to speak of."""
    return float(np.linalg.norm(np.diff(plan.q, axis=0), axis=1).sum()) > NOWHERE


def given_plan(retimed: Retimed) -> Plan | None:
    """The motion as it was given, as far as what was found knows it."""
    match retimed.found:
        case Uniform(demand=demand):
            return demand.plan
        case Optimal(schedule=schedule):
            return schedule.grid.path.plan
        case PerMove(given=plan):
            return plan


def demand_of(retimed: Retimed, plan: Plan) -> Demand:
    """What a plan asks of the arms that do what was retimed."""
    arm_of = _arm_of(retimed)
    return Demand.of(plan, [arm_of(phase.robot) for phase in plan.phases])
