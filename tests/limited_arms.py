"""Arms with chosen limits and friction, and how much of their limits a motion uses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from hypothesis import assume

from armdyn.dynamics import Dynamics
from armdyn.feasibility.arm import Arm
from armdyn.formats import load
from armdyn.retiming.path.curve import Curve
from armdyn.robot import Drive, Friction, Motor, Robot
from armdyn.scalars import Array

# Arms -----------------------------------------------------------------------------------------


def arm_of(robot: Robot, **options: Any) -> Arm:
    """The robot at work."""
    return Arm(Dynamics(robot, **options))


def with_limits(robot: Robot, **changed: Any) -> Robot:
    """The robot with limits of all its joints changed: each a number, None, or a function of what it was."""

    def limits(joint: Any) -> Any:
        new = {k: v(getattr(joint.limits, k)) if callable(v) else v for k, v in changed.items()}
        return replace(joint, limits=replace(joint.limits, **new))

    return _with_joints(robot, limits)


def with_motors(robot: Robot, change: Callable[[Motor], Motor]) -> Robot:
    """The robot with its motors changed."""
    return replace(robot, drives=tuple(replace(drive, motor=change(drive.motor)) for drive in robot.drives))


def with_friction(robot: Robot, at_joints: Friction, at_motors: Friction | None = None) -> Robot:
    """The robot with the same friction at all joints, and the same at all motors."""
    rubbing = _with_joints(robot, lambda joint: replace(joint, friction=at_joints))
    at_motors = Friction() if at_motors is None else at_motors
    return replace(rubbing, drives=tuple(replace(drive, friction=at_motors) for drive in robot.drives))


def _with_joints(robot: Robot, change: Callable[[Any], Any]) -> Robot:
    return replace(
        robot,
        bodies=tuple(
            replace(body, joint=change(body.joint)) if body.joint.independent else body
            for body in robot.bodies
        ),
    )


def steady_irb6() -> Robot:
    """The IRb-6 without the limit of its voltage, which depends on the speed."""
    return with_motors(load("irb6"), lambda motor: replace(motor, maximum_voltage=None, resistance=None))


def unhurried(robot: Robot) -> Robot:
    """The robot limited by nothing but torques."""
    return with_motors(
        with_limits(robot, velocity=None, acceleration=None), lambda motor: replace(motor, maximum_speed=None)
    )


def motor_gears(arm: Arm, q: Array) -> Array:
    """(t, n, n) d theta/dq of the motors, those of the joints where there are none."""
    unit = np.eye(q.shape[1])
    return np.stack([arm.speed(q, np.broadcast_to(e, q.shape)) for e in unit], axis=-1)


def torque_bounds(arm: Arm) -> Array:
    """(n) the largest torques of motors that can do the same at every speed."""
    limits = arm.actuators.steady_limits
    assert limits is not None, "the limits depend on the speed"
    return limits[1]


# Arms of which something is known ---------------------------------------------------------------


def times(factor: float) -> Callable[[float | None], float | None]:
    return lambda value: None if value is None else factor * value


def stronger(motor: Motor, torque: float, speed: float = 1.0) -> Motor:
    """The motor with so many times the torque, at so many times the speed."""
    of_torque, of_speed = times(torque), times(speed)
    return replace(
        motor,
        peak_torque=of_torque(motor.peak_torque),
        stall_torque=of_torque(motor.stall_torque),
        maximum_current=of_torque(motor.maximum_current),
        maximum_voltage=of_speed(motor.maximum_voltage),
        resistance=times(speed / torque)(motor.resistance),
        maximum_speed=of_speed(motor.maximum_speed),
    )


def hurried(robot: Robot, k: float) -> Robot:
    """The robot for which everything happens k times as fast."""
    able = with_limits(
        with_motors(robot, lambda motor: stronger(motor, k * k, k)),
        velocity=times(k),
        acceleration=times(k * k),
        effort=times(k * k),
    )
    bodies = tuple(
        replace(b, joint=replace(b.joint, friction=_rubbing(b.joint.friction, k))) for b in able.bodies
    )
    drives = tuple(replace(drive, friction=_rubbing(drive.friction, k)) for drive in able.drives)
    gravity = (k * k * np.array(robot.gravity, dtype=float)).tolist()
    return replace(able, bodies=bodies, drives=drives).with_gravity(gravity)


def _rubbing(friction: Friction, k: float) -> Friction:
    return replace(
        friction,
        viscous=k * friction.viscous,
        coulomb=k * k * friction.coulomb,
        starting=times(k * k)(friction.starting),
    )


def just_able(robot: Robot, curve: Curve) -> Arm:
    """The robot at work, its motors or joints a little stronger than a slow motion along the curve takes."""
    free = Arm(arm_of(_with_peaks(robot, np.ones(robot.n)), friction=True).dyn)
    q, first, second = curve.at(np.linspace(0.0, curve.length, 200))
    needed = np.max(
        [
            np.abs(free.torque(q, y * first, y * y * second + u * first)).max(axis=0)
            for y, u in ((0.5, 0.0), (0.5, 1.0), (0.5, -1.0), (0.0, 1.0), (0.0, -1.0))
        ],
        axis=0,
    )
    assume((needed > 1e-6).all())
    return arm_of(_with_peaks(robot, 1.5 * needed), friction=True)


def _with_peaks(robot: Robot, torques: Array) -> Robot:
    if robot.drives:
        return replace(robot, drives=tuple(map(_with_peak, robot.drives, torques.tolist())))
    efforts = iter(torques.tolist())
    return with_limits(robot, effort=lambda _: next(efforts))


def _with_peak(drive: Drive, torque: float) -> Drive:
    return replace(drive, motor=Motor(peak_torque=torque))


# Motions --------------------------------------------------------------------------------------


def used(arm: Arm, q: Array, qd: Array, qdd: Array, tool_speed: float = np.inf) -> dict[str, float]:
    """The largest share of every kind of limit in a motion, from the equations of motion."""

    def limit(name: str) -> Array:
        return np.array([getattr(joint.limits, name) or np.inf for joint in arm.dyn.robot.joints])

    speed = arm.speed(q, qd)
    shares = {
        "motor_torque": arm.actuators.share(speed, arm.torque(q, qd, qdd)),
        "motor_speed": np.abs(speed) / arm.actuators.speed_limits,
        "joint_torque": np.abs(arm.joint_torque(q, qd, qdd)) / limit("effort"),
        "joint_speed": np.abs(qd) / limit("velocity"),
        "joint_acceleration": np.abs(qdd) / limit("acceleration"),
        "tool_speed": np.linalg.norm(arm.dyn.twist(q, qd)[:, :3], axis=1) / tool_speed,
    }
    return {name: float(share.max()) for name, share in shares.items()}
