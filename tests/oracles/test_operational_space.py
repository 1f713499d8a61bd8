"""Dynamics of a task: [Siciliano2009] (7.130)-(7.138) written out in NumPy over what Pinocchio gives."""

import importlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from armdyn.dynamics import Dynamics
from armdyn.formats import load
from armdyn.formats.urdf import write_urdf

pin: Any = importlib.import_module("pinocchio")

AGREEMENT = 1e-9
"""Relative to the largest element: inverses of matrices whose condition is 1e4 or less here."""
REGULAR = 0.02
"""Least singular value of the states that are compared."""


class Plain:
    """H, C qd, g, J, Jdot qd of one state by Pinocchio, of the arm without motors."""

    def __init__(self, name: str, folder: Path) -> None:
        robot = load(name)
        path = folder / f"{name}.urdf"
        path.write_text(write_urdf(robot, rotors=False)[0])
        self.model = pin.buildModelFromUrdf(str(path))
        self.model.gravity.linear = np.array(robot.gravity, float)
        link = self.model.frames[self.model.getFrameId(robot.bodies[-1].name)]
        # the file puts links at their joints: where the tool sits on the last one is read off at one state
        data, q = self.model.createData(), np.full(robot.n, 0.1)
        pin.framesForwardKinematics(self.model, data, q)
        T = Dynamics(robot, "none").pose(q)
        T_joint_tool = data.oMi[link.parentJoint].actInv(pin.SE3(T[:3, :3], T[:3, 3]))
        tool = pin.Frame("task", link.parentJoint, 0, T_joint_tool, pin.FrameType.OP_FRAME)
        self.frame = self.model.addFrame(tool)
        self.data = self.model.createData()

    def at(self, q: np.ndarray, qd: np.ndarray) -> dict[str, np.ndarray]:
        model, data, axes = self.model, self.data, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
        H = pin.crba(model, data, q).copy()
        H = np.triu(H) + np.triu(H, 1).T
        g = pin.computeGeneralizedGravity(model, data, q).copy()
        h = pin.nonLinearEffects(model, data, q, qd).copy() - g
        C = pin.computeCoriolisMatrix(model, data, q, qd).copy()
        pin.forwardKinematics(model, data, q, qd, np.zeros_like(q))
        pin.updateFramePlacements(model, data)
        J = pin.computeFrameJacobian(model, data, q, self.frame, axes).copy()
        pin.computeJointJacobiansTimeVariation(model, data, q, qd)
        Jdot = pin.getFrameJacobianTimeVariation(model, data, self.frame, axes).copy()
        R = data.oMf[self.frame].rotation.copy()
        return {"H": H, "C": C, "h": h, "g": g, "J": J, "Jdot": Jdot, "R": R}


def written_out(x: dict[str, np.ndarray], J: np.ndarray, Jdot: np.ndarray, qd: np.ndarray) -> dict[str, Any]:
    """The equations as the book prints them."""
    Hinv = np.linalg.inv(x["H"])
    B = np.linalg.inv(J @ Hinv @ J.T)
    return {
        "inertia": B,
        "coriolis": B @ J @ Hinv @ x["h"] - B @ Jdot @ qd,
        "gravity": B @ J @ Hinv @ x["g"],
        "inverse": Hinv @ J.T @ B,
        "jacobian": J,
        "drift": Jdot @ qd,
        "velocity": J @ qd,
    }


def analytical(x: dict[str, np.ndarray], qd: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """J_A and its change for yaw, pitch and roll, by Pinocchio's Jacobians of these angles."""
    rpy = pin.rpy.matrixToRpy(x["R"])
    T = pin.rpy.computeRpyJacobian(rpy, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED)
    omega = x["J"][3:] @ qd
    rates = np.linalg.solve(T, omega)
    Tdot = pin.rpy.computeRpyJacobianTimeDerivative(rpy, rates, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED)
    Tinv = np.linalg.inv(T)
    turned, change = Tinv @ x["J"][3:], Tinv @ x["Jdot"][3:] - Tinv @ Tdot @ Tinv @ x["J"][3:]
    return np.vstack([x["J"][:3], turned[::-1]]), np.vstack([x["Jdot"][:3], change[::-1]])


CASES = [("ur5", "pose"), ("panda", "pose"), ("panda", "position"), ("planar3", "x,y"), ("planar2", "x,y")]
ROWS = {"pose": range(6), "position": range(3), "x,y": range(2)}


@pytest.mark.parametrize(("name", "task"), CASES)
@pytest.mark.parametrize("angles", [None, "zyx"])
def test_equal_to_a_plain_pinocchio_computation(name: str, task: str, angles: Any, tmp_path: Path) -> None:
    plain, dyn = Plain(name, tmp_path), Dynamics(load(name), "none")
    q, qd = np.random.default_rng(7).uniform(-1.5, 1.5, (2, 60, dyn.n))
    found = dyn.operational_space(q, qd, task=task, angles=angles)
    rows = list(ROWS[task])
    compared = 0
    for k in range(len(q)):
        if found.directions.values[k, -1] < REGULAR:
            continue
        x = plain.at(q[k], qd[k])
        J, Jdot = (x["J"], x["Jdot"]) if angles is None else analytical(x, qd[k])
        expected = written_out(x, J[rows], Jdot[rows], qd[k])
        for part, value in expected.items():
            ours = getattr(found, part)[k]
            assert np.abs(ours - value).max() <= AGREEMENT * max(1.0, np.abs(value).max()), part
        B, C = expected["inertia"], x["C"]
        C_A = (expected["inverse"].T @ C - B @ Jdot[rows]) @ expected["inverse"]
        assert np.abs(found.coriolis_matrix[k] - C_A).max() <= AGREEMENT * max(1.0, np.abs(C_A).max())
        compared += 1
    assert compared >= 30
