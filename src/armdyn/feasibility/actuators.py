"""What moves an arm, and what that can do: its motors or, where it has no drives, its joints."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from armdyn.dynamics import Dynamics
from armdyn.mechanics.motor_limits import NO_LIMIT, Envelopes, drive_motors, joint_motors, speed_limit
from armdyn.robot import Drive, Motor, Robot
from armdyn.scalars import Array

__all__ = ["NO_LIMIT", "Actuators"]


@dataclass(frozen=True)
class Actuators:
    """The motors of a robot side by side; arrays are (..., n)."""

    names: tuple[str, ...]
    motors: tuple[Motor, ...]
    joints: tuple[int, ...]
    """Position in q of the joint that each mainly moves."""
    geared: bool
    """Whether they are drives with gears; otherwise the joints themselves."""

    @classmethod
    def of(cls, robot: Robot) -> Actuators:
        """The drives, or the joints with their effort limits where there are no drives."""
        if not robot.drives:
            return cls(robot.joint_names, joint_motors(robot), tuple(range(robot.n)), geared=False)
        motors = drive_motors(robot, 'verify with motors "none", by the effort limits of the joints')
        names = tuple(drive.name for drive in robot.drives)
        joints = tuple(_served(robot, k, drive) for k, drive in enumerate(robot.drives))
        return cls(names, motors, joints, geared=True)

    def velocity(self, dyn: Dynamics, q: Array, qd: Array) -> Array:
        """Their speeds in a motion of the joints."""
        return dyn.motor_velocity(q, qd) if self.geared else qd

    @cached_property
    def speed_limits(self) -> Array:
        """(n) [rad/s], inf where unknown."""
        return np.array([speed_limit(motor) for motor in self.motors])

    @cached_property
    def envelopes(self) -> Envelopes:
        """Their torques and speeds side by side."""
        return Envelopes(self.motors)

    @property
    def known(self) -> Any:
        """(n) whether any limit of the torque is known."""
        return self.envelopes.known

    @property
    def steady(self) -> bool:
        """Whether the limits are the same at every speed."""
        return self.steady_limits is not None

    @cached_property
    def steady_limits(self) -> tuple[Array, Array] | None:
        """Lower and upper torque limits (n) where they are the same at every speed, else None."""
        return self.envelopes.steady_limits

    def limits(self, speed: Array) -> tuple[Array, Array]:
        """Lower and upper torque limit at each speed, or (n) those of all speeds."""
        return self.envelopes.limits(speed)

    def share(self, speed: Array, torque: Array) -> Array:
        """How much of its torque-speed envelope each uses: 1 on the edge; 0 where none is known."""
        return self.envelopes.share(speed, torque)


def _served(robot: Robot, k: int, drive: Drive) -> int:
    return robot.positions.get(drive.joint, k)
