"""The stretches of a verification that have one arm each."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from armdyn.feasibility.arm import Arm
from armdyn.feasibility.verification import Verification
from armdyn.scalars import Array


def parts(verification: Verification, samples: int) -> list[tuple[Arm, slice]]:
    """The arm of each stretch of so many samples; the last one lasts to the end."""
    phases = verification.plan.phases
    ends = [*(phase.last for phase in phases[:-1]), samples]
    return [
        (arm, slice(phase.first, end))
        for arm, phase, end in zip(verification.arms, phases, ends, strict=True)
    ]


def by_part(verification: Verification, samples: int, evaluated: Callable[[Arm, slice], Array]) -> Array:
    """What is evaluated for every stretch, in one array."""
    return np.concatenate([evaluated(arm, part) for arm, part in parts(verification, samples)])


def last_instant(verification: Verification) -> float:
    """Where time ends in all plots [s]; never 0."""
    plan = verification.plan
    return max(float(verification.time[-1]), float(plan.time[-1]), plan.cycle)
