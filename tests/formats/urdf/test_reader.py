"""Files as robots: random ones beside Pinocchio and MuJoCo, and the rules for base and tool."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from armdyn.formats.urdf import read_urdf
from armdyn.robot import BASE
from formats.urdf.comparison import (
    RIGHT_ANGLES,
    SAME_NUMBERS,
    PinocchioTree,
    assert_same,
    dynamics,
    random_state,
)
from formats.urdf.samples import arm, joint, link, random_urdf, seeds, urdf

mujoco: Any = import_module("mujoco")  # its type information knows none of its names

DIAGONALISED = 1e-9
"""Relative: MuJoCo turns inertia tensors into their principal axes first."""


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
