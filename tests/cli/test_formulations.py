"""`coefficients`, and --method and --motors wherever a robot is evaluated."""

import json

import numpy as np
import pytest

from armdyn.cli.options import AnyMotors
from armdyn.dynamics import Dynamics
from armdyn.formats import load
from armdyn.mechanics.methods import METHODS
from armdyn.mechanics.tree.motors import MOTOR_MODELS
from command_line import Armdyn, assert_refused

STATE = "0.3,-0.4,0.5,0.6,0.7,0.8"
RATES = "0.5,-0.3,0.4,0.9,-0.7,1.5"
GAINS = "1,-0.8,0.6,1.2,-1,2"
ROUNDING = 1e-10


def test_the_option_knows_every_motor_model():
    assert AnyMotors.__args__ == (*MOTOR_MODELS, "all")


@pytest.mark.parametrize("robot", ["jpl_rrp", "planar2", "irb6"])
def test_coefficients_have_the_shapes_of_the_contract(armdyn: Armdyn, robot: str) -> None:
    document, n = armdyn("coefficients", robot, "--json").document, load(robot).n
    assert np.shape(document["gravity"]) == (n,)
    assert np.shape(document["inertia"]) == (n, n)
    velocity = np.array(document["velocity"])
    assert velocity.shape == (n, n, n)
    assert velocity == pytest.approx(velocity.swapaxes(1, 2), abs=ROUNDING)
    assert document["motors"] == Dynamics(load(robot)).motors
    assert document["method"] == "newton_euler"


def test_coefficients_are_those_of_the_equations(armdyn: Armdyn) -> None:
    document = armdyn("coefficients", "lola15", "--q", STATE, "--json").document
    dyn, q = Dynamics(load("lola15"), friction=False), [float(x) for x in STATE.split(",")]
    qd = np.array([float(x) for x in RATES.split(",")])
    bias = np.array(document["velocity"]) @ qd @ qd + document["gravity"]
    assert bias == pytest.approx(dyn.bias(q, qd), rel=ROUNDING)
    assert np.array(document["inertia"]) == pytest.approx(dyn.mass_matrix(q), rel=ROUNDING)


@pytest.mark.parametrize("method", METHODS)
def test_every_method_gives_the_same(armdyn: Armdyn, method: str) -> None:
    state = ("dynamics", "lola15", "--q", STATE, "--qd", RATES, "--qdd", GAINS, "--json")
    usual, ours = armdyn(*state).document, armdyn(*state, "--method", method).document
    assert ours["method"] == method
    for key in ("mass_matrix", "coriolis_matrix", "bias", "gravity", "torque"):
        assert np.array(ours[key]) == pytest.approx(np.array(usual[key]), rel=ROUNDING, abs=ROUNDING)
    coefficients = ("coefficients", "planar3", "--json")
    usual, ours = armdyn(*coefficients).document, armdyn(*coefficients, "--method", method).document
    for key in ("inertia", "velocity", "gravity"):
        assert np.array(ours[key]) == pytest.approx(np.array(usual[key]), rel=ROUNDING, abs=ROUNDING)


@pytest.mark.parametrize("command", ["dynamics", "coefficients"])
def test_all_motor_models_side_by_side(armdyn: Armdyn, command: str) -> None:
    comparison = armdyn(command, "irb6", "--motors", "all", "--json").document["comparison"]
    assert comparison["reference"] == "exact"
    models = {model["motors"]: model for model in comparison["models"]}
    assert {"exact", "augmented", "coupled", "reflected", "none"} <= set(models)
    assert not np.any(models["exact"]["difference"]["mass_matrix"])
    assert np.abs(models["augmented"]["difference"]["mass_matrix"]).max() < ROUNDING
    for name in ("coupled", "reflected", "none"):
        assert np.abs(models[name]["difference"]["mass_matrix"]).max() > 1e-6


@pytest.mark.parametrize("command", ["dynamics", "coefficients"])
def test_the_tables_name_method_and_models(armdyn: Armdyn, command: str) -> None:
    said = armdyn(command, "irb6", "--motors", "all", "--method", "mrnea")
    assert (said.code, said.err) == (0, "")
    assert "method mrnea" in said.out
    assert "largest difference from exact" in said.out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("coefficients", "ur5", "--method", "lagrange"), "'lagrange' is not one of"),
        (("coefficients", "ur5", "--q", "0,0"), '--q has 2 values; robot "ur5" has 6 joints'),
        (("coefficients", "ur5", "--q", "0,0,0,0,0,nan"), "nan is not a finite number"),
        (("coefficients", "ur51"), 'no robot "ur51"'),
        (("coefficients", "lola15", "--motors", "augmented"), "does not say where its rotor sits"),
        (("dynamics", "ur5", "--motors", "every"), "'every' is not one of"),
    ],
)
def test_bad_input_gets_one_sentence(armdyn: Armdyn, arguments: tuple[str, ...], sentence: str) -> None:
    assert_refused(armdyn(*arguments), sentence)


def test_coefficients_of_a_payload_are_those_of_the_cube(armdyn: Armdyn) -> None:
    """[Szkodny1995] (16), [Bejczy1974]: what a grasped object adds."""
    free, loaded = (
        armdyn("coefficients", "jpl_rrp", *payload, "--json").document
        for payload in ((), ("--payload", "1.8,0,0,0.05"))
    )
    assert json.dumps(free["inertia"]) != json.dumps(loaded["inertia"])
    assert loaded["inertia"][0][0] > free["inertia"][0][0]
