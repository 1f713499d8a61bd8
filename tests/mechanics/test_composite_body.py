"""Composite bodies: mass matrix by the energy, bias beside Newton-Euler, over every kind of scalar."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armdyn.mechanics import newton_euler
from armdyn.mechanics.composite_body import mass_matrix, mass_matrix_and_bias
from armdyn.mechanics.energy import kinetic_energy
from armdyn.mechanics.loads import Contact
from armdyn.mechanics.tree import tree
from armdyn.mechanics.tree.links import Tree
from armdyn.robot import BASE, Body, Joint, Robot
from armdyn.scalars import Graph, Tally, program
from armdyn.scalars.batch import run_batch
from armdyn.scalars.symbolic import number, symbols, symengine
from armdyn.spatial import Inertia, Transform, Wrench
from armdyn.spatial.vector import diagonal
from random_robots import Features, random_inertia, robots, states

# Sums of some hundred products in another order.
RELATIVE = 1e-10

MODELS = st.sampled_from(["exact", "augmented", "coupled", "reflected", "none"])
SEEDS = st.integers(0, 10_000)
WRENCH = Wrench((30.0, -20.0, 10.0), (-4.0, 5.0, 6.0))


def built(robot: Robot, motors: Any, lump: bool = True) -> Tree:
    return tree(robot, motors if robot.drives else "none", lump=lump)


def close(ours: Any, reference: Any) -> None:
    ours, reference = np.array(ours, float), np.array(reference, float)
    scale = max(1.0, float(np.abs(reference).max()))
    assert ours == pytest.approx(reference, rel=RELATIVE, abs=RELATIVE * scale)


def flat(of: Tree, q: Any, qd: Any) -> list[Any]:
    """H, and C qd + g + J^T h, in one list."""
    H, bias = mass_matrix_and_bias(of, q, qd, contact=Contact(WRENCH, of.tool))
    return [*(e for row in H for e in row), *bias]


def flat_by_others(of: Tree, q: Any, qd: Any) -> list[Any]:
    """The same by one Newton-Euler for the bias, and the composites alone for H."""
    bias = newton_euler.inverse_dynamics(of, q, qd, None, contact=Contact(WRENCH, of.tool)).torque
    return [*(e for row in mass_matrix(of, q) for e in row), *bias]


@given(robots(Features(moving_base=False)), MODELS, SEEDS)
def test_mass_matrix_is_that_of_the_energy(robot, motors, seed):
    """H_ij = T(e_i + e_j) - T(e_i) - T(e_j), and H_ii = 2 T(e_i), on a base at rest."""
    of, q = built(robot, motors), states(robot, seed, 1)[0, 0].tolist()
    unit = np.eye(robot.n)
    T = [[float(kinetic_energy(of, q, (a + b).tolist())) for b in unit] for a in unit]
    alone = np.diag(T) / 4  # T(2 e_i)
    close(mass_matrix(of, q), np.array(T) - alone[:, None] - alone)


@given(robots(), MODELS, SEEDS, st.booleans())
def test_one_pass_gives_mass_matrix_and_bias(robot, motors, seed, lump):
    of = built(robot, motors, lump)
    q, qd, _ = states(robot, seed, 1)[:, 0].tolist()
    close(flat(of, q, qd), flat_by_others(of, q, qd))


@given(robots(), SEEDS)
def test_without_gravity_and_contact(robot, seed):
    of = built(robot, "none")
    q, qd, _ = states(robot, seed, 1)[:, 0].tolist()
    for gravity in ((0, 0, 0), (1.0, 2.0, 3.0)):
        _, bias = mass_matrix_and_bias(of, q, qd, gravity=gravity)
        close(bias, newton_euler.inverse_dynamics(of, q, qd, None, gravity=gravity).torque)


def test_a_contact_of_the_base_is_felt_by_no_joint():
    of = tree(Robot("one", (Body("b", Joint("j"), BASE, Inertia(2.0, (0.1, 0.0, 0.0))),)))
    pressed = mass_matrix_and_bias(of, [0.3], [0.5], contact=Contact(WRENCH, (-1, Transform())))
    assert pressed == mass_matrix_and_bias(of, [0.3], [0.5])


def test_a_pendulum_on_a_cart():
    """H = [[M + m, m l cos], [m l cos, I + m l^2]], h = (-m l qd^2 sin, 0), g = (0, m g l sin)."""
    M, m, l_, inertia, g = 3.0, 2.0, 0.5, 0.1, 9.81
    swinging = Inertia(m, (0.0, 0.0, -l_), diagonal(inertia, inertia, 0.0))
    bodies = (
        Body("cart", Joint("slide", "prismatic", (1, 0, 0)), BASE, Inertia(M)),
        Body("rod", Joint("swing", axis=(0, -1, 0)), "cart", swinging),
    )
    of = tree(Robot("cart", bodies, gravity=(0.0, 0.0, -g)), "none")
    angle, rate = 0.7, 1.3
    H, bias = mass_matrix_and_bias(of, [0.4, angle], [-0.2, rate])
    across = m * l_ * np.cos(angle)
    close(H, [[M + m, across], [across, inertia + m * l_**2]])
    close(bias, [-m * l_ * rate**2 * np.sin(angle), m * g * l_ * np.sin(angle)])


# Scalars --------------------------------------------------------------------------------------


@given(robots(), MODELS, SEEDS)
def test_nodes_and_counted_numbers_agree_with_floats(robot, motors, seed):
    of, x = built(robot, motors), states(robot, seed, 1)[:2, 0]
    reference = flat_by_others(of, *x.tolist())
    graph, tally = Graph(), Tally()
    outputs = program(flat(of, *(graph.inputs(name, robot.n) for name in ("q", "qd"))))
    close(run_batch(outputs, {"q": x[0], "qd": x[1]}, (len(reference),)), reference)
    counted = flat(of.with_numbers(tally.number), *([tally.number(e) for e in row] for row in x.tolist()))
    close([float(e) for e in counted], reference)


@given(robots(Features(bodies=2)), MODELS, SEEDS)
def test_symbols_agree_with_floats(robot, motors, seed):
    of, (q, qd, _) = built(robot, motors), states(robot, seed, 1)[:, 0].tolist()
    names = (symbols("q", robot.n), symbols("v", robot.n))
    values = dict(zip([*names[0], *names[1]], [*q, *qd], strict=True))
    found = flat(of.with_numbers(number), *names)
    close([float(symengine.sympify(e).subs(values)) for e in found], flat_by_others(of, q, qd))


def test_one_pass_places_the_links_once():
    """Half the sines and cosines of two passes."""
    rng = np.random.default_rng(0)
    place = Transform(translation=(0.3, 0.2, 0.1))
    bodies = tuple(
        Body(f"b{k}", Joint(f"j{k}", placement=place), f"b{k - 1}" if k else BASE, random_inertia(rng))
        for k in range(4)
    )
    of = tree(Robot("four", bodies), "none")
    together, apart = Tally(), Tally()
    for tally, equations in ((together, mass_matrix_and_bias), (apart, flat_by_others)):
        x = [[tally.number(0.1 * k) for k in range(4)] for _ in range(2)]
        equations(of.with_numbers(tally.number), *x)
    assert (together.trigonometric, apart.trigonometric) == (8, 16)
