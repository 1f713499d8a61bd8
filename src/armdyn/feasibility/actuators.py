"""What moves an arm, and what that can do: its motors or, where it has no drives, its joints."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from armdyn.dynamics import Dynamics
from armdyn.errors import MissingDataError, counted
from armdyn.mechanics.motor_limits import bounds, speed_limit
from armdyn.robot import Drive, Motor, Robot
from armdyn.scalars import Array

NO_LIMIT = 1e30
"""A torque that no motion takes: where a limit is unknown."""


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
            motors = tuple(Motor(peak_torque=joint.limits.effort or None) for joint in robot.joints)
            return cls(robot.joint_names, motors, tuple(range(robot.n)), geared=False)
        if len(robot.drives) != robot.n:
            has = f"{counted(len(robot.drives), 'drive')} for {counted(robot.n, 'joint')}"
            raise MissingDataError(
                f'robot "{robot.name}": {has}, motor torques need as many drives as joints; describe them, '
                'or verify with motors "none", by the effort limits of the joints'
            )
        names = tuple(drive.name for drive in robot.drives)
        joints = tuple(_served(robot, k, drive) for k, drive in enumerate(robot.drives))
        return cls(names, tuple(drive.motor for drive in robot.drives), joints, geared=True)

    def velocity(self, dyn: Dynamics, q: Array, qd: Array) -> Array:
        """Their speeds in a motion of the joints."""
        return dyn.motor_velocity(q, qd) if self.geared else qd

    @cached_property
    def speed_limits(self) -> Array:
        """(n) [rad/s], inf where unknown."""
        return np.array([speed_limit(motor) for motor in self.motors])

    @cached_property
    def known(self) -> Any:
        """(n) whether any limit of the torque is known."""
        return np.array([any(True for _ in bounds(motor)) for motor in self.motors])

    @cached_property
    def _bounds(self) -> tuple[Array, Array]:
        """T and e (bounds, n) of |t/T + e w| <= 1; unknown ones bind nothing."""
        found = [list(bounds(motor)) for motor in self.motors]
        most = max(1, *(len(each) for each in found))
        padded = [each + [(NO_LIMIT, 0.0)] * (most - len(each)) for each in found]
        table = np.array(padded).reshape(len(self.motors), most, 2)
        return table[:, :, 0].T.copy(), table[:, :, 1].T.copy()

    @cached_property
    def steady(self) -> bool:
        """Whether the limits are the same at every speed."""
        return not self._bounds[1].any()

    @cached_property
    def steady_limits(self) -> tuple[Array, Array] | None:
        """Lower and upper torque limits (n) where they are the same at every speed, else None."""
        upper = self._bounds[0].min(axis=0)
        return (-upper, upper) if self.steady else None

    def limits(self, speed: Array) -> tuple[Array, Array]:
        """Lower and upper torque limit at each speed, or (n) those of all speeds.

        So fast that no torque keeps all limits (far above the no-load speed), a motor gives the nearest one.
        """
        if self.steady_limits is not None:
            return self.steady_limits
        T, e = self._bounds
        upper = (T * (1 - e * speed[..., None, :])).min(axis=-2)
        lower = -(T * (1 + e * speed[..., None, :])).min(axis=-2)
        middle = 0.5 * (lower + upper)
        return np.minimum(lower, np.maximum(middle, upper)), np.maximum(upper, np.minimum(middle, lower))

    def share(self, speed: Array, torque: Array) -> Array:
        """How much of its torque-speed envelope each uses: 1 on the edge; 0 where none is known."""
        T, e = self._bounds
        return np.abs(torque[..., None, :] / T + e * speed[..., None, :]).max(axis=-2)


def _served(robot: Robot, k: int, drive: Drive) -> int:
    return robot.positions.get(drive.joint, k)
