"""Verify a robot program, joint samples or a plan: can the motors do it?"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from armdyn.dynamics import Dynamics
from armdyn.errors import InputError, PlanError
from armdyn.feasibility.arm import Arm
from armdyn.feasibility.demand import Demand
from armdyn.feasibility.execution import carried_out, check_finite
from armdyn.feasibility.following import FOLLOW, Follow
from armdyn.feasibility.printed import printed_step
from armdyn.feasibility.verification import Verification
from armdyn.formats import catalog, load
from armdyn.formats.motion_tables import SUFFIXES
from armdyn.formats.motions import Motion, read_motion
from armdyn.mechanics.tree.motors import MotorModel
from armdyn.motion.assembly import assembled
from armdyn.motion.planned import Plan
from armdyn.motion.planner import CYCLE, walked
from armdyn.motion.sampled import plan_of_motion
from armdyn.motion.targets import Status
from armdyn.motion.walk import Walk
from armdyn.program import catalog_name, program_file, read_program, run_program
from armdyn.robot import Robot
from armdyn.scalars import Array

KEPT = 32
"""Robots whose dynamics are kept for the next time: one for every payload of a few programs."""


@dataclass(frozen=True)
class Work:
    """A program or joint samples, planned and ready for `verify`: what `planned` gives."""

    plan: Plan
    """The motion that is asked for, with the robot that is to do it"""
    source: str = ""
    """The program's text, for the listing in the report; empty if there is none"""
    notes: tuple[str, ...] = ()
    """What reading the program assumed or left out"""
    walk: Walk | None = None
    """The legs of which the plan was made, if it comes from a program"""
    motion: Motion | None = None
    """The samples of which it was made, if it comes from those"""


def planned(
    file: str | os.PathLike[str],
    robot: Robot | None = None,
    *,
    start: ArrayLike | None = None,
    cycle: float | None = None,
    jerk: float | None = None,
    status: Status = "ignore",
    turn_acceleration: float | None = None,
) -> Work:
    """The plan of a robot program (.lirl), or of joint samples (.csv, .parquet).

    Args:
        file: what to read; or the name of an example, as "lola15".
        robot: what moves; by default the catalog's robot that the program's act_rob names.
        start: (n) joint positions at the start; by default the robot's home. Samples say it themselves.
        cycle: [s] between two samples; by default 0.01, or that of the file.
        jerk: [s] in which point-to-point moves reach full acceleration; by default at once.
        status: what the status integer of a target does (`motion.planner.plan`).
        turn_acceleration: [rad/s2] with which the tool's turning changes where path moves that do not say it
            (acc_ori) run into others; by default at once.
    """
    path = program_file(file)
    if robot is None:
        name = named_robot(path)
        if name is None:
            raise InputError(f"{path}: {unnamed(path)}; give the robot")
        robot = load(name)
    if _is_samples(path):
        return _of_samples(path, robot, start, cycle)
    program = run_program(read_program(path), robot)
    try:
        step = CYCLE if cycle is None else cycle
        walk = walked(robot, program.steps, start, step, jerk, status, turn_acceleration)
    except PlanError as error:
        raise PlanError(error.message, line=error.line, file=str(path)) from error
    return Work(assembled(walk), program.source, program.notes, walk)


def named_robot(file: str | os.PathLike[str]) -> str | None:
    """The catalog's name of the robot that a program is for; None where nothing says it."""
    path = program_file(file)
    return None if _is_samples(path) else catalog_name(read_program(path), catalog())


def unnamed(file: str | os.PathLike[str]) -> str:
    """Why nothing says for which robot a file is."""
    if _is_samples(program_file(file)):
        return "joint samples do not say of which robot they are"
    return "no act_rob says for which robot the program is"


def _is_samples(path: Path) -> bool:
    return path.suffix.lower() in SUFFIXES


def _of_samples(path: Path, robot: Robot, start: ArrayLike | None, cycle: float | None) -> Work:
    if start is not None:
        raise InputError(f"{path}: joint samples say themselves where the arm starts; leave the start out")
    motion = read_motion(path, robot)
    return Work(plan_of_motion(robot, motion, cycle), motion=motion)


def verify(
    work: Plan | Work | str | os.PathLike[str],
    robot: Robot | None = None,
    *,
    motors: MotorModel | None = None,
    friction: bool | None = None,
    wrench: ArrayLike | None = None,
    at: ArrayLike | None = None,
    follow: Follow = "position",
    printed: bool = False,
) -> Verification:
    """Whether the motors can do what is asked for, where not, and what the arm then does.

    Args:
        work: a robot program or joint samples in a file, the name of an example program, or what `planned`
            or `plan` made of one.
        robot: for a file, what moves; by default the robot that the program names. A plan has its own.
        motors: how much of the drives the equations see; by default the best that the data support. "none"
            on a robot whose drives are fewer than its joints: the effort limits of the joints count.
        friction: whether there is friction; by default yes, unless motors is "none".
        wrench: (6) force and moment that the tool exerts on its surroundings all along, base axes.
        at: (3) where it acts, in coordinates of the body that carries the tool; the tool's origin if None.
        follow: "position": what lags is caught up; "velocity": what lags stays behind; "unbraked": caught up
            without looking at whether the motors can brake in time.
        printed: step 6 of Algorithm 1 as printed, for comparison.
    """
    if follow not in FOLLOW:
        raise InputError(f'follow is "{follow}", expected {", ".join(FOLLOW)}')
    if not isinstance(work, Plan | Work):
        work = planned(work, robot)
    elif robot is not None:
        raise InputError(f'robot "{robot.name}" is given with a plan, which has its own; leave it out')
    if isinstance(work, Plan):
        work = Work(work)
    arm_of = arms(motors, friction, wrench, at)
    demand = Demand.of(work.plan, [arm_of(phase.robot) for phase in work.plan.phases])
    check_finite(demand)
    run = carried_out(demand, follow, printed_step if printed else Arm.limited)
    notes = (*work.notes, *work.plan.notes)
    return Verification(work.plan, demand, run, follow, printed, work.source, notes)


def arms(
    motors: MotorModel | None = None,
    friction: bool | None = None,
    wrench: ArrayLike | None = None,
    at: ArrayLike | None = None,
) -> Callable[[Robot], Arm]:
    """What makes robots arms at work, with the options of `verify`."""
    contact = None if wrench is None else _vector("wrench", wrench, 6)
    point = None if at is None else _vector("at", at, 3)
    return lambda robot: Arm(_dynamics(robot, motors, friction), contact, point)


@lru_cache(KEPT)
def _dynamics(robot: Robot, motors: MotorModel | None, friction: bool | None) -> Dynamics:
    if motors == "none" and len(robot.drives) != robot.n:
        robot = replace(robot, drives=())  # what drives it is not known: the joints and their effort limits
    return Dynamics(robot, motors, friction)


def _vector(name: str, value: ArrayLike, size: int) -> Array:
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} is not an array of numbers, expected {size}") from error
    if array.shape != (size,):
        raise InputError(f"{name} has shape {array.shape}, expected {size} finite numbers")
    if not np.isfinite(array).all():
        k = int(np.argmin(np.isfinite(array)))
        raise InputError(f"{name} has {array[k]} as number {k + 1}, expected {size} finite numbers")
    return array
