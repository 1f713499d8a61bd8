"""Algorithm 1: an arm follows samples as well as its motors allow."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from armdyn.dynamics import Dynamics
from armdyn.feasibility.arm import Arm
from armdyn.feasibility.following import (
    BRAKES,
    Follow,
    Follower,
    LimitedStep,
    Programmed,
    Run,
    possible_cycles,
    programmed_acceleration,
    programmed_velocity,
)
from armdyn.feasibility.printed import printed_step
from armdyn.formats import load
from armdyn.robot import Friction, Motor, Robot
from armdyn.scalars import Array

ROUNDING = 1e-12
LOLA_TORQUES = np.array([17.8, 38.6, 17.8, 3.47, 3.47, 3.47])
FORCE = np.array([100.0, 100.0, -150.0, 0.0, 0.0, 0.0])
AWAY = np.array([1.2, -0.6, 0.8, 1.0, -0.5, 2.0])


def samples(duration: float, cycle: float, rest: float = 1.0) -> Array:
    """From zero to AWAY in so long, without jerk at the ends, and then at rest."""
    s = np.clip(np.arange(0, duration + rest + cycle / 2, cycle) / duration, 0, 1)
    return (10 * s**3 - 15 * s**4 + 6 * s**5)[:, None] * AWAY


def followed(
    robot: Robot, targets: Array, cycle: float, follow: Follow = "position", step: LimitedStep = Arm.limited
) -> Run:
    run = Run.empty(len(targets), robot.n)
    run.q[0] = targets[0]
    arm = Arm(Dynamics(robot), FORCE)
    Follower(arm, cycle, follow, step).run(run, Programmed.of(arm, cycle, targets), 0, len(targets) - 1)
    return run


def with_motors(robot: Robot, **data: float | None) -> Robot:
    """The robot with other data of all its motors."""
    drives = tuple(replace(drive, motor=replace(drive.motor, **data)) for drive in robot.drives)
    return replace(robot, drives=drives)


@pytest.mark.parametrize("follow", ["position", "velocity"])
def test_generous_motors_do_what_is_programmed(follow: Follow) -> None:
    targets = samples(0.75, 0.01)
    run = followed(with_motors(load("lola15"), peak_torque=1e4, maximum_speed=1e4), targets, 0.01, follow)
    assert np.abs(run.q - targets).max() <= 1e-9
    assert not run.saturated.any()


@pytest.mark.parametrize("cycle", [0.01, 0.005, 0.001])
@pytest.mark.parametrize("follow", ["position", "velocity"])
def test_tight_motors_stay_inside_their_limits(follow: Follow, cycle: float) -> None:
    targets = samples(0.75, cycle)
    run = followed(load("lola15"), targets, cycle, follow)
    assert (np.abs(run.torque) <= LOLA_TORQUES * (1 + 1e-9)).all()
    dyn = Dynamics(load("lola15"))
    taken = dyn.motor_torque(run.q, dyn.inverse(run.q, run.qd, run.qdd, FORCE))
    assert np.abs(taken - run.torque)[:-1].max() <= 1e-9 * LOLA_TORQUES.max()
    assert run.saturated.any()


def test_the_first_violation_is_where_inverse_dynamics_says() -> None:
    cycle = 0.01
    targets, dyn = samples(0.75, cycle), Dynamics(load("lola15"))
    qd = programmed_velocity(targets, cycle)
    asked = dyn.motor_torque(targets, dyn.inverse(targets, qd, programmed_acceleration(qd, cycle), FORCE))
    first = int(np.argmax((np.abs(asked) > LOLA_TORQUES).any(axis=1)))
    run = followed(load("lola15"), targets, cycle)
    assert first == int(np.argmax(run.saturated.any(axis=1)))
    assert np.array_equal(run.q[: first + 1], targets[: first + 1])
    assert np.array_equal(np.sign(asked[first]) * (np.abs(asked[first]) > LOLA_TORQUES), run.saturated[first])


@pytest.mark.parametrize("follow", ["position", "velocity"])
def test_shorter_cycles_converge(follow: Follow) -> None:
    """Friction under the load of the achieved acceleration: halving the cycle halves the error, about."""
    at = 0.5
    found = [
        followed(load("lola15"), samples(0.75, cycle, 0.0), cycle, follow).q[round(at / cycle)]
        for cycle in (0.01, 0.005, 0.0025, 0.00125)
    ]
    steps = [np.abs(a - b).max() for a, b in pairwise(found)]
    assert steps[0] < 0.01
    assert steps[1] < 0.7 * steps[0]
    assert steps[2] < 0.7 * steps[1]


def test_the_printed_step_exceeds_limits_and_does_not_converge() -> None:
    runs = {
        cycle: followed(load("lola15"), samples(0.75, cycle, 0.0), cycle, "velocity", printed_step)
        for cycle in (0.01, 0.005)
    }
    worst = [(np.abs(run.torque) / LOLA_TORQUES).max() for run in runs.values()]
    assert worst[0] > 2
    assert worst[1] > 1.5 * worst[0]  # the jumps of torque grow as cycles get shorter


def test_velocity_keeps_the_lag_and_position_makes_it_up() -> None:
    targets = samples(0.75, 0.01, 2.0)
    lag = {
        follow: np.abs(followed(load("lola15"), targets, 0.01, follow).q[-1] - targets[-1]).max()
        for follow in ("position", "velocity")
    }
    assert lag["position"] <= 1e-9
    assert lag["velocity"] > 0.05


@pytest.mark.parametrize("cycle", [0.01, 0.005, 0.001])
def test_what_lags_is_caught_up_once_and_for_all(cycle: float) -> None:
    """Joint 1 falls behind; it comes back once and stays, after a time that hardly depends on the cycle."""
    targets = samples(0.75, cycle, 2.0)
    run = followed(load("lola15"), targets, cycle)
    lag = (targets - run.q)[:, 0]
    assert lag.max() > 0.1
    assert lag.min() > -0.25 * lag.max()  # the program slows down while joint 1 comes back
    caught_up = cycle * np.flatnonzero(np.abs(lag) > 1e-4)[-1]
    assert caught_up == pytest.approx(0.9, abs=0.02)
    swinging = followed(load("lola15"), targets, cycle, "unbraked")
    assert (swinging.q - targets)[:, 0].max() > lag.max()


# Edges and rounding -----------------------------------------------------------------------------


def test_rounding_of_positions_is_no_motion() -> None:
    """Half a unit in the last place, 1e-16 rad, would be 1e-14 rad/s: friction takes that for motion."""
    resting = np.array([[0.3], [np.nextafter(0.3, 1)], [0.3], [0.3 + 1e-13]])
    assert programmed_velocity(resting, 0.01)[:3].tolist() == [[0.0]] * 3
    assert programmed_velocity(resting, 0.01)[3, 0] == pytest.approx(1e-11, rel=0.01)


def test_the_arm_stops_after_the_last_sample_if_it_shall() -> None:
    velocity = np.array([[0.0], [1.0], [3.0]])
    assert programmed_acceleration(velocity, 0.1)[:, 0] == pytest.approx([10.0, 20.0, -30.0])
    assert programmed_acceleration(velocity, 0.1, stops=False)[:, 0] == pytest.approx([10.0, 20.0, 0.0])


@pytest.mark.parametrize(("share", "possible"), [(1.0, True), (1 + 1e-12, True), (1 + 1e-6, False)])
@pytest.mark.parametrize("side", [1, -1])
def test_a_torque_on_the_very_limit_is_possible(share: float, possible: bool, side: int) -> None:
    arm = Arm(Dynamics(load("lola15")))
    still = np.zeros((2, 6))
    assert (
        possible_cycles(arm, still, still, side * share * np.array([LOLA_TORQUES] * 2)).tolist()
        == [possible] * 2
    )


def test_joints_at_rest_do_not_creep_while_another_one_lags() -> None:
    """They are off by rounding; making that up would be motion, and dry friction would push against it."""
    robot = load("lola15")
    drives = list(robot.drives)
    drives[0] = replace(drives[0], motor=replace(drives[0].motor, peak_torque=1.0))
    arm = Arm(Dynamics(replace(robot, drives=tuple(drives))))
    targets = np.zeros((80, 6))
    targets[:, 0] = samples(0.4, 0.01, 1.0)[:80, 0]
    run = Run.empty(len(targets), 6)
    run.q[0, 4] = 3e-15
    Follower(arm, 0.01).run(run, Programmed.of(arm, 0.01, targets), 0, len(targets) - 1)
    assert run.saturated[:, 0].any()
    assert np.abs(run.qd[:, 4]).max() <= 1e-15


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("torque", [None, 1e300])
def test_catching_up_without_limits_takes_one_cycle(torque: float | None) -> None:
    """What brakes without limit may come back at once; motors of which nothing is known do."""
    robot = load("lola15")
    motors = [replace(drive.motor, peak_torque=torque, maximum_speed=None) for drive in robot.drives]
    drives = tuple(replace(d, motor=motor) for d, motor in zip(robot.drives, motors, strict=True))
    arm = Arm(Dynamics(replace(robot, drives=drives)))
    targets = np.zeros((4, 6))
    run = Run.empty(4, 6)
    run.q[0] = -1e-3
    Follower(arm, 0.01).run(run, Programmed.of(arm, 0.01, targets), 0, 3)
    assert np.abs(run.q[1]).max() <= 1e-9


def test_way_to_brake_in() -> None:
    """From w a motor stops within w^2/2b + w dt/2; one that cannot brake may not run at all."""
    arm = Arm(Dynamics(load("pendulum")))
    follower = Follower(arm, 0.01)
    q, v, behind = np.zeros(1), np.zeros(1), np.array([2.0])
    fastest = follower._brakable(q, v, np.zeros(1), behind)
    b = BRAKES * 0.5 / arm.inertia(q)
    assert fastest**2 / (2 * b) + fastest * 0.01 / 2 == pytest.approx(2.0, rel=1e-12)
    needs = -0.6 * 50 / (0.6 + 50 * 50 * 1e-4)  # an acceleration that takes more than the motor has
    assert follower._brakable(q, v, np.array([needs]), behind)[0] < 1e-40


# One axis, step by step by hand ---------------------------------------------------------------


@pytest.mark.parametrize("follow", ["unbraked", "velocity"])
def test_one_axis_by_hand(follow: Follow) -> None:
    """The pendulum's equation in plain numbers: (I + k^2 I_m) a + (F + k^2 F_m) v + m g l sin q = k u."""
    robot = with_motors(load("pendulum"), peak_torque=0.3)
    k, cycle, limit, fastest = 50.0, 0.01, 0.3, 3000 * math.tau / 60
    inertia, viscous = 0.6 + k * k * 1e-4, 0.1 + k * k * 1e-4
    times = np.arange(0, 1.2, cycle)
    targets = (1.5 * (1 - np.cos(math.pi * np.clip(times / 0.5, 0, 1))) / 2)[:, None]
    run = Run.empty(len(targets), 1)
    arm = Arm(Dynamics(robot))
    Follower(arm, cycle, follow).run(run, Programmed.of(arm, cycle, targets), 0, len(targets) - 1)
    q = v = 0.0
    for i in range(len(targets) - 1):
        assert run.q[i, 0] == pytest.approx(q, rel=0, abs=1e-11)
        p, last = float(targets[i + 1, 0]), float(targets[i, 0])
        wanted = (p - q) / cycle if follow == "unbraked" else (p - last) / cycle
        wanted = min(max(wanted, -fastest / k), fastest / k)
        a = (wanted - v) / cycle
        load_torque = viscous * v + 2.0 * 9.81 * 0.5 * math.sin(q)
        u = min(max((inertia * a + load_torque) / k, -limit), limit)
        assert run.torque[i, 0] == pytest.approx(u, rel=1e-9, abs=1e-11)
        a = (k * u - load_torque) / inertia
        v += a * cycle
        q += v * cycle
    assert run.saturated.any()


@pytest.mark.parametrize("follow", ["position", "velocity"])
def test_speed_limits_hold_to_the_end_of_a_program_that_is_too_fast(follow: Follow) -> None:
    """It ends in full motion: no later sample would show that the last one is too fast."""
    robot = with_motors(load("lola15"), peak_torque=1e5, maximum_speed=None)
    targets = np.zeros((50, 6))
    targets[:, 0] = np.linspace(0, 4, 50)
    run = followed(robot, targets, 0.01, follow)
    assert np.abs(run.qd[:, 0]).max() == pytest.approx(robot.joints[0].limits.velocity, rel=1e-9)


def test_speed_limits_of_joints_and_motors() -> None:
    robot = load("lola15")
    targets = samples(0.4, 0.01)
    strong = with_motors(robot, peak_torque=1e5)
    run = followed(strong, targets, 0.01)
    joints = np.array([joint.limits.velocity for joint in robot.joints], dtype=float)
    assert (np.abs(run.qd) <= joints * (1 + 1e-9)).all()
    motors = np.array([drive.motor.maximum_speed for drive in robot.drives], dtype=float)
    assert (np.abs(Dynamics(robot).motor_velocity(run.q, run.qd)) <= motors * (1 + 1e-9)).all()
    assert np.abs(run.q - targets).max() > 0.1


def test_torque_that_falls_with_speed() -> None:
    """A motor under its full voltage: less torque the faster it turns."""
    voltage = Motor(torque_constant=0.5, resistance=2.0, maximum_voltage=120.0, peak_torque=0.8)
    arm = load("pendulum")
    robot = replace(arm, drives=tuple(replace(drive, motor=voltage) for drive in arm.drives))
    cycle = 0.002
    targets = (np.linspace(0, 1, 300) ** 2 * 3.0)[:, None]
    run = Run.empty(len(targets), 1)
    follower = Follower(Arm(Dynamics(robot)), cycle)
    follower.run(run, Programmed.of(follower.arm, cycle, targets), 0, len(targets) - 1)
    speed = 50 * run.qd[:-1, 0]
    most = np.minimum(0.8, 0.5 / 2.0 * (120.0 - 0.5 * speed))
    assert (run.torque[:-1, 0] <= most * (1 + 1e-9)).all()
    assert (run.saturated == 1).any()


def test_an_arm_that_its_motors_cannot_start_stays() -> None:
    robot = load("pendulum")
    stuck = replace(
        robot,
        bodies=(
            replace(robot.bodies[0], joint=replace(robot.bodies[0].joint, friction=Friction(coulomb=30.0))),
        ),
    )
    targets = np.linspace(0, 0.5, 50)[:, None]
    run = Run.empty(50, 1)
    arm = Arm(Dynamics(stuck))
    Follower(arm, 0.01).run(run, Programmed.of(arm, 0.01, targets), 0, 49)
    assert not run.q.any()
    assert (run.torque[:-1] == 0.5).all()
