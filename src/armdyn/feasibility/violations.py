"""Where a program asks for more than motors and joints can do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from armdyn.feasibility.demand import Demand
from armdyn.motion.planned import Plan
from armdyn.scalars import Array

Quantity = Literal[
    "motor_torque",
    "motor_speed",
    "joint_torque",
    "joint_speed",
    "joint_acceleration",
    "position",
    "singularity",
]
EDGES = {"joint_acceleration": 1e-6}
"""By how much, relative, rounding may exceed a limit: second differences of positions lose more."""
EDGE = 1e-9


@dataclass(frozen=True)
class Violation:
    """A stretch of one move in which one limit is exceeded."""

    line: int
    """Of the program; 0 where there is none"""
    move: int
    """From 1"""
    joint: int | None
    """From 1, the joint that the motor mainly moves; None where all are concerned"""
    time: tuple[float, float]
    """From the first sample of it to the end of the cycle that begins at the last [s]"""
    quantity: Quantity
    required: float
    """What is asked for at the worst instant"""
    limit: float
    """What is possible then"""
    margin: float
    """How far inside the limit that is: negative"""
    worst_time: float
    """The worst instant [s]"""

    def document(self) -> dict[str, Any]:
        """As plain data."""
        return {**vars(self), "time": list(self.time)}


def exceeds(quantity: Quantity, required: Array, limit: Array) -> Any:
    """Where |required| > limit, but for rounding."""
    return np.abs(required) > limit * (1 + EDGES.get(quantity, EDGE))


def violations(plan: Plan, demand: Demand) -> tuple[Violation, ...]:
    """All of them, in the order of time."""
    found = [Violation(**vars(problem)) for problem in plan.problems]
    for quantity, required, limit in demand.limited():
        found += _exceeding(plan, quantity, required, limit)
    return tuple(
        sorted(found, key=lambda violation: (violation.time, violation.quantity, violation.joint or 0))
    )


def _exceeding(plan: Plan, quantity: Quantity, required: Array, limit: Array) -> Iterator[Violation]:
    """Stretches where |required| > limit, both (t, n), column by column and move by move."""
    beyond = exceeds(quantity, required, limit)
    for j in np.flatnonzero(beyond.any(axis=0)):
        for first, last in _stretches(beyond[:, j], plan.move):
            share = np.abs(required[first:last, j]) / limit[first:last, j]
            worst = first + int(np.argmax(share))
            yield Violation(
                line=int(plan.line[first]),
                move=int(plan.move[first]),
                joint=int(j) + 1,
                time=(first * plan.cycle, last * plan.cycle),
                quantity=quantity,
                required=float(required[worst, j]),
                limit=float(limit[worst, j]),
                margin=float(limit[worst, j]) - abs(float(required[worst, j])),
                worst_time=worst * plan.cycle,
            )


def _stretches(beyond: Any, move: Any) -> Iterator[tuple[int, int]]:
    """Runs of samples (first, last + 1) beyond a limit within one move."""
    marked = np.where(beyond, move + 1, 0)  # 0: inside
    edges = np.flatnonzero(np.diff(marked)) + 1
    starts = [0, *edges.tolist()]
    ends = [*edges.tolist(), len(marked)]
    yield from ((a, b) for a, b in zip(starts, ends, strict=True) if marked[a])
