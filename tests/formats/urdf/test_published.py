"""Robots of others, beside Pinocchio, and there and back."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path

import pytest

from armdyn.errors import FormatError
from armdyn.formats import load, save
from armdyn.robot import Limits
from formats.urdf.comparison import (
    RIGHT_ANGLES,
    SAME_NUMBERS,
    PinocchioTree,
    assert_same,
    dynamics,
    random_state,
)
from formats.urdf.samples import one_sentence

PUBLISHED = {
    str(file).partition("robots/")[2]: Path(str(file.locate()))
    for file in metadata.files("example-robot-data") or []
    if file.suffix == ".urdf"
}
REFUSED = {
    "alex_description/urdf/alex_psyonic_hands.urdf": 'no joint "index_q1"; did you mean "Left_index_q1"?',
    "hector_description/robots/quadrotor_base.urdf": "has no joint that can move",
    "iris_description/robots/iris_simple.urdf": "has no joint that can move",
    "ur_description/urdf/ur3.urdf": "no links",
}


@pytest.mark.parametrize("name", sorted(set(PUBLISHED) - set(REFUSED)))
@pytest.mark.parametrize("literal", [True, False], ids=["literal", "right angles"])
def test_published_robots_agree_with_pinocchio(name: str, literal: bool) -> None:
    robot = load(PUBLISHED[name], literal=literal, accept_unphysical="as published")
    text = PUBLISHED[name].read_text(encoding="utf-8")
    oracle = PinocchioTree(text, robot.joint_names)
    tolerance = SAME_NUMBERS if literal else RIGHT_ANGLES
    for seed in range(3):
        q, qd, qdd = random_state(robot.n, seed)
        assert_same(dynamics(robot, q, qd, qdd), oracle.dynamics(q, qd, qdd), tolerance)


@pytest.mark.parametrize("name", REFUSED)
def test_published_files_that_are_no_arms_are_refused(name: str) -> None:
    with pytest.raises(FormatError) as caught:
        load(PUBLISHED[name])
    assert REFUSED[name] in one_sentence(caught)


@pytest.mark.parametrize("name", ["ur_description/urdf/ur5_robot.urdf", "panda_description/urdf/panda.urdf"])
def test_a_published_robot_written_is_the_same_robot(name: str, tmp_path: Path) -> None:
    robot = load(PUBLISHED[name], literal=True)
    save(robot, tmp_path / "again.urdf")
    again = load(tmp_path / "again.urdf", literal=True)
    q, qd, qdd = random_state(robot.n, 1)
    assert_same(dynamics(again, q, qd, qdd), dynamics(robot, q, qd, qdd), SAME_NUMBERS)
    assert again.joint_names == robot.joint_names
    assert [body.visuals for body in again.bodies if body.visuals] == [
        b.visuals for b in robot.bodies if b.visuals
    ]
    assert [j.limits for j in again.joints] == [j.limits for j in robot.joints]
    assert [j.friction for j in again.joints] == [j.friction for j in robot.joints]
    save(again, tmp_path / "third.urdf")  # writing what was read adds nothing more
    assert load(tmp_path / "third.urdf", literal=True).bodies == again.bodies


def test_ur5_as_read() -> None:
    robot = load(PUBLISHED["ur_description/urdf/ur5_robot.urdf"])
    assert robot.name == "ur5"
    assert robot.source == "ur5_robot.urdf"
    assert robot.joint_names[:3] == ("shoulder_pan_joint", "shoulder_lift_joint", "elbow_joint")
    assert robot.tool.body == "ee_link"
    assert robot.joints[0].limits == Limits((-6.28318530718, 6.28318530718), velocity=3.15, effort=150.0)
    lift = robot.joints[1].placement.rotation
    assert lift == ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0))
    assert (
        "right angles written as decimals were read as exact (5 rotations, largest change 5e-12)"
        in robot.notes[0]
    )
    assert 'link "base" is called "base_link_2" here' in " ".join(robot.notes)
    assert "mechanicalReduction of 6 transmissions" in " ".join(robot.notes)
