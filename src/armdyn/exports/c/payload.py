"""A payload that is known only at run time: ten numbers more that torques and accelerations depend on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from armdyn.dynamics.quantities import QUANTITIES
from armdyn.dynamics.traced import Traced
from armdyn.errors import InputError
from armdyn.mechanics.body_parameters import PARAMETERS
from armdyn.native.signature import Signature
from armdyn.scalars import Graph, Program, program
from armdyn.scalars.factoring import factored

SIZE = 10
"""Mass, centre (3), Ixx, Iyy, Izz, Ixy, Ixz, Iyz about the centre, in the frame of the tool's body."""
_FELT = {
    *("inverse", "forward", "bias", "gravity", "mass_matrix", "coriolis_matrix", "motor_demand"),
    *("inverse_derivatives", "forward_derivatives", "linearisation"),
}
_UNFELT = {
    *("pose", "jacobian", "twist", "acceleration", "power", "gear_matrix"),
    *("motor_position", "motor_velocity", "motor_acceleration"),
    *("motor_torque", "motor_current", "motor_voltage"),
    *("torque_of_motors", "torque_of_currents", "torque_of_voltages"),
}


def feels_payload(name: str) -> bool:
    """Whether a quantity takes the payload as an argument; one that no payload changes takes none."""
    if name in _FELT or "added" in QUANTITIES[name].optional:
        return True
    if name in _UNFELT:
        return False
    known = ", ".join(sorted(_FELT | _UNFELT))
    raise InputError(f'quantity "{name}" does not take a payload at run time, expected some of {known}')


def with_payload(
    traced: Traced, name: str, options: tuple[Any, ...], given: Sequence[str]
) -> tuple[Program, Signature]:
    """A quantity with the input `payload` behind its own."""
    tool = traced.robot.tool.body
    if traced.tree.frames[tool][0] < 0:
        raise InputError(
            f'robot "{traced.robot.name}": its tool stands on the base, no joint feels a payload'
        )
    plain = traced.signature(name, options, [k for k in given if k != "added"])
    signature = Signature((*plain.inputs, ("payload", SIZE)), plain.results)
    graph = Graph()
    nodes = {k: graph.inputs(k, size) for k, size in signature.inputs}
    added: dict[str, list[Any]] = {body: [0] * len(PARAMETERS) for body in traced.robot.body_names}
    added[tool] = parameters_of_payload(nodes.pop("payload"))
    nodes["added"] = [x for body in traced.robot.body_names for x in added[body]]
    return factored(program(QUANTITIES[name].build(traced, nodes, *options))), signature


def parameters_of_payload(payload: Sequence[Any]) -> list[Any]:
    """The ten parameters, in the order of PARAMETERS: I = I_C + m (c c 1 - c c^T) about the body's origin."""
    m, x, y, z, xx, yy, zz, xy, xz, yz = payload
    hx, hy, hz = m * x, m * y, m * z
    moments = (xx + hy * y + hz * z, xy - hx * y, xz - hx * z, yy + hx * x + hz * z, yz - hy * z)
    return [m, hx, hy, hz, *moments, zz + hx * x + hy * y]
