"""Counted operations: the limits they must keep, and that what is counted gives the right numbers."""

import numpy as np
import pytest

from armdyn.dynamics import Dynamics
from armdyn.errors import InputError
from armdyn.formats import load
from armdyn.mechanics import composite_body, newton_euler
from armdyn.mechanics.linear_system import solve
from armdyn.mechanics.methods import METHODS, method
from armdyn.mechanics.tree import tree
from armdyn.robot import BaseMotion
from armdyn.scalars.batch import run_batch
from armdyn.studies.counts import MODES, OMISSION_RULE, QUANTITIES, equations, given_by, operation_counts
from armdyn.studies.growth import random_chain

COUNTED = ["lola15", "ur5", "panda", "puma560", "jpl_rrp", "stanford"]

RELATIVE = 1e-10
"""Closed forms sum hundreds of products that nearly cancel."""

LIMITS = {
    ("lola15", "inverse"): (204, 179),
    ("lola15", "forward"): (370, 326),
    ("ur5", "inverse"): (170, 139),
    ("ur5", "forward"): (309, 272),
    ("panda", "inverse"): (309, 294),
    ("panda", "forward"): (630, 583),
    ("puma560", "inverse"): (186, 161),
}
"""Multiplications with divisions, and additions, that the best optimised formulation may take."""


def states(n):
    """q, qd and qdd, shape (3, 4, n)."""
    return np.random.default_rng(7).uniform(-1.5, 1.5, (3, 4, n))


def reference(built, quantity, q, qd, last):
    """By Newton-Euler and composite bodies over floats, on the tree as built."""
    if quantity == "mass_matrix":
        return np.ravel(np.array(composite_body.mass_matrix(built, q), dtype=float)).tolist()
    if quantity == "forward":
        bias = newton_euler.inverse_dynamics(built, q, qd, None).torque
        return solve(composite_body.mass_matrix(built, q), [t - b for t, b in zip(last, bias, strict=True)])
    moving = {"inverse": (qd, last), "bias": (qd, None), "gravity": (None, None)}[quantity]
    return newton_euler.inverse_dynamics(built, q, *moving).torque


@pytest.mark.parametrize("name", COUNTED)
def test_every_optimised_graph_gives_the_right_numbers(name):
    built = tree(load(name), "none")
    x = states(built.n)
    expected = {
        quantity: np.array([reference(built, quantity, *state) for state in x.swapaxes(0, 1).tolist()])
        for quantity in QUANTITIES
    }
    for counted in equations():
        graph = counted.optimised(built)
        ours = run_batch(graph, dict(zip(("q", "qd", "last"), x, strict=True)), (len(graph.outputs),))
        wanted = expected[counted.quantity]
        what = (counted.quantity, counted.method.name, counted.variant)
        assert np.abs(ours - wanted).max() <= RELATIVE * max(1.0, np.abs(wanted).max()), what


@pytest.mark.parametrize("name", ["lola15", "ur5", "panda", "jpl_rrp"])
@pytest.mark.parametrize("formulation", [None, "newton_euler_base", "mrnea"])
def test_what_is_counted_is_what_dynamics_runs(name, formulation):
    """The programs that `Dynamics` keeps have the operations counted, for all it can be asked for."""
    dyn = Dynamics(load(name), motors="none", method=formulation)
    kept = {quantity: dyn._traced.program(quantity) for quantity in QUANTITIES}
    for quantity in QUANTITIES:
        by = dyn.method_of("inverse" if quantity in ("bias", "gravity") else quantity)
        (counted,) = (e for e in equations([quantity], [by]) if e.variant is None)
        assert kept[quantity].counts() == counted.optimised(dyn.tree).counts(), quantity


@pytest.mark.parametrize(("name", "quantity"), LIMITS)
def test_optimised_counts_keep_their_limits(name, quantity):
    _, optimised = operation_counts(load(name), quantities=[quantity], methods=["newton_euler"])
    multiplications, additions = LIMITS[name, quantity]
    assert optimised.mode == "optimised"
    assert optimised.multiplications + optimised.divisions <= multiplications
    assert optimised.additions <= additions


@pytest.mark.parametrize("name", ["lola15", "scara", "irb6"])
def test_every_quantity_of_every_formulation_in_both_modes(name):
    rows = operation_counts(load(name))
    keys = {(row.quantity, row.formulation, row.variant, row.mode) for row in rows}
    assert len(keys) == len(rows)
    assert {row.motors for row in rows} == {"none"}
    for formulation in METHODS:
        for quantity in QUANTITIES:
            for mode in MODES:
                given = quantity in given_by(method(formulation))
                assert ((quantity, formulation, None, mode) in keys) == given
    assert {key[1] for key in keys if key[2]} == {"lagrange_euler"}
    for written, optimised in zip(rows[::2], rows[1::2], strict=True):
        assert (written.mode, optimised.mode) == MODES
        assert optimised.operations < written.operations
        assert optimised.trigonometric <= written.trigonometric


def test_torques_bring_bias_and_gravity_along():
    assert given_by(method("newton_euler")) == ("inverse", "forward", "bias", "gravity")
    assert given_by(method("articulated_body")) == ("forward",)
    assert given_by(method("mrnea")) == QUANTITIES


def test_less_is_asked_for_less():
    inverse, bias, gravity = (
        operation_counts(load("ur5"), quantities=[quantity], methods=["newton_euler"])
        for quantity in ("inverse", "bias", "gravity")
    )
    for more, less in zip([*inverse, *bias], [*bias, *gravity], strict=True):
        assert less.operations < more.operations


def test_the_omission_rule_saves_more_than_half():
    rows = operation_counts(load("jpl_rrp"), quantities=["inverse"], methods=["lagrange_euler"])
    for mode in MODES:
        plain, short = (row for row in rows if row.mode == mode)
        assert (plain.variant, short.variant) == (None, OMISSION_RULE)
        assert 2 * short.operations < plain.operations


def test_motors_are_counted_where_they_are_seen():
    arm = load("lola15")
    alone, with_motors, best = (
        operation_counts(arm, motors, quantities=["inverse"], methods=["newton_euler"])
        for motors in ("none", "coupled", None)
    )
    assert best == with_motors
    assert [row.motors for row in with_motors] == ["coupled", "coupled"]
    for less, more in zip(alone, with_motors, strict=True):
        assert less.operations < more.operations


def test_progress_is_told_of_every_step():
    seen = []

    def watch(steps):
        for step in steps:
            seen.append((step.quantity, step.method.name))
            yield step

    rows = operation_counts(load("scara"), methods=["newton_euler", "mrnea"], progress=watch)
    assert seen == [(row.quantity, row.formulation) for row in rows[::2]]


def test_numbers_do_not_change_what_is_written():
    """The same equations: only structure counts, not the parameters that a seed draws."""
    by_seed = [[e.written(tree(random_chain(4, seed), "none")) for e in equations()] for seed in (1, 2)]
    assert by_seed[0] == by_seed[1]


def test_a_base_at_rest_is_structure():
    """However its zeros are spelt; one that moves is counted."""
    arm = random_chain(3)
    spelt = arm.with_base_motion(BaseMotion(angular_velocity=(0.0, 0.0, 0.0)))
    moving = arm.with_base_motion(BaseMotion(angular_velocity=(0.0, 0.0, 1.0)))
    whole, same, more = (
        operation_counts(robot, quantities=["inverse"], methods=["newton_euler"])[0].operations
        for robot in (arm, spelt, moving)
    )
    assert whole == same < more


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"quantities": ["torque"]}, r'^quantity "torque", expected one of inverse, forward, mass_matrix, b'),
        ({"methods": ["euler"]}, r'^method "euler", expected one of newton_euler, '),
        (
            {"quantities": ["inverse", "mass_matrix"], "methods": ["articulated_body"]},
            r'^method "articulated_body" gives forward, expected one that gives inverse or mass_matrix$',
        ),
    ],
)
def test_what_nothing_gives_is_refused(asked, sentence):
    with pytest.raises(InputError, match=sentence):
        operation_counts(load("ur5"), **asked)
