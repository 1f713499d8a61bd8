"""Retime a motion: slow it just enough, or run it as fast as can be."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

from numpy.typing import ArrayLike

from armdyn.errors import InputError
from armdyn.feasibility import Verification, Work, planned, verify
from armdyn.feasibility.demand import Demand
from armdyn.feasibility.verify import arms
from armdyn.formats.motion_tables import SUFFIXES
from armdyn.formats.motions import has_times, read_waypoints
from armdyn.mechanics.tree.motors import MotorModel
from armdyn.motion.planned import Plan
from armdyn.motion.targets import Status
from armdyn.retiming.active import ActiveLimit, active_limits_of, in_order
from armdyn.retiming.optimal.grid import INTERVALS
from armdyn.retiming.optimal.optimal import End, Optimal, optimal
from armdyn.retiming.path import JointPath, path_of_work, path_through
from armdyn.retiming.path.waypoints import WaypointKind
from armdyn.retiming.per_move import PerMove, per_move
from armdyn.retiming.uniform import Uniform, slowed_plan, uniform
from armdyn.robot import Robot

Mode = Literal["uniform", "per-move", "optimal"]
MODES: tuple[Mode, ...] = ("uniform", "per-move", "optimal")
Progress = Callable[[str, float], None]
"""Told which part of the work is under way, and which share of all is done."""
Given = Plan | Work | JointPath | str | os.PathLike[str]
PLANNING = {"jerk": "jerk_time"}
"""What options of `planned` are called here, if otherwise."""
AT_LIMIT = 1e-2
"""What a limit that holds moves back may have left: their factors are rounded."""


@dataclass(frozen=True, eq=False)
class Retimed:
    """A motion with other times on the same path."""

    mode: Mode
    before: float | None
    """Duration of the motion as given [s]; None of a path without times"""
    verification: Verification
    """What the feasibility check says of the motion"""
    active_limits: tuple[ActiveLimit, ...]
    """Which limit holds it back where"""
    notes: tuple[str, ...]
    """What was assumed, chosen or left out"""
    found: Uniform | PerMove | Optimal
    """How it was found"""

    @property
    def plan(self) -> Plan:
        """The motion, sampled every cycle."""
        return self.verification.plan

    @property
    def duration(self) -> float:
        """[s]."""
        return self.plan.duration

    @property
    def factor(self) -> float | None:
        """Duration after over before; None of a path without times."""
        return self.duration / self.before if self.before else None

    @property
    def program(self) -> str | None:
        """The program with other speeds, of mode "per-move"."""
        return self.found.text if isinstance(self.found, PerMove) else None

    @property
    def lower_bound(self) -> float | None:
        """What no motion along the path can be shorter than [s], of mode "optimal"."""
        return self.found.lower_bound if isinstance(self.found, Optimal) else None

    def document(self) -> dict[str, Any]:
        """As plain data, ready for JSON."""
        return {
            "robot": self.plan.robot.name,
            "mode": self.mode,
            "motors": self.verification.motors,
            "friction": "on" if self.verification.arms[0].dyn.friction else "off",
            "cycle": self.plan.cycle,
            "duration": {"before": self.before, "after": self.duration},
            "factor": self.factor,
            "feasible": self.verification.feasible,
            "active_limits": [limit.document() for limit in self.active_limits],
            **self._details(),
            "violations": [violation.document() for violation in self.verification.violations],
            "notes": list(self.notes),
        }

    def _details(self) -> dict[str, Any]:
        match self.found:
            case PerMove():
                return {"moves": self.found.document()["moves"]}
            case Optimal():
                return {
                    "lower_bound": self.found.lower_bound,
                    "margin": self.found.margin,
                    "stops": [stop.document() for stop in self.found.stops],
                }
            case _:
                return {"speeds": [list(interval) for interval in self.found.intervals]}

    def columns(self) -> dict[str, Any]:
        """The motion as columns of a motion file, beside `plan.time`."""
        demand = self.verification.demand
        if isinstance(self.found, Optimal):  # its velocities are known, not only differences of its samples
            _, qd, qdd = self.found.schedule.at(self.plan.time)
            demand = replace(demand, qd=qd, qdd=qdd)
        torque = "motor_torque" if self.verification.arms[0].actuators.geared else "tau"
        motion = {"q": demand.q, "qd": demand.qd, "qdd": demand.qdd, torque: demand.torque}
        return {**motion, "line": self.plan.line, "move": self.plan.move}


def retime(
    work: Given,
    robot: Robot | None = None,
    *,
    mode: Mode = "optimal",
    start: ArrayLike | None = None,
    cycle: float | None = None,
    jerk_time: float | None = None,
    status: Status = "ignore",
    turn_acceleration: float | None = None,
    motors: MotorModel | None = None,
    friction: bool | None = None,
    wrench: ArrayLike | None = None,
    at: ArrayLike | None = None,
    margin: float = 0.0,
    tool_speed: float | None = None,
    slow_only: bool = False,
    through: WaypointKind = "spline",
    grid: int = INTERVALS,
    jerk: ArrayLike | None = None,
    begin: End | None = None,
    end: End | None = None,
    progress: Progress | None = None,
) -> Retimed:
    """The same path in other times, within the limits of motors and joints.

    Args:
        work: a robot program, joint samples, or postures without times in a file, the name of an example
            program, what `planned` made of one, a plan, or a path (`path_through`).
        robot: for a file, what moves; by default the robot that the program names.
        mode: "uniform": all of it at one multiple of its speed, the largest possible; "per-move": speeds and
            accelerations of a program's moves, lowered with the least loss of time, and the program written
            anew; "optimal": as fast as the path allows, whatever the programmed speeds.
        start: for a file, as for `planned`.
        cycle: [s] between two samples; by default that of the motion or 0.01, with "uniform" that of the
            motion times its slowing.
        jerk_time: for a file, `jerk` of `planned`.
        status: for a file, as for `planned`.
        turn_acceleration: for a file, as for `planned`; with "per-move" it is written into the program.
        motors: as for `verify`, like the next three.
        friction: whether there is friction.
        wrench: (6) that the tool exerts on its surroundings.
        at: (3) where it acts.
        margin: share of every limit that is left free, from 0 to below 1.
        tool_speed: that the tool may have [m/s], relative to the base; by default any. Not with "per-move",
            whose program says it.
        slow_only: with "uniform", never faster than given.
        through: for a file of postures without times, how to go through them: "spline" or "straight".
        grid: with "optimal", about how many intervals the path is cut into.
        jerk: with "optimal", (n) or one, largest jerk of the joints [rad/s3 or m/s3]; by default any.
        begin: with "optimal", how the motion begins: "rest", "moving" (as given), "free" or a speed of the
            joints together, |qd|; by default as given.
        end: how it ends, likewise.
        progress: told which part is under way and which share of all is done, now and then.

    Raises:
        InfeasibleError: no speed makes it possible.
    """
    if mode not in MODES:
        raise InputError(f'mode is "{mode}", expected {", ".join(MODES)}')
    if not isinstance(work, Plan | Work | JointPath | str | os.PathLike):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError(f"work is a {type(work).__name__}, expected a file, a plan or a path")
    _check_numbers(margin=margin, tool_speed=tool_speed, grid=grid, cycle=cycle)
    planning: dict[str, Any] = {
        "start": start,
        "cycle": cycle,
        "jerk": jerk_time,
        "status": status,
        "turn_acceleration": turn_acceleration,
    }
    verifying: dict[str, Any] = {"motors": motors, "friction": friction, "wrench": wrench, "at": at}
    _check_belongs(
        mode,
        {
            "tool_speed": (tool_speed is not None, ("uniform", "optimal")),
            "slow_only": (slow_only, ("uniform",)),
            "through": (through != "spline", ("optimal",)),
            "grid": (grid != INTERVALS, ("optimal",)),
            "jerk": (jerk is not None, ("optimal",)),
            "begin": (begin is not None, ("optimal",)),
            "end": (end is not None, ("optimal",)),
        },
    )
    if mode == "per-move":
        if isinstance(work, Plan | Work | JointPath):
            raise InputError("per-move retiming changes a program: give its file")
        told = None if progress is None else partial(progress, "moves")
        found = per_move(work, robot, **planning, **verifying, margin=margin, progress=told)
        return _per_move(found, planning)
    given = _given(work, robot, planning, through, mode)
    if mode == "uniform":
        return _uniform(given, verifying, margin, tool_speed, slow_only=slow_only)
    path = given if isinstance(given, JointPath) else path_of_work(given)
    fastest = optimal(
        path,
        arms(**verifying),
        count=grid,
        margin=margin,
        tool_speed=tool_speed,
        begin=begin,
        end=end,
        cycle=cycle,
        jerk=jerk,
    )
    return _optimal(given, path, fastest, verifying)


def _check_numbers(**values: object) -> None:
    """Refuse what is no number."""
    for name, value in values.items():
        if value is not None and not isinstance(value, int | float):
            raise InputError(f"{name} is {value!r}, expected a number")


def _check_belongs(mode: Mode, options: dict[str, tuple[bool, tuple[Mode, ...]]]) -> None:
    """Refuse options of other modes: each is (whether it is given, the modes that it is for)."""
    for name, (given, modes) in options.items():
        if given and mode not in modes:
            raise InputError(f"{name} is for mode {' or '.join(modes)}, not for {mode}; leave it out")


def _given(
    work: Given, robot: Robot | None, planning: dict[str, Any], through: WaypointKind, mode: Mode
) -> Work | JointPath:
    """What is to be retimed, read and planned if it is a file."""
    if not isinstance(work, Plan | Work | JointPath):
        if robot is not None and Path(work).suffix.lower() in SUFFIXES and not has_times(work):
            _check_unplanned(planning, "postures without times are not planned")
            return path_through(robot, read_waypoints(work, robot), through)
        return planned(work, robot, **planning)
    if planning["cycle"] is not None and mode == "uniform":
        raise InputError("cycle is for planning, what is given has its own, which uniform retiming scales")
    if robot is not None:
        raise InputError(
            f'robot "{robot.name}" is given with a plan or a path, which has its own; leave it out'
        )
    _check_unplanned(planning, "what is given is planned already")
    return Work(work) if isinstance(work, Plan) else work


def _check_unplanned(planning: dict[str, Any], why: str) -> None:
    """Refuse options of planning where there is nothing to plan."""
    for option in ("start", "jerk", "turn_acceleration"):
        if planning[option] is not None:
            raise InputError(f"{PLANNING.get(option, option)} is for planning, but {why}; leave it out")


def _per_move(found: PerMove, planning: dict[str, Any]) -> Retimed:
    needed = [
        f"the program is feasible with {PLANNING.get(option, option)} {planning[option]:g}, not told in it"
        for option in ("cycle", "jerk")
        if planning[option] is not None
    ]
    verification = found.verification
    active = active_limits_of(verification.demand, AT_LIMIT) if found.is_changed else ()
    notes = tuple(dict.fromkeys((*verification.notes, *found.notes, *needed)))
    return Retimed("per-move", found.before, verification, active, notes, found)


def _uniform(
    given: Work | JointPath,
    verifying: dict[str, Any],
    margin: float,
    tool_speed: float | None,
    *,
    slow_only: bool,
) -> Retimed:
    if isinstance(given, JointPath):
        if given.plan is None:
            raise InputError("a path through waypoints has no times that could be scaled; use mode optimal")
        given = Work(given.plan)
    plan, arm_of = given.plan, arms(**verifying)
    found = uniform(
        Demand.of(plan, [arm_of(phase.robot) for phase in plan.phases]), margin=margin, tool_speed=tool_speed
    )
    r = found.slowed if slow_only else found.r
    if r is None and found.hindrances:
        raise found.hindrances[0].error()
    if r is None:
        raise InputError("the motion would have to be slower than a billionth of its speed; raise the limits")
    if math.isinf(r) and not found.demand.qd.any():
        raise InputError("nothing moves that could be faster or slower")
    if math.isinf(r):
        raise InputError(
            f'robot "{plan.robot.name}": nothing limits the speed of the motion, no limit is known'
        )
    slowed = slowed_plan(plan, r)
    verification = verify(Work(slowed, given.source, given.notes), **verifying)
    active = in_order(
        ActiveLimit(
            each.time / r, each.time / r + slowed.cycle, each.joint, each.quantity, each.side, each.line
        )
        for each in found.active(r)
    )
    return Retimed("uniform", plan.duration, verification, active, verification.notes, found)


def _optimal(given: Work | JointPath, path: JointPath, found: Optimal, verifying: dict[str, Any]) -> Retimed:
    source, notes = (given.source, given.notes) if isinstance(given, Work) else ("", ())
    verification = verify(Work(found.plan, source, notes), **verifying)
    return Retimed("optimal", path.duration, verification, found.active_limits, verification.notes, found)
