"""What a verification says about each motor, each move and each joint."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from typing import Any

import numpy as np

from armdyn.feasibility.arrivals import arrivals
from armdyn.feasibility.demand import Demand
from armdyn.feasibility.overrides import overrides
from armdyn.mechanics.motor_limits import rms
from armdyn.scalars import Array


@dataclass(frozen=True)
class Utilisation:
    """How much of a motor the program uses; shares are of its limit, None where that is unknown."""

    motor: str
    peak: float | None
    """Of the torque-speed envelope"""
    rms: float | None
    """Of the rated torque or, where that is unknown, of the peak torque"""
    speed: float | None
    """Of the greatest speed: the motor's or, without drives, the joint's"""
    peak_torque: float
    """[N m], of joints that slide without drives [N]"""
    rms_torque: float
    """[N m or N]"""
    peak_speed: float
    """[rad/s], of joints that slide without drives [m/s]"""

    def document(self) -> dict[str, Any]:
        """As plain data."""
        return dict(vars(self))


@dataclass(frozen=True)
class MoveResult:
    """One move, programmed and achieved."""

    line: int
    kind: str
    programmed: float
    """How long it takes [s]"""
    achieved: float | None
    """How long it really takes [s], from when the last one before it was achieved; None if it never is"""
    start: float
    """When it begins by the program [s]"""
    end: float
    """When it ends by the program [s]"""
    achieved_end: float | None
    """When it has been achieved [s]"""
    override: float
    """The largest share of its speed, at most 1, at which the motors can do it"""
    feasible: bool
    impossible: bool
    """Whether a posture of it is, at any speed"""

    def document(self) -> dict[str, Any]:
        """As plain data."""
        return dict(vars(self))


@dataclass(frozen=True)
class Reaction:
    """The largest force and moment between a body and its parent, at the joint, and when."""

    body: str
    force: float
    """[N]"""
    force_time: float
    """[s]"""
    moment: float
    """[N m]"""
    moment_time: float
    """[s]"""

    def document(self) -> dict[str, Any]:
        """As plain data."""
        return dict(vars(self))


def utilisations(demand: Demand) -> tuple[Utilisation, ...]:
    """What a plan asks of each motor."""
    actuators, plan = demand.arms[0].actuators, demand.plan
    means = rms(plan.time, demand.torque) if len(plan.time) > 1 else np.abs(demand.torque[0])
    found: list[Utilisation] = []
    for k, (name, motor) in enumerate(zip(actuators.names, actuators.motors, strict=True)):
        reference = motor.rated_torque or motor.peak_torque
        fastest = float(np.abs(demand.speed[:, k]).max())
        most = motor.maximum_speed if actuators.geared else plan.robot.joints[k].limits.velocity
        found.append(
            Utilisation(
                motor=name,
                peak=float(demand.share[:, k].max()) if actuators.known[k] else None,
                rms=float(means[k]) / reference if reference else None,
                speed=fastest / most if most else None,
                peak_torque=float(np.abs(demand.torque[:, k]).max()),
                rms_torque=float(means[k]),
                peak_speed=fastest,
            )
        )
    return tuple(found)


def move_results(demand: Demand, q: Array, infeasible: Container[int]) -> tuple[MoveResult, ...]:
    """The moves of a plan beside what the arm does, q (t, n); those infeasible are given by number."""
    ends = arrivals(demand.plan, q)
    impossible = {problem.move for problem in demand.plan.problems}
    shares = overrides(demand)
    found: list[MoveResult] = []
    before = 0.0
    for k, (move, end) in enumerate(zip(demand.plan.moves, ends, strict=True)):
        found.append(
            MoveResult(
                line=move.line,
                kind=move.kind,
                programmed=move.end - move.start,
                achieved=None if end is None else end - before,
                start=move.start,
                end=move.end,
                achieved_end=end,
                override=float(shares[k]),
                feasible=k + 1 not in infeasible,
                impossible=k + 1 in impossible,
            )
        )
        before = before if end is None else end
    return tuple(found)


def reactions(names: tuple[str, ...], time: Array, wrenches: Array) -> tuple[Reaction, ...]:
    """The largest of the wrenches (t, bodies, 6) in the joints."""
    force, moment = (np.linalg.norm(wrenches[..., k : k + 3], axis=-1) for k in (0, 3))
    found: list[Reaction] = []
    for k, body in enumerate(names):
        f, m = int(np.argmax(force[:, k])), int(np.argmax(moment[:, k]))
        found.append(Reaction(body, float(force[f, k]), float(time[f]), float(moment[m, k]), float(time[m])))
    return tuple(found)
