"""Articulated inertias beside 6x6 matrices in NumPy."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armdyn.mechanics.articulated.inertia import ArticulatedInertia
from armdyn.mechanics.placed import Placed, placed
from armdyn.mechanics.tree import tree
from armdyn.mechanics.tree.reduction import for_inertia
from armdyn.spatial import Acceleration, Moments, Wrench
from armdyn.spatial.vector import matrix, vector
from random_robots import Features, robots, states

# Sums of some twenty products of numbers of order one.
RELATIVE = 1e-12

ARMS = Features(drives=False, moving_base=False)
SEEDS = st.integers(0, 10_000)


def close(ours: Any, reference: Any) -> None:
    ours, reference = np.array(ours, float), np.array(reference, float)
    scale = max(1.0, float(np.abs(reference).max()))
    assert ours == pytest.approx(reference, rel=RELATIVE, abs=RELATIVE * scale)


def skew(p: Any) -> np.ndarray:
    x, y, z = np.array(p, float)
    return np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])


def whole(inertia: ArticulatedInertia) -> np.ndarray:
    """[[linear, mixed^T], [mixed, angular]]: a wrench from an acceleration."""
    linear, mixed, angular = (np.array(m, float) for m in (inertia.linear, inertia.mixed, inertia.angular))
    return np.block([[linear, mixed.T], [mixed, angular]])


def motion_to_link(here: Placed) -> np.ndarray:
    """The 6x6 matrix X: an acceleration of the parent, as the link feels it."""
    R = np.array(here.in_parent().rotation, float)
    p = skew(here.position)
    return np.block([[R.T, -R.T @ p], [np.zeros((3, 3)), R.T]])


def random_links(robot: Any, seed: int) -> list[Placed]:
    """Also links whose axes stay, and whose parents' do."""
    q, of = states(robot, seed, 1)[0, 0].tolist(), tree(robot, "none")
    return [*placed(of, q), *placed(for_inertia(of, closed=False), q)]


def random_inertia(rng: np.random.Generator) -> ArticulatedInertia:
    """Positive definite, with a mixed part that is not skew."""
    root = rng.uniform(-1, 1, (6, 6))
    A = (root @ root.T).tolist()
    linear, angular = matrix(row[:3] for row in A[:3]), matrix(row[3:] for row in A[3:])
    return ArticulatedInertia(linear, matrix(row[:3] for row in A[3:]), angular)


def test_of_a_rigid_body():
    """F = m a + alpha x h, N = h x a + I alpha."""
    body = Moments(2.0, (0.1, 0.2, -0.3), ((0.5, 0.1, 0.0), (0.1, 0.6, 0.2), (0.0, 0.2, 0.7)))
    h = skew(body.first)
    expected = np.block([[2.0 * np.eye(3), -h], [h, np.array(body.tensor, float)]])
    close(whole(ArticulatedInertia.of(body)), expected)


@given(robots(ARMS), SEEDS)
def test_in_the_parent(robot, seed):
    """X^T A X: the same power for the same motion."""
    inertia = random_inertia(np.random.default_rng(seed))
    for here in random_links(robot, seed):
        X = motion_to_link(here)
        close(whole(inertia.in_parent(here)), X.T @ whole(inertia) @ X)


@given(robots(ARMS), SEEDS)
def test_what_links_carry_to_and_from_their_parents(robot, seed):
    """Accelerations by X, wrenches by X^T, matrices by R m R^T."""
    rng = np.random.default_rng(seed)
    a, b = (vector(rng.uniform(-1, 1, 3).tolist()) for _ in range(2))
    m = matrix(rng.uniform(-1, 1, (3, 3)).tolist())
    for here in random_links(robot, seed):
        X, R = motion_to_link(here), np.array(here.in_parent().rotation, float)
        carried, wrench = here.carried(Acceleration(a, b)), here.wrench_to_parent(Wrench(a, b))
        close([*carried.linear, *carried.angular], X @ [*a, *b])
        close([*wrench.force, *wrench.moment], X.T @ [*a, *b])
        close(here.matrix_to_parent(m), R @ np.array(m, float) @ R.T)
        symmetric = np.array(m, float) + np.array(m, float).T
        close(here.symmetric_to_parent(matrix(symmetric.tolist())), R @ symmetric @ R.T)


@pytest.mark.parametrize(("kind", "z"), [("revolute", 5), ("prismatic", 2)])
def test_columns_of_a_joint(kind, z):
    """A z; struck out with its row, or a share of it taken off."""
    inertia = random_inertia(np.random.default_rng(7))
    A, unit = whole(inertia), inertia.of_joint(kind)
    close([*unit.force, *unit.moment], A[:, z])
    struck = A.copy()
    struck[z], struck[:, z] = 0, 0
    close(whole(inertia.struck(kind)), struck)
    share = Wrench(vector(x / A[z, z] for x in unit.force), vector(x / A[z, z] for x in unit.moment))
    close(whole(inertia.less(share, unit)), A - np.outer(A[:, z], A[:, z]) / A[z, z])
    assert inertia.of_joint("fixed") == Wrench()
