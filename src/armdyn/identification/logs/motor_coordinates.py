"""Joints from motors: q = K^-1 (theta_m - offset), where all gears are linear."""

from __future__ import annotations

import numpy as np

from armdyn.errors import MissingDataError, counted
from armdyn.robot import Robot
from armdyn.scalars import Array

LARGEST_CONDITION = 1e8
"""Of the gear matrix: beyond it positions of motors say nothing about some joint."""


def joint_positions(motor_position: Array, robot: Robot, file: str) -> Array:
    """q: (t, n) of positions of motors (t, drives)."""
    inverse, offset = _gears(robot, file)
    return (motor_position - offset) @ inverse.T


def joint_velocities(motor_velocity: Array, robot: Robot, file: str) -> Array:
    """qd: (t, n) of velocities of motors (t, drives)."""
    inverse, _ = _gears(robot, file)
    return motor_velocity @ inverse.T


def _gears(robot: Robot, file: str) -> tuple[Array, Array]:
    """K^-1 and the offsets of theta_m = K q + offset, refused if they do not determine q."""
    K = np.zeros((len(robot.drives), robot.n))
    for row, drive in zip(K, robot.drives, strict=True):
        for joint, weight in drive.coupling.weights:
            row[robot.positions[joint]] = weight
    reason = None
    if nonlinear := [drive.name for drive in robot.drives if drive.coupling.law is not None]:
        reason = f'drive "{nonlinear[0]}" of robot "{robot.name}" is not linear'
    elif K.shape != (robot.n, robot.n):
        drives, joints = counted(len(K), "drive"), counted(robot.n, "joint")
        reason = f'robot "{robot.name}" has {drives} and {joints}'
    elif not np.linalg.cond(K) < LARGEST_CONDITION:
        reason = f'the gears of robot "{robot.name}" leave a joint free'
    if reason is not None:
        raise MissingDataError(
            f"{file}: {reason}, motor_position does not determine q; expected columns q1, .."
        )
    return np.asarray(np.linalg.inv(K), dtype=float), np.array(
        [drive.coupling.offset for drive in robot.drives]
    )
