"""Quantities as functions of CasADi: the numbers and derivatives that armdyn itself gives."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import casadi
import numpy as np
import pytest

from armdyn.dynamics import Dynamics
from armdyn.dynamics.quantities import QUANTITIES
from armdyn.dynamics.result_names import identifier, result_names
from armdyn.errors import ArmdynError, InputError, MissingDataError
from armdyn.formats import catalog, load
from armdyn.native.casadi_function import matrix_shape

ROUNDING = 1e-13
"""Relative to the largest element: the same operations, but for what CasADi folds, and fused products."""
SLOPES = 1e-10
"""Relative: derivatives of the same graph by other rules, through a few divisions."""
WAYS_OUT = {"forward": "qdd", "inverse": "tau"}


def states(dyn: Dynamics, function: Any) -> dict[str, np.ndarray]:
    """A state in motion for the inputs of a function; every torque is one that its motion takes."""
    rng = np.random.default_rng(7)
    values = {name: rng.uniform(0.2, 1.0, function.size1_in(name)) for name in function.name_in()}
    if "tau" in values and "q" in values:
        values["tau"] = dyn.inverse(values["q"], values.get("qd", np.zeros(dyn.n)), rng.uniform(-1, 1, dyn.n))
    return values


def close(found: Any, expected: Any, tolerance: float) -> bool:
    a, b = np.array(found), np.array(expected)
    assert a.size == b.size
    return bool(np.abs(a.reshape(b.shape) - b).max(initial=0.0) <= tolerance * np.abs(b).max(initial=1e-9))


@pytest.fixture(scope="module")
def ur5() -> Dynamics:
    return Dynamics(load("ur5"))


@pytest.fixture(scope="module")
def lola() -> Dynamics:
    return Dynamics(load("lola15"))


# The same numbers -----------------------------------------------------------------------------


@pytest.mark.numpy
@pytest.mark.parametrize("robot", catalog())
@pytest.mark.parametrize("name", ["inverse", "forward", "mass_matrix", "pose", "jacobian"])
def test_every_robot_gives_the_same_numbers(robot: str, name: str) -> None:
    dyn = Dynamics(load(robot))
    function = dyn.casadi(name)
    x = states(dyn, function)
    assert close(function(**x)[function.name_out(0)], getattr(dyn, name)(**x), ROUNDING)


@pytest.mark.numpy
@pytest.mark.parametrize("name", QUANTITIES)
def test_every_quantity_has_the_numbers_of_its_program(name: str) -> None:
    dyn = Dynamics(load("irb6"))
    function = dyn.casadi(name, *(("ways",) if name.endswith("step") and name != "friction step" else ()))
    traced, x = dyn._traced, states(dyn, function)
    options = QUANTITIES[name].defaults
    given = function.name_in()
    if name in ("operational_space", "task_jacobian_rate"):
        options = ("x,y,z,rx,ry,rz", *options[1:])
    signature = traced.signature(name, options, given)
    expected = [np.empty((1, size)) for size in signature.sizes]
    traced.program(name, options, given).run({k: v[None] for k, v in x.items()}, *expected)
    found = function(**x)
    for k, (result, shape) in enumerate(zip(expected, signature.results, strict=True)):
        value = found[function.name_out(k)]
        assert value.shape == matrix_shape(shape)
        if np.isfinite(result).all():
            assert close(value, result, 1e-11)  # a posture near a singular one has large numbers
        else:
            assert np.array_equal(np.isfinite(np.array(value).ravel()), np.isfinite(result[0]))


@pytest.mark.parametrize("given", [("wrench",), ("wrench", "at"), ("base",), ("added",), ("rubbing",)])
@pytest.mark.parametrize("name", ["inverse", "forward"])
def test_optional_inputs_are_those_of_the_method(lola: Dynamics, name: str, given: tuple[str, ...]) -> None:
    function = lola.casadi(name, *given)
    assert function.name_in() == [*QUANTITIES[name].inputs, *given]
    x = states(lola, function)
    if given == ("rubbing",):
        terms = [(p.friction.viscous, p.friction.coulomb, p.friction.at_rest, p.friction.load)
                 for p in lola.friction_points]  # fmt: skip
        x["rubbing"] = 1.1 * np.array(terms).ravel()
    if given == ("added",):
        x["added"] = 0.01 * x["added"]
    assert close(function(**x)[WAYS_OUT[name]], getattr(lola, name)(**x), 1e-11)


def test_options_are_those_of_the_method(ur5: Dynamics) -> None:
    q, qd = np.random.default_rng(3).uniform(-1, 1, (2, 6))
    assert close(ur5.casadi("pose", frame="forearm_link")(q), ur5.pose(q, "forearm_link"), ROUNDING)
    assert close(ur5.casadi("jacobian", angles="zyx")(q), ur5.jacobian(q, angles="zyx"), ROUNDING)
    C = ur5.casadi("coriolis_matrix", choice="lagrange")
    assert close(C(q, qd), ur5.coriolis_matrix(q, qd, choice="lagrange"), ROUNDING)
    task = ur5.casadi("operational_space", task="position")(q=q, qd=qd)
    assert close(task["inertia"], ur5.operational_space(q, qd, task="position").inertia, 1e-11)


# Derivatives ----------------------------------------------------------------------------------


@pytest.mark.parametrize("robot", ["ur5", "lola15", "irb6", "stanford", "parallelogram"])
def test_casadi_differentiates_to_what_armdyn_has(robot: str) -> None:
    dyn = Dynamics(load(robot))
    for name, result, by, own in (
        ("inverse", "tau", ("q", "qd", "qdd"), "inverse_derivatives"),
        ("forward", "qdd", ("q", "qd", "tau"), "forward_derivatives"),
    ):
        function = dyn.casadi(name)
        x = states(dyn, function)
        slopes = function.factory("slopes", function.name_in(), [f"jac:{result}:{k}" for k in by])
        for found, expected in zip(slopes.call(list(x.values())), getattr(dyn, own)(**x), strict=True):
            assert close(found, expected, SLOPES)


@pytest.mark.parametrize("robot", catalog())
@pytest.mark.numpy
def test_the_slope_of_torques_by_accelerations_is_the_mass_matrix(robot: str) -> None:
    dyn = Dynamics(load(robot), friction=False)
    function = dyn.casadi("inverse")
    x = states(dyn, function)
    H = function.factory("H", function.name_in(), ["jac:tau:qdd"])(*x.values())
    assert close(H, dyn.mass_matrix(x["q"]), ROUNDING)


def test_energies_differentiate_to_torques(ur5: Dynamics) -> None:
    q, qd = np.random.default_rng(5).uniform(-1, 1, (2, 6))
    potential, kinetic = ur5.casadi("potential_energy"), ur5.casadi("kinetic_energy")
    gradient = potential.factory("gradient", ["q"], ["grad:potential_energy:q"])
    assert close(gradient(q), ur5.gravity(q), SLOPES)
    hessian = kinetic.factory("hessian", ["q", "qd"], ["hess:kinetic_energy:qd:qd"])
    assert close(hessian(q, qd), ur5.mass_matrix(q), SLOPES)


# In CasADi's hands ----------------------------------------------------------------------------


def test_a_saved_function_is_the_same_without_armdyn(ur5: Dynamics, tmp_path: Path) -> None:
    function = ur5.casadi("forward", "wrench")
    function.save(str(tmp_path / "forward.casadi"))
    again = casadi.Function.load(str(tmp_path / "forward.casadi"))
    x = states(ur5, function)
    assert again.name_in() == ["q", "qd", "tau", "wrench"]
    assert np.array_equal(np.array(again(**x)["qdd"]), np.array(function(**x)["qdd"]))


def test_a_map_runs_over_batches(ur5: Dynamics) -> None:
    q, qd, qdd = np.random.default_rng(1).uniform(-1, 1, (3, 20, 6))
    torques = ur5.casadi("inverse").map(20)(q.T, qd.T, qdd.T)
    assert close(np.array(torques).T, ur5.inverse(q, qd, qdd), ROUNDING)


def test_an_optimisation_calls_it() -> None:
    """The posture that holds itself with the least torque hangs straight down."""
    dyn = Dynamics(load("planar2"), friction=False)
    gravity, problem = dyn.casadi("gravity"), casadi.Opti()
    q = problem.variable(2)
    problem.minimize(casadi.sumsqr(gravity(q)) + 1e-6 * casadi.sumsqr(q[1]))
    problem.set_initial(q, [-1.2, 0.1])
    problem.solver("ipopt", {"print_time": False}, {"print_level": 0, "sb": "yes"})
    found = problem.solve().value(q)
    assert np.abs(dyn.gravity(found)).max() < 1e-4


# Friction at rest -----------------------------------------------------------------------------


def test_what_friction_decides_at_rest_is_infinite(lola: Dynamics) -> None:
    q, qd, tau = np.full(6, 0.3), np.full(6, 0.2), np.zeros(6)
    qd[2] = 0.0
    assert np.isinf(np.array(lola.casadi("forward")(q, qd, tau)).ravel()[0])
    without = Dynamics(lola.robot, friction=False)
    assert close(without.casadi("forward")(q, qd, tau), without.forward(q, qd, tau), ROUNDING)
    ways = np.ones(len(lola.friction_points))
    in_ways = lola.casadi("motion_in_ways")(q=q, qd=qd, tau=tau, ways=ways)
    assert close(in_ways["qdd"], lola.motion_in_ways(q, qd, tau, ways)[0], 1e-11)
    assert close(lola.casadi("inverse")(q, qd, tau), lola.inverse(q, qd, tau), ROUNDING)


# Names and refusals ---------------------------------------------------------------------------


def test_results_have_names_of_their_own() -> None:
    for name, quantity in QUANTITIES.items():
        names = result_names(name)
        assert len(names) == len(quantity.results)
        assert len({*names, *quantity.inputs, *quantity.optional}) == len(
            (*names, *quantity.inputs, *quantity.optional)
        )
        assert all(identifier(k) == k for k in names)
        if quantity.bare and len(names) > 1:
            assert names[0] != f"{name}_1", name


def test_identifiers_are_such_in_any_language() -> None:
    names = ("rk4 step", "9 arms!", "ur5", "a__b", "é")
    assert [identifier(name) for name in names] == ["rk4_step", "robot_9_arms", "ur5", "a_b", "robot"]


@pytest.mark.parametrize(
    ("name", "given", "options", "sentence"),
    [
        ("invers", (), {}, 'no quantity "invers"; did you mean "inverse"?'),
        ("gravity", ("wrench",), {}, 'gravity has no optional input "wrench", expected of added'),
        ("body_poses", ("wrench",), {}, 'body_poses has no optional input "wrench", expected none'),
        ("inverse", ("force",), {}, 'inverse has no optional input "force", expected of wrench, at'),
        ("inverse", ("at",), {}, "at says where a wrench acts, but there is none; give wrench"),
        ("pose", (), {"farme": "x"}, 'pose has no option "farme", expected of frame'),
        ("pose", (), {"frame": "x"}, 'no body "x" in robot "lola15"'),
        ("inverse", (), {"frame": "x"}, 'inverse has no option "frame", expected none'),
        ("jacobian", (), {"angles": "xyz"}, 'angles "xyz", expected zyx or zyz'),
        ("operational_space", (), {"task": "w"}, 'task has no axis "w"'),
        ("rk4_step", (), {}, 'friction can hold robot "lola15", a step needs ways'),
    ],
)
def test_what_there_is_not_is_refused(
    lola: Dynamics, name: str, given: tuple[str, ...], options: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(InputError) as caught:
        lola.casadi(name, *given, **options)
    assert str(caught.value).startswith(sentence)


def test_data_that_a_robot_lacks_is_named(ur5: Dynamics) -> None:
    with pytest.raises(MissingDataError):
        ur5.casadi("motor_current")
    with pytest.raises(ArmdynError):
        ur5.casadi("motor_mass_matrix")
