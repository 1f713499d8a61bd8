"""Shapes and colours."""

from __future__ import annotations

from armdyn.formats.urdf import read_urdf
from armdyn.robot import Visual
from armdyn.spatial import Transform
from formats.urdf.samples import MASS, joint, link, urdf


def test_shapes_and_colours() -> None:
    shapes = "".join(
        f'<visual><origin xyz="1 2 3"/><geometry>{shape}</geometry>{material}</visual>'
        for shape, material in (
            ('<box size="1 2 3"/>', '<material name="red"/>'),
            (
                '<cylinder radius="1" length="2"/>',
                '<material name="own"><color rgba="0 0 1 0.5"/></material>',
            ),
            ('<sphere radius="1"/>', '<material name="own"/>'),
            ('<mesh filename="package://a/../../b.stl" scale="1 1 -1"/>', '<material name="unknown"/>'),
            ('<capsule radius="1"/>', ""),
        )
    )
    material = '<material name="red"><color rgba="1 0 0 1"/></material>'
    robot = read_urdf(urdf(material, link("l0"), link("l1", MASS + shapes), joint("a", "l0", "l1")))
    place = Transform(translation=(1.0, 2.0, 3.0))
    assert robot.bodies[1].visuals == (
        Visual("box", (1.0, 2.0, 3.0), None, place, (1.0, 0.0, 0.0, 1.0)),
        Visual("cylinder", (1.0, 2.0), None, place, (0.0, 0.0, 1.0, 0.5)),
        Visual("sphere", (1.0,), None, place, (0.0, 0.0, 1.0, 0.5)),
        Visual("mesh", (1.0, 1.0, -1.0), "package://a/../../b.stl", place),
    )
    assert robot.notes == ('URDF knows no shape "capsule": 1 visual left out',)
