"""The torque that a motion should take, beside the measured one.

What moves is clear: `Dynamics.inverse` says it, friction included. What stands still, or turns round within
half a window, is not: dry friction takes anything up to its largest there. So such points are left out of the
prediction, and it then comes as near to the measured torque as their friction allows:

    predicted = tau0 + G^T r_moving + clip(measured - .., -slack, slack),   slack_j = sum_resting |G_pj| R_p

tau0 is the torque without friction, G = d theta/d q of the friction points, r what they take in motion, R the
largest that they take at rest.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from armdyn.dynamics import Dynamics
from armdyn.robot import Robot
from armdyn.scalars import Array

STILL = 0.005
"""Share of its largest speed below which a joint may stand still."""
STILL_SPEED = 0.01
"""[rad/s or m/s] The same where the largest speed is not known."""
NUDGE = 1e-9
"""[rad/s or m/s] Added to speeds when friction is asked for: what rests would take none otherwise."""


class Prediction:
    """Torques of one robot under one setting."""

    def __init__(self, dyn: Dynamics, wrench: Array | None = None, at: Array | None = None) -> None:
        """Compile what is needed, so that the first sample does not wait for it.

        Args:
            dyn: the robot, with what it holds.
            wrench: (6) what the tool exerts on its surroundings all the time, base axes.
            at: (3) where, in the frame of the body that carries the tool.
        """
        self.dyn = dyn
        given = {"wrench": wrench, "at": at}
        self._contact: dict[str, Any] = {name: x for name, x in given.items() if x is not None}
        self._free = Dynamics(dyn.robot, dyn.motors, friction=False)
        self._still = np.array(
            [
                STILL_SPEED if joint.limits.velocity is None else STILL * joint.limits.velocity
                for joint in dyn.robot.joints
            ]
        )
        self._at_rest = np.array([point.friction.at_rest for point in dyn.friction_points])
        self._dry = np.array([point.friction.dry for point in dyn.friction_points], dtype=bool)
        q = np.array(dyn.robot.home, dtype=float)
        for _ in range(2):  # the second call goes through a builtin
            self.torque(q, 0 * q, 0 * q, 0 * q, 0.1)
            dyn.body_poses(q)  # for pages, with the tool's
            dyn.pose(q)

    def torque(self, q: Array, qd: Array, qdd: Array, measured: Array, reach: float) -> Array:
        """(n) predicted joint torques [N m or N].

        Args:
            q: (n) joint positions [rad or m].
            qd: (n) joint velocities.
            qdd: (n) joint accelerations.
            measured: (n) joint torques; NaN where none are.
            reach: [s] half a window: what turns round within it may stand still.
        """
        free = self._free.inverse(q, qd, qdd, **self._contact)
        if not len(self._at_rest):
            return free
        G = self.dyn.friction_gradients(q)
        taken = self.dyn.resistances(q, qd + NUDGE, qdd, **self._contact)
        slow = np.abs(G) @ self._still
        resting = self._dry & (np.abs(G @ qd) <= np.maximum(slow, reach * np.abs(G @ qdd)))
        moving = free + G.T @ np.where(resting, 0.0, taken)
        if not resting.any():
            return moving
        slack = np.abs(G.T) @ np.where(resting, np.maximum(np.abs(taken), self._at_rest), 0.0)
        needed = np.where(np.isfinite(measured), measured - moving, 0.0)
        return moving + np.clip(needed, -slack, slack)

    def measured(self, field: str | None, q: Array, effort: Array) -> Array:
        """(n) joint torques of what was measured; NaN where nothing was."""
        if field is None:
            return np.full(len(q), np.nan)
        if field == "motor_torque":
            return self.dyn.torque_of_motors(q, effort)
        return self.dyn.torque_of_currents(q, effort) if field == "current" else effort


def effort_limits(robot: Robot, dyn: Dynamics) -> Array:
    """(n) the largest joint torques [N m or N], infinite if unknown: as given, or what the motors can give.

    Motors count all together, through the gears as they are at home.
    """
    known = np.array([np.inf if (x := joint.limits.effort) is None else x for joint in robot.joints])
    if not robot.drives:
        return known
    peaks = np.array([np.nan if (x := drive.motor.peak_torque) is None else x for drive in robot.drives])
    gears = np.abs(dyn.gear_matrix(np.array(robot.home, dtype=float)))
    given = np.where(gears > 0, gears * peaks[:, None], 0.0).sum(axis=0)
    return np.where(np.isfinite(known) | ~np.isfinite(given) | (given == 0), known, given)
