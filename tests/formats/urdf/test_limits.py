"""Limits, given, missing and infinite."""

from __future__ import annotations

import pytest

from armdyn.formats.urdf import read_urdf
from armdyn.robot import Friction, Limits
from formats.urdf.samples import arm


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
