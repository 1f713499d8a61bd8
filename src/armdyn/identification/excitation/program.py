"""An excitation as a robot program: point-to-point moves that run into one another.

A move of length d with triangular speed, blended with its neighbours so that each speeds up while the one
before slows down, goes on at h seconds after the other. Together they are a parabola in each stretch of h,

    q(t) = q_0 + sum_k d_k S(t/h - k),  S from 0 to 1 over two stretches, quadratic in each,

and the d_k are those that come nearest to the excitation. The stretch is as short as the accelerations of the
joints allow, |d_k| <= a h^2.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from armdyn.errors import MissingDataError
from armdyn.feasibility.demand import Demand
from armdyn.identification.excitation.course import Course, Motion
from armdyn.identification.excitation.criterion import condition_number
from armdyn.identification.excitation.experiment import Experiment
from armdyn.identification.excitation.limits import Limits
from armdyn.motion.joint_limits import joint_limits
from armdyn.motion.planned import Plan
from armdyn.motion.planner import plan
from armdyn.program import parse_program, run_program
from armdyn.robot import Robot
from armdyn.scalars import Array

APPROACH = 0.2
"""Share of speeds and accelerations on the way to the start."""
PAUSE = 1.0
"""[s] Before and after the excitation."""
MOST_MOVES = 400
PER_MOVE = 6
"""Instants in a stretch at which moves are to be near."""
SHORTEST = 0.02
"""[s] A stretch: two cycles."""
SHRINK = 0.97
"""By what moves are made smaller until all limits are kept."""
TRIES = 40
CYCLE = 0.01
"""[s] Of planning."""


@dataclass(frozen=True, eq=False)
class ProgramMotion:
    """A robot program, and the motion that comes of it."""

    text: str
    plan: Plan
    """From home, by way of the start"""
    moves: int
    experiment: Experiment
    limits: Limits
    notes: tuple[str, ...]

    @cached_property
    def motion(self) -> Motion:
        """q, qd, qdd (t, n) of the excitation in it, without the way there."""
        demand = Demand.of(self.plan, [self.experiment.arm])
        mine = (demand.move > 2) & (demand.move <= 2 + self.moves)  # between the two pauses
        return demand.q[mine], demand.qd[mine], demand.qdd[mine]

    @property
    def condition_number(self) -> float:
        """Of the weighted base regressor of the motion that comes of the program."""
        return float(condition_number(self.experiment.information(*self.motion)))

    @property
    def largest_share(self) -> float:
        """Of any limit that it uses."""
        return float(self.limits.largest(*self.motion).max())

    @property
    def duration(self) -> float:
        """[s] Of the excitation in it."""
        return len(self.motion[0]) * self.plan.cycle


def program_of(name: str, course: Course, experiment: Experiment, limits: Limits) -> ProgramMotion:
    """The robot program that comes nearest to a motion within all limits."""
    robot, notes = _with_speeds(experiment.arm.dyn.robot, limits)
    fitted = _fitted(course, limits)
    centre = fitted.postures.mean(axis=0)
    found: ProgramMotion | None = None
    for _ in range(TRIES):
        text = _text(name, fitted, robot)
        steps = run_program(parse_program(text), robot).steps
        found = ProgramMotion(
            text, plan(robot, steps, cycle=CYCLE), len(fitted.postures) - 1, experiment, limits, notes
        )
        if found.largest_share <= 1:
            break
        fitted = fitted.shrunk(SHRINK, centre)
    assert found is not None
    return found


# Moves ----------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Chain:
    """Postures between which moves go, one begun every stretch."""

    postures: Array
    """(moves + 1, n)"""
    stretch: float
    """[s]"""

    def shrunk(self, share: float, centre: Array) -> Chain:
        """A share of the way from a posture."""
        return replace(self, postures=centre + share * (self.postures - centre))


def _fitted(course: Course, limits: Limits) -> Chain:
    """The chain nearest to a motion, with as many moves as accelerations allow."""
    usable = limits.usable
    speed = (
        np.abs(course.at(course.grid(4 * MOST_MOVES))[1] / limits.acceleration).max() / usable
    )  # |d|/h <= a h
    stretch = max(float(speed), course.duration / MOST_MOVES, SHORTEST)
    while True:
        count = max(int(course.duration / stretch) - 1, 1)
        chain = _nearest(course, count)
        steps = np.abs(np.diff(chain.postures, axis=0))
        if (steps <= usable * limits.acceleration * chain.stretch**2).all() or count == 1:
            return chain
        stretch *= 1.05


def _nearest(course: Course, count: int) -> Chain:
    """The chain of so many moves that is nearest to positions and velocities of a motion."""
    time = course.grid(PER_MOVE * (count + 1))
    h = course.duration / (count + 1)
    s = time[:, None] / h - np.arange(count)
    step, slope = _step(s), _slope(s) / h
    q, qd, _ = course.at(time)
    weight = course.duration / (2 * np.pi * course.basis.waves)  # velocities in parts of the quickest wave's
    system = np.vstack([step, weight * slope])
    d: Any = np.linalg.lstsq(system, np.vstack([q - q[0], weight * qd]), rcond=None)[0]
    return Chain(np.vstack([q[:1], q[0] + np.cumsum(d, axis=0)]), h)


def _step(s: Array) -> Array:
    """From 0 to 1 between 0 and 2: a parabola in each half."""
    up, down = np.clip(s, 0, 1), np.clip(2 - s, 0, 1)
    return np.where(s < 1, 0.5 * up**2, 1 - 0.5 * down**2)


def _slope(s: Array) -> Array:
    return np.clip(np.minimum(s, 2 - s), 0, None)


# Text -----------------------------------------------------------------------------------------


def _text(name: str, chain: Chain, robot: Robot) -> str:
    limits = joint_limits(robot)
    whose = f' act_rob="{name}"' if name.isprintable() and '"' not in name else ""
    lines = [
        "program excitation;",
        "{ To identify the parameters of a robot: run it as it is, and log positions and torques. }",
        "seq",
        f"move ptp {_posture(chain.postures[0], robot)} speed_ptp={APPROACH:g} acc_ptp={APPROACH:g}{whose};",
        f"wait {PAUSE:g};",
    ]
    last = len(chain.postures) - 2
    for k, (before, after) in enumerate(pairwise(chain.postures)):
        d = np.abs(after - before)
        speed = float((d / limits.velocity).max()) / chain.stretch
        acceleration = float((d / limits.acceleration).max()) / chain.stretch**2
        shares = f"speed_ptp={min(speed, 1.0):.7g} acc_ptp={min(acceleration, 1.0):.7g}"
        lines.append(f"move ptp {_posture(after, robot)} {shares}{' c_ptp' * (k < last)};")
    return "\n".join([*lines, f"wait {PAUSE:g};", "endseq", "endprogram", ""])


def _posture(q: Array, robot: Robot) -> str:
    """In degrees and millimetres."""
    shown = [
        np.degrees(x) if joint.kind == "revolute" else 1e3 * x
        for x, joint in zip(q.tolist(), robot.joints, strict=True)
    ]
    return f"joint(mainjoint({', '.join(f'{x:.6f}' for x in shown)}))"


def _with_speeds(robot: Robot, limits: Limits) -> tuple[Robot, tuple[str, ...]]:
    """The robot, with the limits of the excitation where its file has none: shares are of those."""
    try:
        joint_limits(robot)
    except MissingDataError:
        note = (
            "the robot says no speed limits: the program's speeds are shares of those of the excitation; "
            "add them to the robot's file to plan it"
        )
        return _limited(robot, limits), (note,)
    return robot, ()


def _limited(robot: Robot, limits: Limits) -> Robot:
    bodies = list(robot.bodies)
    for k, body in enumerate(bodies):
        j = robot.positions.get(body.joint.name) if body.joint.independent else None
        if j is not None:
            own = replace(
                body.joint.limits,
                velocity=float(limits.velocity[j]),
                acceleration=float(limits.acceleration[j]),
            )
            bodies[k] = replace(body, joint=replace(body.joint, limits=own))
    return replace(robot, bodies=tuple(bodies))
