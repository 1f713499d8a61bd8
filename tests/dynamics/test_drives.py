"""The drives: motors and joints, currents and voltages, and the dynamics in motor coordinates."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import armdyn as ad
from armdyn.errors import InputError, MissingDataError, RobotError, ShapeError
from armdyn.robot import Body, Coupling, Drive, Joint, Motor, Robot, Rotor, ScrewTriangle
from armdyn.scalars.batch import Losses
from armdyn.spatial import Inertia, Transform
from armdyn.spatial.vector import diagonal

EXACT = 1e-14
"""Relative: some operations."""
ROUNDING = 1e-10
"""Relative to the largest: sums of some hundred products, through the inverse of K and of H."""
REFERENCE = 1e-9
"""Relative to the largest value: two implementations."""
SEED = 7

MOTOR = Motor(torque_constant=0.1, back_emf=0.12, resistance=0.6)


def sliders(*drives: Drive) -> Robot:
    """Two bodies of 1 kg along x, the second on the first, on level ground: H = [[2, 1], [1, 1]]."""
    bodies = (
        Body("b1", Joint("x1", "prismatic", (1, 0, 0)), "base", Inertia(1.0)),
        Body("b2", Joint("x2", "prismatic", (1, 0, 0)), "b1", Inertia(1.0)),
    )
    return Robot("sliders", bodies, drives)


def motor(name: str, rotor: float = 0.0, electric: Motor = MOTOR, **ratios: float) -> Drive:
    return Drive(name, next(iter(ratios), "x1"), Coupling.of(ratios), Rotor(rotor), motor=electric)


def screwed() -> Robot:
    """Three links driven through a screw on q1 + q2, gears, and a screw on q3: K(q) is not constant."""
    link = Inertia(3.0, (0.2, 0.05, 0.1), diagonal(0.1, 0.2, 0.25))
    place = Transform(translation=(0.4, 0.0, 0.1))
    axes = ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (0.6, 0.0, 0.8))
    bodies = tuple(
        Body(f"b{k}", Joint(f"j{k}", axis=axis, placement=place), f"b{k - 1}" if k else "base", link)
        for k, axis in enumerate(axes)
    )
    screw = ScrewTriangle(0.5, 0.2, 0.1, 300.0)
    couplings = (
        Coupling.of({"j0": 0.2, "j1": 0.2}, 1.8, screw),
        Coupling.of({"j0": 30.0, "j1": -50.0}),
        Coupling.of({"j2": 0.3}, -1.2, screw),
    )
    drives = tuple(
        Drive(f"m{k}", f"j{k}", coupling, Rotor(0.002 * (k + 1)), motor=MOTOR)
        for k, coupling in enumerate(couplings)
    )
    return Robot("screwed", bodies, drives)


@pytest.fixture(scope="module", params=["lola15", "irb6", "puma560", "screwed"])
def dyn(request: pytest.FixtureRequest) -> ad.Dynamics:
    return ad.Dynamics(screwed() if request.param == "screwed" else ad.load(request.param))


@pytest.fixture(scope="module")
def irb6() -> ad.Dynamics:
    return ad.Dynamics(ad.load("irb6"))


def motions(dyn: ad.Dynamics, count: int = 20) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """q near home, where no screw of irb6 comes to its dead point, qd and qdd."""
    x = np.random.default_rng(SEED).uniform(-1, 1, (3, count, dyn.n))
    return dyn.robot.home + 0.3 * x[0], x[1], x[2]


def close(ours: Any, expected: Any, relative: float = ROUNDING) -> None:
    size = max(1.0, float(np.abs(expected).max(initial=0.0)))
    np.testing.assert_allclose(ours, expected, rtol=0, atol=relative * size)


def times(matrix: np.ndarray, vector: np.ndarray) -> np.ndarray:
    return (matrix @ vector[..., None])[..., 0]


# By hand --------------------------------------------------------------------------------------


def test_two_motors_by_hand() -> None:
    """theta = (x1, 2 x1 + 4 x2), K^-1 = [[1, 0], [-1/2, 1/4]], rotors of 1 and 1/16 kg m2."""
    dyn = ad.Dynamics(sliders(motor("m1", 1.0, x1=1.0), motor("m2", 0.0625, x1=2.0, x2=4.0)), "coupled")
    q = np.zeros(2)
    # H K^-1 = [[2, 1], [1, 1]] [[1, 0], [-1/2, 1/4]] = [[3/2, 1/4], [1/2, 1/4]]
    # K^-T of it: [[1, -1/2], [0, 1/4]] [[3/2, 1/4], [1/2, 1/4]] = [[5/4, 1/8], [1/8, 1/16]]
    A = np.array([[5 / 4 + 1, 1 / 8], [1 / 8, 1 / 16 + 1 / 16]])
    close(dyn.motor_mass_matrix(q), A, EXACT)
    # by joints: A K = [[9/4 + 1/4, 1/2], [1/8 + 1/4, 1/2]]
    close(dyn.motor_mass_matrix(q, by="joint"), [[5 / 2, 1 / 2], [3 / 8, 1 / 2]], EXACT)
    assert not dyn.motor_bias(q, q).any()
    close(dyn.effective_inertia(q), [9 / 4, 1 / 8], EXACT)
    # det A = 9/32 - 1/64 = 17/64; A^-1 = 64/17 [[1/8, ..], [.., 9/4]]
    close(dyn.effective_inertia(q, others="free"), [17 / 8, 17 / 144], EXACT)
    close(dyn.motor_torque(q, [3.0, 8.0]), [3.0 - 8.0 / 2, 2.0], EXACT)
    close(dyn.torque_of_motors(q, [-1.0, 2.0]), [3.0, 8.0], EXACT)
    # 2 N m at 0.1 N m/A are 20 A; motor 2 turns at 2 * 3 + 4 * 5 = 26 rad/s
    close(dyn.motor_current(q, [3.0, 8.0]), [-10.0, 20.0], EXACT)
    close(dyn.motor_voltage(q, [3.0, 5.0], [3.0, 8.0]), [-6.0 + 0.36, 12.0 + 0.12 * 26], EXACT)
    close(dyn.torque_of_currents(q, [-10.0, 20.0]), [3.0, 8.0], EXACT)


# There and back -------------------------------------------------------------------------------


def test_torques_of_motors_and_joints_give_each_other(dyn: ad.Dynamics) -> None:
    q, tau, motor_torque = motions(dyn)
    close(dyn.torque_of_motors(q, dyn.motor_torque(q, tau)), tau)
    close(dyn.motor_torque(q, dyn.torque_of_motors(q, motor_torque)), motor_torque)


def test_motors_and_joints_do_the_same_work(dyn: ad.Dynamics) -> None:
    """u_a . theta' = tau . qd [Szkodny1995] (13)."""
    q, qd, qdd = motions(dyn)
    tau = dyn.inverse(q, qd, qdd)
    power = (dyn.motor_torque(q, tau) * dyn.motor_velocity(q, qd)).sum(-1)
    close(power, (tau * qd).sum(-1))


def test_motor_velocities_and_accelerations_are_rates_of_positions(dyn: ad.Dynamics) -> None:
    q, qd, qdd = motions(dyn)
    h = 1e-5  # differences lose h^2 of the curve and 1e-16/h of positions of some 1e2
    before, after = (q + t * qd + 0.5 * t * t * qdd for t in (-h, h))
    close((dyn.motor_position(after) - dyn.motor_position(before)) / (2 * h), dyn.motor_velocity(q, qd), 1e-7)
    speeds = [dyn.motor_velocity(at, qd + t * qdd) for t, at in ((-h, before), (h, after))]
    close((speeds[1] - speeds[0]) / (2 * h), dyn.motor_acceleration(q, qd, qdd), 1e-7)


def test_the_gears_of_ball_screws_are_what_differences_say(irb6: ad.Dynamics) -> None:
    q, h = motions(irb6, 10)[0], 1e-5
    moved = [irb6.motor_position(q[:, None] + t * np.eye(5)) for t in (-h, h)]
    close(np.swapaxes(moved[1] - moved[0], 1, 2) / (2 * h), irb6.gear_matrix(q), 1e-8)


# Motor coordinates ----------------------------------------------------------------------------


def test_motor_torques_follow_from_motor_accelerations(dyn: ad.Dynamics) -> None:
    """u_a = A theta'' + b, the whole of it equal to the joint torques' motor torques."""
    free = ad.Dynamics(dyn.robot, dyn.motors, friction=False)
    q, qd, qdd = motions(free)
    needed = free.motor_torque(q, free.inverse(q, qd, qdd))
    by_motor = times(free.motor_mass_matrix(q), free.motor_acceleration(q, qd, qdd)) + free.motor_bias(q, qd)
    by_joint = times(free.motor_mass_matrix(q, by="joint"), qdd) + free.motor_bias(q, qd, by="joint")
    close(by_motor, needed)
    close(by_joint, needed)


def test_contact_and_a_moving_base_are_in_the_bias(dyn: ad.Dynamics) -> None:
    free = ad.Dynamics(dyn.robot, dyn.motors, friction=False)
    q, qd, qdd = motions(free, 3)
    rng = np.random.default_rng(SEED)
    around: dict[str, Any] = {
        "wrench": rng.uniform(-20, 20, 6),
        "at": rng.uniform(-0.2, 0.2, 3),
        "base": rng.uniform(-1, 1, 12),
    }
    needed = free.motor_torque(q, free.inverse(q, qd, qdd, **around))
    inertia = times(free.motor_mass_matrix(q), free.motor_acceleration(q, qd, qdd))
    close(inertia + free.motor_bias(q, qd, **around), needed)


def test_where_gears_are_constant_the_bias_is_the_same_by_motors_and_joints() -> None:
    lola, screws = ad.Dynamics(ad.load("lola15")), ad.Dynamics(screwed())
    for dyn, same in ((lola, True), (screws, False)):
        q, qd, _ = motions(dyn)
        apart = np.abs(dyn.motor_bias(q, qd) - dyn.motor_bias(q, qd, by="joint")).max()
        assert (apart <= ROUNDING) == same


def test_the_motor_mass_matrix_is_symmetric_and_positive_definite(dyn: ad.Dynamics) -> None:
    A = dyn.motor_mass_matrix(motions(dyn)[0])
    close(A, np.swapaxes(A, -1, -2), 1e-14)
    assert np.linalg.eigvalsh(A).min() > 0


def test_effective_inertia_with_the_others_locked(dyn: ad.Dynamics) -> None:
    """Torque per acceleration while the other motors stand."""
    free = ad.Dynamics(dyn.robot, dyn.motors, friction=False)
    q = motions(free, 5)[0]
    locked, rest = free.effective_inertia(q), np.zeros(free.n)
    for k, unit in enumerate(np.eye(free.n)):
        qdd = np.linalg.solve(free.gear_matrix(q), np.broadcast_to(unit, q.shape)[..., None])[..., 0]
        more = free.inverse(q, rest, qdd) - free.gravity(q)
        close(free.motor_torque(q, more)[:, k], locked[:, k], ROUNDING)


def test_effective_inertia_with_the_others_free(dyn: ad.Dynamics) -> None:
    """One N m at one motor, none at the others, gives an acceleration of one over it."""
    loose = ad.Dynamics(dyn.robot, dyn.motors, friction=False)
    q = motions(loose, 5)[0]
    free, rest = loose.effective_inertia(q, others="free"), np.zeros(loose.n)
    for k, unit in enumerate(np.eye(loose.n)):
        qdd = loose.forward(q, rest, loose.gravity(q) + loose.torque_of_motors(q, unit))
        assert loose.motor_acceleration(q, rest, qdd)[:, k] * free[:, k] == pytest.approx(1.0, rel=1e-7)


def test_a_motor_never_feels_more_when_the_others_are_free(dyn: ad.Dynamics) -> None:
    """And never less than its own rotor, where the rotor adds to the inertia of all else."""
    q = motions(dyn, 200)[0]
    locked, free = dyn.effective_inertia(q), dyn.effective_inertia(q, others="free")
    assert (free <= locked * (1 + EXACT)).all()
    if dyn.motors == "coupled":
        rotors = np.array([drive.rotor.axial if drive.rotor else 0.0 for drive in dyn.robot.drives])
        assert (free >= rotors * (1 - 1e-9)).all()


# The documents --------------------------------------------------------------------------------

LOLA = json.loads((Path(__file__).parents[1] / "data" / "reference.json").read_text())["lola15"]


@pytest.fixture(scope="module")
def lola() -> ad.Dynamics:
    return ad.Dynamics(ad.load("lola15"), "coupled", friction=False)


@pytest.mark.parametrize("state", LOLA["states"], ids=["at rest", "moving"])
def test_lolas_actuator_values(lola: ad.Dynamics, state: dict[str, Any]) -> None:
    """H_a of [Kvrgic2020] (90), power-consistent, and u_a = H_a qdd + u'_a under every force."""
    q, v, a = (np.array(state[k]) for k in "qva")
    H_a = lola.motor_mass_matrix(q, by="joint")
    close(H_a, state["H_a_power_consistent"], REFERENCE)
    for case, expected in state["cases"].items():
        force = [float(x) for x in re.findall(r"-?\d+", case) or (0, 0, 0)] + [0.0] * 3
        u_a = H_a @ a + lola.motor_bias(q, v, force, by="joint")
        close(u_a, expected["u_a_power_consistent_no_friction"], REFERENCE)


# Currents and voltages ------------------------------------------------------------------------


def test_the_direct_problem_undoes_the_inverse_problem(irb6: ad.Dynamics) -> None:
    """Currents of a motion, friction included, cause that motion; so they do from rest."""
    q, qd, qdd = motions(irb6)
    qd[10:], qdd[15:] = 0.0, 0.0
    current = irb6.motor_current(q, irb6.inverse(q, qd, qdd))
    close(irb6.forward(q, qd, irb6.torque_of_currents(q, current)), qdd, 1e-9)


def test_currents_and_voltages_are_those_of_torques_and_speeds(irb6: ad.Dynamics) -> None:
    q, qd, qdd = motions(irb6)
    tau = irb6.inverse(q, qd, qdd)
    motors = [drive.motor for drive in irb6.robot.drives]
    k_t, R = (np.array([getattr(m, name) for m in motors]) for name in ("torque_constant", "resistance"))
    current = irb6.motor_current(q, tau)
    close(current, irb6.motor_torque(q, tau) / k_t)
    close(irb6.motor_voltage(q, qd, tau), R * current + k_t * irb6.motor_velocity(q, qd))


def test_a_batch_is_its_rows_and_broadcasts(irb6: ad.Dynamics) -> None:
    q, qd, tau = (x.reshape(4, 5, 5) for x in motions(irb6))
    whole = irb6.motor_voltage(q, qd, tau)
    close(
        [[irb6.motor_voltage(*(x[i, j] for x in (q, qd, tau))) for j in range(5)] for i in range(4)],
        whole,
        1e-13,
    )
    assert irb6.motor_voltage(q[:, :1], qd[0], tau[0, 0]).shape == (4, 5, 5)
    out = np.empty((4, 5, 5))
    assert irb6.torque_of_motors(q, tau, out=out) is out
    assert irb6.motor_mass_matrix(np.zeros((0, 5))).shape == (0, 5, 5)


# What is refused ------------------------------------------------------------------------------

Q = np.zeros(2)
ZERO = np.zeros(6)

NEEDS_ALL: dict[str, Callable[[ad.Dynamics, np.ndarray], Any]] = {
    "motor_torque": lambda d, x: d.motor_torque(x, x),
    "motor_current": lambda d, x: d.motor_current(x, x),
    "motor_voltage": lambda d, x: d.motor_voltage(x, x, x),
    "motor_mass_matrix": lambda d, x: d.motor_mass_matrix(x),
    "motor_mass_matrix by joint": lambda d, x: d.motor_mass_matrix(x, by="joint"),
    "motor_bias": lambda d, x: d.motor_bias(x, x),
    "motor_bias by joint": lambda d, x: d.motor_bias(x, x, by="joint"),
    "effective_inertia": lambda d, x: d.effective_inertia(x),
}
needs_all = pytest.mark.parametrize("name", NEEDS_ALL)


def refused(sentence: str, evaluate: Callable[[], Any], error: type[Exception] = MissingDataError) -> None:
    with pytest.raises(error) as caught:
        evaluate()
    assert str(caught.value) == sentence


@needs_all
def test_a_robot_without_drives_has_no_motors(name: str) -> None:
    ur5 = ad.Dynamics(ad.load("ur5"))
    sentence = 'robot "ur5": no drives for 6 joints, motor torques need as many drives as joints'
    if name == "effective_inertia":
        sentence = 'robot "ur5" has no drives, effective inertia needs some'
    refused(sentence, lambda: NEEDS_ALL[name](ur5, ZERO))


def test_nothing_comes_from_no_motors() -> None:
    ur5 = ad.Dynamics(ad.load("ur5"))
    assert not ur5.torque_of_motors(ZERO, []).any()
    assert not ur5.torque_of_currents(ZERO, []).any()
    assert ur5.gear_matrix(ZERO).shape == (0, 6)
    refused(
        'robot "ur5" has no drives, effective inertia needs some',
        lambda: ur5.effective_inertia(ZERO, others="free"),
    )


@needs_all
def test_fewer_drives_than_joints_leave_motor_torques_open(name: str) -> None:
    dyn = ad.Dynamics(sliders(motor("m1", 1.0, x1=1.0)), "coupled")
    with pytest.raises(
        MissingDataError, match=r"^robot \"sliders\": 1 drives? for 2 joints, motor torques need"
    ):
        NEEDS_ALL[name](dyn, Q)


def test_fewer_drives_still_move_joints_and_feel_inertia_with_the_rest_free() -> None:
    """H + K^T K with K = (1, 0): [[3, 1], [1, 1]], its inverse (1, ..)/2: the motor feels 2."""
    dyn = ad.Dynamics(sliders(motor("m1", 1.0, x1=1.0)), "coupled")
    assert dyn.torque_of_motors(Q, [3.0]).tolist() == [3.0, 0.0]
    assert dyn.torque_of_currents(Q, [30.0]) == pytest.approx([3.0, 0.0], rel=EXACT)
    assert dyn.effective_inertia(Q, others="free") == pytest.approx([2.0], rel=EXACT)


@needs_all
def test_gears_that_leave_a_motion_free_are_refused(name: str) -> None:
    dyn = ad.Dynamics(sliders(motor("m1", x1=1.0, x2=2.0), motor("m2", x1=2.0, x2=4.0)), "coupled")
    refused(
        'robot "sliders": the gear matrix is singular, motor torques do not follow from joint torques',
        lambda: NEEDS_ALL[name](dyn, Q),
    )


@needs_all
def test_where_a_screw_passes_its_dead_point_there_is_no_number(name: str) -> None:
    """At one state of many: that row is lost and counted, the others are not."""
    screw = Coupling.of({"j": 1.0}, 0.0, ScrewTriangle(0.08, 0.02, 0.0, 10.0, 0.2))
    body = Body("b", Joint("j"), "base", Inertia(1.0, tensor=diagonal(0.5, 0.5, 0.5)))
    dyn = ad.Dynamics(Robot("dead", (body,), (Drive("m", "j", screw, Rotor(0.01), motor=MOTOR),)))
    q = np.array([[0.3], [0.0], [-0.2]])
    results = NEEDS_ALL[name](dyn, q)
    assert np.isnan(results[1]).all()
    assert np.isfinite(results[[0, 2]]).all()
    losses = Losses()
    dyn.motor_torque(q, q, losses=losses)
    assert losses.rows == 1


def test_without_a_torque_constant_there_are_no_currents() -> None:
    lola = ad.Dynamics(ad.load("lola15"))
    sentence = (
        'drive "motor1": torque constant is not given, currents need it; '
        "add motor.torque_constant to the robot file"
    )
    refused(sentence, lambda: lola.motor_current(ZERO, ZERO))
    refused(sentence, lambda: lola.motor_voltage(ZERO, ZERO, ZERO))
    refused(sentence, lambda: lola.torque_of_currents(ZERO, ZERO))


def test_without_a_resistance_there_are_no_voltages() -> None:
    arm = sliders(motor("m1", x1=1.0), motor("m2", electric=replace(MOTOR, resistance=None), x2=1.0))
    dyn = ad.Dynamics(arm, "coupled")
    assert dyn.motor_current(Q, [1.0, 2.0]) == pytest.approx([10.0, 20.0], rel=EXACT)
    refused(
        'drive "m2": resistance is not given, voltages need it; add motor.resistance to the robot file',
        lambda: dyn.motor_voltage(Q, Q, Q),
    )


@pytest.mark.parametrize("value", [0.0, -0.1])
def test_a_torque_constant_that_gives_no_torque_is_refused(value: float) -> None:
    refused(
        f"motor: torque_constant is {value:g}, expected a finite number above zero",
        lambda: Motor(torque_constant=value),
        RobotError,
    )


def test_arrays_of_another_size_are_refused(irb6: ad.Dynamics) -> None:
    with pytest.raises(
        ShapeError, match=r'^current has shape \(4,\); robot "irb6" has 5 drives, expected \(\.\.\., 5\)'
    ):
        irb6.torque_of_currents(np.zeros(5), np.zeros(4))
    with pytest.raises(ShapeError, match=r"^motor_torque has shape \(6,\)"):
        irb6.torque_of_motors(np.zeros(5), np.zeros(6))


@pytest.mark.parametrize(
    ("evaluate", "sentence"),
    [
        (lambda d, by: d.motor_mass_matrix(np.zeros(5), by=by), 'by "wheel", expected motor or joint'),
        (lambda d, by: d.motor_bias(np.zeros(5), np.zeros(5), by=by), 'by "wheel", expected motor or joint'),
        (
            lambda d, by: d.effective_inertia(np.zeros(5), others=by),
            'others "wheel", expected locked or free',
        ),
    ],
)
def test_options_that_do_not_exist_are_refused(
    irb6: ad.Dynamics, evaluate: Callable[..., Any], sentence: str
) -> None:
    refused(sentence, lambda: evaluate(irb6, "wheel"), InputError)
