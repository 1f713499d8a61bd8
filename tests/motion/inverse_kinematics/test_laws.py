"""Laws of inverse kinematics on random arms of every structure with a closed form."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import armdyn as ad
from armdyn.motion.inverse_kinematics import InverseKinematics
from armdyn.motion.inverse_kinematics.turns import Turns
from motion.inverse_kinematics.sample_arms import KINDS, STRUCTURES, random_arm, wandering


@pytest.fixture(autouse=True)
def uncompiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each arm is used once: compiling it would take longer than evaluating it."""
    monkeypatch.setenv("ARMDYN_NATIVE", "0")


@given(st.sampled_from(STRUCTURES), st.integers(0, 2**32 - 1))
def test_any_arm_of_these_structures(structure: str, seed: int) -> None:
    robot = random_arm(structure, seed)
    dynamics = ad.Dynamics(robot, "none")
    q = np.random.default_rng(seed).uniform(-np.pi, np.pi, (5, 6))
    poses = dynamics.pose(q)
    solver = InverseKinematics(robot)
    branches = solver.branches(poses)
    assert solver.kind == KINDS[structure]
    assert np.nanmax(np.abs(dynamics.pose(branches) - poses[:, None])) < 1e-10
    assert Turns.of(robot).apart(branches, q[:, None]).min(axis=-1).max() < 1e-4


@given(st.sampled_from(STRUCTURES), st.integers(0, 2**32 - 1))
def test_motions_of_any_arm_are_continuous(structure: str, seed: int) -> None:
    """The motion found, or another one that meets it in a singularity: never a leap while poses are exact."""
    robot = random_arm(structure, seed)
    dynamics = ad.Dynamics(robot, "none")
    q = wandering(seed)
    poses = dynamics.pose(q)
    result = InverseKinematics(robot).follow(poses, q[0])
    assert np.isfinite(result.q[: result.lost]).all()
    assert np.isnan(result.q[len(q) if result.lost is None else result.lost :]).all()
    assert np.abs(dynamics.pose(result.q) - poses)[: result.lost].max(initial=0.0) < 1e-9
    if np.nanmin(result.singularity) > 1e-2:  # far from all singularities there is one motion
        np.testing.assert_allclose(result.q, q, atol=1e-6)
