"""Paths in joint space and arms with chosen limits and friction, for the tests of retiming."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy.interpolate import CubicSpline

from armdyn.dynamics import Dynamics
from armdyn.feasibility.arm import Arm
from armdyn.formats import load
from armdyn.retiming.optimal.grid import Grid, grid_of
from armdyn.retiming.path.curve import Curve
from armdyn.retiming.path.joint_path import JointPath, PathMove, Piece
from armdyn.robot import Friction, Motor, Robot
from armdyn.scalars import Array

# Curves ---------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Bend:
    """A cubic spline through points (m, n) that are evenly spaced in the parameter."""

    points: Array
    length: float = 1.0

    @cached_property
    def _spline(self) -> Any:
        return CubicSpline(np.linspace(0.0, self.length, len(self.points)), self.points)

    def at(self, p: Array) -> tuple[Array, Array, Array]:
        return self._spline(p), self._spline(p, 1), self._spline(p, 2)

    def third(self, p: Array) -> Array:
        return self._spline(p, 3)


@dataclass(frozen=True, eq=False)
class Stretch:
    """What lies between two places of another curve, over a parameter that runs `pace` times as fast.

    A negative pace is the way back.
    """

    whole: Curve
    begins: float
    ends: float
    pace: float = 1.0

    @property
    def length(self) -> float:
        return (self.ends - self.begins) * abs(self.pace)

    def at(self, p: Array) -> tuple[Array, Array, Array]:
        q, first, second = self.whole.at(self._place(p))
        return q, first / self.pace, second / self.pace**2

    def third(self, p: Array) -> Array:
        return self.whole.third(self._place(p)) / self.pace**3

    def _place(self, p: Array) -> Array:
        return (self.begins if self.pace > 0 else self.ends) + p / self.pace


REACH = {"irb6": 0.2}
"""How far random postures are from home, 0.5 if nothing else is said; the IRb-6 has dead points near home."""


def random_bend(robot: Robot, seed: int, *, points: int = 5) -> Bend:
    """Through random postures around home."""
    reach = REACH.get(robot.name, 0.5)
    away = np.random.default_rng(seed).uniform(-reach, reach, (points, robot.n))
    return Bend(np.array(robot.home) + away)


def onward_bend(robot: Robot, seed: int, *, points: int = 5) -> Bend:
    """On and on in every joint, through home: nothing turns back."""
    reach = REACH.get(robot.name, 0.5)
    steps = np.random.default_rng(seed).uniform(0.85, 1.15, (points, robot.n))
    return Bend(np.array(robot.home) + reach * (2 * np.cumsum(steps, axis=0) / points - 1))


def path_along(
    robot: Robot, *curves: Curve, stops: Sequence[bool] | None = None, waits: Sequence[float] | None = None
) -> JointPath:
    """Curves one behind the other, a move each, at rest at the end unless said otherwise."""
    stops = [False] * (len(curves) - 1) + [True] if stops is None else stops
    waits = [0.0] * len(curves) if waits is None else waits
    pieces = [
        Piece(curve, robot, k, 0, "ptp", stop, wait)
        for k, (curve, stop, wait) in enumerate(zip(curves, stops, waits, strict=True), 1)
    ]
    moves = [PathMove(0, "ptp", robot) for _ in curves]
    return JointPath(robot, tuple(pieces), tuple(moves))


def grid_along(arm: Arm, *curves: Curve, count: int = 1000, **limited: float | None) -> Grid:
    """The grid of a path along curves, for one arm."""
    return grid_of(path_along(arm.dyn.robot, *curves), lambda _: arm, count, **limited)


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
