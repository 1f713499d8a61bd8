"""A plan carried out: what it asks of the motors, and what the arm makes of it."""

from __future__ import annotations

import numpy as np

from armdyn.errors import InputError
from armdyn.feasibility.arm import Arm
from armdyn.feasibility.arrivals import ARRIVED
from armdyn.feasibility.demand import Demand
from armdyn.feasibility.following import Follow, Follower, LimitedStep, Programmed, Run
from armdyn.motion.planned import Plan
from armdyn.scalars import Array

SETTLING = 20.0
"""How long after the end of the program the arm may still catch up [s]."""
STILL = 1e-9
"""What an arm at rest may move in one cycle [rad or m]."""
LOOK = 0.5
"""How often that is looked at [s]."""


def carried_out(demand: Demand, follow: Follow, step: LimitedStep) -> Run:
    """The motion of the arm along a plan, and after its end until it has arrived or comes no nearer."""
    plan = demand.plan
    wanted, end = demand.programmed(), len(plan.q) - 1
    last = end + max(1, round(SETTLING / plan.cycle))
    run = Run.empty(end + 2, plan.q.shape[1])
    run.q[0] = plan.q[0]
    followers = [Follower(arm, plan.cycle, follow, step) for arm in demand.arms]
    for phase, follower in zip(plan.phases, followers, strict=True):
        follower.run(run, wanted, phase.first, min(phase.last, end))
    k = end
    if not _rests(run.q[k], run.qd[k], plan, follow):
        wanted, run = _held(wanted, demand.arms[-1], last, plan.cycle), _longer(run, last + 2)
        look = max(1, round(LOOK / plan.cycle))
        while k < last and not _rests(run.q[k], run.qd[k], plan, follow):
            following = min(k + look, last)
            followers[-1].run(run, wanted, k, following)
            resting = [j for j in range(k, following + 1) if _rests(run.q[j], run.qd[j], plan, follow)]
            k = resting[0] if resting else following
    else:
        wanted = _held(wanted, demand.arms[-1], end + 1, plan.cycle)
    followers[-1].run(run, wanted, k, k + 1)  # what the motors do at the last sample
    kept = run.first(k + 1)
    if not np.isfinite(kept.q).all():
        lost = int(np.argmin(np.isfinite(kept.q).all(axis=1)))
        raise InputError(
            f'robot "{plan.robot.name}": no finite motion after {plan.cycle * lost:g} s; the motors let '
            "the arm go, or its data are too large to compute with"
        )
    return kept


def _held(wanted: Programmed, arm: Arm, last: int, cycle: float) -> Programmed:
    """What is wanted, followed by rest at its end up to a sample."""
    still = np.repeat(wanted.q[-1:], last + 2 - len(wanted.q), axis=0)
    after = Programmed.of(arm, cycle, still)
    return Programmed(
        np.concatenate([wanted.q, after.q]),
        np.concatenate([wanted.qd, after.qd]),
        np.concatenate([wanted.qdd, after.qdd]),
        np.concatenate([wanted.torque, after.torque]),
        np.concatenate([wanted.possible, after.possible]),
    )


def _longer(run: Run, samples: int) -> Run:
    """The run with room for more samples."""
    longer = Run.empty(samples, run.q.shape[1])
    for name in ("q", "qd", "qdd", "torque", "saturated"):
        getattr(longer, name)[: len(run.q)] = getattr(run, name)
    return longer


def _rests(q: Array, qd: Array, plan: Plan, follow: Follow) -> bool:
    """Whether the arm stands still, and where it should if it catches up."""
    still = float(np.abs(qd).max()) * plan.cycle <= STILL
    return still and (follow == "velocity" or float(np.abs(q - plan.q[-1]).max()) <= ARRIVED)


def check_finite(demand: Demand) -> None:
    """Refuse a plan with torques or speeds that are no numbers."""
    lost = ~(np.isfinite(demand.torque) & np.isfinite(demand.speed)).all(axis=1)
    if lost.any():
        k = int(np.argmax(lost))
        where = f'robot "{demand.plan.robot.name}": no finite motor torques at {demand.plan.time[k]:g} s'
        raise InputError(
            f"{where}; the gear matrix is singular there, or the motion, the wrench or the robot's data "
            "are too large to compute with"
        )
