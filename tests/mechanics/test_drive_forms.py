"""The documents' ways between joints and motors: where they hold, and by how much they miss elsewhere."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from actuated_robots import AXIAL, BELT_STATE, K, arm_with_motors_in_axes, belt_arm, belt_with_wheels
from armdyn.errors import MissingDataError
from armdyn.formats import load
from armdyn.mechanics.drive_forms import (
    joint_torques_as_printed,
    own_axis_torques,
    own_gear_mass_matrix,
    own_gear_torques,
    shaft_inertia,
)
from armdyn.mechanics.drives import drive_coordinates, gear_matrix, joint_torques, motor_torques
from armdyn.mechanics.tree.coordinates import state_of
from armdyn.robot import Coupling, Drive, Friction, Robot, Rotor
from armdyn.scalars import Graph, program

ROUNDING = 1e-12
"""Relative to the largest number: some ten operations in another order."""

LOLA = json.loads((Path(__file__).parents[1] / "data" / "reference.json").read_text())["lola15"]
MODEL, MOVING = LOLA["model"], LOLA["states"][1]
PRESSING = MOVING["cases"]["force 100,100,-150"]
GEARS = MODEL["gear"]


def assert_equal(ours: Any, expected: Any) -> None:
    size = max(1.0, float(np.abs(expected).max()))
    np.testing.assert_allclose(np.array(ours, dtype=float), expected, rtol=0, atol=ROUNDING * size)


def rates(robot: Robot, q: list[float], qd: list[float]) -> np.ndarray:
    return np.array(gear_matrix(robot, q), dtype=float) @ qd


def with_gears(robot: Robot, gears: np.ndarray) -> Robot:
    """The robot with other ratios; row i is that of drive i."""
    drives = (
        replace(drive, coupling=Coupling.of(dict(zip(robot.joint_names, row.tolist(), strict=True))))
        for drive, row in zip(robot.drives, gears, strict=True)
    )
    return replace(robot, drives=tuple(drives))


# (14) -----------------------------------------------------------------------------------------


def test_own_axis_is_exact_for_motors_in_the_axes() -> None:
    robot, tau = arm_with_motors_in_axes(3), [30.0, -20.0, 7.0]
    expected = np.array(tau) / K
    assert_equal(own_axis_torques(robot, [0.4, 0.9, -0.2], tau), expected)
    assert_equal(motor_torques(robot, [0.4, 0.9, -0.2], tau), expected)


def test_own_axis_misses_what_a_belt_couples() -> None:
    """theta_2 = k (q1 + q2): k a_2 = tau_2, k (a_1 + a_2) = tau_1; (14) forgets a_2 in the second."""
    tau = [30.0, -20.0]
    assert_equal(motor_torques(belt_arm(), BELT_STATE, tau), [(30.0 + 20.0) / K, -20.0 / K])
    assert_equal(own_axis_torques(belt_arm(), BELT_STATE, tau), [30.0 / K, -20.0 / K])


def test_own_axis_misses_what_a_wrist_couples() -> None:
    """K^T a = u from the last motor inwards: every motor takes from its joint what later ones give it."""
    robot, q, u = load("lola15"), MOVING["q"], PRESSING["u"]
    k, k54, k64, k65 = GEARS["k"], GEARS["k54"], GEARS["k64"], GEARS["k65"]
    a6 = u[5] / k[5]
    a5 = (u[4] - k65 * a6) / k[4]
    a4 = (u[3] - k54 * a5 - k64 * a6) / k[3]
    a3 = u[2] / k[2]
    a2 = (u[1] - k[2] / k[1] * a3) / k[1]
    assert_equal(motor_torques(robot, q, u), [u[0] / k[0], a2, a3, a4, a5, a6])
    missed = np.array(own_axis_torques(robot, q, u)) - motor_torques(robot, q, u)
    assert_equal(missed, [0.0, a3 / k[1], 0.0, (k54 * a5 + k64 * a6) / k[3], k65 * a6 / k[4], 0.0])
    assert missed[4] == pytest.approx(0.155, abs=5e-4)


# (D.3) ----------------------------------------------------------------------------------------


def printed(u_bias: Any, u: Any, H: np.ndarray, qd: Any, qdd: Any, dt: float) -> np.ndarray:
    """(D.3) of Lola 15 element by element, with |u|, one u_3 fewer and h_54 for a_54."""
    k, k54, k64, k65 = GEARS["k"], GEARS["k54"], GEARS["k64"], GEARS["k65"]
    inertia, mu, f_v = MODEL["I_a"], MODEL["mu_s"], MODEL["f_v"]
    rub = [u_bias[i] + mu[i] * np.sign(qd[i]) * abs(u[i]) for i in range(6)]
    bias = [rub[i] / k[i] + k[i] * f_v[i] * qd[i] for i in range(6)]  # right for axes 1, 2 and 4
    bias[2] = rub[2] / k[2] + k[2] * f_v[2] * (qd[1] / k[1] + qd[2])
    bias[4] = rub[4] / k[4] + f_v[4] * (k54 * qd[3] + k[4] * qd[4])
    bias[5] = rub[5] / k[5] + f_v[5] * (k64 * qd[3] + k65 * qd[4] + k[5] * qd[5])
    spin = [inertia[i] + f_v[i] * dt for i in range(6)]
    h = [[H[i][j] / k[i] for j in range(6)] for i in range(6)]
    for i in range(6):
        h[i][i] += k[i] * spin[i]
    h[2][1] += k[2] * spin[2] / k[1]
    h[4][3] += k54 * spin[4]
    h[5][3] += k64 * spin[5]
    h[5][4] += k65 * spin[5]
    return np.array(bias) + np.array(h) @ qdd


@pytest.mark.parametrize("dt", [0.0, MODEL["dt"]])
@pytest.mark.parametrize("case", MOVING["cases"])
def test_own_gear_torques_as_printed(case: str, dt: float) -> None:
    q, qd, qdd, found = MOVING["q"], MOVING["v"], MOVING["a"], MOVING["cases"][case]
    ours = own_gear_torques(load("lola15"), q, qd, qdd, found["u"], dt=dt)
    expected = printed(found["u_bias"], found["u"], np.array(MOVING["H"]), qd, qdd, dt)
    # the reference's own u - u_bias - H qdd
    np.testing.assert_allclose(ours, expected, rtol=0, atol=1e-9)


def test_own_gear_torques_without_friction() -> None:
    """u/k + I_a K qdd."""
    q, qd, qdd, u = MOVING["q"], MOVING["v"], MOVING["a"], PRESSING["u"]
    expected = np.array(u) / GEARS["k"] + MODEL["I_a"] * (np.array(GEARS["K"]) @ qdd)
    assert_equal(own_gear_torques(load("lola15"), q, qd, qdd, u, friction=False), expected)
    assert_equal(own_gear_torques(load("lola15"), q, qd, qdd, u, friction=False, dt=0.01), expected)


@pytest.mark.parametrize("dt", [0.0, MODEL["dt"]])
def test_own_gear_mass_matrix_is_the_slope_of_its_torques(dt: float) -> None:
    """By the accelerations, friction of the load aside."""
    robot, q, qd, H = load("lola15"), MOVING["q"], MOVING["v"], np.array(MOVING["H"])
    joints = (replace(b, joint=replace(b.joint, friction=Friction())) for b in robot.bodies)
    robot = replace(robot, bodies=tuple(joints))
    rest = np.array(own_gear_torques(robot, q, qd, [0.0] * 6, [0.0] * 6, dt=dt))
    columns = [own_gear_torques(robot, q, qd, e.tolist(), (H @ e).tolist(), dt=dt) - rest for e in np.eye(6)]
    assert_equal(own_gear_mass_matrix(robot, q, H.tolist(), dt=dt), np.transpose(columns))
    still = own_gear_mass_matrix(robot, q, H.tolist(), friction=False, dt=dt)
    assert_equal(still, own_gear_mass_matrix(robot, q, H.tolist()))


def test_friction_of_a_driving_load_brakes() -> None:
    """mu sign(qd) u would help where u qd < 0; |u| does not."""
    robot, q, zero = load("lola15"), MOVING["q"], [0.0] * 6
    for sign in (1.0, -1.0):
        qd, load_ = [sign * 1e-9] * 6, [100.0] * 6
        friction = np.array(own_gear_torques(robot, q, qd, zero, load_)) - own_gear_torques(
            robot, q, qd, zero, load_, friction=False
        )
        assert (friction * sign > 0).all()


def test_own_gears_are_exact_where_gears_do_not_couple() -> None:
    """Inertias felt at the joint: u/k + (J/k^2) k qdd = (u + J qdd)/k."""
    robot = load("jpl_rrp")
    rng = np.random.default_rng(4)
    q, qd, qdd, u = rng.uniform(-1, 1, (4, 6)).tolist()
    felt = [drive.joint_inertia for drive in robot.drives]
    tau = (np.array(u) + np.array(felt, dtype=float) * qdd).tolist()
    assert_equal(own_gear_torques(robot, q, qd, qdd, u), motor_torques(robot, q, tau))


def test_wheels_of_a_gear_count_at_the_shaft() -> None:
    first = belt_with_wheels().drives[0]
    assert shaft_inertia(first, K) == pytest.approx(AXIAL + 0.2 * 0.05**2)
    assert shaft_inertia(replace(first, rotor=None, stages=(), joint_inertia=3.0), K) == pytest.approx(
        3.0 / K**2
    )
    assert shaft_inertia(replace(first, rotor=None, stages=()), K) == 0


# (19) -----------------------------------------------------------------------------------------


def test_the_way_back_undoes_the_power_consistent_way() -> None:
    robot, q, u = load("irb6"), [0.3, 0.2, -0.1, 0.4, 0.7], [10.0, -20.0, 30.0, -4.0, 5.0]
    assert_equal(joint_torques(robot, q, motor_torques(robot, q, u)), u)


def test_the_printed_way_back_has_the_sum_of_all_gears() -> None:
    """k + k of the belt, for either motor; K^T has k and k, 0 and k."""
    assert_equal(joint_torques_as_printed(belt_arm(), BELT_STATE, [0.3, -0.2]), [2 * K * 0.3, -2 * K * 0.2])
    assert_equal(joint_torques(belt_arm(), BELT_STATE, [0.3, -0.2]), [K * (0.3 - 0.2), -K * 0.2])


def test_the_printed_way_back_holds_for_one_joint_only() -> None:
    robot = load("pendulum")
    assert robot.n == 1
    assert_equal(joint_torques_as_printed(robot, [0.3], [0.2]), joint_torques(robot, [0.3], [0.2]))


# Work -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_only_the_power_consistent_form_does_the_joints_work(seed: int) -> None:
    """On gears of any coupling; the others where nothing is coupled."""
    rng = np.random.default_rng(seed)
    q, qd, u = rng.uniform(-1, 1, (3, 6)).tolist()
    own = np.diag(rng.uniform(50, 150, 6))
    zero, work = [0.0] * 6, float(np.dot(u, qd))
    for gears, coupled in ((own, False), (own + rng.uniform(-40, 40, (6, 6)), True)):
        robot = with_gears(load("lola15"), gears)
        rate = rates(robot, q, qd)
        assert np.dot(motor_torques(robot, q, u), rate) == pytest.approx(work, rel=1e-9)
        axis = np.dot(own_axis_torques(robot, q, u), rate)
        gear = np.dot(own_gear_torques(robot, q, qd, zero, u, friction=False), rate)
        for power in (axis, gear):
            assert (abs(power - work) > 1e-3) == coupled, (seed, coupled)


# Scalars and order ----------------------------------------------------------------------------


def test_the_forms_can_be_traced() -> None:
    robot = load("irb6")
    rng = np.random.default_rng(3)
    values = {name: rng.uniform(-0.5, 0.5, 5) for name in ("q", "qd", "qdd", "u")}

    def forms(q: Any, qd: Any, qdd: Any, u: Any) -> list[Any]:
        rows = own_gear_mass_matrix(robot, q, np.eye(5).tolist(), dt=0.01)
        ways = (own_axis_torques, joint_torques, joint_torques_as_printed)
        return [
            *own_gear_torques(robot, q, qd, qdd, u, dt=0.01),
            *(x for row in rows for x in row),
            *(x for way in ways for x in way(robot, q, u)),
        ]

    graph = Graph()
    traced = program(forms(*(graph.inputs(name, 5) for name in values)))
    expected = forms(*(x.tolist() for x in values.values()))
    found = np.empty((1, len(expected)))
    traced.run({name: x[None] for name, x in values.items()}, found)
    assert_equal(found[0], expected)


def test_drives_may_stand_in_any_order() -> None:
    robot, q, u = load("lola15"), MOVING["q"], PRESSING["u"]
    order = [3, 0, 5, 1, 4, 2]
    mixed = replace(robot, drives=tuple(robot.drives[k] for k in order))
    motion = (q, MOVING["v"], MOVING["a"], u)
    assert_equal(own_axis_torques(mixed, q, u), np.array(own_axis_torques(robot, q, u))[order])
    assert_equal(own_gear_torques(mixed, *motion), np.array(own_gear_torques(robot, *motion))[order])
    rows = own_gear_mass_matrix(robot, q, MOVING["H"])
    assert_equal(own_gear_mass_matrix(mixed, q, MOVING["H"]), np.array(rows)[order])
    motor = np.arange(1.0, 7.0)
    back = joint_torques_as_printed(robot, q, motor.tolist())
    assert_equal(joint_torques_as_printed(mixed, q, motor[order].tolist()), back)


# What does not apply --------------------------------------------------------------------------


def refused(robot: Robot) -> str:
    n = robot.n
    with pytest.raises(MissingDataError) as error:
        own_axis_torques(robot, [0.1] * n, [1.0] * n)
    return str(error.value)


def test_too_few_drives() -> None:
    robot = belt_arm()
    said = refused(replace(robot, drives=robot.drives[:1]))
    assert said.startswith('robot "belt": 1 drive for 2 joints, a form that gives each motor its own joint')


def test_two_drives_of_one_joint() -> None:
    first, second = belt_arm().drives
    said = refused(replace(belt_arm(), drives=(first, replace(second, joint="q1"))))
    assert said.startswith('robot "belt": drives "m1" and "m2" both serve joint "q1", a form')


def test_a_drive_without_its_own_joint() -> None:
    swapped = (
        Drive("m1", "q1", Coupling.of({"q2": K}), Rotor(AXIAL)),
        Drive("m2", "q2", Coupling.of({"q1": K}), Rotor(AXIAL)),
    )
    said = refused(replace(belt_arm(), drives=swapped))
    assert said.startswith('robot "belt": drive "m1" does not turn with a joint of its own, a form')


def test_a_drive_whose_joint_is_locked() -> None:
    locked = belt_arm().locked({2: 0.3})
    said = refused(replace(locked, drives=locked.drives[1:]))
    assert said.startswith('robot "belt": drive "m2" does not turn with a joint of its own, a form')


# The ball screws of irb6 ----------------------------------------------------------------------


def motor_angles(q: Any) -> np.ndarray:
    """theta_m of the IRb-6, from its published lengths [mm]; q may be complex."""
    _, q2, q3, q4, q5 = q
    turns = 2 * np.pi / 5.0  # 5 mm lead
    upper, fore = q2 + np.pi / 2, q2 + q3
    l2 = np.sqrt(77895.25 + 60902.55 * np.cos(upper) - 29346.68 * np.sin(upper))
    l3 = np.sqrt(77895.25 - 44100.0 * np.cos(fore) - 51240.0 * np.sin(fore))
    hand = 128.0 * (q2 + q3 + q4)
    return np.array([-158.0 * q[0], turns * (l2 - 220.3374), turns * (l3 - 183.8348), hand, hand - 76.8 * q5])


STEP = 1e-30
"""Of a complex step, which loses no digits."""
SLOPES = 1e-12
"""Relative to ratios of some hundred: the same sums in another order."""
BENDS = 1e-9
"""Relative: differences of eighth order at steps of 0.01 leave 1e-16 h^8, and 1e-14 / h of rounding."""

POSTURES = np.random.default_rng(8).uniform(-0.3, 0.3, (4, 3, 5))


@pytest.mark.parametrize("motion", POSTURES, ids=range(len(POSTURES)))
def test_irb6_gear_matrix_is_the_slope_of_its_motor_angles(motion: np.ndarray) -> None:
    robot, q = load("irb6"), motion[0]
    slopes = np.stack([np.imag(motor_angles(q + 1j * STEP * e)) / STEP for e in np.eye(5)], axis=-1)
    np.testing.assert_allclose(gear_matrix(robot, q.tolist()), slopes, rtol=0, atol=SLOPES * 200)
    states = [state_of(coordinate, q.tolist()) for coordinate in drive_coordinates(robot)]
    positions = [theta.variable + theta.offset for theta in states]
    np.testing.assert_allclose(positions, motor_angles(q), rtol=0, atol=SLOPES * 200)


@pytest.mark.parametrize("motion", POSTURES, ids=range(len(POSTURES)))
def test_irb6_motors_accelerate_as_their_angles_do(motion: np.ndarray) -> None:
    """theta_m of q + qd t + qdd t^2/2: its rate by complex steps, the slope of that by differences."""
    q, qd, qdd = motion[0], 3 * motion[1], 10 * motion[2]

    def rate(t: float) -> np.ndarray:
        at = t + 1j * STEP
        return np.imag(motor_angles(q + qd * at + qdd * at**2 / 2)) / STEP

    h, weights = 0.01, (4 / 5, -1 / 5, 4 / 105, -1 / 280)
    slope = sum(w * (rate(k * h) - rate(-k * h)) for k, w in enumerate(weights, 1)) / h
    robot = load("irb6")
    coordinates = drive_coordinates(robot)
    states = [state_of(x, q.tolist(), qd.tolist(), qdd.tolist()) for x in coordinates]
    np.testing.assert_allclose([theta.rate for theta in states], rate(0.0), rtol=0, atol=SLOPES * 500)
    size = float(np.abs(slope).max())
    np.testing.assert_allclose([theta.acceleration for theta in states], slope, rtol=0, atol=BENDS * size)
    constant = np.array(gear_matrix(robot, q.tolist()), dtype=float) @ qdd
    assert np.abs(slope - constant)[1:3].min() > 1e-3  # K qdd alone is not enough
