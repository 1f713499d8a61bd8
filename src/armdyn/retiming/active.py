"""Which limit holds a motion back where."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from armdyn.feasibility.demand import Demand
from armdyn.retiming.limits import Quantity


@dataclass(frozen=True)
class ActiveLimit:
    """A stretch of time in which a motion is at a limit."""

    time: float
    """Where it begins [s]"""
    until: float
    """Where it ends [s]"""
    joint: int | None
    """From 1; of a motor the joint that it mainly moves; None for the tool"""
    quantity: Quantity
    side: int
    """1: the upper limit, -1: the lower one; 1 also of speeds along a path, whatever their direction"""
    line: int
    """Of the program, where it begins; 0 where there is none"""

    def document(self) -> dict[str, Any]:
        """As plain data."""
        return dict(vars(self))


def runs(active: NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
    """Where something is active without a break: the first place and that behind the last."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], active.astype(int), [0]])))
    yield from ((int(first), int(behind)) for first, behind in edges.reshape(-1, 2))


def in_order(found: Iterable[ActiveLimit]) -> tuple[ActiveLimit, ...]:
    """In the order of time."""
    return tuple(sorted(found, key=lambda each: (each.time, each.quantity, each.joint or 0)))


def active_limits_of(demand: Demand, near: float) -> tuple[ActiveLimit, ...]:
    """The limits of which samples need all, but for a share `near`."""
    plan = demand.plan
    found: list[ActiveLimit] = []
    for quantity, required, limit in demand.limited():
        for j in range(required.shape[1]):
            for side in (1, -1):
                for first, behind in runs(side * required[:, j] >= (1 - near) * limit[:, j]):
                    time, until = first * plan.cycle, behind * plan.cycle
                    found.append(ActiveLimit(time, until, j + 1, quantity, side, int(plan.line[first])))
    return in_order(found)
