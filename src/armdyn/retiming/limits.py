"""What limits a motion along a course: shares of torques and accelerations, and largest rates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from armdyn.feasibility.arm import Arm
from armdyn.mechanics.motor_limits import bounds
from armdyn.retiming.torques import Course, Torques, torques
from armdyn.scalars import Array
from armdyn.scalars.forms import Form, Y

Quantity = Literal[
    "motor_torque", "motor_speed", "joint_torque", "joint_speed", "joint_acceleration", "tool_speed"
]


@dataclass(frozen=True, eq=False)
class ShareLimit:
    """-1 <= share <= 1."""

    quantity: Quantity
    joint: int
    """From 1; of a motor the joint that it mainly moves"""
    share: Form


@dataclass(frozen=True, eq=False)
class SpeedLimit:
    """share y <= 1."""

    quantity: Quantity
    joint: int | None
    """From 1; None for the tool"""
    share: Array
    """(t), 0 or more"""


@dataclass(frozen=True, eq=False)
class Limits:
    """All that limits a course."""

    count: int
    """How many places"""
    shares: tuple[ShareLimit, ...]
    speeds: tuple[SpeedLimit, ...]

    @classmethod
    def joined(cls, parts: Sequence[tuple[NDArray[np.intp], Limits]], count: int) -> Limits:
        """Those of several courses, each with its places among so many; they have the same limits."""
        if len(parts) == 1:
            return parts[0][1]
        shares = zip(*(part.shares for _, part in parts), strict=True)
        speeds = zip(*(part.speeds for _, part in parts), strict=True)
        every = [places for places, _ in parts]
        return cls(
            count,
            tuple(
                replace(each[0], share=_spread([limit.share for limit in each], every, count))
                for each in shares
            ),
            tuple(
                replace(
                    each[0], share=_spread([Form.of(y=limit.share) for limit in each], every, count).terms[Y]
                )
                for each in speeds
            ),
        )

    def part(self, places: slice) -> Limits:
        """Those at some of the places."""
        shares = (replace(limit, share=limit.share.part(places)) for limit in self.shares)
        speeds = (replace(limit, share=limit.share[places]) for limit in self.speeds)
        return Limits(len(range(self.count)[places]), tuple(shares), tuple(speeds))

    @property
    def largest_rate(self) -> Array:
        """(t) the largest y that the speeds allow, inf where none limits it."""
        shares = np.max([np.zeros(self.count), *(limit.share for limit in self.speeds)], axis=0)
        with np.errstate(divide="ignore"):
            return 1 / shares

    @property
    def largest_square(self) -> Array:
        """(t) the largest y^2 that the speeds allow, inf where none limits it, or only beyond all numbers."""
        with np.errstate(over="ignore"):
            return self.largest_rate**2


def _spread(forms: Sequence[Form], places: Sequence[NDArray[np.intp]], count: int) -> Form:
    return sum(
        (form.spread(at, count) for form, at in zip(forms, places, strict=True)),
        start=Form.of(np.zeros(count)),
    )


def limits(
    arm: Arm,
    course: Course,
    ways: Array | None = None,
    *,
    margin: float | Array = 0.0,
    tool_speed: float | None = None,
) -> Limits:
    """What limits an arm along a course.

    Args:
        arm: what moves.
        course: where, and how.
        ways: as for `torques`.
        margin: share of every limit that is left free, everywhere or at each place (t).
        tool_speed: that the tool may have [m/s]; by default any.
    """
    usable = 1 - margin
    shares = tuple(_acceleration_limits(arm, course, usable))
    if _torques_limited(arm):
        shares = (*_torque_limits(arm, course, torques(arm, course, ways), usable), *shares)
    return Limits(len(course.q), shares, tuple(_speed_limits(arm, course, usable, tool_speed)))


def _torques_limited(arm: Arm) -> bool:
    """Whether any limit of a torque is known."""
    return bool(arm.actuators.known.any() or any(joint.limits.effort for joint in arm.dyn.robot.joints))


def _torque_limits(arm: Arm, course: Course, needed: Torques, usable: float | Array) -> Iterator[ShareLimit]:
    actuators = arm.actuators
    speed = arm.speed(course.q, course.rate)
    for k, (motor, joint) in enumerate(zip(actuators.motors, actuators.joints, strict=True)):
        for T, e in bounds(motor):  # |t/T + e w| <= 1
            share = needed.motors[k] / (usable * T) + Form.of(y=e * speed[:, k] / usable)
            yield ShareLimit("motor_torque", joint + 1, share)
    if actuators.geared:
        for j, joint in enumerate(arm.dyn.robot.joints):
            if joint.limits.effort:
                yield ShareLimit("joint_torque", j + 1, needed.joints[j] / (usable * joint.limits.effort))


def _acceleration_limits(arm: Arm, course: Course, usable: float | Array) -> Iterator[ShareLimit]:
    for j, joint in enumerate(arm.dyn.robot.joints):
        if limit := joint.limits.acceleration:
            share = Form.of(u=course.along[:, j], x=course.bend[:, j]) / (usable * limit)
            yield ShareLimit("joint_acceleration", j + 1, share)


def _speed_limits(
    arm: Arm, course: Course, usable: float | Array, tool_speed: float | None
) -> Iterator[SpeedLimit]:
    actuators, turning = arm.actuators, np.abs(arm.speed(course.q, course.rate))
    for k, (most, joint) in enumerate(zip(actuators.speed_limits, actuators.joints, strict=True)):
        if np.isfinite(most):
            yield SpeedLimit("motor_speed", joint + 1, turning[:, k] / (usable * most))
    for j, joint in enumerate(arm.dyn.robot.joints):
        if limit := joint.limits.velocity:
            yield SpeedLimit("joint_speed", j + 1, np.abs(course.rate[:, j]) / (usable * limit))
    if tool_speed is not None:
        J = arm.dyn.jacobian(course.q)[:, :3]  # relative to the base, if that moves
        moved = np.linalg.norm(np.einsum("tij,tj->ti", J, course.rate), axis=1)
        yield SpeedLimit("tool_speed", None, moved / (usable * tool_speed))
