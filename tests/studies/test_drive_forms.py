"""Motor torques by every document's form at one state, and what each of them misses."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import armdyn as ad
from actuated_robots import AXIAL, BELT_STATE, arm_with_motors_in_axes, belt_arm
from armdyn.errors import InputError, MissingDataError, ShapeError
from armdyn.robot import Coupling, Friction, ScrewTriangle
from armdyn.studies.drive_forms import (
    BACK,
    BACK_PRINTED,
    OWN_AXIS,
    OWN_GEAR,
    POWER_CONSISTENT,
    DriveForms,
    JointForm,
    MotorForm,
    drive_forms,
)

REFERENCE = json.loads((Path(__file__).parents[1] / "data" / "reference.json").read_text())
REFERENCE_DIGITS = 1e-9
"""Relative to the largest value: two implementations, each of some hundred rounded operations."""
ROUNDING = 1e-10
"""Of torques up to some hundred: two ways to compute the same in double precision."""


def assert_close(ours: Any, reference: Any) -> None:
    size = max(1.0, float(np.abs(reference).max()))
    np.testing.assert_allclose(ours, reference, rtol=0, atol=REFERENCE_DIGITS * size)


def form(compared: DriveForms, name: str) -> MotorForm:
    (found,) = (x for x in compared.forms if x.form == name)
    return found


def back(compared: DriveForms, name: str) -> JointForm:
    (found,) = (x for x in compared.back if x.form == name)
    return found


# lola15 [Kvrgic2020] --------------------------------------------------------------------------

LOLA = REFERENCE["lola15"]
AT_REST, MOVING = LOLA["states"]
PRESSING = "force 100,100,-150"
CASES = [
    pytest.param(state, case, id=f"{name}, {case}")
    for name, state in (("at rest", AT_REST), ("moving", MOVING))
    for case in state["cases"]
]


def lola15(state: dict[str, Any], case: str, **options: Any) -> DriveForms:
    force = [float(x) for x in re.findall(r"-?\d+", case) or (0, 0, 0)]
    wrench = [*force, 0.0, 0.0, 0.0]
    return drive_forms(ad.load("lola15"), state["q"], state["v"], state["a"], wrench, **options)


@pytest.mark.parametrize(("state", "case"), CASES)
def test_lola15_power_consistent_values(state: dict[str, Any], case: str) -> None:
    compared = lola15(state, case, friction=False)
    exact = form(compared, POWER_CONSISTENT)
    assert (compared.motors, compared.friction) == ("coupled", False)
    assert_close(exact.terms.torque, state["cases"][case]["u_a_power_consistent_no_friction"])
    assert_close(exact.terms.mass_matrix, state["H_a_power_consistent"])
    assert set(exact.largest.values()) == {0.0}


@pytest.mark.parametrize(("state", "case"), CASES)
def test_lola15_own_gears_miss_what_the_wrist_couples(state: dict[str, Any], case: str) -> None:
    """The rotor terms are the same: what is missed is u/k - K^-T u of the links' load."""
    compared = lola15(state, case, friction=False)
    u, K, k = (
        np.array(state["cases"][case]["u"]),
        np.array(LOLA["model"]["gear"]["K"]),
        LOLA["model"]["gear"]["k"],
    )
    missed = form(compared, OWN_GEAR).difference
    assert_close(missed.torque, u / k - np.linalg.solve(K.T, u))
    H = np.array(state["H"])
    assert_close(missed.mass_matrix, H / np.array(k)[:, None] - np.linalg.solve(K.T, H))


def test_own_gears_miss_0_155_newton_metres_of_motor_5() -> None:
    """Moving, pressing with (100, 100, -150) N.

    Motor 6 turns with joint 5, too: K^T u_a = u has k6 a6 = u6 and k5 a5 + k65 a6 = u5, so that
    a5 = (u5 - k65 u6/k6)/k5. (D.3) has u5/k5, which is k65 u6/(k5 k6) more, and with k65 = k6
    u6/k5 = 34.0509 N m / 219.43 = 0.155 N m; the rotor terms agree.
    """
    compared = lola15(MOVING, PRESSING, friction=False)
    u6, k5 = MOVING["cases"][PRESSING]["u"][5], 1536.0 / 7.0
    assert u6 == pytest.approx(34.0509, abs=5e-5)
    missed = form(compared, OWN_GEAR).difference.torque
    assert missed[4] == pytest.approx(u6 / k5, rel=REFERENCE_DIGITS)
    assert missed[4] == pytest.approx(0.155, abs=5e-4)
    elsewhere = [lola15(s, c, friction=False) for s in (AT_REST, MOVING) for c in s["cases"]]
    assert max(abs(form(x, OWN_GEAR).difference.torque[4]) for x in elsewhere) == abs(missed[4])


def test_friction_of_the_wrist_is_missed_likewise() -> None:
    """Joint 6 passes u6 + mu6 |u6| on; friction of the motors is the same in both."""
    missed = form(lola15(MOVING, PRESSING), OWN_GEAR).difference.torque
    u6, mu6, k5 = MOVING["cases"][PRESSING]["u"][5], LOLA["model"]["mu_s"][5], 1536.0 / 7.0
    assert missed[4] == pytest.approx((u6 + mu6 * abs(u6)) / k5, rel=REFERENCE_DIGITS)
    np.testing.assert_allclose(missed[[0, 2, 5]], 0.0, atol=ROUNDING)


def test_a_cycle_takes_viscous_friction_at_its_end() -> None:
    """f_v K qdd dt more."""
    dt, f_v = LOLA["model"]["dt"], np.array(LOLA["model"]["f_v"])
    now, later = (form(lola15(MOVING, PRESSING, dt=x), OWN_GEAR).terms for x in (0.0, dt))
    K = np.array(LOLA["model"]["gear"]["K"])
    np.testing.assert_allclose(later.torque - now.torque, f_v * dt * (K @ MOVING["a"]), atol=ROUNDING)
    np.testing.assert_allclose(later.mass_matrix - now.mass_matrix, f_v[:, None] * dt * K, atol=ROUNDING)


@pytest.mark.parametrize("friction", [False, True])
def test_only_the_power_consistent_torques_do_the_joints_work(friction: bool) -> None:
    compared = lola15(MOVING, PRESSING, friction=friction)
    assert compared.power == pytest.approx(float(compared.joint_torque @ MOVING["v"]))
    assert form(compared, POWER_CONSISTENT).power == pytest.approx(compared.power, rel=1e-12)
    for name in (OWN_AXIS, OWN_GEAR):
        assert abs(form(compared, name).power - compared.power) > 1.0, name


# planar2 [Siciliano2009] ----------------------------------------------------------------------

SAMPLES = [
    pytest.param(sample, id=f"{name}, {sample['t']:.3f} s")
    for name, trajectory in REFERENCE["planar2"]["trajectory_samples"].items()
    for sample in trajectory["samples"]
]


@pytest.mark.parametrize("sample", SAMPLES)
def test_planar2_motors_of_example_7_2(sample: dict[str, Any]) -> None:
    """k_ri qd_i = thetad_mi (7.22), k = 100: each motor has a hundredth of its joint's torque.

    The rotor of motor 2 stands on link 1 and takes I_m2 (qdd_1 + k qdd_2); (D.3) knows I_m2 k qdd_2 only.
    """
    data = REFERENCE["planar2"]["data"]
    compared = drive_forms(ad.load("planar2"), sample["q"], sample["qd"], sample["qdd"], friction=False)
    assert compared.motors == "exact"
    assert_close(compared.joint_torque, sample["tau"])
    assert_close(compared.motor_velocity, data["kr"] * np.array(sample["qd"]))
    for name in (POWER_CONSISTENT, OWN_AXIS):
        assert_close(form(compared, name).terms.torque, np.array(sample["tau"]) / data["kr"])
    assert_close(form(compared, OWN_GEAR).difference.torque, [0.0, -data["Im"] * sample["qdd"][0]])


# Others ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [n for n in ad.catalog() if ad.load(n).drives])
def test_every_catalog_robot_with_drives(name: str) -> None:
    robot = ad.load(name)
    rng = np.random.default_rng(7)
    q, qd, qdd = robot.home + 0.1 * rng.uniform(-1, 1, (3, robot.n))
    compared = drive_forms(robot, q, qd, qdd)
    dyn = ad.Dynamics(robot)
    assert (compared.motors, compared.friction) == (dyn.motors, dyn.friction)
    assert [x.form for x in compared.forms] == [POWER_CONSISTENT, OWN_AXIS, OWN_GEAR]
    assert form(compared, POWER_CONSISTENT).power == pytest.approx(compared.power, rel=1e-9)
    assert back(compared, BACK).largest < ROUNDING
    diagonal = all([c for c, _ in d.coupling.weights] == [d.joint] for d in robot.drives)
    assert (form(compared, OWN_AXIS).largest["torque"] < ROUNDING) == diagonal


def test_the_belt() -> None:
    """theta_2 = k (q1 + q2): (14) and (D.3) give motor 1 what motor 2 gives it already."""
    k, qd, qdd = 100.0, [0.5, -0.4], [2.0, 3.0]
    compared = drive_forms(belt_arm(), BELT_STATE, qd, qdd)
    tau1, tau2 = compared.joint_torque
    np.testing.assert_allclose(form(compared, POWER_CONSISTENT).terms.torque, [(tau1 - tau2) / k, tau2 / k])
    np.testing.assert_allclose(form(compared, OWN_AXIS).difference.torque, [tau2 / k, 0.0], atol=ROUNDING)
    links = ad.Dynamics(belt_arm(), "none").inverse(BELT_STATE, qd, qdd)
    np.testing.assert_allclose(form(compared, OWN_GEAR).difference.torque, [links[1] / k, 0.0], atol=ROUNDING)


def test_friction_at_rest_is_the_same_in_every_form() -> None:
    """Motors in their axes that start: all overcome starting friction; (D.3) lacks I_m qdd_1 as before."""
    robot, zero, qdd = arm_with_motors_in_axes(), [0.0, 0.0], [2.0, -3.0]
    rubbing = Friction(viscous=0.01, coulomb=0.2, starting=0.3, load=0.1)
    robot = replace(robot, drives=tuple(replace(drive, friction=rubbing) for drive in robot.drives))
    smooth, rough = (drive_forms(robot, BELT_STATE, zero, qdd, friction=on) for on in (False, True))
    added = form(rough, POWER_CONSISTENT).terms.torque - form(smooth, POWER_CONSISTENT).terms.torque
    load = np.abs(form(smooth, POWER_CONSISTENT).terms.torque)
    np.testing.assert_allclose(added, np.sign(qdd) * (0.3 + 0.1 * load), atol=ROUNDING)
    assert form(rough, OWN_AXIS).largest["torque"] < ROUNDING
    lacking = form(smooth, OWN_GEAR).difference.torque
    np.testing.assert_allclose(lacking, [0.0, -AXIAL * qdd[0]], atol=ROUNDING)
    share = 1.0 + 0.1 * np.sign(qdd) * np.sign(form(smooth, OWN_GEAR).terms.torque)
    np.testing.assert_allclose(form(rough, OWN_GEAR).difference.torque, share * lacking, atol=ROUNDING)


def test_the_way_back() -> None:
    compared = drive_forms(belt_arm(), BELT_STATE, [0.5, -0.4], [2.0, 3.0])
    motor = form(compared, POWER_CONSISTENT).terms.torque
    assert back(compared, BACK).largest < ROUNDING
    np.testing.assert_allclose(back(compared, BACK_PRINTED).torque, 200.0 * motor)
    assert back(compared, BACK_PRINTED).largest > 1.0


def test_a_wrench_acts_where_it_is_said_to() -> None:
    robot = arm_with_motors_in_axes()
    force, elbow = [0.0, 10.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0]
    state = ([0.0, 0.0], [0.0, 0.0], [0.0, 0.0])
    free, pressing = (drive_forms(robot, *state, wrench=w, at=elbow) for w in ([0.0] * 6, force))
    # 10 N at the second joint's axis, 1 m from the first; the torque is that over k = 100
    for name in (POWER_CONSISTENT, OWN_AXIS, OWN_GEAR):
        added = form(pressing, name).terms.torque - form(free, name).terms.torque
        np.testing.assert_allclose(added, [0.1, 0.0], atol=ROUNDING)


def test_the_document_is_plain_data() -> None:
    document = lola15(MOVING, PRESSING).document()
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    assert list(document) == [
        "motors",
        "friction",
        "dt",
        "joint_torque",
        "motor_velocity",
        "power",
        "forms",
        "back",
        "missing",
    ]
    assert list(document["forms"][0]) == ["form", "torque", "mass_matrix", "difference", "largest", "power"]
    assert list(document["back"][0]) == ["form", "torque", "difference", "largest"]
    assert document["missing"] == []


# What does not apply, and bad input -----------------------------------------------------------


def test_forms_that_do_not_apply_say_why() -> None:
    first, second = belt_arm().drives
    robot = replace(belt_arm(), drives=(first, replace(second, joint="q1")))
    compared = drive_forms(robot, BELT_STATE, [0.1, 0.2], [0.0, 0.0])
    assert [x.form for x in compared.forms] == [POWER_CONSISTENT]
    assert [x.form for x in compared.back] == [BACK]
    assert [x.form for x in compared.missing] == [OWN_AXIS, OWN_GEAR, BACK_PRINTED]
    assert all('"m1" and "m2" both serve joint "q1"' in x.reason for x in compared.missing)
    assert compared.document()["missing"][0].keys() == {"form", "reason"}


def test_a_robot_without_drives_has_no_forms() -> None:
    sentence = r'^robot "ur5": no drives for 6 joints, motor torques need as many drives as joints'
    with pytest.raises(MissingDataError, match=sentence):
        drive_forms(ad.load("ur5"), [0.0] * 6, [0.0] * 6, [0.0] * 6)


def test_a_screw_at_its_dead_point_says_so() -> None:
    robot = arm_with_motors_in_axes()
    screw = Coupling.of({"q2": 1.0}, law=ScrewTriangle(0.5, 0.2, 0.0, 300.0))
    robot = replace(robot, drives=(robot.drives[0], replace(robot.drives[1], coupling=screw)))
    drive_forms(robot, [0.0, 0.3], [0.0, 0.0], [0.0, 0.0])
    sentence = r'^q is \[0.0, 0.0\], where the gear matrix of robot "in axes" is singular; choose'
    with pytest.raises(InputError, match=sentence):
        drive_forms(robot, [0.0, 0.0], [0.0, 0.0], [0.0, 0.0])


@pytest.mark.parametrize("dt", [-0.01, np.nan, np.inf, "soon", None])
def test_a_cycle_lasts_some_time(dt: Any) -> None:
    with pytest.raises(InputError, match=r"^dt is .*, expected a cycle time in seconds, 0 or more$"):
        drive_forms(belt_arm(), BELT_STATE, [0.0, 0.0], [0.0, 0.0], dt=dt)


def test_one_state_of_finite_numbers() -> None:
    zero = [0.0, 0.0]
    with pytest.raises(ShapeError, match=r'^qd has shape \(3,\); robot "belt" has 2 joints'):
        drive_forms(belt_arm(), zero, [0.0] * 3, zero)
    with pytest.raises(ShapeError, match=r"^qdd has shape \(1, 2\); .* at one state, expected \(2,\)$"):
        drive_forms(belt_arm(), zero, zero, [zero])
    with pytest.raises(ShapeError, match=r"^wrench has shape \(2, 6\); .* at one state, expected \(6,\)$"):
        drive_forms(belt_arm(), zero, zero, zero, np.zeros((2, 6)))
    with pytest.raises(InputError, match=r"^q is \[nan, 0.0\], expected finite numbers$"):
        drive_forms(belt_arm(), [np.nan, 0.0], zero, zero)
    with pytest.raises(InputError, match=r"^at says where a wrench acts, but there is none"):
        drive_forms(belt_arm(), zero, zero, zero, at=[0.0] * 3)
