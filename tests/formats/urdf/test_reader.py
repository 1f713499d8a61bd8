"""Files as robots: random and published ones beside Pinocchio and MuJoCo, and the rules for base and tool."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armdyn.errors import FormatError
from armdyn.formats import load
from armdyn.formats.urdf import read_urdf
from armdyn.robot import BASE, Limits
from formats.urdf.comparison import (
    RIGHT_ANGLES,
    SAME_NUMBERS,
    PinocchioTree,
    assert_same,
    dynamics,
    random_state,
)
from formats.urdf.samples import PUBLISHED, arm, joint, link, one_sentence, random_urdf, seeds, urdf

mujoco: Any = import_module("mujoco")  # its type information knows none of its names

DIAGONALISED = 1e-9
"""Relative: MuJoCo turns inertia tensors into their principal axes first."""
REFUSED = {
    "alex_description/urdf/alex_psyonic_hands.urdf": 'no joint "index_q1"; did you mean "Left_index_q1"?',
    "hector_description/robots/quadrotor_base.urdf": "has no joint that can move",
    "iris_description/robots/iris_simple.urdf": "has no joint that can move",
    "ur_description/urdf/ur3.urdf": "no links",
}


@given(seeds, st.integers(1, 8), st.booleans())
def test_random_files_agree_with_pinocchio(seed: int, links: int, literal: bool) -> None:
    text = random_urdf(seed, links, mimics=True)
    robot = read_urdf(text.encode(), literal=literal)
    q, qd, qdd = random_state(robot.n, seed)
    theirs = PinocchioTree(text, robot.joint_names).dynamics(q, qd, qdd)
    assert_same(dynamics(robot, q, qd, qdd), theirs, SAME_NUMBERS if literal else RIGHT_ANGLES)


@given(seeds, st.integers(1, 8))
def test_random_files_agree_with_mujoco(seed: int, links: int) -> None:
    text = random_urdf(seed, links, mimics=False)
    robot = read_urdf(text.encode())
    q, qd, qdd = random_state(robot.n, seed)
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    positions = [model.joint(name).qposadr[0] for name in robot.joint_names]
    dofs = [model.joint(name).dofadr[0] for name in robot.joint_names]
    data.qpos[positions], data.qvel[dofs] = q, qd
    mujoco.mj_forward(model, data)
    H = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, H)
    theirs = {"mass matrix": H[np.ix_(dofs, dofs)], "bias": data.qfrc_bias[dofs].copy()}
    assert model.nv == robot.n
    assert_same(dynamics(robot, q, qd, qdd), theirs, DIAGONALISED)


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


def test_the_root_is_a_body_on_the_base() -> None:
    robot = read_urdf(arm())
    assert [(b.name, b.parent, b.joint.kind) for b in robot.bodies] == [
        ("l0", BASE, "fixed"),
        ("l1", "l0", "revolute"),
    ]
    assert robot.notes == ()


def test_an_empty_root_called_base_is_the_base() -> None:
    robot = read_urdf(urdf('<link name="base"/>', link("l1"), joint("a", "base", "l1")))
    assert [(b.name, b.parent) for b in robot.bodies] == [("l1", BASE)]
    assert robot.notes == ()


def test_of_equally_long_branches_the_first_carries_the_tool() -> None:
    fixed = joint("f1", "l1", "tcp", kind="fixed") + joint("f2", "l1", "flange", kind="fixed")
    robot = read_urdf(arm(extra=fixed + '<link name="flange"/><link name="tcp"/>'))
    assert robot.tool.body == "tcp"
