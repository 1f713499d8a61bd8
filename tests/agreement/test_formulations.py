"""All formulations give the same torques, mass matrices and accelerations, over every kind of scalar."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import armdyn as ad
from armdyn.errors import InputError
from armdyn.mechanics.loads import Contact
from armdyn.mechanics.methods import METHODS, method
from armdyn.mechanics.tree import tree
from armdyn.scalars import Graph, Tally, program
from armdyn.scalars.batch import run_batch
from armdyn.scalars.symbolic import number, symbols, symengine
from armdyn.spatial import Wrench
from random_robots import Features, robots, states

# Closed forms sum hundreds of products that nearly cancel.
RELATIVE = 1e-10

MODELS = ["exact", "augmented", "coupled", "reflected", "none"]
WRENCH = Wrench((30.0, -20.0, 10.0), (-4.0, 5.0, 6.0))
USUAL = "newton_euler"


def close(ours, reference, factor=1.0):
    reference = np.array(reference, dtype=float)
    scale = factor * max(1.0, float(np.abs(reference).max(initial=0.0)))
    assert np.array(ours, dtype=float) == pytest.approx(reference, rel=RELATIVE, abs=RELATIVE * scale)


def torques_and_inertia(name, built, q, qd, qdd):
    """tau under a contact, split into joints and drives, and H, in one list."""
    by = method(name)
    loads = by.inverse(built, q, qd, qdd, contact=Contact(WRENCH, built.tool))
    return [*loads.joint, *loads.drive, *(e for row in by.mass_matrix(built, q) for e in row)]


def accelerations(name, built, q, qd, tau):
    return method(name).forward(built, q, qd, tau, contact=Contact(WRENCH, built.tool))


@given(robots(), st.sampled_from(MODELS), st.integers(0, 10_000))
def test_all_agree_on_any_tree(robot, motors, seed):
    built = tree(robot, motors if robot.drives else "none")
    q, qd, qdd = states(robot, seed, 1)[:, 0].tolist()
    reference = torques_and_inertia(USUAL, built, q, qd, qdd)
    tau = [a + b for a, b in zip(reference[: robot.n], reference[robot.n : 2 * robot.n], strict=True)]
    H = np.array(reference[2 * robot.n :], dtype=float).reshape(robot.n, robot.n)
    ill = np.linalg.cond(H)
    for name in METHODS:
        close(torques_and_inertia(name, built, q, qd, qdd), reference)
        if ill < 1e5:  # what the torques lose, accelerations lose times the condition of H
            close(accelerations(name, built, q, qd, tau), qdd, factor=ill)


@pytest.mark.parametrize("robot_name", ad.catalog())
@pytest.mark.parametrize("name", METHODS)
def test_all_agree_on_the_catalog(name, robot_name):
    robot = ad.load(robot_name)
    built = tree(robot)
    q, qd, qdd = states(robot, 11, 1)[:, 0].tolist()
    q = [0.3 + 0.2 * x for x in q]  # inside the reach of screws
    close(
        torques_and_inertia(name, built, q, qd, qdd),
        torques_and_inertia(USUAL, built, q, qd, qdd),
    )


SMALL = Features(bodies=4)


@pytest.mark.parametrize("name", METHODS)
@given(robot=robots(SMALL), motors=st.sampled_from(MODELS), seed=st.integers(0, 10_000))
def test_graph_and_counted_numbers_agree(name, robot, motors, seed):
    """On the lighter tree, as `Dynamics` runs it, and as written."""
    built = tree(robot, motors if robot.drives else "none")
    x = states(robot, seed, 1)[:, 0]
    reference = torques_and_inertia(USUAL, built, *x.tolist())
    tally = Tally()
    counted = [[tally.number(e) for e in row] for row in x.tolist()]
    close(
        [float(e) for e in torques_and_inertia(name, built.with_numbers(tally.number), *counted)], reference
    )
    graph = Graph()
    light = method(name).lightened(built, "forward", closed=False)
    nodes = [graph.inputs(k, robot.n) for k in ("q", "qd", "qdd")]
    traced = program(torques_and_inertia(name, light, *nodes))
    inputs = {"q": x[0], "qd": x[1], "qdd": x[2]}
    close(run_batch(traced, inputs, (len(traced.outputs),)), reference)


@pytest.mark.parametrize("name", METHODS)
@given(robot=robots(Features(bodies=2, moving_base=False)), seed=st.integers(0, 10_000))
def test_symbols_agree(name, robot, seed):
    """Small trees: expressions of a long chain are long."""
    built = tree(robot, "none")
    x = states(robot, seed, 1)[:, 0]
    named = [symbols(stem, robot.n) for stem in ("q", "v", "a")]
    values = {
        s: v
        for row, numbers in zip(named, x.tolist(), strict=True)
        for s, v in zip(row, numbers, strict=True)
    }
    expressions = torques_and_inertia(name, built.with_numbers(number), *named)
    close(
        [float(symengine.sympify(e).subs(values)) for e in expressions],
        torques_and_inertia(USUAL, built, *x.tolist()),
    )


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("robot_name", ["lola15", "jpl_rrp", "parallelogram", "irb6"])
def test_dynamics_by_any_method(name, robot_name):
    """Batches, friction and terms come out the same whichever formulation is asked for."""
    robot = ad.load(robot_name)
    usual, ours = ad.Dynamics(robot), ad.Dynamics(robot, method=name)
    q, qd, qdd = states(robot, 5, 4)
    q = 0.3 + 0.2 * q
    tau = usual.inverse(q, qd, qdd)
    close(ours.inverse(q, qd, qdd), tau)
    close(ours.mass_matrix(q), usual.mass_matrix(q))
    close(
        ours.forward(q, qd, tau), usual.forward(q, qd, tau), factor=np.linalg.cond(usual.mass_matrix(q)).max()
    )
    close(ours.coriolis_matrix(q, qd), usual.coriolis_matrix(q, qd))
    close(ours.bias(q, qd), usual.bias(q, qd))
    close(ours.gravity(q), usual.gravity(q))
    for term, value in usual.terms(q, qd, qdd).items():
        close(ours.terms(q, qd, qdd)[term], value)


def test_an_unknown_method_lists_the_known_ones():
    with pytest.raises(InputError, match=r'^method "newton", expected one of newton_euler, newton_euler_b'):
        ad.Dynamics(ad.load("ur5"), method="newton")  # pyright: ignore[reportArgumentType]
