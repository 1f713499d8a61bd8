"""What a plan asks for: every quantity that has a limit, joint by joint, and at a share of the speed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from armdyn.dynamics import Dynamics
from armdyn.feasibility import Verification, verify
from armdyn.formats import load
from armdyn.motion import JointTarget, Plan, PointToPoint, plan
from armdyn.robot import Robot

GOAL = JointTarget((0.5, -0.8, 0.9, 0.3, 0.2, 0.1))


def with_limits(robot: Robot, number: int, **limits: Any) -> Robot:
    """The robot with other limits of one joint."""
    bodies = list(robot.bodies)
    joint = bodies[number - 1].joint
    bodies[number - 1] = replace(
        bodies[number - 1], joint=replace(joint, limits=replace(joint.limits, **limits))
    )
    return replace(robot, bodies=tuple(bodies))


def of_robot(asked: Plan, robot: Robot) -> Verification:
    """The same motion asked of another robot."""
    return verify(replace(asked, robot=robot, phases=(replace(asked.phases[0], robot=robot),)))


@pytest.fixture(scope="module")
def asked() -> Plan:
    return plan(load("lola15"), [PointToPoint(1, GOAL)])


def test_a_share_of_the_speed_is_its_square_of_the_acceleration(asked: Plan) -> None:
    """The torques of the motion run twice as slowly, but for what friction does."""
    found = verify(asked, friction=False)
    half = found.demand.slowed(np.array([0.5]))
    dyn = Dynamics(load("lola15"), friction=False)
    slow = dyn.motor_torque(asked.q, dyn.inverse(asked.q, 0.5 * found.demand.qd, 0.25 * found.demand.qdd))
    assert np.abs(half.torque - slow).max() <= 1e-9
    assert np.abs(half.torque - found.demand.torque).max() > 1.0


@pytest.mark.parametrize(
    ("limits", "quantity", "unit"),
    [
        ({"velocity": 0.4}, "joint_speed", "qd"),
        ({"acceleration": 1.0}, "joint_acceleration", "qdd"),
        ({"effort": 30.0}, "joint_torque", "joint_torque"),
    ],
)
def test_limits_of_joints(asked: Plan, limits: dict[str, float], quantity: str, unit: str) -> None:
    found = of_robot(asked, with_limits(load("lola15"), 2, **limits))
    worst = max((v for v in found.violations if v.quantity == quantity), key=lambda v: abs(v.required))
    (limit,) = limits.values()
    assert {v.joint for v in found.violations if v.quantity == quantity} == {2}
    assert worst.limit == limit
    assert abs(worst.required) == pytest.approx(np.abs(getattr(found.demand, unit)[:, 1]).max())
    assert worst.margin == pytest.approx(limit - abs(worst.required))


def test_limits_of_motors(asked: Plan) -> None:
    robot = load("lola15")
    drives = list(robot.drives)
    drives[2] = replace(drives[2], motor=replace(drives[2].motor, maximum_speed=20.0))
    found = of_robot(asked, replace(robot, drives=tuple(drives)))
    assert {v.joint for v in found.violations if v.quantity == "motor_speed"} == {3}


def test_violations_name_joints_whatever_the_order_of_the_drives(asked: Plan) -> None:
    robot = load("lola15")
    drives = list(robot.drives)
    drives[0] = replace(drives[0], motor=replace(drives[0].motor, peak_torque=2.0))
    plain = of_robot(asked, replace(robot, drives=tuple(drives)))
    turned = of_robot(asked, replace(robot, drives=tuple(reversed(drives))))
    assert {v.joint for v in plain.violations if v.quantity == "motor_torque"} == {1}
    assert [(v.quantity, v.joint, v.time) for v in plain.violations] == [
        (v.quantity, v.joint, v.time) for v in turned.violations
    ]
    assert np.allclose(plain.run.torque, turned.run.torque[:, ::-1], rtol=0, atol=1e-9)
    assert plain.achieved_time == turned.achieved_time
