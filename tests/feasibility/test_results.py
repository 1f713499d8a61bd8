"""What is said about motors, moves and joints, by hand."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from armdyn.feasibility import results, verify
from armdyn.feasibility.actuators import Actuators
from armdyn.feasibility.results import move_results, reactions, utilisations
from armdyn.formats import load
from armdyn.motion import PlannedMove, Wait, plan
from armdyn.robot import Motor

TIME = np.array([0.0, 0.5, 1.0])


def demand_of(*motors: Motor, geared: bool, velocity: float | None = None) -> Any:
    """Torque from 0 to -3 and speed from 4 to 0, straight, of every motor; a peak share of 0.7."""
    count = len(motors)
    joint = SimpleNamespace(limits=SimpleNamespace(velocity=velocity))
    names = tuple(f"m{k}" for k in range(count))
    actuators = Actuators(names, motors, tuple(range(count)), geared)
    return SimpleNamespace(
        arms=[SimpleNamespace(actuators=actuators)],
        plan=SimpleNamespace(time=TIME, robot=SimpleNamespace(joints=(joint,) * count)),
        torque=np.outer([0.0, -1.5, -3.0], np.ones(count)),
        speed=np.outer([4.0, 2.0, 0.0], np.ones(count)),
        share=np.full((3, count), 0.7),
    )


def test_utilisation_of_motors() -> None:
    rated = Motor(peak_torque=10.0, rated_torque=2.0, maximum_speed=8.0)
    first, second, third = utilisations(
        demand_of(rated, Motor(peak_torque=10.0), Motor(), geared=True, velocity=5.0)
    )
    rms = 3 / np.sqrt(3)  # of a straight line from 0 to 3
    assert (first.motor, first.peak_torque, first.peak_speed, first.peak) == ("m0", 3.0, 4.0, 0.7)
    assert first.rms_torque == pytest.approx(rms)
    assert first.rms == pytest.approx(rms / 2)
    assert second.rms == pytest.approx(rms / 10)
    assert (first.speed, second.speed) == (0.5, None)
    assert (third.peak, third.rms, third.speed) == (None, None, None)


def test_without_drives_speeds_are_shares_of_the_joints_limits() -> None:
    (use,) = utilisations(demand_of(Motor(peak_torque=10.0), geared=False, velocity=16.0))
    assert use.speed == 0.25
    (use,) = utilisations(demand_of(Motor(peak_torque=10.0), geared=False))
    assert use.speed is None


def test_moves_take_from_the_last_achieved_end(monkeypatch: pytest.MonkeyPatch) -> None:
    moves = [PlannedMove(k, "ptp", k - 1.0, float(k), np.zeros(1), stops=True) for k in (1, 2, 3, 4)]
    demand: Any = SimpleNamespace(
        plan=SimpleNamespace(moves=moves, problems=[SimpleNamespace(move=3)]),
    )
    monkeypatch.setattr(results, "arrivals", lambda plan, q: [1.2, None, 3.5, None])
    monkeypatch.setattr(results, "overrides", lambda demand: np.array([1.0, 0.5, 0.0, 1.0]))
    found = move_results(demand, np.zeros((1, 1)), {2, 3})
    assert [move.achieved for move in found] == [1.2, None, pytest.approx(2.3), None]
    assert [move.achieved_end for move in found] == [1.2, None, 3.5, None]
    assert [move.programmed for move in found] == [1.0] * 4
    assert [move.override for move in found] == [1.0, 0.5, 0.0, 1.0]
    assert [move.feasible for move in found] == [True, False, False, True]
    assert [move.impossible for move in found] == [False, False, True, False]


def test_the_largest_force_and_moment_each_at_its_time() -> None:
    wrenches = np.zeros((3, 2, 6))
    wrenches[1, 0] = [3.0, 4.0, 0.0, 0.1, 0.0, 0.0]
    wrenches[2, 0] = [0.0, 0.0, -1.0, 0.0, 6.0, 8.0]
    first, second = reactions(("a", "b"), TIME, wrenches)
    assert vars(first) == {
        "body": "a",
        "force": 5.0,
        "force_time": 0.5,
        "moment": 10.0,
        "moment_time": 1.0,
    }
    assert (second.force, second.moment) == (0.0, 0.0)


def test_the_first_joint_of_an_arm_at_rest_carries_its_weight() -> None:
    robot = load("ur5")
    found = verify(plan(robot, [Wait(1, 0.1)])).reactions[0]
    weight = 9.81 * sum(body.inertia.mass for body in robot.bodies if body.inertia is not None)
    assert found.force == pytest.approx(weight, rel=1e-3)
