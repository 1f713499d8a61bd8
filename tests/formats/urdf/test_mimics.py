"""Mimic joints as couplings."""

from __future__ import annotations

from armdyn.formats.urdf import read_urdf
from armdyn.robot import Coupling
from formats.urdf.samples import arm, joint, link


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
