"""Axes, joints that do not move, limits given, missing and infinite, and mimic joints as couplings."""

from __future__ import annotations

import pytest

from armdyn.formats.urdf import read_urdf
from armdyn.robot import Coupling, Friction, Joint, Limits
from formats.urdf.samples import arm, joint, link


def test_fixed_joints_may_say_anything_about_motion() -> None:
    fixed = joint("f", "l1", "l2", '<axis xyz="0 0 0"/><dynamics damping="1"/><mimic joint="?"/>', "fixed")
    robot = read_urdf(arm(extra=fixed + link("l2")))
    assert robot.bodies[-1].joint == Joint("f", "fixed")


def test_the_axis_is_x_unless_given() -> None:
    assert read_urdf(arm()).joints[0].axis == (1.0, 0.0, 0.0)
    assert read_urdf(arm('<axis xyz="0 3 4"/>')).joints[0].axis == pytest.approx((0.0, 0.6, 0.8))


def test_limits_dynamics_and_home() -> None:
    inner = '<limit lower="0.5" upper="1" effort="7" velocity="0"/><dynamics damping="0.1" friction="0.2"/>'
    robot = read_urdf(arm(inner, "revolute"))
    assert robot.joints[0].limits == Limits((0.5, 1.0), effort=7.0)
    assert robot.joints[0].friction == Friction(0.1, 0.2)
    assert robot.home == (0.5,)
    assert robot.notes == ('limits of 0 for velocity or effort were read as unknown (joints "a")',)


@pytest.mark.parametrize("inner", ["", '<limit effort="1" velocity="1"/>'])
def test_missing_position_limits_are_none_and_said(inner: str) -> None:
    robot = read_urdf(arm(inner, "prismatic"))
    assert robot.joints[0].limits.position is None
    assert robot.notes == ('no position limits given for joints "a": read as unlimited',)


def test_infinite_limits_are_none() -> None:
    inner = '<limit lower="-inf" upper="inf" effort="inf" velocity="Infinity"/>'
    assert read_urdf(arm(inner, "revolute")).joints[0].limits == Limits()


def test_mimic_of_mimic_follows_the_independent_joint() -> None:
    second = joint("b", "l1", "l2", '<mimic joint="c" multiplier="2" offset="0.5"/>') + link("l2")
    third = joint("c", "l2", "l3", '<mimic joint="a" multiplier="-3" offset="0.25"/>') + link("l3")
    still = joint("d", "l3", "l4", '<mimic joint="a" multiplier="0" offset="0.1"/>') + link("l4")
    robot = read_urdf(arm(extra=second + third + still))
    couplings = {body.joint.name: body.joint.coupling for body in robot.bodies}
    assert robot.joint_names == ("a",)
    assert couplings["b"] == Coupling((("a", -6.0),), 1.0)
    assert couplings["c"] == Coupling((("a", -3.0),), 0.25)
    assert couplings["d"] == Coupling((), 0.1)
