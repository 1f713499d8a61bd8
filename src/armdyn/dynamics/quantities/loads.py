"""What the iteration for accelerations under load-dependent friction evaluates (`dynamics.loaded`)."""

from __future__ import annotations

from typing import Any

from armdyn.dynamics.model import Model, Nodes
from armdyn.dynamics.quantity import MATRIX, VECTOR, Quantity
from armdyn.mechanics import friction
from armdyn.mechanics.linear_system import solve_unsymmetric
from armdyn.scalars.derivatives import jacobian
from armdyn.spatial.vector import ZERO


def _load_step(model: Model, x: Nodes) -> list[Any]:
    """Newton's next acceleration, and the torque that is missing at this one."""
    torque = model.resisted(x, model.loads(x, x["qd"], x["qdd"]))
    missing = [given - needed for given, needed in zip(x["tau"], torque, strict=True)]
    step = solve_unsymmetric(jacobian(torque, x["qdd"]), missing)
    return [*(a + b for a, b in zip(x["qdd"], step, strict=True)), *missing]


def _loads(model: Model, x: Nodes) -> list[Any]:
    """u0, w0, d u/d qdd, d w/d qdd: the loads on joints and rotors, linear in the accelerations."""
    rest = model.loads(x, x["qd"], None)
    qdd = x["q"][0].graph.inputs("qdd", model.n)
    built = model.light("inverse").at_rest()
    moving = model.method.inverse(built, x["q"], None, qdd, gravity=ZERO)
    slopes = [e for loads in (moving.joint, moving.drive) for row in jacobian(loads, qdd) for e in row]
    return [*rest.joint, *rest.drive, *slopes]


def _friction_law(model: Model, x: Nodes) -> list[Any]:
    """f, d f/d u, d f/d w."""
    f = friction.friction_torques(model.robot, x["q"], x["qd"], x["u"], x["w"])
    return [*f, *(e for loads in (x["u"], x["w"]) for row in jacobian(f, loads) for e in row)]


QUANTITIES = {
    "load step": Quantity(
        ("q", "qd", "qdd", "tau"), (VECTOR, VECTOR), _load_step, ("wrench", "at", "base"), bare=False
    ),
    "loads": Quantity(
        ("q", "qd"), (VECTOR, VECTOR, MATRIX, MATRIX), _loads, ("wrench", "at", "base"), bare=False
    ),
    "friction law": Quantity(("q", "qd", "u", "w"), (VECTOR, MATRIX, MATRIX), _friction_law, bare=False),
}
