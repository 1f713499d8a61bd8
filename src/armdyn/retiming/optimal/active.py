"""Which limit holds a motion along a path back where."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from armdyn.retiming.active import ActiveLimit, in_order, runs
from armdyn.retiming.limits import Limits, Quantity
from armdyn.retiming.optimal.schedule import Schedule
from armdyn.scalars import Array

NEAR = 1e-6
"""How near to 1 the share of an active limit is."""

Which = tuple[Quantity, int | None, int]
"""Quantity, joint and side of a limit"""


def active_limits(schedule: Schedule) -> tuple[ActiveLimit, ...]:
    """All of them in the order of time."""
    grid, profile = schedule.grid, schedule.profile
    both = ((grid.starts, profile.x), (grid.ends, profile.z))
    found: dict[Which, NDArray[np.bool_]] = {}
    for limits, x in both:
        for key, active in _active(limits, profile.u, x):
            found[key] = found.get(key, np.zeros(len(x), dtype=bool)) | active
    return in_order(stretch for key, active in found.items() for stretch in _stretches(schedule, key, active))


def _active(limits: Limits, u: Array, x: Array) -> Iterator[tuple[Which, NDArray[np.bool_]]]:
    """Each limit and side, and (N) where it is active."""
    for limit in limits.shares:
        share = limit.share.at(u, x)
        for side in (1, -1):
            yield (limit.quantity, limit.joint, side), side * share >= 1 - NEAR
    for speed in limits.speeds:
        yield (speed.quantity, speed.joint, 1), speed.share * np.sqrt(x) >= 1 - NEAR


def _stretches(schedule: Schedule, which: Which, active: NDArray[np.bool_]) -> Iterator[ActiveLimit]:
    """Runs of intervals in which a limit is active."""
    quantity, joint, side = which
    for first, behind in runs(active):
        line = schedule.grid.parts[int(schedule.grid.part_of[first])].piece.line
        begin, end = float(schedule.begins[first]), float(schedule.ends[behind - 1])
        yield ActiveLimit(begin, end, joint, quantity, side, line)
