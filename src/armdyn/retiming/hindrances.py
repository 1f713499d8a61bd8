"""What no slowing mends: limits that an arm breaks at rest already, and postures that it must not have."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import cast

from armdyn.errors import InfeasibleError
from armdyn.feasibility.arm import Arm
from armdyn.feasibility.demand import Demand
from armdyn.feasibility.violations import Quantity
from armdyn.motion.planned import Problem
from armdyn.report.wording import amount, listed, percent, seconds
from armdyn.retiming.intervals import SLOWEST
from armdyn.retiming.limits import ShareLimit
from armdyn.retiming.path.joint_path import Piece
from armdyn.robot import BaseMotion, Robot


@dataclass(frozen=True)
class Hindrance:
    """A limit that is broken however slow the motion is."""

    quantity: str
    joint: int | None
    """From 1; of a motor the joint that it mainly moves; None where all are concerned"""
    subject: str
    """The motor, the joint or the arm, by number"""
    time: float | None
    """Where that is worst [s], in the plan's time; None of a path without times"""
    line: int
    """Of the program; 0 where there is none"""
    move: int
    """From 1; 0 where there is none"""
    required: float
    """What is asked for there"""
    limit: float
    """What is possible, less the margin"""
    cause: str = ""
    """What asks for it; nothing if it is the posture itself"""
    relief: float | None = None
    """The smallest multiple of the plan's speed at which this limit is kept there; None if there is none"""
    unit: str = ""
    """Of a position"""

    @property
    def sentence(self) -> str:
        """In words."""
        where = f"in move {self.move}" if self.time is None else f"at {seconds(self.time)} s{self._place}"
        if self.quantity == "singularity":
            return f"{self.subject} is too near a singular posture {where}: no speed helps"
        if self.quantity == "position":
            beyond = (
                f"{amount(self.required)} {self.unit}, beyond its limit of {amount(self.limit)} {self.unit},"
            )
            return f"{self.subject} has to go to {beyond} {where}: no speed helps"
        helps = "no speed helps"
        if self.relief is not None:
            helps = f"slowing does not help, that is less only from {amount(self.relief)} times the speed on"
        share = percent(abs(self.required) / self.limit)
        take = "take" if " and " in self.cause else "takes"
        return f"{self.cause} alone {take} {share} of {self.subject}'s torque {where}: {helps}"

    def error(self) -> InfeasibleError:
        """As an error."""
        known = {
            name: getattr(self, name) for name in ("quantity", "joint", "line", "time", "required", "limit")
        }
        return InfeasibleError(self.sentence, **known)

    @property
    def _place(self) -> str:
        return f" (line {self.line})" if self.line else f" (move {self.move})" if self.move else ""


def of_posture(problem: Problem, robot: Robot | None = None) -> Hindrance:
    """A posture that the arm must not have; the robot says in which unit."""
    joint, unit = problem.joint, "rad or m"
    if joint is not None and robot is not None:
        unit = "m" if robot.joints[joint - 1].kind == "prismatic" else "rad"
    return Hindrance(
        problem.quantity,
        joint,
        "the arm" if joint is None else f"joint {joint}",
        problem.worst_time,
        problem.line,
        problem.move,
        problem.required,
        problem.limit,
        unit=unit,
    )


def of_range(robot: Robot, j: int, piece: Piece, required: float, limit: float) -> Hindrance:
    """A joint, from 0, that a piece of a path leads beyond its range."""
    unit = "m" if robot.joints[j].kind == "prismatic" else "rad"
    return Hindrance(
        "position", j + 1, f"joint {j + 1}", None, piece.line, piece.move, required, limit, unit=unit
    )


def at_rest(demand: Demand, row: int, broken: ShareLimit, margin: float, relief: float | None) -> Hindrance:
    """A limit that is broken at rest in a row of what is asked for."""
    quantity, joint = cast("Quantity", broken.quantity), broken.joint
    plan, sample = demand.plan, int(demand.samples[row])
    arm = next(a for a, phase in zip(demand.arms, plan.phases, strict=True) if sample < phase.last)
    one = slice(row, row + 1)
    still = replace(
        demand,
        samples=demand.samples[one],
        qd=SLOWEST * demand.qd[one],
        qdd=SLOWEST * SLOWEST * demand.qdd[one],
    )
    required, limit = next((a, b) for name, a, b in still.limited() if name == quantity)
    return Hindrance(
        quantity,
        joint,
        subject_of(arm, quantity, joint),
        float(plan.time[sample]),
        int(plan.line[sample]),
        int(plan.move[sample]),
        float(required[0, joint - 1]),
        float(limit[0, joint - 1]) * (1 - margin),
        cause_of(arm),
        relief,
    )


def subject_of(arm: Arm, quantity: str, joint: int) -> str:
    """The motor or the joint whose limit it is, by number."""
    if quantity == "motor_torque" and arm.actuators.geared:
        return f"motor {arm.actuators.joints.index(joint - 1) + 1}"
    return f"joint {joint}"


def cause_of(arm: Arm) -> str:
    """What is left of the torques when nothing moves."""
    robot = arm.dyn.robot
    acting = {
        "gravity": any(robot.gravity),
        "the moving base": robot.base_motion != BaseMotion(),
        "the wrench": arm.wrench is not None,
        "friction": bool(arm.dyn.friction_points),
    }
    return listed([name for name, acts in acting.items() if acts])
