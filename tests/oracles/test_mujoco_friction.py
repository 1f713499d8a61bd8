"""Friction that holds beside MuJoCo's `frictionloss`, read from a URDF of ours.

MuJoCo's friction is a soft constraint: even the hardest yields a little, and at low
speed takes only what would stop the joint within some hundredths of a second. At speed both are the same.
"""

from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import armdyn as ad
from armdyn.robot import Friction

mujoco: Any = import_module("mujoco")  # its type information knows none of its names

SOFT = 4e-3
"""Relative to the accelerations without friction: what MuJoCo's hardest constraints yield, 2e-3, twice."""
EXACT = 1e-9
DRY = np.array([10.0, 20.0, 8.0, 0.2, 0.1, 0.01])
"""Coulomb friction of the joints [N m]."""


@pytest.fixture(scope="module")
def arm() -> ad.Robot:
    ur5, friction = ad.load("ur5"), iter(DRY.tolist())
    bodies = tuple(
        replace(body, joint=replace(body.joint, friction=Friction(coulomb=next(friction))))
        if body.joint.independent
        else body
        for body in ur5.bodies
    )
    return replace(ur5, bodies=bodies)


@pytest.fixture(scope="module")
def model(arm: ad.Robot, tmp_path_factory: pytest.TempPathFactory) -> Any:
    file: Path = tmp_path_factory.mktemp("mujoco") / "ur5.urdf"
    ad.save(arm, file)
    made = mujoco.MjModel.from_xml_path(str(file))
    assert np.array_equal(made.dof_frictionloss, DRY)
    made.opt.gravity[:] = arm.gravity
    made.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_LIMIT | mujoco.mjtDisableBit.mjDSBL_CONTACT
    made.dof_solimp[:, :2] = 0.9999
    made.opt.tolerance, made.opt.iterations = 1e-15, 1000
    return made


def accelerations(model: Any, q: Any, qd: Any, tau: Any) -> tuple[np.ndarray, np.ndarray]:
    """qdd, and what friction takes."""
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:], data.qfrc_applied[:] = q, qd, tau
    mujoco.mj_forward(model, data)
    return data.qacc.copy(), -data.qfrc_constraint


def fast(rng: np.random.Generator, *shape: int) -> np.ndarray:
    """Velocities at which MuJoCo's friction is all there."""
    return rng.uniform(3, 5, shape) * rng.choice([-1.0, 1.0], shape)


def test_in_motion_both_are_the_same(arm: ad.Robot, model: Any) -> None:
    dyn, rng = ad.Dynamics(arm, "none", friction=True), np.random.default_rng(1)
    q, qd = rng.uniform(-1, 1, (30, 6)), fast(rng, 30, 6)
    tau = dyn.inverse(q, qd, rng.uniform(-5, 5, (30, 6)))
    for state in zip(q, qd, tau, strict=True):
        qdd, taken = accelerations(model, *state)
        found = dyn.sticking(*state)
        assert np.abs(found.acceleration - qdd).max() <= EXACT * np.abs(qdd).max()
        assert np.abs(found.friction - taken).max() <= EXACT * DRY.max()


@pytest.mark.parametrize("resting", [1.0, 0.5], ids=["at rest", "half at rest"])
def test_at_rest_it_holds_what_we_hold(arm: ad.Robot, model: Any, resting: float) -> None:
    dyn, smooth = ad.Dynamics(arm, "none", friction=True), ad.Dynamics(arm, "none", friction=False)
    rng = np.random.default_rng(2)
    held = loose = 0
    for _ in range(100):
        q, qd = rng.uniform(-1, 1, 6), fast(rng, 6) * (rng.random(6) >= resting)
        tau = smooth.bias(q, qd) + DRY * rng.uniform(-2, 2, 6)
        found, (qdd, taken) = dyn.sticking(q, qd, tau), accelerations(model, q, qd, tau)
        allowed = SOFT * (1 + np.abs(smooth.forward(q, qd, tau)).max())
        assert np.abs(found.acceleration - qdd).max() <= allowed
        assert np.abs(found.friction - taken).max() <= 2 * SOFT * DRY.max()
        held += np.count_nonzero(found.sticks)
        loose += np.count_nonzero(~found.sticks & (qd == 0))
    assert held > 50
    assert loose > 50
