"""Friction in motion: one law for joints and motors.

At rate v under a load u a coordinate resists with

    f = viscous v + sign(v) (coulomb + load |u|)

[Szkodny1995] (17), (18) in motion; [Kvrgic2020] (90) with |u|, because mu sign(v) u would drive
the arm when u v < 0. At rest (v = 0) the law gives nothing: what holds an arm is decided by
the load, not by the speed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from armdyn.errors import MissingDataError
from armdyn.mechanics.drives import constant_gear_matrix, drive_coordinates
from armdyn.mechanics.tree import coordinate_of
from armdyn.mechanics.tree.coordinates import state_of
from armdyn.robot import Friction, Robot
from armdyn.scalars import absolute, sign


def resistance(friction: Friction, rate: Any, load: Any) -> Any:
    """What friction takes from a coordinate that moves at `rate` under `load`."""
    direction = sign(rate)
    steady = friction.viscous * rate + friction.coulomb * direction
    if not friction.load:
        return steady
    share = friction.load * direction
    if not friction.load_includes_friction:
        return steady + share * absolute(load)
    # w = u + f solves w = u + steady + share |w|; w has the sign of u + steady, as |share| < 1
    total = load + steady
    return total / (1 - share * sign(total)) - load


def load_dependent(robot: Robot) -> bool:
    """Whether any friction depends on the load."""
    frictions = [joint.friction for joint in robot.joints] + [drive.friction for drive in robot.drives]
    return any(friction.load for friction in frictions)


def friction_torques(
    robot: Robot, q: Sequence[Any], qd: Sequence[Any], joint_load: Sequence[Any], drive_load: Sequence[Any]
) -> list[Any]:
    """Friction of all joints and motors as torques on q.

    joint_load passes through the joints (links, payload, contact), drive_load is what the rotors
    take for their own spin; a motor carries both, and the friction of its joints.
    """
    torques: list[Any] = [0] * robot.n
    for body in robot.bodies:
        if body.joint.friction and not body.joint.independent:
            assert body.joint.coupling is not None  # a fixed joint has no friction
            theta = state_of(coordinate_of(robot, body.joint.coupling), q, qd)
            _project(torques, theta.gradient, resistance(body.joint.friction, theta.rate, 0))
    for j, joint in enumerate(robot.joints):
        if joint.friction:
            torques[j] = torques[j] + resistance(joint.friction, qd[j], joint_load[j])
    loads = _motor_loads(robot, [a + b + c for a, b, c in zip(joint_load, drive_load, torques, strict=True)])
    for drive, coordinate, load in zip(robot.drives, drive_coordinates(robot), loads, strict=True):
        if drive.friction:
            theta = state_of(coordinate, q, qd)
            _project(torques, theta.gradient, resistance(drive.friction, theta.rate, load))
    return torques


def _project(torques: list[Any], gradient: Sequence[tuple[int, Any]], resisting: Any) -> None:
    """tau += (d theta/d q)^T f."""
    for j, slope in gradient:
        torques[j] = torques[j] + slope * resisting


def _motor_loads(robot: Robot, torques: Sequence[Any]) -> list[Any]:
    """K^-T tau where a motor's friction depends on its load; elsewhere nobody asks."""
    if not any(drive.friction.load for drive in robot.drives):
        return [0] * len(robot.drives)
    K = constant_gear_matrix(robot)
    if K is None or K.shape[0] != K.shape[1] or np.linalg.matrix_rank(K) < robot.n:
        raise MissingDataError(
            f'robot "{robot.name}": load-dependent friction at a motor needs a constant, square and '
            "regular gear matrix, to know the motor's load; give that friction at the joint instead"
        )
    inverse = np.linalg.inv(K)
    return [sum((float(inverse[j, k]) * torques[j] for j in range(robot.n)), 0) for k in range(robot.n)]
