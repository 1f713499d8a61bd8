"""Lagrange-Euler agrees with the other formulations, plain and with the omission rule."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import armdyn as ad
from armdyn.formats import catalog
from armdyn.mechanics import composite_body, lagrange_euler, newton_euler
from armdyn.mechanics.lagrange_euler import coefficients, vanishes
from armdyn.mechanics.lagrangian.compact_form import CompactForm
from armdyn.mechanics.loads import Contact
from armdyn.mechanics.tree import tree
from armdyn.scalars import Graph, Tally, program
from armdyn.scalars.batch import run_batch
from armdyn.scalars.derivatives import jacobian
from armdyn.scalars.symbolic import number, symbols, symengine
from armdyn.spatial import Wrench
from armdyn.spatial.vector import ZERO
from random_robots import Features, robots, states

# Sums of some thousand products in another order.
RELATIVE = 1e-10

MODELS = st.sampled_from(["exact", "augmented", "coupled", "reflected", "none"])
INDEPENDENT = Features(coupled=False, nonlinear=False, drives=False, moving_base=False)
CHAIN = Features(branched=False, coupled=False, nonlinear=False, drives=False, moving_base=False)
WRENCH = Wrench((30.0, -20.0, 10.0), (-4.0, 5.0, 6.0))
seeds = st.integers(0, 10_000)
plain_and_omitting = pytest.mark.parametrize("omit", [False, True], ids=["plain", "omitting"])


def close(ours, reference):
    scale = max(1.0, float(np.abs(np.asarray(reference, dtype=float)).max(initial=0.0)))
    np.testing.assert_allclose(np.asarray(ours, dtype=float), reference, rtol=0, atol=RELATIVE * scale)


def built_and_state(robot, motors, seed, lump=True):
    built = tree(robot, motors if robot.drives else "none", lump=lump)
    return built, *states(robot, seed, 1)[:, 0].tolist()


# Agreement ------------------------------------------------------------------------------------


@plain_and_omitting
@given(robots(), MODELS, seeds, st.booleans())
def test_torques_are_those_of_newton_euler(omit, robot, motors, seed, lump):
    """Joint and drive apart, under a contact, on a moving base."""
    built, q, qd, qdd = built_and_state(robot, motors, seed, lump)
    contact = Contact(WRENCH, built.tool)
    reference = newton_euler.inverse_dynamics(built, q, qd, qdd, contact=contact)
    ours = lagrange_euler.inverse_dynamics(built, q, qd, qdd, contact=contact, omit=omit)
    close(ours.joint, reference.joint)
    close(ours.drive, reference.drive)


@plain_and_omitting
@given(robots(), MODELS, seeds)
def test_gravity_bias_and_mass_matrix(omit, robot, motors, seed):
    built, q, qd, _ = built_and_state(robot, motors, seed)
    for tree_, rates, weight in (
        (built.at_rest(), None, None),
        (built, qd, None),
        (built, qd, (1.0, -2.0, 3.0)),
    ):
        reference = newton_euler.inverse_dynamics(tree_, q, rates, None, gravity=weight).torque
        close(
            lagrange_euler.inverse_dynamics(tree_, q, rates, None, gravity=weight, omit=omit).torque,
            reference,
        )
    close(lagrange_euler.mass_matrix(built, q, omit=omit), composite_body.mass_matrix(built, q))


@plain_and_omitting
@pytest.mark.parametrize("name", catalog())
def test_catalog(omit, name):
    """Every robot of the catalog with the motors its data support."""
    robot = ad.load(name)
    built = tree(robot)
    q, qd, qdd = states(robot, 1, 1)[:, 0].tolist()
    reference = newton_euler.inverse_dynamics(built, q, qd, qdd).torque
    close(lagrange_euler.inverse_dynamics(built, q, qd, qdd, omit=omit).torque, reference)
    close(coefficients(built, q, omit=omit).forces(qd, qdd), reference)


def christoffel(built, q):
    """1/2 d2 tau_i/d qd_j d qd_k of the velocity torques of Newton-Euler, differentiated on the graph."""
    graph = Graph()
    x, v = graph.inputs("q", built.n), graph.inputs("qd", built.n)
    torques = newton_euler.inverse_dynamics(built, x, v, None, gravity=ZERO).torque
    twice = [e for row in jacobian([e for row in jacobian(torques, v) for e in row], v) for e in row]
    values = run_batch(program(twice), {"q": np.array(q), "qd": np.zeros(built.n)}, (built.n,) * 3)
    return 0.5 * values


@plain_and_omitting
@given(robots(), MODELS, seeds)
def test_coefficients(omit, robot, motors, seed):
    """D_i and D_ij are gravity and H; D_ijk the Christoffel coefficients, couplings and spins included."""
    built, q, _, _ = built_and_state(robot, motors, seed)
    built = built.at_rest()
    D = coefficients(built, q, omit=omit)
    close(D.gravity, newton_euler.inverse_dynamics(built, q, None, None).torque)
    close(D.inertia, composite_body.mass_matrix(built, q))
    close(D.velocity, christoffel(built, q))
    close(D.velocity, np.swapaxes(np.array(D.velocity, dtype=float), 1, 2))


@given(robots(Features(moving_base=False)), MODELS, seeds)
def test_compact_form_is_the_equation_of_motion(robot, motors, seed):
    """[Bejczy1974] (26): D_A qdd + d_V + d_G."""
    built, q, qd, qdd = built_and_state(robot, motors, seed)
    D = coefficients(built, q, gravity=(3.0, -2.0, 1.0))
    reference = newton_euler.inverse_dynamics(built, q, qd, qdd, gravity=(3.0, -2.0, 1.0)).torque
    close(CompactForm.of(D).d_TF(qd, qdd), reference)
    close(D.forces(qd, qdd), reference)


# Scalars --------------------------------------------------------------------------------------


def equations(built, state, omit):
    q, qd, qdd = state
    D = coefficients(built, q, omit=omit)
    return [
        *lagrange_euler.inverse_dynamics(built, q, qd, qdd, omit=omit).torque,
        *D.gravity,
        *(e for row in D.inertia for e in row),
        *(e for face in D.velocity for row in face for e in row),
    ]


@plain_and_omitting
@given(robots(Features(bodies=3)), MODELS, seeds)
def test_graph_and_counted_numbers_agree(omit, robot, motors, seed):
    built, *x = built_and_state(robot, motors, seed)
    reference = equations(built, x, omit)
    graph, names = Graph(), ("q", "qd", "qdd")
    traced = program(equations(built, [graph.inputs(name, robot.n) for name in names], omit))
    close(run_batch(traced, dict(zip(names, np.array(x), strict=True)), (len(reference),)), reference)
    tally = Tally()
    counted = [[tally.number(e) for e in row] for row in x]
    close([float(e) for e in equations(built.with_numbers(tally.number), counted, omit)], reference)


@plain_and_omitting
@given(robots(Features(bodies=2, moving_base=False)), seeds)
def test_symbols_agree(omit, robot, seed):
    """Small trees: expressions of a long chain are long."""
    built, *x = built_and_state(robot, None, seed)
    names = [symbols(stem, robot.n) for stem in ("q", "v", "a")]
    values = dict(zip((s for row in names for s in row), (v for row in x for v in row), strict=True))
    ours = equations(built.with_numbers(number), names, omit)
    close([float(symengine.sympify(e).subs(values)) for e in ours], equations(built, x, omit))


# The rules of [Bejczy1974] Appendix D ---------------------------------------------------------


def structural_zero(x):
    return type(x) is int and x == 0


@given(robots(CHAIN), seeds)
def test_zero_patterns_of_serial_chains(robot, seed):
    """Numbers that are zero but for rounding in the plain form are never computed with the rule."""
    built, q, _, _ = built_and_state(robot, "none", seed)
    plain, omitting = (coefficients(built, q, omit=omit).velocity for omit in (False, True))
    size = max(1.0, float(np.abs(np.array(plain, dtype=float)).max()))
    kinds = [link.kind for link in built.links]
    for i, j, k in product(range(robot.n), repeat=3):
        inner, outer = min(j, k), max(j, k)
        if i == outer or kinds[inner] == "prismatic":  # D_i,ii; D_i,ij with j < i; an inner joint that slides
            assert abs(plain[i][j][k]) <= RELATIVE * size
            assert structural_zero(omitting[i][j][k])
        else:
            assert not structural_zero(omitting[i][j][k])


@given(robots(INDEPENDENT), seeds)
def test_zero_patterns_of_trees(robot, seed):
    """On a tree, inwards means on the path; joints that no path has in common have no coefficient."""
    built, q, _, _ = built_and_state(robot, "none", seed)
    plain, omitting = (coefficients(built, q, omit=omit) for omit in (False, True))
    size = max(1.0, float(np.abs(np.array(plain.velocity, dtype=float)).max()))
    U = lagrange_euler.partial_derivatives(built, q)
    paths = U.paths
    for i, j, k in product(range(robot.n), repeat=3):
        together = {i, j, k} <= set(paths[max(i, j, k)])
        if not together:
            assert structural_zero(plain.velocity[i][j][k])
        if not together or vanishes(U.kinds, i, min(j, k), max(j, k)):
            assert abs(plain.velocity[i][j][k]) <= RELATIVE * size
            assert structural_zero(omitting.velocity[i][j][k])
        if not {i, j} <= set(paths[max(i, j)]):
            assert structural_zero(plain.inertia[i][j])


@given(robots(CHAIN), seeds)
def test_coefficients_with_the_innermost_velocity_are_skew(robot, seed):
    """D_i,jk = -D_k,ji for j inwards of both or one of them: D_i,ij = 0 is the case i = k."""
    built, q, _, _ = built_and_state(robot, "none", seed)
    D = np.array(coefficients(built, q, omit=True).velocity, dtype=float)
    for j in range(robot.n):
        close(D[j:, j, j:], -D[j:, j, j:].T)


def test_a_coupling_breaks_the_rules():
    """The rod of a parallelogram and the ball screws of irb6: D_i,ii is not zero over q."""
    built, q = tree(ad.load("irb6"), "coupled"), [0.1, 0.3, -0.4, 0.2, 0.5]
    D = np.array(coefficients(built, q, omit=True).velocity, dtype=float)
    assert np.abs(D[[1, 2], [1, 2], [1, 2]]).min() > 1e-3
    close(D, christoffel(built, q))


def inputs_of(x):
    """Positions of q that a traced number depends on."""
    return {operation[2] for operation in program([x]).operations if operation[0] == "input"}


@pytest.mark.parametrize("name", ["jpl_rrp", "lola15", "panda"])
def test_omission_leaves_inner_joints_out_of_the_expressions(name):
    """D_55 of jpl_rrp is an expression of theta6 alone; in the plain form rounding hides that."""
    robot = ad.load(name)
    D = coefficients(tree(robot, "none"), Graph().inputs("q", robot.n), omit=True)
    for i, j in product(range(robot.n), repeat=2):
        assert inputs_of(D.inertia[i][j]) <= set(range(min(i, j) + 1, robot.n))
        for k in range(robot.n):
            assert inputs_of(D.velocity[i][j][k]) <= set(range(min(i, j, k) + 1, robot.n))


@pytest.mark.parametrize("name", ["jpl_rrp", "lola15", "puma560", "panda"])
def test_omission_saves_operations(name):
    robot = ad.load(name)
    tallies = [Tally(), Tally()]
    for tally, omit in zip(tallies, (False, True), strict=True):
        built = tree(robot, "none").with_numbers(tally.number)
        x = ([tally.number(0.1 * k) for k in range(robot.n)] for _ in range(3))
        lagrange_euler.inverse_dynamics(built, *x, omit=omit)
    plain, omitting = tallies
    assert omitting.multiplications < plain.multiplications
    assert omitting.additions < plain.additions
    assert omitting.trigonometric == plain.trigonometric
