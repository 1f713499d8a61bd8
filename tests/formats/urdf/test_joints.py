"""Axes, and joints that do not move."""

from __future__ import annotations

import pytest

from armdyn.formats.urdf import read_urdf
from armdyn.robot import Joint
from formats.urdf.samples import arm, joint, link


def test_fixed_joints_may_say_anything_about_motion() -> None:
    fixed = joint("f", "l1", "l2", '<axis xyz="0 0 0"/><dynamics damping="1"/><mimic joint="?"/>', "fixed")
    robot = read_urdf(arm(extra=fixed + link("l2")))
    assert robot.bodies[-1].joint == Joint("f", "fixed")


def test_the_axis_is_x_unless_given() -> None:
    assert read_urdf(arm()).joints[0].axis == (1.0, 0.0, 0.0)
    assert read_urdf(arm('<axis xyz="0 3 4"/>')).joints[0].axis == pytest.approx((0.0, 0.6, 0.8))
