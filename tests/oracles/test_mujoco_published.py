"""Robots of others beside MuJoCo, file by file, as armdyn reads them without asking for leniency."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import armdyn as ad

mujoco: Any = import_module("mujoco")  # its type information knows none of its names

DIAGONALISED = 1e-9
"""Relative: MuJoCo turns inertia tensors into their principal axes first."""

STATES = 3

PUBLISHED = {
    str(file).partition("robots/")[2]: Path(str(file.locate()))
    for file in metadata.files("example-robot-data") or []
    if file.suffix == ".urdf"
}

NO_ARMS = {
    "hector_description/robots/quadrotor_base.urdf",
    "iris_description/robots/iris_simple.urdf",
    "ur_description/urdf/ur3.urdf",
}
"""Without a joint that can move."""

UNPHYSICAL = {
    "alex_description/urdf/alex_psyonic_hands.urdf",
    "allegro_hand_description/urdf/allegro_left_hand.urdf",
    "allegro_hand_description/urdf/allegro_right_hand.urdf",
    "anymal_b_simple_description/robots/anymal-kinova.urdf",
    "anymal_b_simple_description/robots/anymal.urdf",
    "anymal_c_simple_description/urdf/anymal.urdf",
    "b1_description/urdf/b1-z1.urdf",
    "b1_description/urdf/b1.urdf",
    "finger_edu_description/robots/finger_edu.urdf",
    "go1_description/urdf/go1.urdf",
    "human_description/robots/human.urdf",
    "hyq_description/robots/hyq_no_sensors.urdf",
    "icub_description/robots/icub.urdf",
    "icub_description/robots/icub_reduced.urdf",
    "pr2_description/urdf/pr2.urdf",
    "romeo_description/urdf/romeo.urdf",
    "romeo_description/urdf/romeo_laas_small.urdf",
    "romeo_description/urdf/romeo_small.urdf",
    "tiago_description/robots/tiago.urdf",
    "tiago_description/robots/tiago_dual.urdf",
    "tiago_description/robots/tiago_no_hand.urdf",
}
"""MuJoCo refuses an inertia that no body has, or a moving body without mass."""

COMPARED = sorted(PUBLISHED.keys() - NO_ARMS - UNPHYSICAL)


class MujocoTree:
    """MuJoCo's model of a URDF with every joint free, projected onto q by theta = K q + offset."""

    def __init__(self, text: str, joint_names: tuple[str, ...]) -> None:
        self.model = mujoco.MjModel.from_xml_string(_weights_only(text))
        self.data = mujoco.MjData(self.model)
        self.K = np.zeros((self.model.nv, len(joint_names)))
        self.offset = np.zeros(self.model.nv)
        followed = self._followed()
        for joint in range(self.model.njnt):
            leader, factor, offset = joint, 1.0, 0.0
            while leader in followed:
                leader, a, b = followed[leader]
                factor, offset = factor * b, offset + factor * a
            self.K[joint, joint_names.index(self.model.joint(leader).name)] = factor
            self.offset[joint] = offset

    def _followed(self) -> dict[int, tuple[int, float, float]]:
        """Joint -> the joint it mimics, offset and factor, as MuJoCo read them."""
        model = self.model
        assert np.array_equal(model.jnt_dofadr, np.arange(model.nv))  # one coordinate per joint, in order
        assert np.array_equal(model.jnt_qposadr, np.arange(model.nq))
        assert np.all(model.eq_type == mujoco.mjtEq.mjEQ_JOINT)
        rows = zip(model.eq_obj1id, model.eq_obj2id, model.eq_data, strict=True)
        return {int(follower): (int(leader), float(x[0]), float(x[1])) for follower, leader, x in rows}

    def dynamics(self, q: np.ndarray, qd: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Mass matrix, and torques of velocity and gravity."""
        self.data.qpos[:] = self.K @ q + self.offset
        self.data.qvel[:] = self.K @ qd
        mujoco.mj_fwdPosition(self.model, self.data)
        mujoco.mj_fwdVelocity(self.model, self.data)
        H = np.zeros((self.model.nv, self.model.nv))
        mujoco.mj_fullM(self.model, self.data, H)
        return self.K.T @ H @ self.K, self.K.T @ self.data.qfrc_bias


def _weights_only(text: str) -> str:
    """The file without shapes and limits; MuJoCo told to take every inertia as it is written.

    Bodies on fixed joints stay apart: merging them, MuJoCo loses an inertia that has no mass.
    """
    root = ET.fromstring(text)
    for parent, child in (("link", "visual"), ("link", "collision"), ("joint", "limit")):
        for element in root.findall(parent):
            for part in element.findall(child):
                element.remove(part)
    for old in root.findall("mujoco"):
        root.remove(old)
    compiler = {"fusestatic": "false", "balanceinertia": "false", "inertiafromgeom": "false"}
    compiler |= {"boundmass": "0", "boundinertia": "0"}
    ET.SubElement(ET.SubElement(root, "mujoco"), "compiler", compiler)
    return ET.tostring(root, encoding="unicode")


@pytest.mark.parametrize("name", COMPARED)
def test_published_robots_agree_with_mujoco(name: str) -> None:
    robot = ad.load(PUBLISHED[name], literal=True)
    oracle = MujocoTree(PUBLISHED[name].read_text(encoding="utf-8"), robot.joint_names)
    dyn = ad.Dynamics(robot, "none")
    for q, qd in np.random.default_rng(7).uniform(-2, 2, (STATES, 2, robot.n)):
        H, bias = oracle.dynamics(q, qd)
        # gravity may leave every axis alone: the scale of torques is also that of an acceleration by one
        scale = max(np.abs(H).max(), np.abs(bias).max())
        assert np.abs(dyn.mass_matrix(q) - H).max() <= DIAGONALISED * np.abs(H).max()
        assert np.abs(dyn.bias(q, qd) - bias).max() <= DIAGONALISED * scale


def test_most_published_files_are_compared() -> None:
    assert len(COMPARED) >= 30
    for arm in (
        "ur_description/urdf/ur5_robot",
        "panda_description/urdf/panda",
        "kinova_description/robots/kinova",
    ):
        assert f"{arm}.urdf" in COMPARED


@pytest.mark.parametrize("name", sorted(UNPHYSICAL))
def test_what_is_left_out_mujoco_refuses(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # where MuJoCo leaves a log of its warnings
    with pytest.raises(ValueError, match="inertia"):
        mujoco.MjModel.from_xml_string(_weights_only(PUBLISHED[name].read_text(encoding="utf-8")))
