"""What no speed mends: positions out of range, singular postures, loads that are too much at rest."""

from __future__ import annotations

import numpy as np

from armdyn.errors import InputError
from armdyn.feasibility import Verification
from armdyn.feasibility.demand import Demand
from armdyn.feasibility.findings import Findings
from armdyn.feasibility.violations import EDGE, Violation
from armdyn.report.wording import amount, percent, seconds

SLOWEST = 1e-6
"""The share of its speed at which a motion is as slow as can be, while friction still knows its direction."""
HELD = ("motor_torque", "joint_torque")


class NoSpeedHelpsError(InputError):
    """A program that cannot be done however slowly; `violation` says where."""

    def __init__(self, message: str, violation: Violation) -> None:
        """Keep what is wrong beside the sentence."""
        self.violation = violation
        super().__init__(message)


def check_possible(verification: Verification, margin: float) -> None:
    """Refuse a program that no speed makes possible."""
    said = Findings(verification)
    for violation in verification.violations:
        if violation.quantity in ("position", "singularity"):
            raise NoSpeedHelpsError(_out_of_reach(said, violation), violation)
    overload = _overload(verification.demand, margin)
    if overload is not None:
        raise NoSpeedHelpsError(_overloaded(said, overload, margin), overload)


def _out_of_reach(said: Findings, violation: Violation) -> str:
    where = said.place(violation.line, violation.move)
    when = f"at {seconds(violation.worst_time)} s"
    if violation.quantity == "singularity":
        return (
            f"{where}: the arm comes too near a singular posture {when}; no speed mends that, "
            "change the path or the posture"
        )
    unit = said.unit(violation)
    return (
        f"{where}: joint {violation.joint} would have to go to {amount(violation.required)} {unit} {when}, "
        f"beyond its limit of {amount(violation.limit)} {unit}; no speed mends "
        "that, change the target or the posture"
    )


def _overload(demand: Demand, margin: float) -> Violation | None:
    """The worst load that is too much for the slowest motion."""
    plan = demand.plan
    slow = demand.slowed(np.full(max(len(plan.moves), 1), SLOWEST))
    worst: Violation | None = None
    for quantity, required, limit in slow.limited():
        share = np.abs(required) / (limit * (1 - margin))
        k, j = (int(i) for i in np.unravel_index(np.argmax(share), share.shape))
        if quantity not in HELD or share[k, j] <= 1 + EDGE:
            continue
        found = Violation(
            line=int(plan.line[k]),
            move=int(plan.move[k]),
            joint=j + 1,
            time=(k * plan.cycle, (k + 1) * plan.cycle),
            quantity=quantity,
            required=float(required[k, j]),
            limit=float(limit[k, j] * (1 - margin)),
            margin=float(limit[k, j] * (1 - margin) - abs(required[k, j])),
            worst_time=k * plan.cycle,
        )
        if worst is None or _share(found) > _share(worst):
            worst = found
    return worst


def _share(violation: Violation) -> float:
    return abs(violation.required) / violation.limit


def _overloaded(said: Findings, violation: Violation, margin: float) -> str:
    where, unit = said.place(violation.line, violation.move), said.unit(violation)
    less = f" less a margin of {percent(margin)}" if margin else ""
    limit = violation.limit / (1 - margin)
    return (
        f"{where}: {said.subject(violation)} needs {amount(abs(violation.required))} {unit} at "
        f"{seconds(violation.worst_time)} s even as slowly as can be, its limit is {amount(limit)} "
        f"{unit}{less}; no speed helps, lighten the load or change the posture"
    )
