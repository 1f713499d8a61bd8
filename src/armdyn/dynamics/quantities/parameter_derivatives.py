"""Derivatives of torques and accelerations with respect to the inertial parameters of the bodies."""

from __future__ import annotations

from typing import Any

from armdyn.dynamics.loaded import forward_parameter_derivatives_under_load
from armdyn.dynamics.model import Model, Nodes
from armdyn.dynamics.quantities.derivatives import caused_motion, compensating
from armdyn.dynamics.quantities.substitution import substituted
from armdyn.dynamics.quantities.torques import DRIVEN, MOTION, OUTSIDE
from armdyn.dynamics.quantity import Quantity, Size
from armdyn.mechanics.body_parameters import PARAMETERS, with_added
from armdyn.mechanics.newton_euler import inverse_dynamics
from armdyn.mechanics.tree.reduction import for_motion
from armdyn.scalars.derivatives import jacobian


def _inverse_parameter_derivatives(model: Model, x: Nodes) -> list[Any]:
    return [e for row in _slopes(model, x) for e in row]


def _forward_parameter_derivatives(model: Model, x: Nodes) -> list[Any]:
    """-H^-1 d tau/d pi at the acceleration that the given torques cause."""
    caused = caused_motion(model, x)
    slopes = _slopes(model, {**x, "qdd": caused.acceleration})
    return [e for row in compensating(caused.H, slopes) for e in row]


def _slopes(model: Model, x: Nodes) -> list[list[Any]]:
    """d tau/d pi: n rows, one column for each parameter of each body in turn.

    Torques are linear in the parameters, so that it does not matter where they are differentiated; friction
    that depends on the load is not, and is differentiated at the parameters that the robot has.
    """
    graph = x["q"][0].graph
    added = {body.name: graph.inputs(f"added to {body.name}", len(PARAMETERS)) for body in model.robot.bodies}
    every = [node for nodes in added.values() for node in nodes]
    built = model.moving(x, with_added(for_motion(model.whole_tree, closed=False), added))
    loads = inverse_dynamics(built, x["q"], x["qd"], x["qdd"], contact=model.contact(x, built))
    rows = jacobian(model.resisted(x, loads), every)
    return [substituted(row, every, [0] * len(every)) for row in rows]


RESULTS: tuple[tuple[Size, ...], ...] = (("n", "bodies", len(PARAMETERS)),)

QUANTITIES = {
    "inverse_parameter_derivatives": Quantity(MOTION, RESULTS, _inverse_parameter_derivatives, OUTSIDE),
    "forward_parameter_derivatives": Quantity(
        DRIVEN,
        RESULTS,
        _forward_parameter_derivatives,
        OUTSIDE,
        under_load=forward_parameter_derivatives_under_load,
    ),
}
