"""From joints to q: virtual work with dense Jacobians in NumPy, and what touches a link."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armdyn.formats import load
from armdyn.mechanics.frames import jacobian
from armdyn.mechanics.joint_space import (
    contact_torques,
    contact_wrench,
    generalized_loads,
    generalized_mass,
    generalized_velocity,
    on_link,
    with_contact,
)
from armdyn.mechanics.loads import Contact
from armdyn.mechanics.placed import placed
from armdyn.mechanics.spins import spin_state
from armdyn.mechanics.tree import tree
from armdyn.mechanics.tree.coordinates import curvature_of
from armdyn.mechanics.tree.links import Tree
from armdyn.robot import Robot
from armdyn.scalars import Tally
from armdyn.spatial import Transform, Wrench
from random_robots import robots, states

# Sums of some ten products.
RELATIVE = 1e-11

MODELS = st.sampled_from(["exact", "augmented", "coupled", "reflected", "none"])
SEEDS = st.integers(0, 10_000)
WRENCH = Wrench((30.0, -20.0, 10.0), (-4.0, 5.0, 6.0))


def built(robot: Robot, motors: Any) -> Tree:
    return tree(robot, motors if robot.drives else "none")


def close(ours: Any, reference: Any) -> None:
    ours, reference = np.array(ours, float), np.array(reference, float)
    scale = max(1.0, float(np.abs(reference).max(initial=0.0)))
    assert ours == pytest.approx(reference, rel=RELATIVE, abs=RELATIVE * scale)


def slopes(of: Tree, q: list[float]) -> np.ndarray:
    """d theta/d q of all links, dense."""
    G = np.zeros((len(of.links), of.n))
    for row, here in zip(G, placed(of, q), strict=True):
        for j, slope in here.coordinate.gradient:
            row[j] = slope
    return G


def bends(of: Tree, q: list[float]) -> np.ndarray:
    """d2 theta/d q_j d q_k of all links, dense."""
    B = np.zeros((len(of.links), of.n, of.n))
    for a, link in enumerate(of.links):
        for j, k, bend in curvature_of(link.coordinate, q):
            B[a, j, k] = bend
    return B


def spinning(of: Tree, q: list[float]) -> list[tuple[float, np.ndarray, np.ndarray]]:
    """(I, theta', theta'') of every spin, as far as its rule counts them."""
    found = []
    for spin in of.spins:
        g, b = np.zeros(of.n), np.zeros((of.n, of.n))
        for j, slope in spin_state(spin, q).gradient:
            g[j] = slope
        if spin.own is None:
            for j, k, bend in curvature_of(spin.coordinate, q):
                b[j, k] = bend
        found.append((spin.inertia, g, b))
    return found


@given(robots(), MODELS, SEEDS)
def test_torques_do_the_work_of_those_along_the_joints(robot, motors, seed):
    """tau = G^T tau_theta of what the joints carry, the rest the drives': rotors and spins."""
    of, (q, qd, qdd) = built(robot, motors), states(robot, seed, 1)[:, 0].tolist()
    along = np.random.default_rng(seed).uniform(-1, 1, len(of.links))
    loads = generalized_loads(of, placed(of, q), along.tolist(), q, qd, qdd)
    G, driven = slopes(of, q), np.array([link.driven for link in of.links])
    spun = sum((inertia * g * (g @ qdd + qd @ b @ qd) for inertia, g, b in spinning(of, q)), np.zeros(of.n))
    close(loads.joint, G.T @ np.where(driven, along, 0))
    close(loads.drive, G.T @ np.where(driven, 0, along) + spun)
    close(loads.torque, G.T @ along + spun)


@given(robots(), MODELS, SEEDS)
def test_mass_matrix_has_the_energy_of_that_over_the_joints(robot, motors, seed):
    """H = G^T A G and I theta' theta'^T of the spins; of A the lower triangle is read."""
    of, q = built(robot, motors), states(robot, seed, 1)[0, 0].tolist()
    root = np.random.default_rng(seed).uniform(-1, 1, (len(of.links),) * 2)
    A, G = root @ root.T, slopes(of, q)
    spun = sum((inertia * np.outer(g, g) for inertia, g, _ in spinning(of, q)), np.zeros((of.n, of.n)))
    for given_ in (A, np.tril(A)):
        close(generalized_mass(of, placed(of, q), given_.tolist(), q), G.T @ A @ G + spun)


@given(robots(), MODELS, SEEDS)
def test_velocity_coefficients_in_q(robot, motors, seed):
    """D_ijk = G_ai (h_abc G_bj G_ck + A_ab B_bjk) and I theta'_i theta''_jk of the spins."""
    of, q = built(robot, motors), states(robot, seed, 1)[0, 0].tolist()
    rng, links = np.random.default_rng(seed), range(len(of.links))
    A, h = (rng.uniform(-1, 1, (len(links),) * axes) for axes in (2, 3))
    missing = rng.random(h.shape) < 0.5  # zeros of the structure
    coefficients = [[[0 if missing[a, b, c] else h[a, b, c] for c in links] for b in links] for a in links]
    found = generalized_velocity(of, placed(of, q), A.tolist(), coefficients, q)
    G, B = slopes(of, q), bends(of, q)
    bent = np.einsum("ai,ab,bjk->ijk", G, A, B)
    expected = np.einsum("ai,abc,bj,ck->ijk", G, np.where(missing, 0, h), G, G) + bent
    for inertia, g, b in spinning(of, q):
        expected += inertia * g[:, None, None] * b
    close(found, expected)


def test_zeros_of_the_structure_cost_nothing():
    """A joint that is its own coordinate has the slope 1, and absent coefficients are not summed."""
    tally, chain = Tally(), tree(load("planar3"), "none")
    q = [tally.number(0.1)] * chain.n
    links = placed(chain.with_numbers(tally.number), q)
    before = Tally(**vars(tally))
    A = [[tally.number(1.0) for _ in range(3)] for _ in range(3)]
    generalized_mass(chain, links, A, q)
    generalized_velocity(chain, links, A, [[[0] * 3] * 3] * 3, q)
    assert tally == before


# Contacts -------------------------------------------------------------------------------------


@given(robots(), SEEDS)
def test_contact_torques_are_those_of_the_jacobian(robot, seed):
    """J^T h, by way of the joints of all links."""
    of, q = built(robot, "none"), states(robot, seed, 1)[0, 0].tolist()
    links, contact = placed(of, q), Contact(WRENCH, of.tool)
    J = np.array(jacobian(of, q, of.tool), float)
    along = contact_torques(of, links, contact)
    close(slopes(of, q).T @ np.array(along, float), J.T @ [*WRENCH.force, *WRENCH.moment])
    assert all(along[i] == 0 for i in range(len(links)) if i not in set(of.path(of.tool[0])))


@given(robots(), SEEDS)
def test_a_contact_is_added_to_its_link(robot, seed):
    """As a wrench at the link's origin, which does along its joint what the Jacobian says."""
    of, q = tree(robot, "none", lump=False), states(robot, seed, 1)[0, 0].tolist()
    links, contact = placed(of, q), Contact(WRENCH, of.tool)
    added = with_contact(links, [Wrench()] * len(links), contact)
    touched = of.tool[0]
    assert added[touched] == contact_wrench(links, contact)
    assert all(wrench == Wrench() for i, wrench in enumerate(added) if i != touched)
    close(links[touched].along_joint(added[touched]), contact_torques(of, links, contact)[touched])


def test_a_contact_of_the_base_is_felt_by_nobody():
    of = tree(load("planar3"), "none")
    links, ground = placed(of, [0.1, 0.2, 0.3]), Contact(WRENCH, (-1, Transform()))
    wrenches = [WRENCH] * len(links)
    for contact in (ground, None):
        assert on_link(contact) is None
        assert with_contact(links, wrenches, contact) == wrenches
        assert contact_torques(of, links, contact) == [0, 0, 0]
