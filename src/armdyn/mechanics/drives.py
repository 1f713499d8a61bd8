"""The drives' coordinates theta_m(q), and the gear matrix K = d theta_m/d q."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from armdyn.errors import MissingDataError, counted
from armdyn.mechanics.linear_system import dot, solve_unsymmetric
from armdyn.mechanics.tree import coordinate_of
from armdyn.mechanics.tree.coordinates import CoordinateState, state_of
from armdyn.mechanics.tree.links import Coordinate
from armdyn.robot import Robot
from armdyn.scalars import Array

SINGULAR = 1e-12
"""A pivot, relative to the largest element of its row and column, that is none."""


def drive_coordinates(robot: Robot) -> list[Coordinate]:
    """theta_m of every drive as a coordinate of the robot's q."""
    return [coordinate_of(robot, drive.coupling) for drive in robot.drives]


def drive_states(
    robot: Robot, q: Sequence[Any], qd: Sequence[Any] | None = None, qdd: Sequence[Any] | None = None
) -> list[CoordinateState]:
    """Positions, velocities, accelerations and gradients of all motors."""
    return [state_of(coordinate, q, qd, qdd) for coordinate in drive_coordinates(robot)]


def gear_matrix(robot: Robot, q: Sequence[Any]) -> list[list[Any]]:
    """K(q), one row per motor: theta_m moves by K dq."""
    K: list[list[Any]] = [[0] * robot.n for _ in robot.drives]
    for row, theta in zip(K, drive_states(robot, q), strict=True):
        for j, slope in theta.gradient:
            row[j] = slope
    return K


def joint_torques(robot: Robot, q: Sequence[Any], motor: Sequence[Any]) -> list[Any]:
    """K(q)^T u_a: the joint torques of the motor torques."""
    # [Szkodny1995] (19), its indices mended: F_id = sum_j (dq_aj/dq_i) F_aj
    K = gear_matrix(robot, q)
    return [dot([row[j] for row in K], motor) for j in range(robot.n)]


def motor_torques(robot: Robot, q: Sequence[Any], tau: Sequence[Any]) -> list[Any]:
    """u_a of K(q)^T u_a = tau: the motor torques that give the joint torques tau.

    [Szkodny1995] (13): F_ai = sum_j F_j dq_j/dq_ai, so that motors and joints do the same work. Where K is
    singular at a state no number of u_a need be finite.
    """
    if len(robot.drives) != robot.n:
        raise MissingDataError(
            f'robot "{robot.name}": {counted(len(robot.drives), "drive")} for {counted(robot.n, "joint")}, '
            "motor torques need as many drives as joints"
        )
    rows = list(zip(*gear_matrix(robot, q), strict=True))
    order = _elimination_order(robot)
    return solve_unsymmetric([rows[k] for k in order], [tau[k] for k in order])


def _elimination_order(robot: Robot) -> list[int]:
    """The rows of K^T in an order whose elimination, from the last inwards, meets no small pivot.

    It is looked for in some states: a gear whose ratio changes may stand still in one of them.
    """
    rng = np.random.default_rng(0)
    for q in (np.asarray(robot.home), *rng.uniform(-1.0, 1.0, (5, robot.n))):
        R = _equilibrated(np.array(gear_matrix(robot, q.tolist()), dtype=float).T)
        order, rest = [0] * robot.n, list(range(robot.n))
        for k in range(robot.n - 1, -1, -1):
            order[k] = max(rest, key=lambda row: abs(R[row, k]))
            rest.remove(order[k])
            pivot = R[order[k]]
            if abs(pivot[k]) <= SINGULAR:
                break
            R[rest] -= np.outer(R[rest, k] / pivot[k], pivot)
        else:
            return order
    raise MissingDataError(
        f'robot "{robot.name}": the gear matrix is singular, motor torques do not follow from joint torques'
    )


def _equilibrated(matrix: Array) -> Array:
    """The matrix with columns, and then rows, whose largest element is 1: ratios may differ by any amount."""
    for axis in (0, 1):
        largest = np.abs(matrix).max(axis=axis, keepdims=True)
        matrix = matrix / np.where(largest > 0, largest, 1.0)
    return matrix
