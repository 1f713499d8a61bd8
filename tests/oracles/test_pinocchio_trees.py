"""Random trees against Pinocchio on the full tree, projected by d theta/d q."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import armdyn as ad
from armdyn.mechanics.methods import METHODS, method
from armdyn.mechanics.tree import tree
from pinocchio_model import ProjectedTree
from random_robots import Features, robots, states

# Two independent recursions in double precision on up to 6 bodies and 12 rotors.
RELATIVE = 1e-10


def close(ours: np.ndarray, theirs: np.ndarray) -> None:
    assert ours == pytest.approx(theirs, rel=RELATIVE, abs=RELATIVE * max(1.0, float(np.abs(theirs).max())))


@given(robots(Features(drives=False)), st.integers(0, 10_000))
def test_links_agree_with_pinocchio(robot, seed):
    """Branches, prismatic and fixed joints, couplings, offsets, payload, tilted gravity, moving base."""
    oracle = ProjectedTree(robot, rotors=False)
    dyn = ad.Dynamics(robot, "none")
    for q, qd, qdd in np.swapaxes(states(robot, seed), 0, 1):
        close(dyn.inverse(q, qd, qdd), oracle.inverse(q, qd, qdd))
        close(dyn.mass_matrix(q), oracle.mass_matrix(q))


@given(robots(Features(bodies=4)).filter(lambda r: r.drives), st.integers(0, 10_000))
def test_exact_rotors_agree_with_explicit_rotor_joints(robot, seed):
    """Rotors and gear stages, linear and ball screw, riding on or counted in their carriers."""
    oracle = ProjectedTree(robot, rotors=True)
    dyn = ad.Dynamics(robot, "exact")
    for q, qd, qdd in np.swapaxes(states(robot, seed), 0, 1):
        close(dyn.inverse(q, qd, qdd), oracle.inverse(q, qd, qdd))
        close(dyn.mass_matrix(q), oracle.mass_matrix(q))


@given(robots(Features(bodies=4)).filter(lambda r: r.drives), st.integers(0, 10_000))
def test_every_formulation_agrees_with_pinocchio(robot, seed):
    """On the tree with its rotors as links, as written."""
    oracle, built = ProjectedTree(robot, rotors=True), tree(robot, "exact")
    q, qd, qdd = states(robot, seed, 1)[:, 0]
    tau, H = oracle.inverse(q, qd, qdd), oracle.mass_matrix(q)
    ill = float(np.linalg.cond(H))
    for name in METHODS:
        by = method(name)
        close(np.array(by.inverse(built, q.tolist(), qd.tolist(), qdd.tolist()).torque, float), tau)
        close(np.array(by.mass_matrix(built, q.tolist()), float), H)
        found = np.array(by.forward(built, q.tolist(), qd.tolist(), tau.tolist()), float)
        assert found == pytest.approx(qdd, abs=RELATIVE * max(1.0, ill))
