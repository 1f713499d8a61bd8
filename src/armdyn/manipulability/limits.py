"""What motors or joints can give at a state: ranges of torques, and how these reach the joints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from armdyn.dynamics import Dynamics
from armdyn.errors import InputError, MissingDataError, ShapeError
from armdyn.mechanics.motor_limits import Envelopes, drive_motors, joint_motors
from armdyn.scalars import Array

Of = Literal["motors", "joints"]


@dataclass(frozen=True, eq=False)
class TorqueRange:
    """Torques t between limits, tau = P t at the joints."""

    of: Of
    """Whose torques t are"""
    lower: Array
    """(..., k)"""
    upper: Array
    """(..., k)"""
    to_joints: Array
    """P (..., n, k): K^T for motors with gears, 1 for joints"""

    @property
    def half(self) -> Array:
        """(..., k) half of each range."""
        return 0.5 * (self.upper - self.lower)

    @property
    def middle(self) -> Array:
        """(..., k) the middle of each range."""
        return 0.5 * (self.upper + self.lower)


def torque_range(dyn: Dynamics, q: Array, qd: Array, limits: ArrayLike | None = None) -> TorqueRange:
    """What can be given at states q, qd (..., n).

    By default the torque-speed envelopes of the motors through their gears, or the efforts of the joints
    where no motor's limits are known. `limits` are joint torques instead: (n), symmetric, or (2, n), least
    and largest.
    """
    one = np.broadcast_to(np.eye(dyn.n), (*q.shape[:-1], dyn.n, dyn.n))
    if limits is not None:
        lower, upper = _given(dyn, limits)
        return TorqueRange("joints", _spread(q, lower), _spread(q, upper), one)
    robot = dyn.robot
    motors = Envelopes(tuple(drive.motor for drive in robot.drives))
    if motors.known.any():
        envelopes = Envelopes(drive_motors(robot, "give limits"))
        _check_known(dyn, envelopes, [f'motor "{drive.name}"' for drive in robot.drives])
        lower, upper = envelopes.limits(dyn.motor_velocity(q, qd))
        to_joints = np.swapaxes(dyn.gear_matrix(q), -1, -2)
        return TorqueRange("motors", _spread(q, lower), _spread(q, upper), to_joints)
    efforts = Envelopes(joint_motors(robot))
    _check_known(dyn, efforts, [f'joint "{joint.name}"' for joint in robot.joints])
    lower, upper = efforts.limits(qd)
    return TorqueRange("joints", _spread(q, lower), _spread(q, upper), one)


def _spread(q: Array, limit: Array) -> Array:
    return np.broadcast_to(limit, (*q.shape[:-1], limit.shape[-1]))


def _given(dyn: Dynamics, limits: ArrayLike) -> tuple[Array, Array]:
    try:
        numbers = np.asarray(limits, dtype=float)
    except (TypeError, ValueError) as error:
        raise InputError(f"limits is not an array of numbers, expected ({dyn.n},) or (2, {dyn.n})") from error
    if numbers.shape not in ((dyn.n,), (2, dyn.n)):
        has = f'robot "{dyn.robot.name}" has {dyn.n} joints'
        raise ShapeError("limits", numbers.shape, has, f"({dyn.n},), or (2, {dyn.n}): least and largest")
    lower, upper = (-numbers, numbers) if numbers.ndim == 1 else numbers
    if not np.isfinite(numbers).all() or (lower > upper).any():
        raise InputError(
            f"limits are {numbers.tolist()}, expected finite torques, the least below the largest"
        )
    return lower, upper


def _check_known(dyn: Dynamics, envelopes: Envelopes, names: list[str]) -> None:
    unknown = [name for name, known in zip(names, envelopes.known.tolist(), strict=True) if not known]
    if unknown:
        raise MissingDataError(
            f'robot "{dyn.robot.name}": no torque limit is known of {", ".join(unknown)}; describe it, or '
            "give limits"
        )
