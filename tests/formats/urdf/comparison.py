"""Dynamics of a robot read from a URDF, and Pinocchio's on the same text."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from importlib import import_module
from typing import Any

import numpy as np

from armdyn.mechanics.composite_body import mass_matrix
from armdyn.mechanics.newton_euler import inverse_dynamics
from armdyn.mechanics.tree import tree
from armdyn.robot import Robot

pin: Any = import_module("pinocchio")  # its type information knows none of its names

SAME_NUMBERS = 1e-12
"""Relative: both tools compute from the same numbers, rounding alone tells them apart."""
RIGHT_ANGLES = 1e-9
"""Relative: the reader moves entries of rotations by up to 1e-9."""


def dynamics(robot: Robot, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> dict[str, np.ndarray]:
    """armdyn's side, without drives."""
    model = tree(robot, "none")
    state = [x.tolist() for x in (q, qd, qdd)]
    H = np.array(mass_matrix(model, state[0]), float)
    return {
        "torque": np.array(inverse_dynamics(model, *state).torque, float),
        "gravity": np.array(inverse_dynamics(model, state[0], None, None).torque, float),
        "bias": np.array(inverse_dynamics(model, state[0], state[1], None).torque, float),
        "mass matrix": H,
        "kinetic energy": np.array([0.5 * qd @ H @ qd]),
    }


def assert_same(ours: dict[str, np.ndarray], theirs: dict[str, np.ndarray], tolerance: float) -> None:
    # gravity may leave an axis alone and its torque be rounding: the scale of torques is that of the
    # largest, or of an acceleration by one
    torques = [name for name in theirs if name in ("torque", "gravity", "bias")]
    scale = max(np.abs(theirs[name]).max() for name in (*torques, "mass matrix"))
    for name, expected in theirs.items():
        size = scale if name in torques else np.abs(expected).max()
        error = np.abs(ours[name] - expected).max() / size
        assert error <= tolerance, f"{name}: relative error {error:.1e}"


class PinocchioTree:
    """Pinocchio's model of a URDF with every joint free, projected onto q by theta = K q + offset."""

    def __init__(self, text: str, joint_names: tuple[str, ...]) -> None:
        self.model = pin.buildModelFromXML(text)
        self.data = self.model.createData()
        mimics = {j.get("name"): j.find("mimic") for j in ET.fromstring(text).findall("joint")}
        self.K = np.zeros((self.model.nv, len(joint_names)))
        self.offset = np.zeros(self.model.nv)
        for name, joint in zip(self.model.names[1:], self.model.joints[1:], strict=True):
            factor, leader = 1.0, name
            while (mimic := mimics[leader]) is not None:
                self.offset[joint.idx_v] += factor * float(mimic.get("offset", 0))
                factor *= float(mimic.get("multiplier", 1))
                leader = mimic.get("joint", "")
            self.K[joint.idx_v, joint_names.index(leader)] = factor

    def configuration(self, q: np.ndarray) -> np.ndarray:
        """Every joint's coordinates, as Pinocchio takes them."""
        theta, found = self.K @ q + self.offset, pin.neutral(self.model)
        for joint in self.model.joints[1:]:
            x = theta[joint.idx_v]
            if joint.nq == 2:  # a continuous joint is a point on the circle
                found[joint.idx_q : joint.idx_q + 2] = math.cos(x), math.sin(x)
            else:
                found[joint.idx_q] = x
        return found

    def dynamics(self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> dict[str, np.ndarray]:
        model, data, K = self.model, self.data, self.K
        configuration, v, a = self.configuration(q), K @ qd, K @ qdd
        upper = pin.crba(model, data, configuration)
        H = K.T @ (np.triu(upper) + np.triu(upper, 1).T) @ K
        return {
            "torque": K.T @ pin.rnea(model, data, configuration, v, a),
            "gravity": K.T @ pin.computeGeneralizedGravity(model, data, configuration),
            "bias": K.T @ pin.nonLinearEffects(model, data, configuration, v),
            "mass matrix": H,
            "kinetic energy": np.array([pin.computeKineticEnergy(model, data, configuration, v)]),
        }


def random_state(n: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).uniform(-2, 2, (3, n))
