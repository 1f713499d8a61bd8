"""Plans carried out: every payload has its arm, every sample its torques; no arm is waited for in vain."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from armdyn.dynamics import Dynamics
from armdyn.errors import InputError
from armdyn.feasibility import execution, verify
from armdyn.formats import load
from armdyn.formats.motions import Motion
from armdyn.motion import JointTarget, Plan, PointToPoint, plan, plan_of_motion
from armdyn.program import example_program
from armdyn.robot import Robot

GOAL = JointTarget((0.5, -0.8, 0.9, 0.3, 0.2, 0.1))
ROUNDING = 1e-9
"""[N m]"""


def weak(number: int, torque: float) -> Robot:
    """Lola 15 with a weak motor."""
    robot = load("lola15")
    drives = list(robot.drives)
    drives[number - 1] = replace(
        drives[number - 1], motor=replace(drives[number - 1].motor, peak_torque=torque)
    )
    return replace(robot, drives=tuple(drives))


def samples(robot: Robot, q: Any, cycle: float) -> Plan:
    """Positions (t, n) as a plan."""
    time: Any = cycle * np.arange(len(q))
    qd: Any = np.gradient(q, cycle, axis=0)
    return plan_of_motion(robot, Motion(time, q, qd, np.zeros_like(q), {}))


def test_every_payload_has_its_arm() -> None:
    found = verify(example_program("ur5_palletising"))
    run, phases = found.run, found.plan.phases
    assert len(phases) > 2
    for phase in phases:
        part = slice(phase.first, min(phase.last, len(run.q) - 1))
        taken = Dynamics(phase.robot).inverse(run.q[part], run.qd[part], run.qdd[part])
        assert np.abs(taken - run.torque[part]).max() <= ROUNDING


def test_a_payload_that_saturates_a_motor_is_carried_by_its_own_arm() -> None:
    """What the motors do under the second payload is what inverse dynamics with that payload says."""
    bare = weak(1, 2.0)
    moves = [PointToPoint(1, GOAL), PointToPoint(2, JointTarget((-0.5, -0.6, 0.7, 0.0, 0.0, 0.0)))]
    planned = plan(bare, moves)
    first = int(np.argmax(planned.move == 2))
    heavy = bare.with_payload(8.0, [0.0, 0.0, 0.1])
    phases = (replace(planned.phases[0], last=first), replace(planned.phases[0], robot=heavy, first=first))
    found = verify(replace(planned, phases=phases))
    run, after = found.run, slice(first, len(found.run.q))
    assert (run.saturated[after] != 0).any()
    dyn = Dynamics(heavy)
    taken = dyn.motor_torque(run.q[after], dyn.inverse(run.q[after], run.qd[after], run.qdd[after]))
    assert np.abs(taken - run.torque[after]).max() <= ROUNDING


@pytest.mark.parametrize("motor", [1, 6])
def test_the_motors_hold_the_arm_at_the_last_sample(motor: int) -> None:
    """Whether the arm arrives on time (a strong motor 6) or later (a weak motor 1)."""
    found = verify(plan(weak(motor, 3.0), [PointToPoint(1, GOAL)]))
    run, dyn = found.run, Dynamics(found.plan.robot)
    taken = dyn.motor_torque(run.q[-1], dyn.inverse(run.q[-1], run.qd[-1], run.qdd[-1]))
    assert np.abs(taken).max() > 1.0
    assert np.abs(run.torque[-1] - taken).max() <= ROUNDING


def test_an_arm_that_comes_nearer_is_waited_for() -> None:
    found = verify(plan(weak(1, 0.15), [PointToPoint(1, GOAL)]))
    assert found.achieved_time is not None
    assert found.achieved_time > found.plan.duration + 2 * execution.PATIENCE


def test_an_arm_that_comes_no_nearer_is_not() -> None:
    """Motor 2 cannot hold the arm up."""
    found = verify(plan(weak(2, 5.0), [PointToPoint(1, GOAL)]))
    assert found.achieved_time is None
    waited = found.time[-1] - found.plan.duration
    assert 2 * execution.PATIENCE - 0.1 <= waited < execution.SETTLING - 1
    assert np.abs(found.run.torque[:, 1]).max() <= 5.0 * (1 + 1e-9)


def test_what_follows_the_end_is_bounded_at_every_cycle(monkeypatch: pytest.MonkeyPatch) -> None:
    """20 s would be 2e10 cycles."""
    monkeypatch.setattr(execution, "MOST_CYCLES", 1000)
    monkeypatch.setattr(execution, "MOST_AT_ONCE", 100)
    found = verify(samples(load("pendulum"), np.array([[1.0], [1.1], [1.1]]), 1e-9))
    assert found.achieved_time is None
    assert len(found.run.q) == 3 + 1000


def test_samples_that_end_in_motion_end_the_run() -> None:
    """Nothing is asked for behind their end: neither a stop nor that the arm comes back."""
    t = 0.01 * np.arange(51)
    found = verify(samples(load("pendulum"), (0.4 * t**2)[:, None], 0.01))
    assert found.demand.qdd[-1, 0] == 0.0
    assert len(found.run.q) == 51
    assert found.achieved_time == pytest.approx(0.5)
    assert found.run.torque[-1, 0] != 0.0
    assert not any(violation.time[0] >= 0.5 for violation in found.violations)


def test_a_weak_arm_still_comes_to_where_samples_in_motion_end() -> None:
    robot = load("pendulum")
    drives = tuple(replace(drive, motor=replace(drive.motor, peak_torque=0.06)) for drive in robot.drives)
    t = 0.01 * np.arange(51)
    found = verify(samples(replace(robot, drives=drives), (0.8 * t**2)[:, None], 0.01))
    assert (found.run.saturated != 0).any()
    assert np.abs(found.run.q[-1] - found.plan.q[-1]).max() <= 1e-4


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("name", "mass", "wrench"),
    [
        ("ur5", 1e50, None),
        pytest.param("ur5", 1e99, None, marks=pytest.mark.slow),
        ("ur5", 1.0, [1e300] * 6),
        pytest.param("lola15", 1e50, None, marks=pytest.mark.slow),
        pytest.param("lola15", 1e99, None, marks=pytest.mark.slow),
        pytest.param("lola15", 1.0, [1e300] * 6, marks=pytest.mark.slow),
    ],
)
def test_numbers_that_are_too_large_are_refused_in_one_sentence(
    name: str, mass: float, wrench: list[float] | None
) -> None:
    robot = load(name).with_payload(mass, [0.0, 0.0, 0.1])
    with pytest.raises(InputError, match="too large to compute with"):
        verify(plan(robot, [PointToPoint(1, JointTarget((0.5,)))]), wrench=wrench)


@pytest.mark.filterwarnings("error")
@pytest.mark.slow
def test_a_payload_that_tears_the_arm_down_is_followed() -> None:
    robot = load("lola15").with_payload(1e4, [0.0, 0.0, 0.1])
    found = verify(plan(robot, [PointToPoint(1, JointTarget((0.5,)))]))
    assert found.document()["cycle_time"]["achieved"] is None


@pytest.mark.filterwarnings("error")
def test_unknown_limits_bind_nothing_and_warn_nobody() -> None:
    """Motor 1 falls behind, and nobody knows what the others can give."""
    robot = load("lola15")
    drives = [replace(drive, motor=replace(drive.motor, peak_torque=None)) for drive in robot.drives]
    drives[0] = replace(drives[0], motor=replace(drives[0].motor, peak_torque=2.0))
    found = verify(plan(replace(robot, drives=tuple(drives)), [PointToPoint(1, GOAL)]))
    assert (found.run.saturated[:, 0] != 0).any()
    assert not found.run.saturated[:, 1:].any()
    assert found.achieved_time is not None
