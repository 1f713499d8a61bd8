"""What drives an arm: motors in any order, or joints with their effort limits."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from armdyn.errors import MissingDataError
from armdyn.feasibility import verify
from armdyn.feasibility.actuators import Actuators
from armdyn.formats import load
from armdyn.mechanics.motor_limits import NO_LIMIT
from armdyn.motion import JointTarget, PointToPoint, plan
from armdyn.robot import Limits, Motor, Robot


def few_drives() -> Robot:
    """Two joints of which one is driven, both with effort limits."""
    robot = load("planar2")
    bodies = tuple(
        replace(body, joint=replace(body.joint, limits=Limits(velocity=2.0, acceleration=5.0, effort=effort)))
        for body, effort in zip(robot.bodies, (900.0, 300.0), strict=True)
    )
    return replace(robot, bodies=bodies, drives=robot.drives[:1])


def test_drives_serve_the_joints_they_name() -> None:
    robot = load("lola15")
    turned = Actuators.of(replace(robot, drives=robot.drives[::-1]))
    assert turned.joints == (5, 4, 3, 2, 1, 0)
    assert turned.names == tuple(reversed(Actuators.of(robot).names))


def test_joints_without_drives_have_their_effort_limits() -> None:
    robot = replace(few_drives(), drives=())
    found = Actuators.of(robot)
    assert not found.geared
    lower, upper = found.limits(np.zeros(2))
    assert (list(lower), list(upper)) == ([-900.0, -300.0], [900.0, 300.0])


def test_limits_that_fall_with_speed() -> None:
    """Braking leaves more than driving; so fast that no torque keeps all limits, one is left."""
    voltage = Motor(torque_constant=0.5, resistance=2.0, maximum_voltage=120.0)
    found = Actuators(("m",), (voltage,), (0,), geared=True)
    assert found.steady_limits is None
    lower, upper = found.limits(np.array([[0.0], [120.0], [300.0]]))
    assert upper[:, 0] == pytest.approx([30.0, 15.0, -7.5])
    assert lower[0, 0] == pytest.approx(-30.0)
    assert (lower <= upper).all()
    weak = Actuators(("m",), (replace(voltage, peak_torque=0.8),), (0,), geared=True)
    lower, upper = weak.limits(np.array([600.0]))  # 0.8 N m of braking is not enough for the voltage
    assert lower == upper == pytest.approx(-22.9)


def test_unknown_limits_bind_nothing() -> None:
    found = Actuators(("a", "b"), (Motor(), Motor(peak_torque=2.0)), (0, 1), geared=True)
    assert list(found.limits(np.zeros(2))[1]) == [NO_LIMIT, 2.0]
    assert list(found.known) == [False, True]


def test_fewer_drives_than_joints_say_what_to_do() -> None:
    robot = few_drives()
    asked = plan(robot, [PointToPoint(1, JointTarget((0.5, 0.3)))])
    with pytest.raises(MissingDataError, match=r'1 drive for 2 joints.*verify with motors "none"'):
        verify(asked)
    found = verify(asked, motors="none")
    assert [use.motor for use in found.utilisation] == list(robot.joint_names)
    assert found.utilisation[0].peak == pytest.approx(found.utilisation[0].peak_torque / 900.0)
    assert found.motors == "none"


def test_all_drives_still_count_when_the_equations_see_none_of_them() -> None:
    robot = load("lola15")
    asked = plan(robot, [PointToPoint(1, JointTarget((0.5, -0.8, 0.9, 0.3, 0.2, 0.1)))])
    found = verify(asked, motors="none")
    assert found.utilisation[0].peak == pytest.approx(found.utilisation[0].peak_torque / 17.8)
    assert [use.motor for use in found.utilisation] == [drive.name for drive in robot.drives]
