"""Every quantity of `Dynamics` by name: what it takes, what it gives, how it is written down.

With them what iterations evaluate, whose names are no methods (`sticking`, `friction_slopes`).

The methods of `Dynamics`, compiled kernels and exports to other languages all read this table.
"""

from __future__ import annotations

from collections.abc import Mapping

from armdyn.dynamics.quantities import (
    derivatives,
    drives,
    energies,
    friction_slopes,
    limited,
    matrices,
    operational_space,
    parameter_derivatives,
    places,
    regressor,
    steps,
    sticking,
    torques,
    ways,
)
from armdyn.dynamics.quantity import Quantity

QUANTITIES: Mapping[str, Quantity] = {
    **torques.QUANTITIES,
    **matrices.QUANTITIES,
    **energies.QUANTITIES,
    **places.QUANTITIES,
    **operational_space.QUANTITIES,
    **drives.QUANTITIES,
    **derivatives.QUANTITIES,
    **parameter_derivatives.QUANTITIES,
    **regressor.QUANTITIES,
    **sticking.QUANTITIES,
    **friction_slopes.QUANTITIES,
    **limited.QUANTITIES,
    **ways.QUANTITIES,
    **steps.QUANTITIES,
}

__all__ = ["QUANTITIES"]
