"""Paths in time: where the arm is at every instant, and the plan that this is."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from armdyn.feasibility.arm import Arm
from armdyn.formats import load
from armdyn.retiming.optimal.grid import grid_of
from armdyn.retiming.optimal.rounds import solve
from armdyn.retiming.optimal.schedule import Schedule
from armdyn.retiming.path.joint_path import JointPath, PathMove
from armdyn.robot import Robot
from armdyn.scalars import Array
from curved_paths import Stretch, path_along, random_bend
from limited_arms import arm_of, with_limits

TINY = 1e-6
"""[s], of finite differences."""
SLOPES = 1e-5
"""By which those may be off, relative to the largest slope."""
CYCLE = 0.01


@cache
def _robot() -> Robot:
    return with_limits(load("ur5"), acceleration=12.0)


def _arm(robot: Robot) -> Arm:
    return arm_of(robot)


def _path() -> JointPath:
    """Three moves: a passage between the first two, a stop with a wait behind the second; waits at both ends.

    The second has another parameter; from the third on there is a payload.
    """
    robot = _robot()
    whole = random_bend(robot, 4)
    curves = Stretch(whole, 0.0, 0.3, 2.0), Stretch(whole, 0.3, 0.6, 0.4), Stretch(whole, 0.6, 1.0)
    path = path_along(robot, *curves, stops=[False, True, True], waits=[0.0, 0.25, 0.1])
    loaded = robot.with_payload(mass=3.0, com=(0.0, 0.0, 0.1))
    first, second, third = path.pieces
    moves = (
        PathMove(5, "ptp", robot),
        PathMove(6, "lin", robot),
        PathMove(7, "wait", robot, wait=0.25),
        PathMove(9, "ptp", loaded),
        PathMove(10, "wait", loaded, wait=0.1),
    )
    pieces = first, second, replace(third, robot=loaded, move=4)
    return replace(path, pieces=pieces, moves=moves, wait_before=0.2)


def _scheduled(path: JointPath, start: float = 0.0, end: float = 0.0) -> Schedule:
    grid = grid_of(path, _arm, 300, starts_at_rest=start == 0)
    found = solve(grid, (start, start), (end, end))
    assert found.profile.lost is None
    return Schedule(grid, found.profile)


def _inside(schedule: Schedule) -> Array:
    """Instants inside the intervals, away from their ends."""
    shares = np.array([0.2, 0.5, 0.8])
    lasting = (schedule.ends - schedule.begins)[:, None]
    return (schedule.begins[:, None] + shares * lasting).ravel()


# In time --------------------------------------------------------------------------------------


def test_it_goes_from_the_start_of_the_path_to_its_end() -> None:
    schedule = _scheduled(_path())
    q, qd, _ = schedule.at(np.array([0.0, schedule.duration]))
    np.testing.assert_allclose(q[0], schedule.grid.parts[0].q[0], atol=1e-12)
    np.testing.assert_allclose(q[1], schedule.grid.parts[-1].q[-1], atol=1e-12)
    assert not qd.any()


def test_speeds_are_the_slopes_of_positions_and_accelerations_those_of_speeds() -> None:
    schedule = _scheduled(_path())
    time = _inside(schedule)
    (q0, qd0, _), (_, qd, qdd), (q1, qd1, _) = (schedule.at(time + late) for late in (-TINY, 0.0, TINY))
    for slope, expected in (((q1 - q0) / (2 * TINY), qd), ((qd1 - qd0) / (2 * TINY), qdd)):
        np.testing.assert_allclose(slope, expected, rtol=0, atol=SLOPES * np.abs(expected).max())


def test_positions_and_speeds_do_not_jump() -> None:
    schedule = _scheduled(_path())
    times = np.concatenate([schedule.begins, schedule.ends])
    before, after = (schedule.at(times + late) for late in (-1e-9, 1e-9))
    np.testing.assert_allclose(before[0], after[0], rtol=0, atol=1e-7)
    np.testing.assert_allclose(before[1], after[1], rtol=0, atol=1e-6)


def test_it_stands_still_in_waits_and_beyond_both_ends() -> None:
    schedule = _scheduled(_path())
    stopped = float(schedule.ends[sum(part.count for part in schedule.grid.parts[:2]) - 1])
    waits = {
        "before": (np.array([-1.0, 0.0, 0.1, 0.199]), schedule.grid.parts[0].q[0]),
        "between": (stopped + np.array([0.001, 0.1, 0.249]), schedule.grid.parts[1].q[-1]),
        "behind": (schedule.duration + np.array([-0.09, 0.0, 3.0]), schedule.grid.parts[-1].q[-1]),
    }
    for time, place in waits.values():
        q, qd, qdd = schedule.at(time)
        np.testing.assert_allclose(q, np.broadcast_to(place, q.shape), atol=1e-12)
        assert not qd.any()
        assert not qdd.any()


def test_waits_count() -> None:
    path = _path()
    without = replace(path, wait_before=0.0, pieces=tuple(replace(piece, wait=0.0) for piece in path.pieces))
    assert _scheduled(path).duration == pytest.approx(_scheduled(without).duration + 0.2 + 0.25 + 0.1)


def test_what_ends_in_motion_goes_on() -> None:
    robot = _robot()
    path = path_along(robot, random_bend(robot, 0), stops=[False])
    schedule = _scheduled(path, start=0.05, end=0.04)
    q, qd, _ = schedule.at(schedule.duration + np.array([0.0, 0.5, 1.0]))
    np.testing.assert_allclose(q[2] - q[1], 0.5 * qd[0], atol=1e-9)
    np.testing.assert_allclose(qd[1:], np.broadcast_to(qd[0], (2, 6)), rtol=1e-9)
    rate = np.linalg.norm(qd[0]) / np.linalg.norm(schedule.grid.parts[-1].first[-1])
    assert rate**2 == pytest.approx(0.04)


# As a plan ------------------------------------------------------------------------------------


def test_a_plan_samples_the_motion_every_cycle() -> None:
    schedule = _scheduled(_path())
    plan = schedule.plan(CYCLE)
    np.testing.assert_allclose(plan.time, CYCLE * np.arange(len(plan.time)), atol=1e-12)
    np.testing.assert_array_equal(plan.q, schedule.at(plan.time)[0])
    assert plan.duration == schedule.duration
    assert plan.time[-2] < plan.duration <= plan.time[-1] + 1e-9
    assert plan.first_velocity is None


def test_a_plan_has_the_moves_of_the_path_one_behind_the_other() -> None:
    schedule = _scheduled(_path())
    plan = schedule.plan(CYCLE)
    assert [(move.line, move.kind, move.stops) for move in plan.moves] == [
        (5, "ptp", False),
        (6, "lin", True),
        (7, "wait", True),
        (9, "ptp", True),
        (10, "wait", True),
    ]
    assert plan.moves[0].start == 0.0
    assert plan.moves[-1].end == schedule.duration
    for before, after in zip(plan.moves[:-1], plan.moves[1:], strict=True):
        assert before.end == after.start
    assert plan.moves[2].end - plan.moves[2].start == pytest.approx(0.25)
    assert plan.moves[3].start == pytest.approx(schedule.begins[schedule.grid.part_of == 2][0])
    for move in plan.moves:
        np.testing.assert_allclose(schedule.at(np.array([move.end]))[0][0], move.q_end, atol=1e-9)
    for k, number in enumerate(plan.move):
        move = plan.moves[number - 1]
        assert move.start - 1e-9 <= plan.time[k]
        assert plan.time[k] < move.end or number == len(plan.moves)
    np.testing.assert_array_equal(plan.line, [plan.moves[number - 1].line for number in plan.move])


def test_a_plan_changes_the_payload_where_the_path_does() -> None:
    schedule = _scheduled(_path())
    plan = schedule.plan(CYCLE)
    before, after = plan.phases
    assert (before.first, before.last, after.last) == (0, after.first, len(plan.time))
    assert [phase.robot for phase in plan.phases] == [schedule.grid.parts[k].piece.robot for k in (0, 2)]
    stands = schedule.grid.parts[1].q[-1]
    np.testing.assert_allclose(plan.q[after.first], stands, atol=1e-12)


def test_a_plan_that_begins_in_motion_says_so() -> None:
    robot = _robot()
    schedule = _scheduled(path_along(robot, random_bend(robot, 0)), start=0.05)
    first = schedule.plan(CYCLE).first_velocity
    assert first is not None
    np.testing.assert_allclose(first, schedule.at(np.zeros(1))[1][0], rtol=1e-12)
