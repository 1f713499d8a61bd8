"""Choices of C from the Christoffel symbols, which come from Newton-Euler's torques on the graph."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import armdyn as ad
from armdyn.mechanics import composite_body, newton_euler
from armdyn.mechanics.tree import tree
from armdyn.mechanics.tree.links import Tree
from armdyn.mechanics.velocity_matrix import (
    christoffel_matrix,
    gamma,
    lagrange_matrix,
    mass_rate,
    mass_slopes,
    power_matrix,
    velocity_products,
)
from armdyn.robot import Robot
from armdyn.scalars import Graph, program
from armdyn.scalars.batch import run_batch
from armdyn.scalars.derivatives import jacobian
from armdyn.spatial.vector import ZERO
from random_robots import EVERYTHING, robots, states

# Both sides are sums of some hundred products in double precision.
RELATIVE = 1e-10

seeds = st.integers(0, 10_000)
choices = pytest.mark.parametrize("choice", [christoffel_matrix, lagrange_matrix])


@st.composite
def conservative(draw: st.DrawFn) -> tuple[Robot, Tree]:
    """A robot and its tree: reflected drives come from an energy with linear gears alone."""
    motors: Any = draw(st.sampled_from(["exact", "augmented", "coupled", "reflected", "none"]))
    features = replace(EVERYTHING, bodies=5, nonlinear=motors != "reflected")
    robot = draw(robots(features))
    return robot, tree(robot, motors if robot.drives else "none").at_rest()


def close(ours: Any, reference: Any, scale: float = 1.0) -> None:
    size = max(1.0, scale, float(np.abs(reference).max()))
    np.testing.assert_allclose(np.array(ours, float), reference, rtol=0, atol=RELATIVE * size)


def velocity_torques(of: Tree, q: Any, qd: Any) -> list[Any]:
    return newton_euler.inverse_dynamics(of, q, qd, None, gravity=ZERO).torque


def symbols_at(of: Tree, q: np.ndarray) -> np.ndarray:
    """c_ijk = 1/2 d2 h_i/d qd_j d qd_k of the velocity torques h."""
    graph = Graph()
    at, qd = graph.inputs("q", of.n), graph.inputs("qd", of.n)
    slopes = [e for row in jacobian(velocity_torques(of, at, qd), qd) for e in row]
    second = [0.5 * e for row in jacobian(slopes, qd) for e in row]
    return run_batch(program(second), {"q": q, "qd": 0 * q}, (of.n,) * 3)


def slopes_at(of: Tree, q: np.ndarray) -> np.ndarray:
    """d H_ij/d q_k of composite bodies' H."""
    graph = Graph()
    at = graph.inputs("q", of.n)
    H = [e for row in composite_body.mass_matrix(of, at) for e in row]
    return run_batch(program([e for row in jacobian(H, at) for e in row]), {"q": q}, (of.n,) * 3)


@given(conservative(), seeds)
def test_christoffel_symbols_hold_the_slopes_of_the_mass_matrix(robot_and_tree, seed):
    """The slope d H_ij/d q_k = c_ijk + c_jik, and c_ijk is made of them as (7.45) says."""
    robot, of = robot_and_tree
    q, qd, _ = states(robot, seed, 1)[:, 0]
    c, slopes = symbols_at(of, q), slopes_at(of, q)
    close(mass_slopes(c.tolist()), slopes)
    close(mass_rate(c.tolist(), qd.tolist()), slopes @ qd)
    # [Siciliano2009] (7.45), second term corrected: 1/2 (d b_ij/d q_k + d b_ik/d q_j - d b_jk/d q_i)
    close(c, 0.5 * (slopes + slopes.transpose(0, 2, 1) - slopes.transpose(2, 0, 1)))


@choices
@given(conservative(), seeds)
def test_every_choice_gives_the_velocity_torques_and_no_power(choice, robot_and_tree, seed):
    """(7.43) and (7.49): qd^T N qd = 0."""
    robot, of = robot_and_tree
    q, qd, _ = states(robot, seed, 1)[:, 0]
    c = symbols_at(of, q).tolist()
    C = choice(c, qd.tolist())
    torques = velocity_torques(of, q.tolist(), qd.tolist())
    close(np.array(C) @ qd, torques)
    N = np.array(power_matrix(c, qd.tolist(), C))
    close(qd @ N @ qd, 0.0, float(np.abs(N).max()))


@given(conservative(), seeds)
def test_christoffels_choice_is_skew(robot_and_tree, seed):
    """(7.48), with Hdot from composite bodies."""
    robot, of = robot_and_tree
    q, qd, _ = states(robot, seed, 1)[:, 0]
    C = np.array(christoffel_matrix(symbols_at(of, q).tolist(), qd.tolist()))
    N = slopes_at(of, q) @ qd - 2 * C
    close(N + N.T, np.zeros_like(N), float(np.abs(C).max()))


@given(conservative(), seeds)
def test_gamma_gives_the_velocity_torques(robot_and_tree, seed):
    """(7.117), and its columns are what one velocity, or two beyond each alone, take."""
    robot, of = robot_and_tree
    q, qd, _ = states(robot, seed, 1)[:, 0]
    G, products = np.array(gamma(symbols_at(of, q).tolist())), velocity_products(qd.tolist())
    assert G.shape == (of.n, of.n * (of.n + 1) // 2) == (of.n, len(products))
    close(G @ products, velocity_torques(of, q.tolist(), qd.tolist()))

    def torques(*moving: int) -> np.ndarray:
        return np.array(velocity_torques(of, q.tolist(), [float(k in moving) for k in range(of.n)]))

    pairs = [(j, k) for j in range(of.n) for k in range(j, of.n)]
    for column, (j, k) in zip(G.T, pairs, strict=True):
        close(column, torques(j) if j == k else torques(j, k) - torques(j) - torques(k))


@given(conservative(), seeds)
def test_over_nodes(robot_and_tree, seed):
    """C and Gamma traced on the graph are those of numbers."""
    robot, of = robot_and_tree
    q, qd, _ = states(robot, seed, 1)[:, 0]
    c = symbols_at(of, q)
    graph = Graph()
    nodes, rates = graph.inputs("c", of.n**3), graph.inputs("qd", of.n)
    cube = [[nodes[(i * of.n + j) * of.n :][: of.n] for j in range(of.n)] for i in range(of.n)]
    for choice in (christoffel_matrix, lagrange_matrix):
        traced = program([e for row in choice(cube, rates) for e in row])
        at = {"c": c.reshape(-1), "qd": qd}
        close(run_batch(traced, at, (of.n, of.n)), choice(c.tolist(), qd.tolist()))
    traced = program([e for row in gamma(cube) for e in row])
    close(run_batch(traced, {"c": c.reshape(-1)}, (of.n, of.n * (of.n + 1) // 2)), gamma(c.tolist()))


# Problem 7.2 ----------------------------------------------------------------------------------


def planar(q2: float) -> tuple[list[Any], float]:
    """The two-link arm of section 7.3.2: its symbols, and h = -m_l2 a1 l2 sin(theta2)."""
    of = tree(ad.load("planar2"), "exact")
    c = symbols_at(of, np.array([0.3, q2]))
    return c.tolist(), float(c[0, 0, 1])


def test_two_link_arm_as_printed():
    """[Siciliano2009] section 7.3.2: the symbols, C, N, and Gamma that follows from them."""
    c, h = planar(0.7)
    r1, r2 = qd = [1.3, -0.4]
    assert abs(h) > 1.0
    close(c, [[[0, h], [h, h]], [[-h, 0], [0, 0]]])
    C = christoffel_matrix(c, qd)
    close(C, [[h * r2, h * (r1 + r2)], [-h * r1, 0]])
    close(power_matrix(c, qd, C), [[0, -2 * h * r1 - h * r2], [2 * h * r1 + h * r2, 0]])
    close(gamma(c), [[0, 2 * h, h], [-h, 0, 0]])


def test_another_choice_takes_no_power_but_is_not_skew():
    """Problem 7.2: (7.49) holds, (7.48) does not. By hand from b_11(theta2), b_12(theta2), b_22."""
    c, h = planar(0.7)
    r1, r2 = qd = [1.3, -0.4]
    C = lagrange_matrix(c, qd)
    close(C, [[2 * h * r2, h * r2], [h * (r2 / 2 - r1), -h * r1 / 2]])
    N = np.array(power_matrix(c, qd, C))
    close(N, [[-2 * h * r2, -h * r2], [2 * h * r1, h * r1]])
    close(np.array(C) @ qd, np.array(christoffel_matrix(c, qd)) @ qd)
    close(np.array(qd) @ N @ qd, 0.0)
    w = np.array([1.0, 0.0])
    assert abs(w @ N @ w) > 1.0
