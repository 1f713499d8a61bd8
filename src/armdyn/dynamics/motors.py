"""Torques of the motors that give torques at the joints."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from armdyn.dynamics.row_systems import solve_rows
from armdyn.dynamics.running import Run
from armdyn.dynamics.traced import Traced
from armdyn.errors import MissingDataError
from armdyn.mechanics.drives import constant_gear_matrix
from armdyn.scalars import Array
from armdyn.scalars.batch import batch_shape, filled


def motor_torque(traced: Traced, q: ArrayLike, tau: ArrayLike, run: Run) -> Array:
    """K^-T tau: (..., drives)."""
    robot = traced.robot
    if len(robot.drives) != robot.n:
        raise MissingDataError(
            f'robot "{robot.name}": {len(robot.drives)} drives for {robot.n} joints, '
            "motor torques need as many drives as joints"
        )
    constant = constant_gear_matrix(robot)
    K = (
        traced.evaluate("gear_matrix", (), {"threads": run.get("threads")}, q=q)
        if constant is None
        else constant
    )
    torque = traced.array("tau", tau)
    batch = batch_shape({"q": traced.array("q", q), "tau": torque})
    if np.any(np.linalg.matrix_rank(K[np.isfinite(K).all(axis=(-1, -2))]) < robot.n):
        raise MissingDataError(
            f'robot "{robot.name}": the gear matrix is singular, '
            "motor torques do not follow from joint torques"
        )
    if constant is None:
        return filled(solve_rows(np.swapaxes(K, -1, -2), torque), run.get("out"))
    found = np.broadcast_to(torque @ np.linalg.inv(constant), (*batch, robot.n))
    return filled(np.ascontiguousarray(found), run.get("out"))
