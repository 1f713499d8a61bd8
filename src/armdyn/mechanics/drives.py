"""The drives' coordinates theta_m(q), and the gear matrix K = d theta_m/d q."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from armdyn.mechanics.tree import coordinate_of
from armdyn.mechanics.tree.coordinates import CoordinateState, state_of
from armdyn.mechanics.tree.links import Coordinate
from armdyn.robot import Robot
from armdyn.scalars import Array


def drive_coordinates(robot: Robot) -> list[Coordinate]:
    """theta_m of every drive as a coordinate of the robot's q."""
    return [coordinate_of(robot, drive.coupling) for drive in robot.drives]


def drive_states(robot: Robot, q: Sequence[Any], qd: Sequence[Any] | None = None) -> list[CoordinateState]:
    """Positions, velocities and gradients of all motors."""
    return [state_of(coordinate, q, qd) for coordinate in drive_coordinates(robot)]


def gear_matrix(robot: Robot, q: Sequence[Any]) -> list[list[Any]]:
    """K(q), one row per motor: theta_m moves by K dq."""
    K: list[list[Any]] = [[0] * robot.n for _ in robot.drives]
    for row, theta in zip(K, drive_states(robot, q), strict=True):
        for j, slope in theta.gradient:
            row[j] = slope
    return K


def constant_gear_matrix(robot: Robot) -> Array | None:
    """K where no coupling is nonlinear, None otherwise."""
    if any(drive.coupling.law is not None for drive in robot.drives):
        return None
    return np.array(gear_matrix(robot, [0.0] * robot.n), dtype=float).reshape(-1, robot.n)
