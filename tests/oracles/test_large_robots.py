"""Chains of 60 joints and a tree of 40 bodies beside Pinocchio."""

import numpy as np
import pytest

import armdyn as ad
from armdyn.native import kernel
from armdyn.studies.growth import random_chain, random_tree
from pinocchio_model import ProjectedTree, pin

TORQUES = 1e-12
"""Relative to the largest torque: rounding of some ten thousand operations."""
ACCELERATIONS = 1e-9
"""Relative to the largest acceleration. Rounding grows with the condition of the mass matrix, 1e6 for 60
joints in a row: 2e-11 is measured."""
ROBOTS = [random_chain(60), random_tree(40)]


@pytest.fixture(params=ROBOTS, ids=lambda robot: robot.name)
def beside(request, monkeypatch):
    """The compiled robot, Pinocchio's, and some motion; compiled as tapes, which takes a moment only."""
    monkeypatch.setattr(kernel, "LONGEST", 0)
    robot = request.param
    motion = np.random.default_rng(0).uniform(-1, 1, (3, 3, robot.n))
    return ad.Dynamics(robot, "none"), ProjectedTree(robot, rotors=False), motion


def off(found: np.ndarray, expected: np.ndarray) -> float:
    return float(np.abs(found - expected).max() / np.abs(expected).max())


def test_torques_and_accelerations(beside):
    dyn, tree, (q, qd, qdd) = beside
    tau = np.array([tree.inverse(*state) for state in zip(q, qd, qdd, strict=True)])
    assert off(dyn.inverse(q, qd, qdd), tau) < TORQUES
    assert off(dyn.bias(q, qd) + np.einsum("kij,kj->ki", dyn.mass_matrix(q), qdd), tau) < TORQUES
    assert off(dyn.forward(q, qd, tau), qdd) < ACCELERATIONS


def test_the_mass_matrix_of_either_kind(beside, monkeypatch):
    """Forces handed inwards, and compared in base axes."""
    dyn, tree, (q, qd, qdd) = beside
    full_q, _, _, slope = tree.full_motion(q[0], qd[0], qdd[0])
    upper = np.triu(pin.crba(tree.model, tree.data, full_q))[6:, 6:]
    expected = slope.T @ (upper + np.triu(upper, 1).T) @ slope
    for deep in (0, 99):
        monkeypatch.setattr("armdyn.mechanics.composite_body.DEEP", deep)
        dyn = ad.Dynamics(dyn.robot, "none")
        monkeypatch.setenv("ARMDYN_NATIVE", "0")  # nothing that was compiled with the other
        assert off(dyn.mass_matrix(q[0]), expected) < TORQUES


@pytest.mark.slow
def test_derivatives_of_large_robots(beside):
    """By themselves as tapes: hundreds of thousands of operations."""
    dyn, tree, (q, qd, qdd) = beside
    tau = dyn.inverse(q, qd, qdd)
    full_q, full_v, full_a, order = tree.full_motion(q[0], qd[0], qdd[0])
    pin.computeRNEADerivatives(tree.model, tree.data, full_q, full_v, full_a)
    by_q, by_qd, H = dyn.inverse_derivatives(q[0], qd[0], qdd[0])
    assert off(by_q, order.T @ tree.data.dtau_dq[6:, 6:] @ order) < TORQUES
    assert off(by_qd, order.T @ tree.data.dtau_dv[6:, 6:] @ order) < TORQUES
    found = dyn.forward_derivatives(q[0], qd[0], tau[0])
    inverse = np.linalg.inv(H)
    for slope, expected in zip(found, (-inverse @ by_q, -inverse @ by_qd, inverse), strict=True):
        assert off(slope, expected) < 1e-7  # the condition number times what the torques are off
    assert off(dyn.coriolis_matrix(q[0], qd[0]) @ qd[0], dyn.bias(q, qd)[0] - dyn.gravity(q)[0]) < TORQUES
