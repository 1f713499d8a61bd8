"""A plan carried out: what it asks of the motors, and what the arm makes of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from armdyn.errors import InputError
from armdyn.feasibility.arm import Arm
from armdyn.feasibility.arrivals import ARRIVED
from armdyn.feasibility.demand import Demand
from armdyn.feasibility.following import Follow, Follower, LimitedStep, Programmed, Run
from armdyn.motion.planned import Plan
from armdyn.scalars import Array

SETTLING, MOST_CYCLES = 20.0, 200_000
"""How long after the end of the program the arm may still catch up [s], and in how many cycles."""
STILL = 1e-9
"""What an arm at rest may move in one cycle [rad or m]."""
LOOK, MOST_AT_ONCE = 0.5, 5000
"""How often that is looked at [s], and after how many cycles at the latest."""
PATIENCE, NEARER = 2.0, 0.99
"""Within this time [s] the largest lag must fall to this share of what it was in the time before."""


def carried_out(demand: Demand, follow: Follow, step: LimitedStep) -> Run:
    """The motion of the arm along a plan, and after its end until it has arrived or comes no nearer."""
    plan = demand.plan
    end = len(plan.q) - 1
    run = Run.empty(end + 2, plan.q.shape[1])
    run.q[0], run.qd[0] = demand.q[0], demand.qd[0]
    followers = [Follower(arm, plan.cycle, follow, step) for arm in demand.arms]
    with np.errstate(all="ignore"):  # what is not finite is refused below
        wanted = _held(demand.programmed(), demand.arms[-1], plan.cycle)
        for phase, follower in zip(plan.phases, followers, strict=True):
            follower.run(run, wanted, phase.first, min(phase.last, end))
        followers[-1].run(run, wanted, end, end + 1)  # what the motors do at the last sample
        run = _Settling(plan, followers[-1], demand.qd[-1]).to_rest(run, end)
    _check_run(plan, run)
    return run


def _held(wanted: Programmed, arm: Arm, cycle: float) -> Programmed:
    """What is wanted, and one sample more at its end."""
    after = Programmed.of(arm, cycle, wanted.q[-1:])
    return Programmed(
        np.concatenate([wanted.q, after.q]),
        np.concatenate([wanted.qd, after.qd]),
        np.concatenate([wanted.qdd, after.qdd]),
        np.concatenate([wanted.torque, after.torque]),
        np.concatenate([wanted.possible, after.possible]),
    )


@dataclass(frozen=True)
class _Settling:
    """What an arm does after the end of a plan: it goes on to where that ends."""

    plan: Plan
    follower: Follower
    last_velocity: Array
    """(n) with which the plan reaches its last sample"""

    def to_rest(self, run: Run, end: int) -> Run:
        """The run up to its sample `end`, or on to where the arm rests or comes no nearer."""
        if self._rests(run.q[end : end + 1], run.qd[end : end + 1])[0]:
            return run.first(end + 1)
        cycle, n = self.plan.cycle, run.q.shape[1]
        look = max(1, min(round(LOOK / cycle), MOST_AT_ONCE))
        looks = max(1, min(round(SETTLING / cycle), MOST_CYCLES) // look)
        patience = max(1, round(PATIENCE / (look * cycle)))
        rest = Programmed.of(self.follower.arm, cycle, np.repeat(self.plan.q[-1:], look + 1, axis=0))
        parts, lags = [run.first(end + 1)], list[float]()
        q, qd = run.q[end + 1], run.qd[end + 1]
        while len(lags) < looks and not _no_nearer(lags, patience):
            part = Run.empty(look + 1, n)
            part.q[0], part.qd[0] = q, qd
            self.follower.run(part, rest, 0, look)
            q, qd = part.q[look], part.qd[look]
            resting = np.flatnonzero(self._rests(part.q[:look], part.qd[:look]))
            parts.append(part.first(int(resting[0]) + 1 if len(resting) else look))
            if len(resting):
                break
            lags.append(float(np.abs(part.q - self.plan.q[-1]).max()))
        return Run.joined(parts)

    def _rests(self, q: Array, qd: Array) -> Any:
        """(t) whether the arm stands still or ends as samples in motion do, and where if it catches up."""
        still = np.abs(qd).max(axis=1)
        if self.plan.moves and not self.plan.moves[-1].stops:
            still = np.minimum(still, np.abs(qd - self.last_velocity).max(axis=1))
        rests = still * self.plan.cycle <= STILL
        if self.follower.follow == "velocity":
            return rests
        return rests & (np.abs(q - self.plan.q[-1]).max(axis=1) <= ARRIVED)


def _no_nearer(lags: list[float], patience: int) -> bool:
    """Whether the lag has not become smaller lately, or is no number."""
    if len(lags) < 2 * patience:
        return bool(lags) and not np.isfinite(lags[-1])
    return not max(lags[-patience:]) < NEARER * max(lags[-2 * patience : -patience])


def _check_run(plan: Plan, run: Run) -> None:
    """Refuse a run that is lost."""
    if not np.isfinite(run.q).all():
        lost = int(np.argmin(np.isfinite(run.q).all(axis=1)))
        raise InputError(
            f'robot "{plan.robot.name}": no finite motion after {plan.cycle * lost:g} s; the motors let '
            "the arm go, or its data are too large to compute with"
        )


def check_finite(demand: Demand) -> None:
    """Refuse a plan with torques or speeds that are no numbers."""
    with np.errstate(all="ignore"):
        lost = ~(np.isfinite(demand.torque) & np.isfinite(demand.speed)).all(axis=1)
    if lost.any():
        k = int(np.argmax(lost))
        where = f'robot "{demand.plan.robot.name}": no finite motor torques at {demand.plan.time[k]:g} s'
        raise InputError(
            f"{where}; the gear matrix is singular there, or the motion, the wrench or the robot's data "
            "are too large to compute with"
        )
