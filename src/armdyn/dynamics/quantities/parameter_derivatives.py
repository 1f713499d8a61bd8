"""Derivatives of torques and accelerations with respect to the inertial parameters of the bodies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from armdyn.dynamics.model import Model, Nodes
from armdyn.dynamics.quantities.caused_motion import caused_motion, given_in_motion
from armdyn.dynamics.quantities.derivatives import compensating
from armdyn.dynamics.quantities.substitution import substituted
from armdyn.dynamics.quantities.torques import DRIVEN, MOTION, OUTSIDE
from armdyn.dynamics.quantity import Quantity, Size
from armdyn.dynamics.sticking_derivatives import forward_parameter_derivatives
from armdyn.mechanics.body_parameters import PARAMETERS, with_added
from armdyn.mechanics.newton_euler import inverse_dynamics
from armdyn.mechanics.tree.reduction import for_motion
from armdyn.scalars.derivatives import jacobian


def _inverse_parameter_derivatives(model: Model, x: Nodes) -> list[Any]:
    return [e for row in parameter_slopes(model, x, x["qdd"]) for e in row]


def _forward_parameter_derivatives(model: Model, x: Nodes) -> list[Any]:
    """-H^-1 d tau/d pi at the acceleration that the given torques cause."""
    caused = caused_motion(model, x)
    slopes = parameter_slopes(model, x, caused.acceleration)
    rows = [e for row in compensating(caused, slopes) for e in row]
    return given_in_motion(model, x, rows, caused.wrong)


def parameter_slopes(model: Model, x: Nodes, qdd: Sequence[Any]) -> list[list[Any]]:
    """d tau/d pi: n rows, one column for each parameter of each body in turn.

    Torques are linear in the parameters, so that it does not matter where they are differentiated; friction
    that depends on the load is not, and is differentiated at the parameters that the robot has.
    """
    graph = x["q"][0].graph
    added = {body.name: graph.inputs(f"added to {body.name}", len(PARAMETERS)) for body in model.robot.bodies}
    every = [node for nodes in added.values() for node in nodes]
    built = model.moving(x, with_added(for_motion(model.whole_tree, closed=False), added))
    loads = inverse_dynamics(built, x["q"], x["qd"], qdd, contact=model.contact(x, built))
    rows = jacobian(model.resisted(x, loads, qdd), every)
    return [substituted(row, every, [0] * len(every)) for row in rows]


RESULTS: tuple[tuple[Size, ...], ...] = (("n", "bodies", len(PARAMETERS)),)

QUANTITIES = {
    "inverse_parameter_derivatives": Quantity(MOTION, RESULTS, _inverse_parameter_derivatives, OUTSIDE),
    "forward_parameter_derivatives": Quantity(
        DRIVEN,
        RESULTS,
        _forward_parameter_derivatives,
        OUTSIDE,
        iterated=forward_parameter_derivatives,
    ),
}
