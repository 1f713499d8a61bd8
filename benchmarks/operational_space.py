"""The dynamics of a task beside Pinocchio: its functions for H, J, Jdot qd and the bias, NumPy for the rest.

Both give B_A, C_A xd, g_A and Jbar of the tool's pose (Siciliano2009 7.130-7.138); Pinocchio's functions take
one state at a time, and are called in a loop.
"""

import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

import armdyn as ad
from armdyn.studies.speed.timing import FULL, Call, take_turns

ROBOTS = ("ur5", "panda")
STATES = (1, 1000)
LOOPED = 20
"""States of Pinocchio's loop that are timed."""


def run() -> list[dict[str, Any]]:
    """Rows of quantity, robot, states, ours_ns, peer, peer_ns, ratio and largest_difference."""
    try:
        pin: Any = import_module("pinocchio")
    except ImportError:
        return []
    return [_row(pin, name, count) for name in ROBOTS for count in STATES]


class Plain:
    """The same by Pinocchio and NumPy."""

    def __init__(self, pin: Any, dyn: ad.Dynamics) -> None:
        """Read the robot as URDF, with its tool."""
        robot, self.pin = dyn.robot, pin
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "robot.urdf"
            ad.save(robot, path)
            self.model = pin.buildModelFromUrdf(str(path))
        self.model.gravity.linear = np.array(robot.gravity, float)
        last = self.model.frames[self.model.getFrameId(robot.bodies[-1].name)].parentJoint
        data, q = self.model.createData(), np.full(dyn.n, 0.1)
        pin.forwardKinematics(self.model, data, q)
        T = dyn.pose(q)
        place = data.oMi[last].actInv(pin.SE3(T[:3, :3], T[:3, 3]))
        self.frame = self.model.addFrame(pin.Frame("task", last, 0, place, pin.FrameType.OP_FRAME))
        self.data = self.model.createData()

    def one(self, q: np.ndarray, qd: np.ndarray) -> tuple[np.ndarray, ...]:
        """B_A, C_A xd, g_A, Jbar."""
        pin, model, data = self.pin, self.model, self.data
        axes = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
        H = pin.crba(model, data, q)
        H = np.triu(H) + np.triu(H, 1).T
        g = pin.computeGeneralizedGravity(model, data, q).copy()
        h = pin.nonLinearEffects(model, data, q, qd) - g
        pin.forwardKinematics(model, data, q, qd, np.zeros_like(q))
        J = pin.computeFrameJacobian(model, data, q, self.frame, axes)
        drift = pin.getFrameClassicalAcceleration(model, data, self.frame, axes).vector
        freed = np.linalg.solve(H, J.T)
        B = np.linalg.inv(J @ freed)
        Jbar = freed @ B
        return B, Jbar.T @ h - B @ drift, Jbar.T @ g, Jbar

    def many(self, q: np.ndarray, qd: np.ndarray) -> list[tuple[np.ndarray, ...]]:
        """One state after another."""
        return [self.one(a, b) for a, b in zip(q, qd, strict=True)]


def _row(pin: Any, name: str, count: int) -> dict[str, Any]:
    dyn = ad.Dynamics(ad.load(name), "none", friction=False)
    plain = Plain(pin, dyn)
    q, qd = np.random.default_rng(0).uniform(0.3, 1.2, (2, count, dyn.n))
    found, theirs = dyn.operational_space(q, qd), plain.many(q[:LOOPED], qd[:LOOPED])
    ours_parts = (found.inertia, found.coriolis, found.gravity, found.inverse)
    off = max(
        float(np.abs(part[k] - other).max() / np.abs(other).max())
        for k, each in enumerate(theirs)
        for part, other in zip(ours_parts, each, strict=True)
    )
    arrays = (q[0], qd[0]) if count == 1 else (q, qd)
    ours = Call("Dynamics.operational_space", dyn, "operational_space", arrays)
    looped = min(count, LOOPED)
    peer = Call("pinocchio and NumPy", plain, "many", (q[:looped], qd[:looped]))
    times = take_turns([ours, peer], FULL)
    ours_ns, peer_ns = times[0].best / count, times[1].best / looped
    return {
        "quantity": "operational_space",
        "robot": name,
        "states": count,
        "ours_ns": ours_ns,
        "peer": "pinocchio and NumPy",
        "peer_ns": peer_ns,
        "ratio": peer_ns / ours_ns,
        "largest_difference": off,
    }
