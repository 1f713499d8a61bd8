"""Slopes of torques where dry friction holds something (`dynamics.sticking_derivatives`)."""

from __future__ import annotations

from typing import Any

from armdyn.dynamics.model import Model, Nodes
from armdyn.dynamics.quantities.parameter_derivatives import RESULTS, parameter_slopes
from armdyn.dynamics.quantities.sticking import HOLDING
from armdyn.dynamics.quantities.torques import OUTSIDE
from armdyn.dynamics.quantity import MATRIX, Quantity
from armdyn.mechanics.rubbing import projected
from armdyn.scalars.derivatives import jacobian


def _friction_slopes(model: Model, x: Nodes) -> list[Any]:
    """d tau/d q, d tau/d qd, d tau/d qdd, d tau/d held, and the gradients of the points' coordinates."""
    loads = model.loads(x, x["qd"], x["qdd"])
    found = model.rubs(x, loads, x["qdd"])
    torque = [a + b for a, b in zip(loads.torque, projected(found, model.n), strict=True)]
    slopes = [e for k in ("q", "qd", "qdd", "held") for row in jacobian(torque, x[k]) for e in row]
    gradients = [dict(rub.theta.gradient) for rub in found]
    return [*slopes, *(gradient.get(j, 0) for gradient in gradients for j in range(model.n))]


def _friction_parameter_slopes(model: Model, x: Nodes) -> list[Any]:
    return [e for row in parameter_slopes(model, x, x["qdd"]) for e in row]


QUANTITIES = {
    "friction slopes": Quantity(
        HOLDING,
        (MATRIX, MATRIX, MATRIX, ("n", "points"), ("points", "n")),
        _friction_slopes,
        OUTSIDE,
        bare=False,
    ),
    "friction parameter slopes": Quantity(HOLDING, RESULTS, _friction_parameter_slopes, OUTSIDE, bare=False),
}
