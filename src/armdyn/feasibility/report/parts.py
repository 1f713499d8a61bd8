"""The stretches of a verification that have one arm each."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from armdyn.feasibility.arm import Arm
from armdyn.feasibility.verification import Verification
from armdyn.scalars import Array


def by_part(verification: Verification, samples: int, evaluated: Callable[[Arm, slice], Array]) -> Array:
    """What is evaluated for every stretch, in one array."""
    return np.concatenate([evaluated(arm, part) for arm, part in verification.parts(samples)])


def last_instant(verification: Verification) -> float:
    """Where time ends in all plots [s]; never 0."""
    plan = verification.plan
    return max(float(verification.time[-1]), float(plan.time[-1]), plan.cycle)
