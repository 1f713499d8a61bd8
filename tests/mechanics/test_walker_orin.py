"""Walker and Orin's mass matrices beside that of composite bodies (their third method)."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import armdyn as ad
from armdyn.mechanics import composite_body, newton_euler, newton_euler_base
from armdyn.mechanics.tree import tree
from armdyn.mechanics.tree.links import BaseState, Tree
from armdyn.mechanics.walker_orin import mass_matrix, mass_matrix_by_columns
from armdyn.robot import BASE, Body, Joint, Robot
from armdyn.scalars import Graph, Tally, program
from armdyn.scalars.batch import run_batch
from armdyn.scalars.symbolic import number, symbols, symengine
from armdyn.spatial import Transform
from armdyn.spatial.rotation import about_x
from armdyn.spatial.vector import ZERO
from random_robots import Features, random_inertia, robots, states

# The same sums of some hundred products in another order.
RELATIVE = 1e-10

MODELS = st.sampled_from(["exact", "augmented", "coupled", "reflected", "none"])
seeds = st.integers(0, 10_000)


def close(ours: Any, reference: Any) -> None:
    scale = max(1.0, float(np.abs(reference).max()))
    np.testing.assert_allclose(np.array(ours, float), reference, rtol=0, atol=RELATIVE * scale)


def built(robot: Robot, motors: Any, lump: bool = True) -> Tree:
    return tree(robot, motors if robot.drives else "none", lump=lump)


def both(of: Tree, q: Any) -> list[list[list[Any]]]:
    return [mass_matrix_by_columns(of, q, newton_euler.inverse_dynamics), mass_matrix(of, q)]


@given(robots(), MODELS, seeds, st.booleans())
def test_both_methods_agree_with_composite_bodies(robot, motors, seed, lump):
    of, q = built(robot, motors, lump), states(robot, seed, 1)[0, 0].tolist()
    reference = composite_body.mass_matrix(of, q)
    for H in both(of, q):
        close(H, reference)


@given(robots(), MODELS, seeds)
def test_the_first_method_takes_any_inverse_dynamics(robot, motors, seed):
    of, q = built(robot, motors), states(robot, seed, 1)[0, 0].tolist()
    H = mass_matrix_by_columns(of, q, newton_euler_base.inverse_dynamics)
    close(H, composite_body.mass_matrix(of, q))


def test_a_column_is_one_inverse_dynamics_of_an_arm_at_rest():
    """On a base at rest, without velocity, gravity and contact."""
    seen = []

    def inverse(tree, q, qd, qdd, *, gravity=None, contact=None):
        seen.append(qdd)
        assert tree.base == BaseState()
        assert (qd, gravity, contact) == (None, ZERO, None)
        return newton_euler.inverse_dynamics(tree, q, qd, qdd, gravity=gravity, contact=contact)

    mass_matrix_by_columns(tree(ad.load("planar3"), "none"), [0.1, 0.2, 0.3], inverse)
    assert seen == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]


@pytest.mark.parametrize("name", ["lola15", "jpl_rrp", "irb6", "parallelogram", "panda"])
def test_catalog_robots(name):
    robot = ad.load(name)
    of, q = tree(robot), list(robot.home)
    for H in both(of, q):
        close(H, composite_body.mass_matrix(of, q))


# Scalars --------------------------------------------------------------------------------------


@given(robots(), MODELS, seeds)
def test_nodes_and_counted_numbers_agree_with_floats(robot, motors, seed):
    of, q = built(robot, motors), states(robot, seed, 1)[0, 0]
    graph, tally = Graph(), Tally()
    reals = both(of, q.tolist())
    nodes = both(of, graph.inputs("q", robot.n))
    counted = both(of.with_numbers(tally.number), [tally.number(e) for e in q.tolist()])
    for real, traced, numbers in zip(reals, nodes, counted, strict=True):
        outputs = program([e for row in traced for e in row])
        close(run_batch(outputs, {"q": q}, (robot.n, robot.n)), real)
        close([[float(e) for e in row] for row in numbers], real)


@given(robots(Features(bodies=2)), MODELS, seeds)
def test_symbols_agree_with_floats(robot, motors, seed):
    of, q = built(robot, motors), states(robot, seed, 1)[0, 0].tolist()
    names = symbols("q", robot.n)
    values = dict(zip(names, q, strict=True))
    for H, real in zip(both(of.with_numbers(number), names), both(of, q), strict=True):
        close([[float(symengine.sympify(e).subs(values)) for e in row] for row in H], real)


# Cost -----------------------------------------------------------------------------------------


def six_joints() -> Tree:
    """A chain without special angles or lengths."""
    rng = np.random.default_rng(0)
    place = Transform(about_x(0.6, 0.8), (0.3, 0.2, 0.1))
    return tree(
        Robot(
            "six",
            tuple(
                Body(
                    f"b{k}", Joint(f"j{k}", placement=place), f"b{k - 1}" if k else BASE, random_inertia(rng)
                )
                for k in range(6)
            ),
        ),
        "none",
    )


def test_every_method_costs_less_than_the_one_before():
    """[Kvrgic2020] Table 2, with bias and solution: 3418, 2308, 1627 products and 2502, 1692, 1255 sums."""
    methods = (
        lambda of, q: mass_matrix_by_columns(of, q, newton_euler.inverse_dynamics),
        mass_matrix,
        composite_body.mass_matrix,
    )
    tallies = [Tally() for _ in methods]
    for method, tally in zip(methods, tallies, strict=True):
        method(six_joints().with_numbers(tally.number), [tally.number(0.1 * k) for k in range(6)])
    for first, second in pairwise(tallies):
        assert second.multiplications < first.multiplications
        assert second.additions < first.additions
