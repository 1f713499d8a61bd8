"""Arms with joints to spare along a tool path: of all motions the one of least joint speed.

dq = J^+ dx with J at the middle of each step, whatever the steps are: up to the square of their size the
motion does not depend on them. A plan takes J at the start of each step; how its joints move while the tool
goes where it should so depends on its cycle.
"""

from __future__ import annotations

from functools import cached_property, lru_cache

import numpy as np

from armdyn.dynamics import Dynamics
from armdyn.motion.inverse_kinematics.geometry import reach
from armdyn.motion.inverse_kinematics.polish import damped_step, deviation, twist_to
from armdyn.robot import Robot
from armdyn.scalars import Array

ROUNDS = 12
"""At most; each gains two digits or so"""
EXACT = 1e-13
"""[rad or m] A change of a posture that is rounding."""
REACHED = 1e-9
"""Postures farther from their pose than this [m, or in elements of R] do not reach it."""
KEPT = 8


class LeastMotion:
    """The motion of least joint speed of one arm."""

    def __init__(self, robot: Robot) -> None:
        """Prismatic joints are counted in parts of the arm's reach."""
        self._dynamics = Dynamics(robot, motors="none")
        sliding = np.array([joint.kind == "prismatic" for joint in robot.joints])
        self._units = np.where(sliding, reach(robot), 1.0)

    @cached_property
    def redundant(self) -> bool:
        """Whether the arm has joints to spare."""
        J = self._dynamics.jacobian(np.random.default_rng(1).uniform(-1, 1, (8, self._dynamics.n)))
        return int(np.linalg.matrix_rank(J, rtol=1e-9).max()) < self._dynamics.n

    def follow(self, poses: Array, start: Array) -> tuple[Array, int | None]:
        """(t, n) postures along poses (t, 4, 4), from the first one's on, and which pose is not reached."""
        q = np.full((len(poses), len(start)), np.nan)
        q[0] = start
        for k in range(1, len(poses)):
            ahead = 2 * q[k - 1] - q[k - 2] if k > 1 else start
            found = self._step(poses[k], q[k - 1], ahead)
            if found is None:
                return q, k
            q[k] = found
        return q, None

    def _step(self, pose: Array, before: Array, q: Array) -> Array | None:
        """The next posture, from a guess."""
        for _ in range(ROUNDS):
            reached = self._dynamics.pose(q)
            # q_k+1 - q_k = J^+ dx with J at the middle: dx is what has been done and what is missing
            J = self._dynamics.jacobian((before + q) / 2) * self._units
            dx = J @ ((q - before) / self._units) + twist_to(pose, reached)
            next_q = before + self._units * damped_step(J, dx, 0.0)
            moved = float(np.abs(next_q - q).max())
            q = next_q
            if moved < EXACT:
                break
        return q if deviation(pose, self._dynamics.pose(q)) < REACHED else None


@lru_cache(KEPT)
def least_motion(robot: Robot) -> LeastMotion:
    """That of a robot, kept for the next piece."""
    return LeastMotion(robot)
