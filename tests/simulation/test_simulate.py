"""Runs as a whole: laws, orders, what acts on an arm, and what goes wrong."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import armdyn as ad
from armdyn.dynamics import Dynamics
from armdyn.errors import ArmdynError, InputError, MissingDataError, SimulationError
from armdyn.formats import load
from armdyn.robot import BaseMotion
from armdyn.simulation import Grasp, Release, pid, prepared, sampled, simulate
from armdyn.simulation.control.references import fixed
from armdyn.simulation.results import Checkpoint, Simulation
from armdyn.simulation.run import Earlier

ADAPTIVE = ("dop853", "lsoda")
FIXED = ("euler", "semi_implicit", "rk4")
SWING = np.array([0.3, -0.5, 0.8, 0.2, 0.4, -0.3])


# Laws -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "duration"),
    [("ur5", 10.0), *(pytest.param(name, 100.0, marks=pytest.mark.slow) for name in ("ur5", "puma560"))],
)
def test_an_undamped_arm_keeps_its_energy(name, duration):
    run = simulate(name, duration, q=SWING, friction=False)
    drift = np.abs(run.energy - run.energy[0]).max() / np.ptp(run.potential_energy)
    assert drift < 2e-9  # UR5's elbow turns at 33 rad/s
    assert np.abs(run.qd).max() > 1.0


@pytest.mark.parametrize("integrator", ADAPTIVE)
@pytest.mark.parametrize("name", ["irb6", "lola15", "puma560"])
def test_power_and_energy_balance_with_friction_and_motors(name, integrator):
    dyn = Dynamics(load(name))
    drives = len(dyn.robot.drives)
    run = simulate(
        dyn,
        1.0,
        motor_torque=lambda t: 0.3 * np.sin(5 * t + np.arange(drives)),
        wrench=lambda t: [5 * np.sin(t), 3, -4, 0.1, 0, 0.2],
        base=[0.1, 0, 0, 0, 0, 0.2, 0.5, 0, 0.3, 0, 0.1, 0],
        integrator=integrator,
    )
    power = np.abs(run.tau * run.qd).sum(axis=1).max()
    assert np.abs(run.power_residual).max() < 1e-12 * power
    moved = run.work.max() - run.work.min() + run.dissipated[-1]
    assert np.abs(run.energy_residual).max() < 1e-9 * moved
    assert run.dissipated[-1] > 0
    assert (np.diff(run.dissipated) >= -1e-12 * moved).all()
    assert run.exerted[-1] != 0


def error_at_end(integrator: Any, dt: float) -> float:
    exact = simulate("puma560", 0.5, q=SWING, friction=False, rtol=1e-13, atol=1e-14)
    run = simulate("puma560", 0.5, q=SWING, friction=False, integrator=integrator, dt=dt)
    return float(np.abs(run.q[-1] - exact.q[-1]).max())


@pytest.mark.parametrize(("integrator", "order"), [("euler", 1), ("semi_implicit", 1), ("rk4", 4)])
def test_halving_the_step_shows_the_order(integrator, order):
    steps = (0.01, 0.005, 0.0025)
    errors = [error_at_end(integrator, dt) for dt in steps]
    measured = [np.log2(a / b) for a, b in pairwise(errors)]
    assert measured[-1] == pytest.approx(order, abs=0.1)


@pytest.mark.parametrize("integrator", FIXED)
def test_fixed_steps_come_to_the_adaptive_result_with_friction_too(integrator):
    exact = simulate("irb6", 0.6, current=[1.0, 3.5, -1.0, 0.5, 0.3])
    run = simulate("irb6", 0.6, current=[1.0, 3.5, -1.0, 0.5, 0.3], integrator=integrator, dt=1e-3)
    allowed = 1e-3 if integrator == "rk4" else 5e-3  # starts and stops are a step late
    assert np.abs(run.q[-1] - exact.q[-1]).max() < allowed * np.ptp(exact.q, axis=0).max()


# What acts ------------------------------------------------------------------------------------


def test_a_motor_under_voltage_reaches_the_speed_at_which_back_emf_leaves_what_friction_takes():
    """V = R i + k w, k i = c + b w."""
    dyn = Dynamics(load("irb6").with_gravity((0, 0, 0)).locked({2: 0.0, 3: 0.0, 4: 0.0, 5: 0.0}))
    one = replace(dyn.robot, drives=dyn.robot.drives[:1])
    run = simulate(Dynamics(one, "coupled"), 3.0, voltage=[10.0])
    k, R, b, c = 0.1, 0.6, 2e-4, 0.04
    speed = (10.0 * k / R - c) / (k * k / R + b)
    assert run.motor_velocity is not None
    assert run.motor_velocity[-1] == pytest.approx([speed], rel=1e-9)
    assert run.voltage == pytest.approx(np.full((len(run.time), 1), 10.0))
    assert run.current is not None
    assert run.current[-1] == pytest.approx([(c + b * speed) / k], rel=1e-9)


@pytest.mark.parametrize("integrator", ["dop853", "rk4"])
def test_an_object_in_the_hand_is_felt_from_grasp_to_release(integrator):
    """Three runs in a row with the payload and without are the same motion."""
    arm = load("ur5")
    held = arm.with_payload(3.0, (0.0, 0.05, 0.1), (0.01, 0.01, 0.02, 0, 0, 0))
    tau = Dynamics(arm).gravity(SWING)
    changes = [Release(0.5), Grasp(0.2, 3.0, (0.0, 0.05, 0.1), (0.01, 0.01, 0.02, 0, 0, 0))]
    options: dict[str, Any] = {"torque": tau, "integrator": integrator}
    run = simulate(arm, 0.8, q=SWING, changes=changes, **options)
    x = SWING, np.zeros(6)
    for robot, duration in ((arm, 0.2), (held, 0.3), (arm, 0.3)):
        part = simulate(robot, duration, q=x[0], qd=x[1], **options)
        x = part.q[-1], part.qd[-1]
    assert run.q[-1] == pytest.approx(x[0], abs=1e-9)
    assert [(event.kind, event.time, event.joint) for event in run.events if event.joint is None] == [
        ("grasp", 0.2, None),
        ("release", 0.5, None),
    ]
    assert [(phase.first, phase.last) for phase in run.phases] == [
        (0, len(run.time) * 20 // 80),
        (len(run.time) * 20 // 80, len(run.time) * 50 // 80),
        (len(run.time) * 50 // 80, len(run.time)),
    ]
    k = run.phases[1].first
    assert run.time[k] == pytest.approx(0.2)
    with_it, without = (Dynamics(robot).potential_energy(run.q[k]) for robot in (held, arm))
    assert run.potential_energy[k] == pytest.approx(with_it)
    assert abs(with_it - without) > 0.1
    assert np.abs(run.energy_residual).max() < 1e-6


def test_an_accelerated_base_is_felt_as_a_tilted_gravity():
    still = load("ur5")
    pushed = simulate(still, 1.0, q=SWING, base=[0] * 6 + [2.0, 0, 1.0] + [0] * 3)
    tilted = simulate(still.with_gravity((-2.0, 0.0, -10.81)), 1.0, q=SWING)
    said = simulate(still.with_base_motion(BaseMotion(acceleration=(2.0, 0, 1.0))), 1.0, q=SWING)
    assert pushed.q[-1] == pytest.approx(tilted.q[-1], abs=1e-9)
    assert said.q[-1] == pytest.approx(tilted.q[-1], abs=1e-9)


def test_a_wrench_acts_where_it_is_said_to():
    dyn = Dynamics(load("ur5"), friction=False)
    run = simulate(dyn, 0.3, torque=dyn.gravity(SWING), q=SWING, wrench=[0, 0, 20.0, 0, 0, 0], at=[0.1, 0, 0])
    qdd = dyn.forward(SWING, np.zeros(6), dyn.gravity(SWING), [0, 0, 20.0, 0, 0, 0], at=[0.1, 0, 0])
    assert run.qdd[0] == pytest.approx(qdd)
    assert run.reactions.shape == (31, len(dyn.robot.bodies), 6)


def test_joints_that_leave_their_range_are_reported_when_they_do():
    """Without gravity a joint moves at constant speed: it passes its limit at a known time."""
    arm = load("puma560").with_gravity((0, 0, 0)).locked({2: 0.0, 3: 0.0, 4: 0.0, 5: 0.0, 6: 0.0})
    lower, upper = arm.joints[0].limits.position or (0.0, 0.0)
    run = simulate(arm, 10.0, friction=False, qd=[1.0])
    assert [(event.kind, event.joint) for event in run.events] == [("limit", 1)]
    assert run.events[0].time == pytest.approx(upper, abs=1e-9)
    back = simulate(arm, 10.0, friction=False, qd=[1.0], q=[lower - 1.0])
    assert [event.kind for event in back.events] == ["limit", "within", "limit"]
    assert back.events[0].time == 0.0


def test_samples_are_where_they_are_asked_for():
    run = simulate("ur5", 0.5, integrator="rk4", dt=1e-3, sample=0.05)
    assert run.time == pytest.approx(np.linspace(0, 0.5, 11))
    run = simulate("ur5", 0.525, dt=0.01, sample=0.05)
    assert run.time == pytest.approx([*np.linspace(0, 0.5, 11), 0.525])


def test_a_jump_of_the_input_is_not_smeared():
    """Held samples: what the input is before a jump has no say after it."""
    arm = load("puma560").with_gravity((0, 0, 0)).locked({2: 0.0, 3: 0.0, 4: 0.0, 5: 0.0, 6: 0.0})
    dyn = Dynamics(arm, friction=False)
    inertia = float(dyn.mass_matrix(np.zeros(1))[0, 0])
    force = sampled([0.0, 0.237, 1.0], [[10.0], [-4.0], [0.0]], "hold")
    run = simulate(dyn, 1.0, torque=force)
    v = (10.0 * 0.237 - 4.0 * (1 - 0.237)) / inertia
    assert run.qd[-1] == pytest.approx([v], rel=1e-11)


# Controllers ----------------------------------------------------------------------------------


def test_a_pid_controller_brings_an_arm_to_its_posture():
    dyn = Dynamics(load("irb6"))
    target = np.array([0.2, 0.1, -0.1, 0.2, 0.1])
    kp = np.array([3e3, 8e3, 8e3, 2e3, 5e2])
    run = simulate(dyn, 4.0, controller=pid(dyn, fixed(target), kp=kp, kv=kp / 8, ki=kp))
    assert np.abs(run.q[-1] - target).max() < 0.01
    assert run.states.shape == (401, 5)


# What goes wrong ------------------------------------------------------------------------------


def failed(*args: Any, **options: Any) -> tuple[str, Simulation]:
    with pytest.raises(SimulationError) as caught:
        simulate(*args, **options)
    assert caught.value.result.failure == str(caught.value)
    assert "\n" not in str(caught.value)
    return str(caught.value), caught.value.result


@pytest.mark.parametrize("integrator", ["dop853", "lsoda", "euler", "rk4"])
def test_nan_from_a_controller_says_when_and_where_and_keeps_the_run(integrator):
    def broken(t: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        return np.array([0, 0, np.nan if t > 0.25 else 0.0, 0, 0, 0])

    message, run = failed("ur5", 1.0, controller=broken, integrator=integrator)
    assert "the controller gives nan for joint 3 (" in message
    assert " at 0.25" in message
    assert run.time[-1] == pytest.approx(0.25, abs=0.011)
    assert np.isfinite(run.q).all()


def test_a_step_that_is_too_large_is_named():
    dyn = Dynamics(load("ur5"))
    stiff = lambda t, q, qd: -1e6 * q - 1e3 * qd  # noqa: E731
    message, run = failed(dyn, 5.0, controller=stiff, q=SWING, integrator="euler", dt=0.01)
    assert "a step of 0.01 s is too large for euler" in message
    assert "joint" in message
    assert len(run.time) >= 1


@pytest.mark.parametrize("integrator", ["dop853", "rk4"])
def test_an_input_shorter_than_the_run_is_used_to_its_end(integrator):
    force = sampled([0.0, 0.4], np.zeros((2, 6)), source="torques.csv")
    message, run = failed("ur5", 1.0, torque=force, integrator=integrator)
    assert message.startswith("torques.csv ends at 0.4 s but the run lasts 1 s")
    assert run.time[-1] == pytest.approx(0.4)


def test_missing_drive_data_is_one_sentence():
    with pytest.raises(MissingDataError, match="torque constant is not given"):
        simulate("lola15", 1.0, current=np.zeros(6))
    with pytest.raises(ArmdynError, match="has no drives"):
        simulate("ur5", 1.0, current=np.zeros(6))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"duration": -1.0}, "duration is -1.0, expected a number above 0"),
        ({"duration": float("nan")}, "duration is nan"),
        ({"dt": 0.0}, "dt is 0.0, expected a number above 0"),
        ({"integrator": "rk5"}, 'integrator "rk5", expected one of euler'),
        ({"integrator": "rk4", "dt": 0.3}, "duration is 1 s, expected a multiple of the step dt, 0.3 s"),
        ({"sample": 0.015}, "sample is 0.015 s, expected a multiple of the step dt, 0.01 s"),
        ({"q": [0, 1]}, "q has shape (2,)"),
        ({"qd": [np.nan] * 6}, "expected finite numbers"),
        ({"q": "home"}, "q is no array of numbers"),
        ({"torque": [1, 2, 3]}, "torque has shape (3,)"),
        ({"torque": np.zeros(6), "current": np.zeros(6)}, "torque, current are given, expected one of them"),
        ({"torque": lambda t: [1.0]}, "the torque has shape (1,); at 0 s, expected (..., 6)"),
        ({"controller": lambda t, q, qd: [1.0]}, "the controller: torques has shape (1,)"),
        ({"at": [0, 0, 0]}, "at says where a wrench acts"),
        ({"wrench": [0, 0]}, "wrench has shape (2,)"),
        ({"changes": [Release(0.5)]}, "nothing was grasped before"),
        ({"changes": [Grasp(-1, 1.0)]}, "grasp at -1 s, expected a time of 0 or more"),
        ({"rtol": -1}, "rtol is -1"),
        ({"duration": 1e9, "dt": 1e-6}, "take a larger dt"),
        ({"input": "no_such.csv"}, "no_such.csv"),
        ({"robot": "ur55"}, 'no robot "ur55"; did you mean "ur5"?'),
        ({"robot": Dynamics(load("ur5")), "friction": False}, "expected neither beside it"),
    ],
)
def test_bad_arguments_are_one_sentence(options, said):
    given = {"robot": "ur5", "duration": 1.0, **options}
    with pytest.raises(ArmdynError) as caught:
        simulate(given.pop("robot"), given.pop("duration"), **given)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


# Stopped and continued ------------------------------------------------------------------------


class Halt(Exception):  # noqa: N818
    """Somebody stops a run."""


def halted(run: Any, when: float) -> Earlier:
    def watch(t: float) -> None:
        if t >= when:
            raise Halt

    with pytest.raises(Halt):
        run.go(watch)
    found = run.result("stopped")
    return Earlier(
        Checkpoint.of(found.checkpoint.document()),
        found.time,
        found.q,
        found.qd,
        found.qdd,
        found.tau,
        np.column_stack([found.states, found.work, found.dissipated, found.exerted]),
        np.empty((len(found.time), 0)),
        found.events,
    )


def under_way(integrator: Any) -> Any:
    dyn = Dynamics(load("irb6"))
    target = fixed([0.2, 0.1, -0.1, 0.2, 0.1])
    controller = pid(dyn, target, kp=3e3, kv=3e2, ki=1e3)
    changes = [Grasp(0.2, 2.0), Release(0.6)]
    return prepared(dyn, 0.9, controller=controller, changes=changes, integrator=integrator, dt=2e-3)


@pytest.mark.parametrize("when", [0.05, 0.2, 0.3, 0.7])
@pytest.mark.parametrize("integrator", FIXED)
def test_a_fixed_step_goes_on_to_the_identical_result(integrator, when):
    whole = under_way(integrator).go()
    earlier = halted(under_way(integrator), when)
    run = under_way(integrator)
    run.go_on(earlier)
    again = run.go()
    for name in ("time", "q", "qd", "qdd", "tau", "states", "work", "dissipated"):
        assert (getattr(again, name) == getattr(whole, name)).all(), name
    assert again.events == whole.events
    assert [(p.first, p.last) for p in again.phases] == [(p.first, p.last) for p in whole.phases]


@pytest.mark.parametrize("integrator", ADAPTIVE)
def test_an_adaptive_integrator_goes_on_from_its_checkpoint(integrator):
    whole = under_way(integrator).go()
    run = under_way(integrator)
    run.go_on(halted(under_way(integrator), 0.35))
    again = run.go()
    assert again.time == pytest.approx(whole.time)
    assert np.abs(again.q - whole.q).max() < 1e-8
    assert [event.kind for event in again.events] == [event.kind for event in whole.events]


def test_simulate_is_there_without_being_imported():
    assert ad.simulate is simulate
    with pytest.raises(InputError):
        ad.simulate("ur5", 0.0)
