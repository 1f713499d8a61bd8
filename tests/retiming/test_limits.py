"""What limits a course, beside what a motion along it takes."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from armdyn.dynamics import Dynamics
from armdyn.feasibility.arm import Arm
from armdyn.formats import load
from armdyn.retiming.limits import Limits, limits
from armdyn.retiming.torques import Course
from armdyn.robot import Motor, Robot
from armdyn.scalars import Array

SAME = 1e-12
COUNT = 15
SEED = 8
MOTOR = Motor(
    torque_constant=0.3,
    resistance=0.5,
    peak_torque=9.0,
    maximum_voltage=60.0,
    maximum_current=35.0,
    maximum_speed=180.0,
)
"""Bound by its peak torque, its current, its voltage and its speed."""


def limited(robot: Robot, motor: Motor = MOTOR) -> Robot:
    """The robot with every kind of limit."""
    bodies = tuple(
        replace(
            body,
            joint=replace(
                body.joint,
                limits=replace(body.joint.limits, velocity=2.0 + k, acceleration=7.0 + k, effort=50.0 + k),
            ),
        )
        for k, body in enumerate(robot.bodies)
    )
    return replace(robot, bodies=bodies, drives=tuple(replace(drive, motor=motor) for drive in robot.drives))


def random_course(n: int) -> Course:
    rng = np.random.default_rng(SEED)
    q, rate, bend = rng.normal(0, 0.7, (3, COUNT, n))
    return Course(q, rate, rate, bend)


def motion(course: Course, u: Array, x: Array) -> tuple[Array, Array, Array]:
    """q, qd, qdd."""
    qdd = course.along * u[:, None] + course.bend * x[:, None]
    return course.q, course.rate * np.sqrt(x)[:, None], qdd


def shares(found: Limits, u: Array, x: Array) -> dict[tuple[str, int | None], Array]:
    """(t) the largest share of each quantity of each joint."""
    largest: dict[tuple[str, int | None], Array] = {}
    each = [(limit, np.abs(limit.share.at(u, x))) for limit in found.shares]
    each += [(limit, limit.share * np.sqrt(x)) for limit in found.speeds]
    for limit, share in each:
        key = limit.quantity, limit.joint
        largest[key] = np.maximum(largest.get(key, np.zeros(COUNT)), share)
    return largest


@pytest.mark.parametrize("margin", [0.0, 0.2])
@pytest.mark.parametrize("name", ["lola15", "puma560", "irb6"])
def test_shares_are_what_a_motion_takes_of_its_limits(name: str, margin: float) -> None:
    arm = Arm(Dynamics(limited(load(name))))
    course = random_course(arm.dyn.n)
    rng = np.random.default_rng(SEED + 1)
    u, x = rng.normal(0, 2, COUNT), rng.uniform(0.1, 4, COUNT)
    q, qd, qdd = motion(course, u, x)
    found = shares(limits(arm, course, margin=margin, tool_speed=0.8), u, x)
    speed = arm.speed(q, qd)
    of_motors = arm.actuators.share(speed, arm.torque(q, qd, qdd))
    own = [joint.limits for joint in arm.dyn.robot.joints]
    expected: dict[tuple[str, int | None], Array] = {
        ("tool_speed", None): np.linalg.norm(arm.dyn.twist(q, qd)[:, :3], axis=1) / 0.8
    }
    joint_torque = arm.joint_torque(q, qd, qdd)
    for k, j in enumerate(arm.actuators.joints):
        expected["motor_torque", j + 1] = of_motors[:, k]
        expected["motor_speed", j + 1] = np.abs(speed[:, k]) / 180.0
    for j, limit in enumerate(own):
        expected["joint_torque", j + 1] = np.abs(joint_torque[:, j]) / (limit.effort or math.inf)
        expected["joint_speed", j + 1] = np.abs(qd[:, j]) / (limit.velocity or math.inf)
        expected["joint_acceleration", j + 1] = np.abs(qdd[:, j]) / (limit.acceleration or math.inf)
    assert found.keys() == expected.keys()
    for key, share in expected.items():
        assert found[key] == pytest.approx(share / (1 - margin), rel=SAME, abs=SAME), key


def test_a_robot_without_drives_has_the_effort_limits_of_its_joints() -> None:
    arm = Arm(Dynamics(replace(limited(load("lola15")), drives=())))
    course = random_course(6)
    u, x = np.zeros(COUNT), np.ones(COUNT)
    found = shares(limits(arm, course), u, x)
    assert {quantity for quantity, _ in found} == {"motor_torque", "joint_speed", "joint_acceleration"}
    torque = arm.torque(*motion(course, u, x))
    assert found["motor_torque", 2] == pytest.approx(np.abs(torque[:, 1]) / 51.0, rel=SAME)


def test_unknown_limits_do_not_limit() -> None:
    robot = limited(load("lola15"), Motor())
    robot = replace(
        robot,
        bodies=tuple(
            replace(
                body,
                joint=replace(
                    body.joint,
                    limits=replace(body.joint.limits, velocity=None, acceleration=0.0, effort=None),
                ),
            )
            for body in robot.bodies
        ),
    )
    found = limits(Arm(Dynamics(robot)), random_course(6))
    assert found.shares == found.speeds == ()
    assert np.array_equal(found.largest_rate, np.full(COUNT, math.inf))


def test_the_largest_rate_is_that_of_the_nearest_speed_limit() -> None:
    arm = Arm(Dynamics(limited(load("lola15"))))
    course = random_course(6)
    course.rate[3] = 0.0
    found = limits(arm, course, tool_speed=0.8)
    rate = found.largest_rate
    assert rate[3] == math.inf
    others = np.delete(np.arange(COUNT), 3)
    largest = np.max([limit.share for limit in found.speeds], axis=0)
    assert (rate[others] * largest[others]) == pytest.approx(1.0)


def test_limits_of_several_courses_joined_are_those_of_one() -> None:
    arm = Arm(Dynamics(limited(load("lola15"))))
    course = random_course(6)
    rng = np.random.default_rng(SEED)
    u, x = rng.normal(0, 2, COUNT), rng.uniform(0.1, 4, COUNT)
    first = np.sort(rng.permutation(COUNT)[:6])
    parts = []
    for places in (first, np.setdiff1d(np.arange(COUNT), first)):
        part = Course(*(values[places] for values in (course.q, course.rate, course.along, course.bend)))
        parts.append((places, limits(arm, part, tool_speed=0.8)))
    joined, whole = Limits.joined(parts, COUNT), limits(arm, course, tool_speed=0.8)
    assert joined.count == whole.count == COUNT
    assert joined.largest_rate == pytest.approx(whole.largest_rate, rel=SAME)
    expected = shares(whole, u, x)
    for key, share in shares(joined, u, x).items():
        assert share == pytest.approx(expected[key], rel=1e-10, abs=SAME), key
