"""The drives: positions and torques of the motors, currents, voltages, and the dynamics in motor coordinates.

With theta = theta(q), K = d theta/d q and u_a = K^-T tau the motors see

    u_a = A theta'' + b,    A = K^-T H K^-1,    b = K^-T bias - A K' qd,

friction left out; by joint accelerations u_a = K^-T H qdd + K^-T bias ([Kvrgic2020] (90), power-consistent).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from armdyn.dynamics.model import Model, Nodes
from armdyn.dynamics.quantities.torques import HEAVIER, OUTSIDE
from armdyn.dynamics.quantity import Quantity, Size
from armdyn.errors import MissingDataError
from armdyn.mechanics import drives
from armdyn.mechanics.linear_system import dot, solver
from armdyn.mechanics.motor_equations import (
    current_of_torque,
    current_of_voltage,
    torque_of_current,
    voltage_of,
)
from armdyn.scalars import reciprocal

Matrix = list[list[Any]]


# Motors and joints ----------------------------------------------------------------------------


def _gear_matrix(model: Model, x: Nodes) -> list[Any]:
    return [e for row in drives.gear_matrix(model.robot, x["q"]) for e in row]


def _motor_position(model: Model, x: Nodes) -> list[Any]:
    return [theta.variable + theta.offset for theta in drives.drive_states(model.robot, x["q"])]


def _motor_velocity(model: Model, x: Nodes) -> list[Any]:
    return [theta.rate for theta in drives.drive_states(model.robot, x["q"], x["qd"])]


def _motor_acceleration(model: Model, x: Nodes) -> list[Any]:
    return [theta.acceleration for theta in drives.drive_states(model.robot, x["q"], x["qd"], x["qdd"])]


def _motor_torque(model: Model, x: Nodes) -> list[Any]:
    return drives.motor_torques(model.robot, x["q"], x["tau"])


def _torque_of_motors(model: Model, x: Nodes) -> list[Any]:
    return drives.joint_torques(model.robot, x["q"], x["motor_torque"])


# Currents and voltages ------------------------------------------------------------------------


def _motor_current(model: Model, x: Nodes) -> list[Any]:
    torques = _motor_torque(model, x)
    return [current_of_torque(drive, u) for drive, u in zip(model.robot.drives, torques, strict=True)]


def _motor_voltage(model: Model, x: Nodes) -> list[Any]:
    moving = zip(model.robot.drives, _motor_current(model, x), _motor_velocity(model, x), strict=True)
    return [voltage_of(drive, current, speed) for drive, current, speed in moving]


def _torque_of_currents(model: Model, x: Nodes) -> list[Any]:
    currents = zip(model.robot.drives, x["current"], strict=True)
    motor = [torque_of_current(drive, current) for drive, current in currents]
    return drives.joint_torques(model.robot, x["q"], motor)


def _torque_of_voltages(model: Model, x: Nodes) -> list[Any]:
    moving = zip(model.robot.drives, x["voltage"], _motor_velocity(model, x), strict=True)
    motor = [
        torque_of_current(drive, current_of_voltage(drive, voltage, speed))
        for drive, voltage, speed in moving
    ]
    return drives.joint_torques(model.robot, x["q"], motor)


# Dynamics in motor coordinates ----------------------------------------------------------------


def _motor_mass_matrix(model: Model, x: Nodes, by: str) -> list[Any]:
    by_joint = _by_joint(model, x)
    return [e for row in (by_joint if by == "joint" else _by_motor(model, x["q"], by_joint)) for e in row]


def _motor_bias(model: Model, x: Nodes, by: str) -> list[Any]:
    bias = drives.motor_torques(model.robot, x["q"], model.loads(x, x["qd"], None).torque)
    if by == "joint":
        return bias
    A = _by_motor(model, x["q"], _by_joint(model, x))
    turning = [theta.acceleration for theta in drives.drive_states(model.robot, x["q"], x["qd"])]  # K' qd
    return [b - dot(row, turning) for b, row in zip(bias, A, strict=True)]


def _effective_inertia(model: Model, x: Nodes, others: str) -> list[Any]:
    """A_ii with the other motors locked, 1/(A^-1)_ii, A^-1 = K H^-1 K^T, with them free."""
    if not model.robot.drives:
        raise MissingDataError(f'robot "{model.robot.name}" has no drives, effective inertia needs some')
    if others == "locked":
        A = _by_motor(model, x["q"], _by_joint(model, x))
        return [row[k] for k, row in enumerate(A)]
    H, K = _mass_matrix(model, x), drives.gear_matrix(model.robot, x["q"])
    solve = solver(H)
    return [reciprocal(dot(row, solve(row))) for row in K]


def _by_joint(model: Model, x: Nodes) -> Matrix:
    """K^-T H: motor torques by accelerations of the joints."""
    columns = [drives.motor_torques(model.robot, x["q"], row) for row in _mass_matrix(model, x)]  # H = H^T
    return _transposed(columns)


def _by_motor(model: Model, q: Sequence[Any], by_joint: Matrix) -> Matrix:
    """K^-T H K^-1: motor torques by accelerations of the motors."""
    return [drives.motor_torques(model.robot, q, row) for row in by_joint]


def _mass_matrix(model: Model, x: Nodes) -> Matrix:
    return model.method.mass_matrix(model.light_at_rest("mass_matrix", x), x["q"])


def _transposed(rows: Matrix) -> Matrix:
    return [list(column) for column in zip(*rows, strict=True)]


EACH: tuple[Size, ...] = ("drives",)
BY: dict[str, tuple[str | None, ...]] = {"by": ("motor", "joint")}
OTHERS: dict[str, tuple[str | None, ...]] = {"others": ("locked", "free")}

QUANTITIES = {
    "gear_matrix": Quantity(("q",), (("drives", "n"),), _gear_matrix),
    "motor_position": Quantity(("q",), (EACH,), _motor_position),
    "motor_velocity": Quantity(("q", "qd"), (EACH,), _motor_velocity),
    "motor_acceleration": Quantity(("q", "qd", "qdd"), (EACH,), _motor_acceleration),
    "motor_torque": Quantity(("q", "tau"), (EACH,), _motor_torque),
    "motor_current": Quantity(("q", "tau"), (EACH,), _motor_current),
    "motor_voltage": Quantity(("q", "qd", "tau"), (EACH,), _motor_voltage),
    "torque_of_motors": Quantity(("q", "motor_torque"), (("n",),), _torque_of_motors),
    "torque_of_currents": Quantity(("q", "current"), (("n",),), _torque_of_currents),
    "torque_of_voltages": Quantity(("q", "qd", "voltage"), (("n",),), _torque_of_voltages),
    "motor_mass_matrix": Quantity(("q",), (("drives", "n"),), _motor_mass_matrix, HEAVIER, BY),
    "motor_bias": Quantity(("q", "qd"), (EACH,), _motor_bias, (*OUTSIDE, *HEAVIER), BY),
    "effective_inertia": Quantity(("q",), (EACH,), _effective_inertia, HEAVIER, OTHERS),
}
