"""Rotations as roll, pitch and yaw, inertias that no body can have, shapes and colours."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from armdyn.errors import InertiaError
from armdyn.formats import load
from armdyn.formats.urdf import read_urdf
from armdyn.formats.urdf.links import rpy_of
from armdyn.robot import Visual
from armdyn.spatial import Transform
from armdyn.spatial.rotation import from_axis_angle, from_rpy
from formats.urdf.samples import MASS, joint, link, one_sentence, seeds, urdf


@given(seeds)
def test_rotations_survive_as_roll_pitch_yaw(seed: int) -> None:
    rng = np.random.default_rng(seed)
    axis, near = rng.normal(size=3), 10.0 ** rng.uniform(-17, 0)
    for rotation in (
        from_axis_angle(tuple(axis), rng.uniform(-4, 4)),
        from_rpy(rng.uniform(-4, 4), math.pi / 2 + near, rng.uniform(-4, 4)),  # where yaw and roll are one
        from_rpy(rng.uniform(-4, 4), -math.pi / 2 + near, 0.0),
        from_rpy(*(math.pi / 2 * rng.integers(-2, 3, 3))),
    ):
        again = from_rpy(*(float(repr(x)) for x in rpy_of(rotation)))
        assert np.abs(np.array(again) - np.array(rotation)).max() <= 1e-15


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('<mass value="1"/>', '<mass value="-1"/>', "mass -1 kg is negative"),
        ('izz="1"', 'izz="5"', "Ixx + Iyy < Izz (2 < 5)"),
        ('ixy="0"', 'ixy="3"', "not physical"),
    ],
)
def test_unphysical_inertias_are_refused_unless_accepted(
    old: str, new: str, reason: str, tmp_path: Path
) -> None:
    path = tmp_path / "arm.urdf"
    path.write_bytes(urdf(link("l0"), link("l1", MASS.replace(old, new)), joint("a", "l0", "l1")))
    with pytest.raises(InertiaError) as caught:
        load(path)
    assert f'body "l1" ({path}, line 4)' in one_sentence(caught)
    assert reason in str(caught.value)
    robot = load(path, accept_unphysical="as the maker printed it")
    assert robot.bodies[1].accept_unphysical == "as the maker printed it"


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
