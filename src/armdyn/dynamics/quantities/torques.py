"""Torques of a motion, accelerations under torques, and forces between bodies."""

from __future__ import annotations

from typing import Any

from armdyn.dynamics.model import Model, Nodes
from armdyn.dynamics.quantities.caused_motion import caused_motion, given_in_motion
from armdyn.dynamics.quantity import VECTOR, Quantity
from armdyn.dynamics.sticking import accelerations
from armdyn.mechanics.newton_euler import inverse_dynamics
from armdyn.mechanics.reactions import AXES, body_reactions
from armdyn.spatial.vector import ZERO

MOTION = ("q", "qd", "qdd")
DRIVEN = ("q", "qd", "tau")
OUTSIDE = ("wrench", "at", "base")
"""What the surroundings may do: touch the tool, or move the base."""
HEAVIER = ("added",)
VARIED = (*HEAVIER, "rubbing")
"""What may differ from the robot itself, state by state: its inertial parameters and its friction."""

TERMS = ("inertia", "velocity", "gravity", "friction", "contact")


def _inverse(model: Model, x: Nodes) -> list[Any]:
    return model.resisted(x, model.loads(x, x["qd"], x["qdd"]), x["qdd"])


def _forward(model: Model, x: Nodes) -> list[Any]:
    if model.under_load:
        caused = caused_motion(model, x)
        return given_in_motion(model, x, caused.acceleration, caused.wrong)
    return given_in_motion(model, x, plain_forward(model, x))


def plain_forward(model: Model, x: Nodes) -> list[Any]:
    """Accelerations in motion, where friction does not depend on the load."""
    built, net = model.light("forward", x), x["tau"]
    if model.friction:
        rubbing = model.rubbing(x, model.loads(x, x["qd"], None), None)
        net = [torque - lost for torque, lost in zip(net, rubbing, strict=True)]
    contact = model.contact(x, built)
    return model.forward_method.forward(built, x["q"], x["qd"], net, contact=contact)


def _bias(model: Model, x: Nodes) -> list[Any]:
    return model.loads(x, x["qd"], None).torque


def _gravity(model: Model, x: Nodes) -> list[Any]:
    return model.torques(x, None, None)


def _terms(model: Model, x: Nodes) -> list[Any]:
    """The torques in the order of TERMS."""
    built = model.light("inverse", x)
    inertia = model.torques(x, None, x["qdd"], gravity=ZERO)
    velocity = model.method.inverse(built, x["q"], x["qd"], None, gravity=ZERO).torque
    gravity = model.torques(x, None, None)
    contact = model.contact(x, built)
    touching = model.method.inverse(built.at_rest(), x["q"], None, None, gravity=ZERO, contact=contact).torque
    rubbing = model.rubbing(x, model.loads(x, x["qd"], x["qdd"]), x["qdd"])
    return [*inertia, *velocity, *gravity, *rubbing, *touching]


def _loads(model: Model, x: Nodes) -> list[Any]:
    loads = model.loads(x, x["qd"], x["qdd"])
    return [*loads.joint, *loads.drive]


def _resistances(model: Model, x: Nodes) -> list[Any]:
    return [rub.resistance for rub in model.rubs(x, model.loads(x, x["qd"], x["qdd"]), x["qdd"])]


def _reactions(model: Model, x: Nodes, axes: str) -> list[Any]:
    whole = model.whole(x)
    contact = model.contact(x, whole)
    loads = inverse_dynamics(whole, x["q"], x["qd"], x["qdd"], contact=contact)
    return [e for row in body_reactions(model.robot, whole, x["q"], loads, axes) for e in row]


QUANTITIES = {
    "inverse": Quantity(MOTION, (VECTOR,), _inverse, (*OUTSIDE, *VARIED)),
    "forward": Quantity(
        DRIVEN,
        (VECTOR,),
        _forward,
        (*OUTSIDE, *VARIED),
        iterated=accelerations,
        from_rest="forward from rest",
    ),
    "bias": Quantity(("q", "qd"), (VECTOR,), _bias, (*OUTSIDE, *HEAVIER)),
    "gravity": Quantity(("q",), (VECTOR,), _gravity, HEAVIER),
    "terms": Quantity(MOTION, ((len(TERMS), "n"),), _terms, (*OUTSIDE, *HEAVIER), bare=False),
    "loads": Quantity(MOTION, ((2, "n"),), _loads, (*OUTSIDE, *HEAVIER)),
    "resistances": Quantity(MOTION, (("points",),), _resistances, (*OUTSIDE, *HEAVIER)),
    "reactions": Quantity(MOTION, (("bodies", 6),), _reactions, (*OUTSIDE, *HEAVIER), {"axes": AXES}),
}
