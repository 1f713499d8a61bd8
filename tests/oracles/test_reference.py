"""Catalog robots beside the values of an independent implementation (tests/data/reference.json)."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import armdyn as ad

REFERENCE = json.loads((Path(__file__).parents[1] / "data" / "reference.json").read_text())

REFERENCE_DIGITS = 1e-9
"""Relative to the largest value: two implementations, each of some hundred rounded operations."""


def assert_close(ours: Any, reference: Any) -> None:
    size = max(1.0, float(np.abs(reference).max()))
    np.testing.assert_allclose(ours, reference, rtol=0, atol=REFERENCE_DIGITS * size)


# lola15 [Kvrgic2020] --------------------------------------------------------------------------

LOLA = REFERENCE["lola15"]

lola_states = pytest.mark.parametrize("state", LOLA["states"], ids=["at rest", "moving"])
lola_cases = pytest.mark.parametrize("case", LOLA["states"][0]["cases"])


def force_of(case: str) -> list[float]:
    """ "force 100,100,-150" as a wrench of the tool on its surroundings."""
    return [float(x) for x in re.findall(r"-?\d+", case) or (0, 0, 0)] + [0.0] * 3


@pytest.fixture(scope="module")
def lola_links() -> ad.Dynamics:
    return ad.Dynamics(ad.load("lola15"), "none")


@pytest.fixture(scope="module")
def lola_motors() -> ad.Dynamics:
    return ad.Dynamics(ad.load("lola15"), "coupled", friction=False)


@lola_states
def test_lola15_mass_matrix(lola_links: ad.Dynamics, state: dict[str, Any]) -> None:
    assert_close(lola_links.mass_matrix(state["q"]), state["H"])


@lola_states
def test_lola15_jacobian_of_the_tool(lola_links: ad.Dynamics, state: dict[str, Any]) -> None:
    assert_close(lola_links.jacobian(state["q"])[:3], state["J_lin_at_pe"])


@lola_states
@lola_cases
def test_lola15_torques(lola_links: ad.Dynamics, state: dict[str, Any], case: str) -> None:
    q, v, a, expected = state["q"], state["v"], state["a"], state["cases"][case]
    force = force_of(case)
    assert_close(lola_links.inverse(q, v, a, force), expected["u"])
    assert_close(lola_links.bias(q, v, force), expected["u_bias"])
    assert_close(lola_links.gravity(q), expected["gravity"])
    assert_close(lola_links.terms(q, v, a, force)["contact"], expected["Jt_fe"])


def test_lola15_gears(lola_motors: ad.Dynamics) -> None:
    assert_close(lola_motors.gear_matrix(lola_motors.robot.home), LOLA["model"]["gear"]["K"])


@lola_states
def test_lola15_inertia_felt_by_the_motors(lola_motors: ad.Dynamics, state: dict[str, Any]) -> None:
    """K^-T (H + K^T I_a K): motor torques of unit accelerations of the joints, one per column."""
    q, unit = state["q"], np.eye(6)
    accelerated = lola_motors.inverse(q, 0 * unit, unit) - lola_motors.gravity(q)
    assert_close(lola_motors.motor_torque(q, accelerated).T, state["H_a_power_consistent"])
    assert_close(lola_motors.motor_torque(q, lola_motors.mass_matrix(q)).T, state["H_a_power_consistent"])


@lola_states
@lola_cases
def test_lola15_motor_torques(lola_motors: ad.Dynamics, state: dict[str, Any], case: str) -> None:
    tau = lola_motors.inverse(state["q"], state["v"], state["a"], force_of(case))
    expected = state["cases"][case]["u_a_power_consistent_no_friction"]
    assert_close(lola_motors.motor_torque(state["q"], tau), expected)


# planar2 [Siciliano2009] ----------------------------------------------------------------------

PLANAR = REFERENCE["planar2"]
PRESSING = [500.0, 500.0, 0.0, 0.0, 0.0, 0.0]
"""The tip's force of Problem 7.7 as a wrench."""

SAMPLES = [
    pytest.param(sample, id=f"{name}, {sample['t']:.3f} s")
    for name, trajectory in PLANAR["trajectory_samples"].items()
    for sample in trajectory["samples"]
]


@pytest.fixture(scope="module")
def planar2() -> ad.Dynamics:
    return ad.Dynamics(ad.load("planar2"), "exact", friction=False)


@pytest.mark.parametrize("state", PLANAR["states"])
def test_planar2_equation(planar2: ad.Dynamics, state: dict[str, Any]) -> None:
    q, qd, qdd = state["q"], state["qd"], state["qdd"]
    assert_close(planar2.mass_matrix(q), state["B"])
    assert_close(planar2.coriolis_matrix(q, qd), state["C"])
    assert_close(planar2.terms(q, qd, qdd)["velocity"], state["Cqd"])
    assert_close(planar2.gravity(q), state["g"])
    assert_close(planar2.inverse(q, qd, qdd), state["tau"])


@pytest.mark.parametrize("state", PLANAR["states"])
def test_planar2_tip_force(planar2: ad.Dynamics, state: dict[str, Any]) -> None:
    q, qd, qdd = state["q"], state["qd"], state["qdd"]
    on_arm = [-x for x in PRESSING]
    assert_close(planar2.jacobian(q)[:2], state["J_tip"])
    assert_close(planar2.terms(q, qd, qdd, PRESSING)["contact"], state["Jt_f_500_500"])
    assert_close(planar2.inverse(q, qd, qdd, PRESSING), state["tau_with_tip_force_on_environment"])
    assert_close(planar2.inverse(q, qd, qdd, on_arm), state["tau_if_force_acts_on_arm"])


@pytest.mark.parametrize("sample", SAMPLES)
def test_planar2_moves_as_in_example_7_2(planar2: ad.Dynamics, sample: dict[str, Any]) -> None:
    q, qd, qdd = sample["q"], sample["qd"], sample["qdd"]
    assert_close(planar2.inverse(q, qd, qdd), sample["tau"])
    assert_close(planar2.pose(q)[:2, 3], sample["tip"])


@pytest.mark.parametrize("sample", SAMPLES)
def test_planar2_contributions_of_example_7_2(planar2: ad.Dynamics, sample: dict[str, Any]) -> None:
    """Torque i of acceleration j alone; of one joint's velocity alone; of both beyond that; of weight."""
    expected = sample["contributions"]
    q, (rate1, rate2) = sample["q"], sample["qd"]
    for j, one in enumerate(np.diag(sample["qdd"])):
        inertia = planar2.terms(q, [0, 0], one)["inertia"]
        assert_close(inertia, [expected[f"inertia_{i}{j + 1}"] for i in (1, 2)])
    first, second, both = planar2.terms(q, [(rate1, 0), (0, rate2), (rate1, rate2)], [0, 0])["velocity"]
    assert_close(first, [0.0, expected["centrifugal_2"]])
    assert_close(second, [expected["centrifugal_1"], 0.0])
    assert_close(both - first - second, [expected["coriolis_1"], 0.0])
    assert_close(planar2.gravity(q), [expected["gravity_1"], expected["gravity_2"]])


@pytest.mark.parametrize("sample", SAMPLES)
def test_planar2_torques_of_problem_7_7(planar2: ad.Dynamics, sample: dict[str, Any]) -> None:
    q, qd, qdd = sample["q"], sample["qd"], sample["qdd"]
    on_arm = [-x for x in PRESSING]
    assert_close(planar2.terms(q, qd, qdd, PRESSING)["contact"], sample["JT_f"])
    assert_close(planar2.inverse(q, qd, qdd, PRESSING), sample["tau_P77_force_on_environment"])
    assert_close(planar2.inverse(q, qd, qdd, on_arm), sample["tau_P77_force_on_arm"])


# jpl_rrp [Bejczy1974] -------------------------------------------------------------------------

JPL = REFERENCE["jpl_rrp"]


def jpl_rrp(loaded: bool) -> ad.Dynamics:
    """Links only; the load is a cube at the origin of frame 6."""
    robot, cube = ad.load("jpl_rrp"), JPL["parameters"]["load"]
    if loaded:
        robot = robot.with_payload(cube["m"], inertia=(cube["Ic"],) * 3 + (0.0,) * 3)
    return ad.Dynamics(robot, "none")


@pytest.mark.parametrize("state", JPL["states"], ids=["empty", "loaded"])
def test_jpl_rrp_coefficients(state: dict[str, Any]) -> None:
    """Inertia, gravity, and the symmetric Christoffel symbols c_ijk: C at the unit velocity k."""
    dyn, q = jpl_rrp(state["load"]), state["q"]
    assert_close(dyn.mass_matrix(q), state["inertia"])
    assert_close(dyn.gravity(q), state["gravity"])
    for k, unit in enumerate(np.eye(6)):
        assert_close(dyn.coriolis_matrix(q, unit), np.array(state["velocity"])[:, :, k])


def test_jpl_rrp_input_inertias() -> None:
    robot = ad.load("jpl_rrp")
    added = ad.Dynamics(robot).mass_matrix(robot.home) - ad.Dynamics(robot, "none").mass_matrix(robot.home)
    assert_close(added, np.diag(JPL["parameters"]["SI"]["Iin"]))


# parallelogram [Siciliano2009] ----------------------------------------------------------------


def test_parallelogram_mass_matrix() -> None:
    """As the document's equation with its indices corrected, not as it is printed."""
    state = REFERENCE["parallelogram"]["state"]
    H = ad.Dynamics(ad.load("parallelogram")).mass_matrix([state["th1"], state["th1pp"]])
    assert_close(H, state["B_exact"])
    assert_close(H, state["B_fixed"])
    assert H[1, 1] != pytest.approx(state["B_printed"][1][1], rel=0.1)
