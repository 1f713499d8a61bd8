"""How fast each move may be run at most: its largest speed override.

A move run at the share r of its speed passes the same postures with r qd and r^2 qdd. What the moves before
and after do at their common end is left out: a hint, not a plan.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from armdyn.feasibility.demand import Demand
from armdyn.feasibility.violations import exceeds
from armdyn.scalars import Array

FINEST = 1 / 128
"""Shares are found to this."""


def overrides(demand: Demand) -> Array:
    """(moves) the largest share of its speed, at most 1, at which each move asks for nothing impossible.

    0 where even the slowest motion is too much: the motors cannot hold the arm, or a posture is impossible.
    """
    count = len(demand.plan.moves)
    possible, failing = np.ones(count), np.ones(count)
    impossible = sorted({problem.move - 1 for problem in demand.plan.problems if problem.move})
    possible[impossible] = failing[impossible] = 0.0
    infeasible = _beyond(demand, count) & (failing > 0)
    possible[infeasible] = 0.0
    if not infeasible.any():
        return possible
    open_part = demand.of_moves(np.flatnonzero(infeasible) + 1)
    while (failing - possible).max() > FINEST:
        tried = 0.5 * (possible + failing)
        beyond = _beyond(open_part.slowed(tried), count)
        failing = np.where(infeasible & beyond, tried, failing)
        possible = np.where(infeasible & ~beyond, tried, possible)
    return possible


def _beyond(demand: Demand, count: int) -> Any:
    """(moves) whether anything is exceeded in each move."""
    beyond = np.zeros(len(demand.move), dtype=bool)
    for quantity, required, limit in demand.limited():
        beyond |= exceeds(quantity, required, limit).any(axis=1)
    return np.bincount(demand.move[beyond], minlength=count + 1)[1:] > 0
