"""Homogeneous matrices and their derivatives, beside differences."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from armdyn.mechanics.kinematics import poses
from armdyn.mechanics.lagrangian.link_jets import base_jets, jet_between, joint_jets
from armdyn.mechanics.lagrangian.matrix_jet import Jet, inverse
from armdyn.mechanics.placed import placed
from armdyn.mechanics.tree import tree
from armdyn.spatial.homogeneous import NOTHING, multiplied, trace, transposed
from random_robots import Features, robots, states

STEP = 1e-5
DIFFERENCES = 1e-6
"""Central differences: STEP^2, and rounding over STEP."""
ROUNDING = 1e-12
STANDING = Features(moving_base=False)
seeds = st.integers(0, 10_000)


def array(m: Any) -> np.ndarray:
    return np.array(m, dtype=float)


def differences(jets: Any, q: list[float], pick: Any, j: int) -> np.ndarray:
    """d pick/d q_j by central differences."""
    high, low = ([x + s * STEP * (i == j) for i, x in enumerate(q)] for s in (1, -1))
    return (array(pick(jets(high))) - array(pick(jets(low)))) / (2 * STEP)


def check_derivatives(jets: Any, q: list[float]) -> None:
    """First derivatives of the value, second ones of the first."""
    here: Jet = jets(q)
    for j in range(len(q)):
        slope = differences(jets, q, lambda jet: jet.value, j)
        np.testing.assert_allclose(array(here.d(j)), slope, atol=DIFFERENCES * max(1, np.abs(slope).max()))
        for k in range(len(q)):
            bend = differences(jets, q, lambda jet, k=k: jet.d(k), j)
            size = max(1.0, float(np.abs(bend).max()))
            np.testing.assert_allclose(array(here.dd(j, k)), bend, atol=DIFFERENCES * size)


@given(robots(Features(bodies=4, moving_base=False)), seeds)
def test_derivatives_of_a_links_matrix_are_differences_of_it(robot, seed):
    built = tree(robot, "exact" if robot.drives else "none")
    last = len(built.links) - 1
    q = states(robot, seed, 1)[0, 0].tolist()
    check_derivatives(lambda x: base_jets(built, joint_jets(built, x))[last], q)


@given(robots(Features(bodies=4, moving_base=False)), seeds)
def test_derivatives_between_links_are_differences(robot, seed):
    built = tree(robot, "exact" if robot.drives else "none")
    q = states(robot, seed, 1)[0, 0].tolist()
    check_derivatives(lambda x: jet_between(built, joint_jets(built, x), 0, len(built.links) - 1), q)


@given(robots(STANDING), seeds)
def test_matrices_are_the_poses_of_the_links(robot, seed):
    built = tree(robot, "exact" if robot.drives else "none")
    q = states(robot, seed, 1)[0, 0].tolist()
    joints = joint_jets(built, q)
    T = base_jets(built, joints)
    for i, pose in enumerate(poses(placed(built, q))):
        np.testing.assert_allclose(array(T[i].value)[:3, :3], array(pose.rotation), atol=ROUNDING)
        np.testing.assert_allclose(array(T[i].value)[:3, 3], array(pose.translation), atol=ROUNDING)
        seen = array(jet_between(built, joints, -1, i).value)
        np.testing.assert_allclose(seen, array(T[i].value), atol=ROUNDING)
        back = array(jet_between(built, joints, i, -1).value)
        np.testing.assert_allclose(back @ seen, np.eye(4), atol=ROUNDING)


@given(robots(STANDING), seeds)
def test_a_matrix_times_its_inverse_does_not_change(robot, seed):
    built = tree(robot, "none")
    q = states(robot, seed, 1)[0, 0].tolist()
    T = base_jets(built, joint_jets(built, q))[-1]
    unit = T @ inverse(T)
    np.testing.assert_allclose(array(unit.value), np.eye(4), atol=ROUNDING)
    for m in (*unit.first.values(), *unit.second.values()):
        np.testing.assert_allclose(array(m), 0, atol=1e-8)  # screws of random trees change fast


def test_what_a_matrix_does_not_depend_on_has_no_derivative() -> None:
    jet = Jet(((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)), {}, {})
    assert jet.d(3) is jet.dd(1, 2) is jet.rate([1.0, 2.0]) is NOTHING


def test_products_and_traces() -> None:
    rng = np.random.default_rng(1)
    a, b = rng.normal(size=(2, 4, 4))
    x, y = (tuple(tuple(row) for row in m.tolist()) for m in (a, b))
    np.testing.assert_allclose(array(multiplied(x, y)), a @ b)  # pyright: ignore[reportArgumentType]
    np.testing.assert_allclose(array(transposed(x)), a.T)  # pyright: ignore[reportArgumentType]
    np.testing.assert_allclose(trace(x, y), np.trace(a @ b.T))  # pyright: ignore[reportArgumentType]
