"""All formulations give the same torques, mass matrices and accelerations, over every kind of scalar."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import armdyn as ad
from armdyn.dynamics.model import FACTORED_JOINTS
from armdyn.errors import InputError, MissingDataError
from armdyn.mechanics import composite_body, newton_euler
from armdyn.mechanics.loads import Contact
from armdyn.mechanics.methods import METHODS, method
from armdyn.mechanics.tree import tree
from armdyn.mechanics.tree.motors import check_motors
from armdyn.scalars import Graph, Tally, program
from armdyn.scalars.batch import run_batch
from armdyn.scalars.symbolic import number, symbols, symengine
from armdyn.spatial import Wrench
from armdyn.studies.growth import random_chain
from random_robots import Features, robots, states

# Closed forms sum hundreds of products that nearly cancel.
RELATIVE = 1e-10

MODELS = ["exact", "augmented", "coupled", "reflected", "none"]
WRENCH = Wrench((30.0, -20.0, 10.0), (-4.0, 5.0, 6.0))


def close(ours, reference, factor=1.0):
    reference = np.array(reference, dtype=float)
    scale = factor * max(1.0, float(np.abs(reference).max(initial=0.0)))
    assert np.array(ours, dtype=float) == pytest.approx(reference, rel=RELATIVE, abs=RELATIVE * scale)


def own(name, built, q, qd, last):
    """What a formulation gives by its own equations, under a contact, in one list: torques of the motion
    (joints and drives apart), mass matrix, accelerations under the torques `last`."""
    by, contact = method(name), Contact(WRENCH, built.tool)
    result = []
    if "inverse" in by.gives:
        loads = by.inverse(built, q, qd, last, contact=contact)
        result += [*loads.joint, *loads.drive]
    if "mass_matrix" in by.gives:
        result += [e for row in by.mass_matrix(built, q) for e in row]
    if "forward" in by.gives:
        result += by.forward(built, q, qd, last, contact=contact)
    return result


def usual(name, built, q, qd, last):
    """The same by Newton-Euler and composite bodies over floats, and what each may lose."""
    by, contact = method(name), Contact(WRENCH, built.tool)
    loads = newton_euler.inverse_dynamics(built, q, qd, last, contact=contact)
    H = np.array(composite_body.mass_matrix(built, q), dtype=float)
    bias = np.array(newton_euler.inverse_dynamics(built, q, qd, None, contact=contact).torque, dtype=float)
    parts, scales = [], []
    if "inverse" in by.gives:
        parts += [np.array([*loads.joint, *loads.drive], dtype=float)]
        scales += [1.0]
    if "mass_matrix" in by.gives:
        parts += [H.ravel()]
        scales += [1.0]
    if "forward" in by.gives:
        parts += [np.linalg.solve(H, np.array(last) - bias)]
        scales += [np.linalg.cond(H)]
    tolerance = np.concatenate(
        [
            np.full(len(p), RELATIVE * s * max(1.0, np.abs(p).max()))
            for p, s in zip(parts, scales, strict=True)
        ]
    )
    return np.concatenate(parts), tolerance


def agree(ours, name, built, q, qd, last):
    reference, tolerance = usual(name, built, q, qd, last)
    ours = np.array([float(e) for e in ours])
    assert ours.shape == reference.shape, name
    assert np.all(np.abs(ours - reference) <= tolerance), name


def models_of(robot):
    """The motor models that a robot's data support."""
    supported = []
    for motors in MODELS:
        try:
            supported.append(check_motors(robot, motors))
        except MissingDataError:
            continue
    return supported


@given(robots(), st.sampled_from(MODELS), st.integers(0, 10_000))
def test_all_agree_on_any_tree(robot, motors, seed):
    built = tree(robot, motors if robot.drives else "none")
    state = states(robot, seed, 1)[:, 0].tolist()
    for name in METHODS:
        agree(own(name, built, *state), name, built, *state)


@given(robots(), st.sampled_from(MODELS), st.integers(0, 10_000))
def test_accelerations_take_the_torques_they_come_from(robot, motors, seed):
    """H qdd + bias = tau to rounding, whatever the condition of H."""
    built, contact = tree(robot, motors if robot.drives else "none"), None
    q, qd, tau = states(robot, seed, 1)[:, 0].tolist()
    for name in METHODS:
        qdd = method(name).forward(built, q, qd, tau, contact=contact)
        H = np.array(composite_body.mass_matrix(built, q), dtype=float)
        size = max(1.0, float((np.abs(H) @ np.abs(np.array(qdd, dtype=float))).max()))
        residual = np.array(newton_euler.inverse_dynamics(built, q, qd, qdd).torque, dtype=float) - tau
        assert np.abs(residual).max() <= RELATIVE * size, name


@pytest.mark.parametrize("robot_name", ad.catalog())
def test_all_agree_on_the_catalog(robot_name):
    robot = ad.load(robot_name)
    state = states(robot, 11, 1)[:, 0].tolist()
    state[0] = [0.3 + 0.2 * x for x in state[0]]  # inside the reach of screws
    for motors in models_of(robot):
        built = tree(robot, motors)
        for name in METHODS:
            agree(own(name, built, *state), name, built, *state)


SMALL = Features(bodies=4)


@pytest.mark.parametrize("name", METHODS)
@given(robot=robots(SMALL), motors=st.sampled_from(MODELS), seed=st.integers(0, 10_000))
def test_graph_and_counted_numbers_agree(name, robot, motors, seed):
    """As written, and on the lighter trees, as `Dynamics` runs them."""
    built = tree(robot, motors if robot.drives else "none")
    x = states(robot, seed, 1)[:, 0]
    tally = Tally()
    counted = [[tally.number(e) for e in row] for row in x.tolist()]
    agree(own(name, built.with_numbers(tally.number), *counted), name, built, *x.tolist())
    for quantity in ("inverse", "forward"):
        graph = Graph()
        nodes = [graph.inputs(k, robot.n) for k in ("q", "qd", "last")]
        traced = program(own(name, method(name).lightened(built, quantity, closed=False), *nodes))
        found = run_batch(traced, {"q": x[0], "qd": x[1], "last": x[2]}, (len(traced.outputs),))
        agree(found, name, built, *x.tolist())


@pytest.mark.parametrize("name", METHODS)
@given(
    robot=robots(Features(bodies=2, moving_base=False)),
    motors=st.sampled_from(MODELS),
    seed=st.integers(0, 10_000),
)
def test_symbols_agree(name, robot, motors, seed):
    """Small trees: expressions of a long chain are long."""
    built = tree(robot, motors if robot.drives else "none")
    x = states(robot, seed, 1)[:, 0].tolist()
    named = [symbols(stem, robot.n) for stem in ("q", "v", "a")]
    values = {s: v for row, numbers in zip(named, x, strict=True) for s, v in zip(row, numbers, strict=True)}
    expressions = own(name, built.with_numbers(number), *named)
    agree([symengine.sympify(e).subs(values) for e in expressions], name, built, *x)


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize(
    "robot_name", [pytest.param("lola15", marks=pytest.mark.slow), "jpl_rrp", "parallelogram", "irb6"]
)
def test_dynamics_by_any_method(name, robot_name):
    """Batches, friction and terms come out the same whichever formulation is asked for."""
    robot = ad.load(robot_name)
    usual, ours = ad.Dynamics(robot), ad.Dynamics(robot, method=name)
    q, qd, qdd = states(robot, 5, 4)
    q = 0.3 + 0.2 * q
    tau = usual.inverse(q, qd, qdd)
    close(ours.inverse(q, qd, qdd), tau)
    close(ours.mass_matrix(q), usual.mass_matrix(q))
    ill = float(np.linalg.cond(usual.mass_matrix(q)).max())
    close(ours.forward(q, qd, tau), usual.forward(q, qd, tau), factor=ill)
    close(ours.coriolis_matrix(q, qd), usual.coriolis_matrix(q, qd))
    close(ours.velocity_coefficients(q), usual.velocity_coefficients(q))
    close(ours.bias(q, qd), usual.bias(q, qd))
    close(ours.gravity(q), usual.gravity(q))
    for term, value in usual.terms(q, qd, qdd).items():
        close(ours.terms(q, qd, qdd)[term], value)


@pytest.mark.parametrize(
    ("joints", "expected"), [(FACTORED_JOINTS, "newton_euler"), (FACTORED_JOINTS + 1, "articulated_body")]
)
def test_forward_dynamics_goes_by_the_number_of_joints_unless_told(joints, expected):
    robot = random_chain(joints)
    dyn = ad.Dynamics(robot, "none")
    assert dyn.method_of("forward") == expected
    assert ad.Dynamics(robot, "none", method="mrnea").method_of("forward") == "mrnea"
    q, qd, qdd = states(robot, 5, 2)
    ill = float(np.linalg.cond(dyn.mass_matrix(q)).max())
    close(dyn.forward(q, qd, dyn.inverse(q, qd, qdd)), qdd, factor=ill)


@pytest.mark.parametrize(
    ("name", "sources"),
    [
        (None, ("newton_euler", "composite_body")),
        ("articulated_body", ("newton_euler", "composite_body")),
        ("walker_orin2", ("newton_euler", "walker_orin2")),
        ("newton_euler_base", ("newton_euler_base", "newton_euler_base")),
        ("lagrange_euler", ("lagrange_euler", "lagrange_euler")),
    ],
)
def test_it_says_which_formulation_gives_what(name, sources):
    dyn = ad.Dynamics(ad.load("planar2"), "none", method=name)
    assert (dyn.method_of("inverse"), dyn.method_of("mass_matrix")) == sources


def test_an_unknown_method_lists_the_known_ones():
    with pytest.raises(InputError, match=r'^method "newton", expected one of newton_euler, newton_euler_b'):
        ad.Dynamics(ad.load("ur5"), method="newton")  # pyright: ignore[reportArgumentType]
