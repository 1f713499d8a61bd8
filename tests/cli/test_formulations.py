"""`coefficients`, and --method and --motors wherever a robot is evaluated."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from armdyn.cli.options import AnyMotors
from armdyn.dynamics import Dynamics
from armdyn.formats import load
from armdyn.mechanics.methods import METHODS
from armdyn.mechanics.tree.motors import MOTOR_MODELS
from command_line import Armdyn, assert_refused

pytestmark = pytest.mark.numpy  # every formulation would be compiled for one state
QUICK = ("newton_euler", "mrnea")
"""The others are slow tests."""
STATE = "0.3,-0.4,0.5,0.6,0.7,0.8"
RATES = "0.5,-0.3,0.4,0.9,-0.7,1.5"
GAINS = "1,-0.8,0.6,1.2,-1,2"
ROUNDING = 1e-10

REFERENCE = json.loads((Path(__file__).parent.parent / "data" / "reference.json").read_text())["jpl_rrp"]
LOAD = REFERENCE["parameters"]["load"]
CUBE = f"{LOAD['m']},0,0,0,{LOAD['Ic']},{LOAD['Ic']},{LOAD['Ic']},0,0,0"


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
    assert document["method"] is None
    assert document["methods"] == {"inverse": "newton_euler", "mass_matrix": "composite_body"}


def test_coefficients_are_those_of_the_equations(armdyn: Armdyn) -> None:
    document = armdyn("coefficients", "lola15", "--q", STATE, "--json").document
    dyn, q = Dynamics(load("lola15"), friction=False), [float(x) for x in STATE.split(",")]
    qd = np.array([float(x) for x in RATES.split(",")])
    bias = np.array(document["velocity"]) @ qd @ qd + document["gravity"]
    assert bias == pytest.approx(dyn.bias(q, qd), rel=ROUNDING)
    assert np.array(document["inertia"]) == pytest.approx(dyn.mass_matrix(q), rel=ROUNDING)


@pytest.mark.parametrize(
    "method",
    [pytest.param(m, marks=() if m in QUICK else pytest.mark.slow) for m in METHODS],
)
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
    assert "by mrnea" in said.out
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


@pytest.mark.parametrize("state", REFERENCE["states"], ids=["empty", "loaded"])
@pytest.mark.parametrize("method", ["newton_euler", "lagrange_euler"])
def test_coefficients_of_jpl_rrp_are_the_reference(armdyn: Armdyn, state: Any, method: str) -> None:
    """With and without the cube; links alone."""
    cube = ("--payload", CUBE) if state["load"] else ()
    q = ",".join(str(x) for x in state["q"])
    asked = ("--q", q, "--motors", "none", "--method", method, *cube)
    document = armdyn("coefficients", "jpl_rrp", *asked, "--json").document
    for key in ("gravity", "inertia", "velocity"):
        assert np.array(document[key]) == pytest.approx(np.array(state[key]), rel=1e-9, abs=1e-9)


def test_motor_models_are_compared_in_motion_or_by_their_coefficients(armdyn: Armdyn) -> None:
    """Without --qd there is no motion to compare: the velocity coefficients are."""
    for given, shape in (((), (5, 5, 5)), (("--qd", "1,1,1,1,1"), (5,))):
        document = armdyn("dynamics", "irb6", *given, "--motors", "all", "--json").document
        (coupled,) = [m for m in document["comparison"]["models"] if m["motors"] == "coupled"]
        assert np.shape(coupled["difference"]["velocity"]) == shape
        assert np.any(np.abs(coupled["difference"]["velocity"]) > 1e-6)


def test_all_formulations_side_by_side(armdyn: Armdyn) -> None:
    document = armdyn(
        "dynamics", "lola15", "--q", STATE, "--qdd", GAINS, "--method", "all", "--json"
    ).document
    assert [f["method"] for f in document["formulations"]] == list(METHODS)
    said = armdyn("dynamics", "lola15", "--method", "all")
    assert "largest difference of each formulation" in said.out
