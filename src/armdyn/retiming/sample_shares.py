"""How much of any limit samples need."""

from __future__ import annotations

import numpy as np

from armdyn.feasibility.demand import Demand
from armdyn.feasibility.violations import EDGE, EDGES
from armdyn.scalars import Array


def sample_shares(demand: Demand, margin: float) -> Array:
    """(t) the most that a sample needs of any limit, less the margin; rounding is forgiven."""
    shares: list[Array] = [np.zeros(len(demand.samples))]
    for quantity, required, limit in demand.limited():
        usable = limit * ((1 + EDGES.get(quantity, EDGE)) * (1 - margin))
        shares.append(np.max(np.abs(required) / usable, axis=1))
    return np.max(shares, axis=0)
