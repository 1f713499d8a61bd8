"""The table of quantities: what it says is what `Dynamics` does; programs, kept and copied."""

import copy
import inspect
import pickle
from typing import Any

import numpy as np
import pytest

from armdyn.dynamics import Dynamics
from armdyn.dynamics.quantities import QUANTITIES
from armdyn.dynamics.traced import Traced
from armdyn.errors import InputError, MissingDataError
from armdyn.formats import load

METHODS = [name for name, quantity in QUANTITIES.items() if quantity.bare]
OPTIONS: dict[str, tuple[Any, ...]] = {
    "regressor": ("joint",),
    "coriolis_matrix": ("christoffel",),
    "reactions": ("body",),
    "pose": (None,),
    "jacobian": (None, None),
    "twist": (None,),
    "acceleration": (None,),
    "motor_mass_matrix": ("motor",),
    "motor_bias": ("motor",),
    "effective_inertia": ("locked",),
    "operational_space": (None, None, None, None),
    "task_jacobian_rate": (None, None, None, None),
}
REFUSED = {
    "lola15": {"motor_current", "motor_voltage", "torque_of_currents", "torque_of_voltages"},
    "ur5": {"motor_torque", "motor_current", "motor_voltage"}
    | {"motor_mass_matrix", "motor_bias", "effective_inertia"},
}
"""What a robot without torque constants, or without drives, does not have."""


@pytest.fixture(scope="module")
def lola() -> Dynamics:
    return Dynamics(load("lola15"))


def arrays(traced: Traced, name: str, *given: str) -> dict[str, np.ndarray]:
    """Two states of everything that the quantity takes."""
    rng = np.random.default_rng(1)
    inputs = traced.signature(name, OPTIONS.get(name, ()), given).inputs
    return {k: rng.uniform(-1, 1, (2, size)) for k, size in inputs}


# What it says ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", METHODS)
def test_inputs_and_options_are_the_methods_arguments(name: str) -> None:
    quantity, parameters = QUANTITIES[name], inspect.signature(getattr(Dynamics, name)).parameters
    arguments = [k for k in parameters if k not in ("self", "run")]
    assert tuple(arguments[: len(quantity.inputs)]) == quantity.inputs
    assert set(arguments) == {*quantity.inputs, *quantity.optional, *quantity.options}
    by_position = [k for k in arguments if parameters[k].kind is inspect.Parameter.POSITIONAL_OR_KEYWORD]
    assert {*by_position} <= {*quantity.inputs, "wrench", "frame"}


@pytest.mark.parametrize("name", QUANTITIES)
@pytest.mark.parametrize(
    "robot",
    [
        "irb6",
        pytest.param("lola15", marks=pytest.mark.numpy),
        pytest.param("ur5", marks=[pytest.mark.numpy, pytest.mark.slow]),
    ],
)
def test_results_have_the_shapes_of_the_signature(robot: str, name: str) -> None:
    traced, options = Traced(load(robot), None, False), OPTIONS.get(name, ())
    quantity = QUANTITIES[name]
    if name in REFUSED.get(robot, ()):
        with pytest.raises(MissingDataError):
            traced.program(name, options)
        return
    for given in [(), quantity.optional]:
        signature = traced.signature(name, options, given)
        assert [k for k, _ in signature.inputs] == [*quantity.inputs, *given]
        assert all(size == traced._input_size(k) for k, size in signature.inputs)
        results = traced.results(name, options, {}, **arrays(traced, name, *given))
        assert tuple(result.shape for result in results) == tuple((2, *s) for s in signature.results)
        assert len(traced.program(name, options, given).outputs) == sum(signature.sizes)


@pytest.mark.parametrize("name", METHODS)
def test_defaults_are_those_of_the_method(name: str) -> None:
    parameters = inspect.signature(getattr(Dynamics, name)).parameters
    quantity = QUANTITIES[name]
    assert quantity.defaults == tuple(parameters[option].default for option in quantity.options)


ITERATED = ("forward", "forward_derivatives", "linearisation", "forward_parameter_derivatives")


@pytest.mark.numpy
@pytest.mark.parametrize("name", ITERATED)
def test_one_program_marks_what_friction_has_to_decide(lola: Dynamics, name: str) -> None:
    """The program gives states in motion; where a joint rests a number in its first result is none."""
    traced = lola._traced
    x = arrays(traced, name)
    x["qd"][1, 2] = 0.0
    program, signature = traced.program(name), traced.signature(name)
    results = [np.empty((2, size)) for size in signature.sizes]
    program.run(x, *results)
    assert np.isfinite(results[0][0]).all()
    assert not np.isfinite(results[0][1]).all()
    whole = traced.results(name, (), {}, **x)
    assert all(np.isfinite(result).all() for result in whole)
    in_motion = whole[0].reshape(2, -1)[0]
    assert np.abs(in_motion - results[0][0]).max() <= 1e-9 * np.abs(in_motion).max()


@pytest.mark.parametrize("name", ITERATED)
def test_without_friction_a_program_marks_nothing(lola: Dynamics, name: str) -> None:
    traced = Dynamics(lola.robot, friction=False)._traced
    x = arrays(traced, name)
    x["qd"][:] = 0.0
    results = [np.empty((2, size)) for size in traced.signature(name).sizes]
    traced.program(name).run(x, *results)
    assert all(np.isfinite(result).all() for result in results)


@pytest.mark.parametrize(
    ("name", "options", "sentence"),
    [
        ("coriolis_matrix", ("",), 'choice "", expected christoffel or lagrange'),
        ("reactions", (None,), 'axes "None", expected body, parent or base'),
        ("jacobian", (None, "xyz"), 'angles "xyz", expected zyx or zyz'),
    ],
)
def test_an_option_that_does_not_exist_is_refused(
    lola: Dynamics, name: str, options: tuple[Any, ...], sentence: str
) -> None:
    with pytest.raises(InputError) as caught:
        lola._traced.signature(name, options)
    assert str(caught.value) == sentence


# Running --------------------------------------------------------------------------------------


class Pretending:
    """A runner that fills each result with its number."""

    piece, breaks = 100, False

    def run(self, inputs: dict[str, np.ndarray], *results: np.ndarray) -> bool:
        for k, result in enumerate(results):
            result[...] = k
        return False


def test_evaluation_needs_a_runner_and_no_program(monkeypatch: pytest.MonkeyPatch) -> None:
    traced = Traced(load("ur5"), None, None)
    monkeypatch.setattr(Traced, "_runner", lambda self, key: Pretending())
    for name in METHODS:
        for k, result in enumerate(traced.results(name, OPTIONS.get(name, ()), {}, **arrays(traced, name))):
            assert np.array_equal(result, np.full(result.shape, k))
    assert not traced._programs


def test_a_program_is_traced_once(lola: Dynamics) -> None:
    assert lola._traced.program("inverse") is lola._traced.program("inverse", (), ("q", "qd", "qdd"))
    assert lola._traced.program("inverse", (), ["base"]) is not lola._traced.program("inverse")


# Copies ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("copied", [lambda d: pickle.loads(pickle.dumps(d)), copy.copy, copy.deepcopy])
def test_a_copy_has_the_same_settings_and_nothing_traced(copied: Any) -> None:
    dyn = Dynamics(load("lola15"), "reflected", False, "mrnea")
    q = np.linspace(0, 1, 6)
    expected = dyn.gravity(q)
    vars(dyn)["inverse"] = lambda *args: None  # what cannot be pickled and was put there for speed
    other = copied(dyn)
    assert repr(other) == repr(dyn)
    assert other.robot == dyn.robot
    assert not other._traced._programs
    assert "inverse" not in vars(other)
    assert np.array_equal(other.gravity(q), expected)
