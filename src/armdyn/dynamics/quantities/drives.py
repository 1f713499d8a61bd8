"""Positions, velocities and torques of the motors, and the gear matrix."""

from __future__ import annotations

from typing import Any

from armdyn.dynamics.model import Model, Nodes
from armdyn.dynamics.quantity import Quantity
from armdyn.mechanics import drives


def _gear_matrix(model: Model, x: Nodes) -> list[Any]:
    return [e for row in drives.gear_matrix(model.robot, x["q"]) for e in row]


def _motor_position(model: Model, x: Nodes) -> list[Any]:
    return [theta.variable + theta.offset for theta in drives.drive_states(model.robot, x["q"])]


def _motor_velocity(model: Model, x: Nodes) -> list[Any]:
    return [theta.rate for theta in drives.drive_states(model.robot, x["q"], x["qd"])]


def _motor_torque(model: Model, x: Nodes) -> list[Any]:
    return drives.motor_torques(model.robot, x["q"], x["tau"])


QUANTITIES = {
    "gear_matrix": Quantity(("q",), (("drives", "n"),), _gear_matrix),
    "motor_position": Quantity(("q",), (("drives",),), _motor_position),
    "motor_velocity": Quantity(("q", "qd"), (("drives",),), _motor_velocity),
    "motor_torque": Quantity(("q", "tau"), (("drives",),), _motor_torque),
}
