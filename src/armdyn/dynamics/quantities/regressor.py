"""The regressor Y of tau = Y pi, at the joints or at the motors."""

from __future__ import annotations

from typing import Any

from armdyn.dynamics.model import Model, Nodes
from armdyn.dynamics.quantities.substitution import substituted
from armdyn.dynamics.quantities.torques import MOTION, OUTSIDE
from armdyn.dynamics.quantity import Quantity
from armdyn.errors import InputError
from armdyn.mechanics.body_parameters import PARAMETERS, moments_of
from armdyn.mechanics.drives import motor_torques
from armdyn.mechanics.inertial_wrench import inertial_wrench
from armdyn.mechanics.kinematics import accelerations, angular_velocities
from armdyn.mechanics.newton_euler import inverse_dynamics
from armdyn.mechanics.parameters import with_more, with_more_friction
from armdyn.mechanics.placed import placed
from armdyn.mechanics.rubbing import projected, rubs
from armdyn.mechanics.tree.reduction import for_motion
from armdyn.scalars.derivatives import jacobian
from armdyn.spatial.vector import transpose

SIDES: dict[str, tuple[str | None, ...]] = {"side": ("joint", "motor")}


def _regressor(model: Model, x: Nodes, side: str) -> list[Any]:
    """d tau/d pi, a row for each joint or motor.

    Torques are linear in pi. Under friction that depends on the load they are still homogeneous of degree
    one, so that Y pi = tau for Y at the robot's own parameters (Euler).
    """
    more = x["q"][0].graph.inputs("more", len(model.parameters))
    rows = jacobian(_torques(model, x, more), more)
    rows = [substituted(row, more, [0] * len(more)) for row in rows]
    if side == "motor":
        columns = [motor_torques(model.robot, x["q"], column) for column in zip(*rows, strict=True)]
        rows = list(zip(*columns, strict=True))
    return [e for row in rows for e in row]


def _torques(model: Model, x: Nodes, more: list[Any]) -> list[Any]:
    """Torques in motion with so much added to each parameter; at rest dry friction takes nothing."""
    robot = model.robot
    built = with_more(robot, for_motion(model.whole_tree, closed=False), more)
    built = model.moving(x, built)
    loads = inverse_dynamics(built, x["q"], x["qd"], x["qdd"], contact=model.contact(x, built))
    if not model.friction:
        return loads.torque
    resisting = more[sum(parameter.side in ("body", "rotor") for parameter in model.parameters) :]
    points, offsets = with_more_friction(robot, resisting)
    rubbing = projected(rubs(robot, x["q"], x["qd"], None, loads, points=points), model.n)
    torques = [a + b for a, b in zip(loads.torque, rubbing, strict=True)]
    for j, offset in offsets:
        torques[j] = torques[j] + offset
    return torques


def _held_regressor(model: Model, x: Nodes) -> list[Any]:
    """d wrench/d parameters of what the tool's body holds, at that body's origin and in its axes."""
    own = x["q"][0].graph.inputs("held", len(PARAMETERS))
    tree, (link, T_link_body) = model.moving(x, model.tree), model.tree.frames[model.robot.tool.body]
    if link < 0:
        raise InputError(
            f'robot "{model.robot.name}": its tool stands on the base, what it holds shows nothing'
        )
    links = placed(tree, x["q"], x["qd"], x["qdd"])
    motion = accelerations(tree, links, angular_velocities(tree, links), tree.gravity)
    wrench = inertial_wrench(moments_of(own).seen_from(T_link_body), motion[link])
    there = wrench.about(T_link_body.translation).seen_from(transpose(T_link_body.rotation))
    return [e for row in jacobian([*there.force, *there.moment], own) for e in row]


QUANTITIES = {
    "regressor": Quantity(MOTION, (("n", "parameters"),), _regressor, OUTSIDE, SIDES),
    "held_regressor": Quantity(MOTION, ((6, len(PARAMETERS)),), _held_regressor, ("base",)),
}
