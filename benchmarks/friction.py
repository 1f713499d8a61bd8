"""Accelerations under friction: in motion, where it is part of the kernel, and at rest, where it may hold.

MuJoCo is the one peer whose forward dynamics knows friction that holds: `frictionloss`, a soft constraint
at each joint. It stands beside armdyn on a UR5 with dry friction at its joints, with the hardest
constraints that it allows.
"""

import tempfile
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

import armdyn as ad
from armdyn.robot import Friction
from armdyn.studies.speed.timing import FULL, Call, take_turns

ROBOTS = ("puma560", "irb6", "lola15")
STATES = (1, 10_000)
DRY = 8.0
"""Friction at each joint of the UR5 [N m]."""


def run() -> list[dict[str, Any]]:
    """Rows of robot, state, states, ours_ns, peer, peer_ns and ratio, and how far the peer is from us."""
    rows = [row for name in ROBOTS for row in _ours(ad.Dynamics(ad.load(name)))]
    rubbing = _rubbing_ur5()
    rows += _ours(ad.Dynamics(rubbing, "none", friction=True))
    return rows + _beside_mujoco(rubbing)


def _ours(dyn: ad.Dynamics) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for count in STATES:
        for state, (q, qd, tau) in _states(dyn, count).items():
            out = np.empty_like(q)
            options = {} if count == 1 else {"out": out}
            call = Call("Dynamics.forward", dyn, "forward", (q, qd, tau), options)
            call.once()
            (times,) = take_turns([call], FULL)
            rows.append(_row(dyn, state, count, times.best / count))
    return rows


def _states(dyn: ad.Dynamics, count: int) -> dict[str, tuple[np.ndarray, ...]]:
    """Random states: all in motion, half of the joints at rest, all at rest near what holds them."""
    rng = np.random.default_rng(0)
    shape = (dyn.n,) if count == 1 else (count, dyn.n)
    q, qd, qdd, share = rng.uniform(-1, 1, (4, *shape))
    half = np.where(rng.random(shape) < 0.5, 0.0, qd)
    return {
        "in motion": (q, qd, dyn.inverse(q, qd, qdd)),
        "half at rest": (q, half, dyn.inverse(q, half, qdd) * (1 + 0.3 * share)),
        "at rest": (q, 0 * qd, dyn.gravity(q) * (1 + 0.5 * share)),
    }


def _rubbing_ur5() -> ad.Robot:
    arm = ad.load("ur5")
    bodies = [
        replace(body, joint=replace(body.joint, friction=Friction(coulomb=DRY)))
        if body.joint.independent
        else body
        for body in arm.bodies
    ]
    return replace(arm, name=f"ur5 with {DRY:g} N m", bodies=tuple(bodies))


def _beside_mujoco(robot: ad.Robot) -> list[dict[str, Any]]:
    try:
        mujoco: Any = import_module("mujoco")
    except ImportError:
        return []
    dyn = ad.Dynamics(robot, "none", friction=True)
    with tempfile.TemporaryDirectory() as folder:
        ad.save(robot, Path(folder) / "ur5.urdf")
        model = mujoco.MjModel.from_xml_path(str(Path(folder) / "ur5.urdf"))
    assert np.allclose(model.dof_frictionloss, DRY), "MuJoCo has not read the friction"
    model.opt.gravity[:] = robot.gravity
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_LIMIT | mujoco.mjtDisableBit.mjDSBL_CONTACT
    model.dof_solimp[:, :2] = 0.9999
    rows: list[dict[str, Any]] = []
    for state, (q, qd, tau) in _states(dyn, 1).items():
        data = mujoco.MjData(model)
        data.qpos[:], data.qvel[:], data.qfrc_applied[:] = q, qd, tau
        ours = Call("Dynamics.forward", dyn, "forward", (q, qd, tau))
        theirs = Call("mj_forward", mujoco, "mj_forward", (model, data))
        expected = ours.once()
        theirs.once()
        off = float(np.abs(data.qacc - expected).max())
        times = take_turns([ours, theirs], FULL)
        rows.append(_row(dyn, state, 1, times[0].best, "mujoco", times[1].best, off))
    return rows


def _row(
    dyn: ad.Dynamics,
    state: str,
    count: int,
    ours: float,
    peer: str | None = None,
    theirs: float | None = None,
    off: float | None = None,
) -> dict[str, Any]:
    return {
        "quantity": "forward",
        "robot": dyn.robot.name,
        "state": state,
        "states": count,
        "ours_ns": ours,
        "peer": peer,
        "peer_ns": theirs,
        "ratio": None if theirs is None else theirs / ours,
        "largest_difference": off,
    }
