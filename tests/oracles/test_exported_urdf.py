"""Catalog robots written as URDF: Pinocchio, MuJoCo and armdyn read the same dynamics from the file."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from typing import Any

import numpy as np
import pytest

from armdyn.dynamics import Dynamics
from armdyn.formats import catalog, load
from armdyn.formats.urdf import read_urdf, write_urdf
from armdyn.robot import BASE, BaseMotion, Body, Coupling, Joint, Payload, Robot
from armdyn.robot.robot import EARTH
from armdyn.spatial import Inertia, Transform
from formats.urdf.comparison import PinocchioTree, assert_same, dynamics, random_state

mujoco: Any = import_module("mujoco")

SAME_DYNAMICS = 1e-9
"""Relative: three programs on the same decimals, through chains of up to ten transformations."""
REFUSED_BY_MUJOCO = {"lola15", "parallelogram", "planar2", "planar3", "puma560"}
"""Their sources give a body no inertia about some axis, or a joint follows several."""


def without_spin(robot: Robot) -> Robot:
    """The robot without drives, what its rotors weigh held by their carriers, standing on the earth."""
    rotors = (rotor for drive in robot.drives for rotor, _ in drive.rotors if rotor.mass is not None)
    riding = tuple(
        Payload(rotor.carrier, rotor.inertia.seen_from(rotor.placement))
        for rotor in rotors
        if rotor.carrier not in (None, BASE) and rotor.placement is not None
    )
    return replace(
        robot, drives=(), payloads=(*robot.payloads, *riding), gravity=EARTH, base_motion=BaseMotion()
    )


def mujoco_dynamics(
    text: str, joints: tuple[str, ...], q: np.ndarray, qd: np.ndarray, qdd: np.ndarray
) -> dict[str, np.ndarray]:
    """MuJoCo's side: every joint free, projected onto q by theta = K q + offset, as its mimics say."""
    model, tree = mujoco.MjModel.from_xml_string(text), PinocchioTree(text, joints)
    order = [model.joint(name).dofadr[0] for name in tree.model.names[1:]]
    data = mujoco.MjData(model)
    for target, values in (
        (data.qpos, tree.K @ q + tree.offset),
        (data.qvel, tree.K @ qd),
        (data.qacc, tree.K @ qdd),
    ):
        target[order] = values
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    mujoco.mj_crb(model, data)
    mujoco.mj_comVel(model, data)
    torque, bias, H = np.zeros(model.nv), np.zeros(model.nv), np.zeros((model.nv, model.nv))
    mujoco.mj_rne(model, data, 1, torque)
    mujoco.mj_rne(model, data, 0, bias)
    mujoco.mj_fullM(model, data, H)
    K = tree.K
    return {
        "torque": K.T @ torque[order],
        "bias": K.T @ bias[order],
        "mass matrix": K.T @ H[np.ix_(order, order)] @ K,
    }


@pytest.mark.parametrize("name", catalog())
def test_every_catalog_robot_has_the_same_dynamics_elsewhere(name: str) -> None:
    robot = load(name).with_payload(1.5, (0.02, 0.03, 0.1), (0.02, 0.03, 0.025, 0.001, -0.002, 0.003))
    text, lost = write_urdf(robot)
    q, qd, qdd = random_state(robot.n, 11)
    expected = dynamics(without_spin(robot), q, qd, qdd)
    accepted = "as the robot file" if any(body.accept_unphysical for body in robot.bodies) else None
    again = read_urdf(text.encode(), literal=True, accept_unphysical=accepted)
    assert again.joint_names == robot.joint_names
    assert_same(dynamics(again, q, qd, qdd), expected, SAME_DYNAMICS)
    assert_same(PinocchioTree(text, robot.joint_names).dynamics(q, qd, qdd), expected, SAME_DYNAMICS)
    warned = any("as MuJoCo, refuse" in sentence for sentence in lost)
    assert warned == (name in REFUSED_BY_MUJOCO)
    if warned:
        with pytest.raises(ValueError, match="inertia"):
            mujoco.MjModel.from_xml_string(text)
        return
    theirs = mujoco_dynamics(text, robot.joint_names, q, qd, qdd)
    assert_same({key: expected[key] for key in theirs}, theirs, SAME_DYNAMICS)


@pytest.mark.parametrize("name", ["planar3", "cartesian2", "scara", "puma560", "jpl_rrp", "sdt4"])
def test_the_armature_that_is_named_makes_the_reflected_model(name: str) -> None:
    """What is lost of gears can be given to tools that know an armature, with the numbers of the sentence."""
    robot = replace(load(name), gravity=EARTH)
    text, lost = write_urdf(robot)
    (sentence,) = (s for s in lost if s.startswith("inertia of drives"))
    numbers = sentence.partition("it is ")[2].removesuffix(" (kg m2 or kg)")
    armature = {joint: float(value) for joint, value in (pair.split() for pair in numbers.split(", "))}
    q, qd, qdd = random_state(robot.n, 12)
    theirs = PinocchioTree(text, robot.joint_names).dynamics(q, qd, qdd)
    torque = theirs["torque"] + np.array([armature[joint] for joint in robot.joint_names]) * qdd
    ours = Dynamics(robot, "reflected", friction=False).inverse(q, qd, qdd)
    assert ours == pytest.approx(torque, abs=1e-5 * np.abs(torque).max())  # the sentence has six digits


def test_mujoco_reads_mimic_joints() -> None:
    tensor = ((0.2, 0.01, 0.0), (0.01, 0.3, 0.0), (0.0, 0.0, 0.25))
    follows = Coupling((("j1", -1.5),), 0.3)
    place, inertia = Transform(translation=(0.1, 0.2, 0.3)), Inertia(1.0, (0.1, 0.0, 0.2), tensor)
    bodies = (
        Body("b1", Joint("j1", axis=(0, 0, 1), placement=place), BASE, inertia),
        Body("b2", Joint("j2", axis=(0, 1, 0), placement=place, coupling=follows), "b1", inertia),
        Body("b3", Joint("j3", axis=(1, 0, 0), placement=place), "b2", inertia),
    )
    robot = Robot("mimicking", bodies)
    text, _ = write_urdf(robot)
    state = random_state(robot.n, 13)
    theirs, expected = mujoco_dynamics(text, robot.joint_names, *state), dynamics(robot, *state)
    assert mujoco.MjModel.from_xml_string(text).neq == 1  # it holds the mimic joint to what it follows
    assert_same({key: expected[key] for key in theirs}, theirs, SAME_DYNAMICS)
