"""Motor models compared: where they differ, by how much, and where they do not."""

import json
from typing import Any

import numpy as np
import pytest

import armdyn as ad
from actuated_robots import (
    AXIAL,
    BELT_STATE,
    K,
    arm_with_motors_in_axes,
    belt_arm,
    difference,
    expected,
    gyroscope,
)
from armdyn.errors import InputError, ShapeError
from armdyn.mechanics.tree.motors import MOTOR_MODELS, default_motors
from armdyn.studies import MotorModelComparison, compare_motor_models, motor_models
from armdyn.studies.motor_models import ComparedForm, ComparedModel

ROUNDING = 1e-10
"""Of elements up to some hundred: two ways to compute the same in double precision."""
IRB6_STATE = [0.3, 0.2, -0.1, 0.4, 0.7]
MOVING = [0.5, -0.4, 0.6, 0.8, -0.7]


def model(comparison: MotorModelComparison, motors: str) -> ComparedModel:
    (found,) = (m for m in comparison.models if m.motors == motors)
    return found


def form(comparison: MotorModelComparison, equations: str, seen_from: str) -> ComparedForm:
    (found,) = (
        f for f in comparison.forms if (f.form, f.seen_from) == (f"Szkodny1995 {equations}", seen_from)
    )
    return found


# The belt -------------------------------------------------------------------------------------


def test_the_belt_tells_reflected_motors_from_the_exact_ones() -> None:
    compared = motor_models(belt_arm(), BELT_STATE)
    assert compared.reference == "exact"
    exact, reflected = model(compared, "exact"), model(compared, "reflected")
    rotor = K**2 * AXIAL
    np.testing.assert_allclose(reflected.difference.mass_matrix, [[-rotor, -rotor], [-rotor, 0.0]])
    assert reflected.difference.mass_matrix[0, 1] / exact.terms.mass_matrix[0, 1] == pytest.approx(
        -0.72, abs=5e-3
    )
    none = model(compared, "none").difference.mass_matrix
    np.testing.assert_allclose(none, [[-2 * rotor, -rotor], [-rotor, -rotor]])


@pytest.mark.parametrize("motors", ["exact", "augmented", "coupled"])
def test_motors_on_the_base_lose_nothing_when_coupled(motors: str) -> None:
    largest = model(motor_models(belt_arm(), BELT_STATE, [1.0, -2.0]), motors).largest
    assert largest.keys() == {"mass_matrix", "velocity", "gravity"}
    assert max(largest.values()) < ROUNDING


def test_the_belts_forms() -> None:
    """Mended they are exact. Seen from its driven link a rotor turns k-1 times and swings about.

    The swing of motor 2, at r, about link 2, at e: by q1 as fast as r is far from the base, by q2 as r - e.
    """
    compared = motor_models(belt_arm(), BELT_STATE)
    for equations in ("appendix", "(8)-(10)"):
        assert form(compared, equations, "stator").largest["mass_matrix"] < ROUNDING
    r, e = np.array([0.3, 0.1]), np.array([np.cos(BELT_STATE[0]), np.sin(BELT_STATE[0])])
    swing = 5.0 * np.array([[r @ r, r @ (r - e)], [r @ (r - e), (r - e) @ (r - e)]])
    slower = ((K - 1) ** 2 - K**2) * AXIAL * np.array([[2.0, 1.0], [1.0, 1.0]])
    printed = form(compared, "(8)-(10)", "driven").difference.mass_matrix
    np.testing.assert_allclose(printed, slower + swing, atol=ROUNDING)
    assert not any("(12)" in f.form for f in compared.forms)  # they do not apply to a belt


# irb6 -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("motors", ["coupled", "reflected", "none"])
@pytest.mark.parametrize("qd", [None, MOVING], ids=["coefficients", "torques"])
def test_irb6_tells_all_models_from_the_exact_one(motors: Any, qd: Any) -> None:
    robot = ad.load("irb6")
    compared = motor_models(robot, IRB6_STATE, qd)
    assert compared.reference == "exact"
    largest = model(compared, motors).largest
    assert largest["mass_matrix"] > 0.01
    assert largest["velocity"] > 0.001
    ours = model(compared, motors).difference
    gravity, inertia, c = difference(
        expected(robot, IRB6_STATE, motors), expected(robot, IRB6_STATE, "exact")
    )
    velocity = c if qd is None else np.einsum("ijk,j,k", c, qd, qd)
    np.testing.assert_allclose(ours.gravity, gravity, atol=ROUNDING)
    np.testing.assert_allclose(ours.mass_matrix, inertia, atol=ROUNDING)
    np.testing.assert_allclose(ours.velocity, velocity, atol=ROUNDING)


def test_irb6_screws_turn_upright_on_the_column() -> None:
    """What coupled drops there: I d theta/dq between column and arms, and how it changes."""
    compared = motor_models(ad.load("irb6"), IRB6_STATE)
    coupled = model(compared, "coupled").difference
    dropped = np.zeros((5, 5), dtype=bool)
    dropped[0, 1:3] = dropped[1:3, 0] = True
    assert ((np.abs(coupled.mass_matrix) > ROUNDING) == dropped).all()
    assert abs(coupled.velocity[0, 1, 1]) > 1e-4


def test_irb6_augmented_is_exact() -> None:
    augmented = model(motor_models(ad.load("irb6"), IRB6_STATE, MOVING), "augmented")
    assert max(augmented.largest.values()) < ROUNDING


def test_irb6_the_reduced_form_misses_the_screws_changing_ratio() -> None:
    """(9) drops I theta_i theta_jk, which is most of the velocity terms here."""
    compared = motor_models(ad.load("irb6"), IRB6_STATE)
    coupled, reduced = model(compared, "coupled"), form(compared, "(8)-(10)", "stator")
    np.testing.assert_allclose(reduced.terms.mass_matrix, coupled.terms.mass_matrix, atol=ROUNDING)
    assert reduced.largest["velocity"] > 0.9 * np.abs(coupled.terms.velocity).max()


# Gyroscopic terms -----------------------------------------------------------------------------


def test_a_spinning_rotor_on_a_turning_carrier() -> None:
    """k I cos(q2) qd1 qd3 on the tilting joint, and back on the others; coupled has none of it."""
    q, qd = [0.3, -0.7, 0.5], [0.8, -0.6, 1.1]
    compared = motor_models(gyroscope(), q, qd)
    kick = K * AXIAL * np.cos(q[1])
    dropped = -np.array([-kick * qd[1] * qd[2], kick * qd[0] * qd[2], -kick * qd[0] * qd[1]])
    for motors in ("coupled", "reflected"):
        np.testing.assert_allclose(model(compared, motors).difference.velocity, dropped, atol=ROUNDING)
    assert model(compared, "augmented").largest["velocity"] < ROUNDING
    assert form(compared, "appendix", "stator").largest["velocity"] < ROUNDING


def test_motors_in_axes_have_all_forms() -> None:
    compared = motor_models(arm_with_motors_in_axes(), BELT_STATE)
    assert len(compared.forms) == 6
    stator, driven = (form(compared, "(10)-(12)", x).difference.mass_matrix for x in ("stator", "driven"))
    # seen from the stator's link only k I is missing; as printed also the rotor on it, and 2k - 1 of k^2
    np.testing.assert_allclose(stator, [[0.0, -K * AXIAL], [-K * AXIAL, 0.0]], atol=ROUNDING)
    assert driven[1, 1] == pytest.approx((1 - 2 * K) * AXIAL)


# Gravity --------------------------------------------------------------------------------------


def test_a_rotor_on_a_moving_link_has_weight() -> None:
    """5 kg at the elbow, 1 m from joint 1: what the links alone lack, and (10) as printed."""
    compared = motor_models(arm_with_motors_in_axes(), BELT_STATE)
    weight = [5.0 * 9.81 * np.cos(BELT_STATE[0]), 0.0]
    exact = model(compared, "exact").terms.gravity
    assert weight[0] > 45.0
    for motors in ("exact", "augmented", "coupled", "reflected"):
        assert model(compared, motors).largest["gravity"] < ROUNDING
    none = model(compared, "none")
    np.testing.assert_allclose(none.difference.gravity, np.negative(weight), atol=ROUNDING)
    np.testing.assert_allclose(none.terms.gravity + weight, exact, atol=ROUNDING)
    assert none.largest["gravity"] == pytest.approx(weight[0])
    for equations in ("appendix", "(8)-(10)", "(10)-(12)"):
        assert form(compared, equations, "stator").largest["gravity"] < ROUNDING
        printed = form(compared, equations, "driven").difference.gravity
        np.testing.assert_allclose(printed, np.negative(weight), atol=ROUNDING)


def test_differences_are_raw() -> None:
    """Nothing is rounded away: a difference is the difference of the terms, to the last bit."""
    compared = motor_models(ad.load("irb6"), IRB6_STATE, MOVING)
    exact = model(compared, "exact").terms
    for other in (*compared.models, *compared.forms):
        np.testing.assert_array_equal(
            other.difference.mass_matrix, other.terms.mass_matrix - exact.mass_matrix
        )
        np.testing.assert_array_equal(other.difference.velocity, other.terms.velocity - exact.velocity)
        np.testing.assert_array_equal(other.difference.gravity, other.terms.gravity - exact.gravity)


# What the data support ------------------------------------------------------------------------


@pytest.mark.parametrize("name", ad.catalog())
def test_every_catalog_robot_is_compared_with_its_best_model(name: str) -> None:
    robot = ad.load(name)
    compared = motor_models(robot, robot.home)
    best = default_motors(robot)
    names = [m.motors for m in compared.models]
    assert compared.reference == names[0] == best
    assert names == [m for m in MOTOR_MODELS if m in names]
    assert "none" in names
    assert set(model(compared, best).largest.values()) == {0.0}  # a model less itself
    assert bool(compared.forms) == (best == "exact")


def test_a_motor_of_a_locked_joint_has_no_driven_link() -> None:
    compared = motor_models(belt_arm().locked({2: 0.3}), [0.2])
    assert {f.seen_from for f in compared.forms} == {"stator"}


def test_the_document_is_plain_data() -> None:
    document = compare_motor_models(belt_arm(), BELT_STATE, [0.1, 0.2])
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    assert document.keys() == {"reference", "models", "forms"}
    first = document["models"][0]
    assert first["motors"] == document["reference"] == "exact"
    assert first.keys() == {
        "motors",
        "mass_matrix",
        "velocity",
        "gravity",
        "difference",
        "largest",
    }
    assert first["difference"].keys() == first["largest"].keys()
    assert document["forms"][0].keys() - first.keys() == {"form", "seen_from", "carried"}


# Bad input ------------------------------------------------------------------------------------


def test_one_state_of_the_robots_size() -> None:
    with pytest.raises(
        ShapeError, match=r'^q has shape \(3,\); robot "belt" has 2 joints, expected \(\.\.\., 2\)$'
    ):
        motor_models(belt_arm(), [0.0] * 3)
    with pytest.raises(ShapeError, match=r"^qd has shape \(1, 2\); .* at one state, expected \(2,\)$"):
        motor_models(belt_arm(), [0.0] * 2, [[0.0] * 2])


@pytest.mark.parametrize("bad", [["a", 1.0], [[1.0], [1.0, 2.0]], None])
def test_numbers_only(bad: Any) -> None:
    with pytest.raises(InputError, match=r"^q "):
        motor_models(belt_arm(), bad)


def test_finite_numbers_only() -> None:
    with pytest.raises(InputError, match=r"^qd is \[nan, 0.0\], expected finite numbers$"):
        motor_models(belt_arm(), [0.0, 0.0], [np.nan, 0.0])
