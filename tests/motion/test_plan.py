"""Plans: closed-form durations, limits and continuity in blends, phases, problems, clear refusals."""

import math
import subprocess
import sys
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from armdyn.dynamics import Dynamics
from armdyn.errors import ArmdynError, InputError, MissingDataError, PlanError, ShapeError
from armdyn.formats import load
from armdyn.motion import (
    ChangePayload,
    ChangeTool,
    InverseKinematics,
    JointTarget,
    PathMove,
    Plan,
    PointToPoint,
    Target,
    Wait,
    plan,
)
from armdyn.motion.joint_limits import RAMP, joint_limits
from armdyn.robot import Payload, Robot
from armdyn.spatial import Inertia, Transform

ROUNDING = 1e-12
"""Relative or in radians: a handful of operations."""
KINEMATICS = 1e-9
"""[m or rad] Poses forth and back."""
DIFFERENCES = 1e-4
"""Relative: second differences of samples 1 ms apart, between which accelerations change."""

LOLA, UR5 = load("lola15"), load("ur5")
BENT = (0.2, -0.3, -0.4, 0.1, 0.9, -0.2)
"""A posture of lola15 far from singular ones."""


def with_limits(robot: Robot, **changes: Any) -> Robot:
    """The robot with some limits the same for every joint."""
    joints = [replace(body.joint, limits=replace(body.joint.limits, **changes)) for body in robot.bodies]
    bodies = tuple(replace(body, joint=joint) for body, joint in zip(robot.bodies, joints, strict=True))
    return replace(robot, bodies=bodies)


PLANAR2 = with_limits(load("planar2"), velocity=2.0, acceleration=4.0)


def to(*q: float | None, line: int = 1, **options: Any) -> PointToPoint:
    return PointToPoint(line, JointTarget(q), **options)


def shifted(robot: Robot, q: Any, by: tuple[float, float, float], name: str = "") -> Target:
    """The pose at a posture, moved in base axes."""
    T = Dynamics(robot, motors="none").pose(np.array(q))
    x, y, z = (T[:3, 3] + by).tolist()
    rotation: Any = tuple(tuple(row) for row in T[:3, :3].tolist())
    return Target((x, y, z), rotation, name=name)


def line_to(target: Target, line: int = 1, acceleration: float = 1.0, **options: Any) -> PathMove:
    return PathMove(line, target, 0.2, acceleration, **options)


def slopes(found: Plan) -> tuple[np.ndarray, np.ndarray]:
    return np.diff(found.q, axis=0) / found.cycle, np.diff(found.q, 2, axis=0) / found.cycle**2


def limits_of(robot: Robot) -> tuple[np.ndarray, np.ndarray]:
    limits = [joint.limits for joint in robot.joints]
    return np.array([x.velocity for x in limits]), np.array([x.acceleration for x in limits])


# Point to point -------------------------------------------------------------------------------


def test_the_slowest_joint_decides() -> None:
    found = plan(LOLA, [to(1.0, 0.5, line=7)])
    expected = max(2 * math.sqrt(1.0 / 3.75), 2 * math.sqrt(0.5 / 2.1))
    assert found.duration == pytest.approx(expected, rel=ROUNDING)
    (move,) = found.moves
    assert (move.line, move.kind, move.start, move.end, move.stops) == (7, "ptp", 0.0, found.duration, True)
    np.testing.assert_array_equal(move.q_end, [1.0, 0.5, 0, 0, 0, 0])
    assert set(found.line) == {7}
    assert set(found.move) == {1}


def test_shares_of_the_limits() -> None:
    found = plan(PLANAR2, [to(1.0, 0.0, speed=0.5, acceleration=0.25)], start=(0, 0))
    assert found.duration == pytest.approx(1.0 / 1.0 + 1.0 / 1.0, rel=ROUNDING)


def test_samples_are_multiples_of_the_cycle_up_to_the_end() -> None:
    found = plan(LOLA, [to(1.0)])
    np.testing.assert_array_equal(found.time, np.arange(len(found.time)) * 0.01)
    assert found.time[-2] < found.duration <= found.time[-1]
    np.testing.assert_array_equal(found.q[-1], [1.0, 0, 0, 0, 0, 0])


def test_a_motion_that_ends_at_a_sample_has_none_behind_it() -> None:
    found = plan(PLANAR2, [to(1.0)], start=(0, 0))  # 1 / 2 + 2 / 4 = 1 s
    assert (found.duration, len(found.time)) == (pytest.approx(1.0, rel=ROUNDING), 101)


def test_it_starts_at_home_or_where_told() -> None:
    np.testing.assert_array_equal(plan(PLANAR2, [to(0.0)]).q[0], PLANAR2.home)
    np.testing.assert_array_equal(plan(PLANAR2, [to(0.0)], start=[0.3, 0.4]).q[0], [0.3, 0.4])


def test_missing_joint_values_are_kept() -> None:
    found = plan(LOLA, [to(None, 0.1, None, 0.2, line=1), to(0.3, line=2)], start=BENT)
    np.testing.assert_array_equal(found.moves[0].q_end, [0.2, 0.1, -0.4, 0.2, 0.9, -0.2])
    np.testing.assert_array_equal(found.moves[1].q_end, [0.3, 0.1, -0.4, 0.2, 0.9, -0.2])


def test_a_pose_is_reached_in_the_nearest_posture() -> None:
    target = shifted(LOLA, BENT, (0, 0, 0))
    found = plan(LOLA, [PointToPoint(1, target)], start=np.array(BENT) + 0.2)
    np.testing.assert_allclose(found.q[-1], BENT, atol=KINEMATICS)


def test_a_position_alone_keeps_the_orientation() -> None:
    target = replace(shifted(LOLA, BENT, (0.1, 0, -0.1)), rotation=None)
    found = plan(LOLA, [PointToPoint(1, target)], start=BENT)
    first, last = found.poses()[[0, -1]]
    np.testing.assert_allclose(last[:3, :3], first[:3, :3], atol=KINEMATICS)
    np.testing.assert_allclose(last[:3, 3] - first[:3, 3], (0.1, 0, -0.1), atol=KINEMATICS)


def test_the_status_is_ignored_and_said_so() -> None:
    target = replace(shifted(LOLA, BENT, (0, 0, 0)), branch=4)
    found = plan(LOLA, [PointToPoint(1, target), PointToPoint(2, target)], start=np.array(BENT) + 0.2)
    np.testing.assert_allclose(found.q[-1], BENT, atol=KINEMATICS)
    assert found.notes == (
        "the status of targets is ignored: point-to-point moves take the posture nearest to the one before",
    )


def test_the_status_may_be_a_branch() -> None:
    target = shifted(LOLA, BENT, (0, 0, 0))
    branches = InverseKinematics(LOLA).branches(plan(LOLA, [], start=BENT).poses()[0])
    existing = np.flatnonzero(~np.isnan(branches[:, 0]))
    for k in existing:
        found = plan(LOLA, [PointToPoint(1, replace(target, branch=int(k) + 1))], start=BENT, status="branch")
        apart = (found.q[-1] - branches[k] + math.pi) % math.tau - math.pi
        np.testing.assert_allclose(apart, 0.0, atol=KINEMATICS)
        assert found.notes == ()
    assert len(existing) >= 4


def test_a_branch_that_there_is_not() -> None:
    target = replace(shifted(LOLA, BENT, (0, 0, 0)), branch=9)
    found = plan(LOLA, [PointToPoint(1, target)], start=BENT, status="branch")
    assert found.notes == ('status 9 of targets is ignored: robot "lola15" has branches 1 to 8',)
    panda = load("panda")
    target = replace(shifted(panda, panda.home, (0, 0, 0.01)), branch=1)
    notes = plan(panda, [PointToPoint(1, target)], status="branch").notes
    assert notes[-1] == (
        'status 1 of targets is ignored: robot "panda" is solved numerically and has no branches'
    )


def test_a_branch_outside_of_the_limits_is_refused() -> None:
    posture = (0.3, -1.2, 1.4, -0.5, 0.9, 0.1)
    target = shifted(UR5, posture, (0, 0, 0))
    branches = InverseKinematics(UR5).branches(plan(UR5, [], start=posture).poses()[0])
    wide = int(np.flatnonzero(np.nanmax(np.abs(branches), axis=1) > 1.7)[0])
    with pytest.raises(PlanError, match=r"^line 3: .*limits"):
        plan(
            with_limits(UR5, position=(-1.7, 1.7)),
            [PointToPoint(3, replace(target, branch=wide + 1))],
            status="branch",
        )


def test_nothing_to_do() -> None:
    found = plan(LOLA, [])
    assert (found.duration, found.moves, found.move.tolist(), found.line.tolist()) == (0.0, (), [0], [0])
    np.testing.assert_array_equal(found.q, [LOLA.home])
    again = plan(LOLA, [to(0.0, line=3)])
    assert (again.duration, len(again.q), again.move.tolist()) == (0.0, 1, [1])


@pytest.mark.parametrize("jerk", [None, 0.1])
def test_shorter_cycles_lie_on_the_same_motion(jerk: float | None) -> None:
    steps = [
        to(0.5, 0.3, line=1, blend=True),
        to(*BENT, line=2, blend=True),
        line_to(shifted(LOLA, BENT, (0.1, 0.1, 0)), line=3, blend=True),
        to(0.0, line=4),
        Wait(5, 0.123),
        to(0.4, line=6),
    ]
    plans = [plan(LOLA, steps, cycle=cycle, jerk=jerk) for cycle in (0.01, 0.005, 0.001)]
    for finer in plans[1:]:
        step = round(0.01 / finer.cycle)
        count = min(len(plans[0].q), 1 + (len(finer.q) - 1) // step)
        np.testing.assert_allclose(finer.q[::step][:count], plans[0].q[:count], atol=KINEMATICS)
        for a, b in zip(finer.moves, plans[0].moves, strict=True):
            assert (a.start, a.end) == pytest.approx((b.start, b.end), abs=KINEMATICS)
            np.testing.assert_allclose(a.q_end, b.q_end, atol=KINEMATICS)


# Limited jerk ---------------------------------------------------------------------------------


def test_jerk_is_given_as_the_time_to_full_acceleration() -> None:
    found = plan(PLANAR2, [to(2.0, 1.0)], start=(0, 0), jerk=0.1)
    assert found.duration == pytest.approx(1.0 + 0.5 + 0.1, rel=ROUNDING)
    bend = np.diff(found.q, 3, axis=0) / found.cycle**3
    assert np.abs(bend).max() == pytest.approx(4.0 / 0.1, rel=1e-6)
    np.testing.assert_allclose(found.q[:, 1], found.q[:, 0] / 2, atol=ROUNDING)


def test_paths_say_that_their_jerk_is_not_limited() -> None:
    found = plan(LOLA, [line_to(shifted(LOLA, BENT, (0.1, 0, 0)))], start=BENT, jerk=0.1)
    assert any("jerk" in note for note in found.notes)


def test_moves_with_a_turn_acceleration_of_their_own_keep_it_and_it_is_said() -> None:
    move = line_to(shifted(LOLA, BENT, (0.1, 0, 0)))
    plans = [
        plan(LOLA, [replace(move, turn_acceleration=own)], BENT, turn_acceleration=2) for own in (1, None)
    ]
    said = [any("2 rad/s2 is for path moves without acc_ori" in note for note in p.notes) for p in plans]
    assert said == [True, False]


# Blends ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("jerk", [None, 0.05, 0.2])
@pytest.mark.parametrize("seed", range(8))
def test_limits_hold_in_blends_of_point_to_point_moves(seed: int, jerk: float | None) -> None:
    rng = np.random.default_rng(seed)
    shares = rng.uniform(0.3, 1.0, (6, 2))
    steps = [
        to(*rng.uniform(-1.5, 1.5, 6), line=k + 1, speed=v, acceleration=a, blend=True)
        for k, (v, a) in enumerate(shares)
    ]
    found = plan(LOLA, steps, cycle=0.001, jerk=jerk)
    speed, bend = slopes(found)
    v, a = limits_of(LOLA)
    assert (np.abs(speed) / v).max() <= 1 + DIFFERENCES
    assert (np.abs(bend) / a).max() <= 1 + DIFFERENCES
    stopping = plan(LOLA, [replace(step, blend=False) for step in steps], jerk=jerk)
    assert found.duration < stopping.duration
    assert [move.stops for move in found.moves] == [False] * 5 + [True]
    np.testing.assert_allclose(found.q[-1], stopping.q[-1], atol=ROUNDING)


@pytest.mark.parametrize("seed", range(6))
def test_rounded_ramps_overlap_no_more_than_the_speeds_allow(seed: int) -> None:
    slow = with_limits(LOLA, velocity=0.4)
    rng = np.random.default_rng(seed)
    ends = np.cumsum(rng.uniform(0, 1, (6, 6)), axis=0)
    steps = [to(*q, acceleration=a, blend=True) for q, a in zip(ends, rng.uniform(0.3, 1, 6), strict=True)]
    found = plan(slow, steps, cycle=0.001, jerk=(0.02, 0.1, 0.5)[seed % 3])
    assert np.abs(slopes(found)[0]).max() <= 0.4 * (1 + DIFFERENCES)


def test_a_blend_in_one_direction_keeps_the_speed() -> None:
    found = plan(PLANAR2, [to(2.0, line=1, blend=True), to(4.0, line=2)], start=(0, 0))
    assert found.duration == pytest.approx(4.0 / 2.0 + 2.0 / 4.0, rel=ROUNDING)  # as one move
    first, second = found.moves
    assert first.end == second.start == pytest.approx(1.25, rel=ROUNDING)  # the middle of the way
    np.testing.assert_allclose(first.q_end, [2.0, PLANAR2.home[1] * 0], atol=ROUNDING)


def test_a_reversal_brakes_and_starts_as_one_ramp() -> None:
    # the ramps last twice as long, 1 s, and coincide: from 2 rad/s to -2 at 4 rad/s2
    found = plan(PLANAR2, [to(3.0, line=1, blend=True), to(0.0, line=2)], start=(0, 0), cycle=0.001)
    assert found.duration == pytest.approx(2 * (3.0 / 2.0 + 0.25 + 0.5) - 1.0, rel=ROUNDING)
    _, bend = slopes(found)
    assert np.abs(bend).max() == pytest.approx(4.0, rel=DIFFERENCES)


def test_moves_of_a_blend_meet_in_its_middle() -> None:
    steps = [to(0.5, line=1, blend=True), to(0.5, 0.5, line=2, blend=True), to(0.5, 0.5, 0.5, line=3)]
    found = plan(LOLA, steps, cycle=0.0001)
    for before, after in zip(found.moves[:-1], found.moves[1:], strict=True):
        assert before.end == after.start
    for move in found.moves:
        k = round(move.end / found.cycle)
        np.testing.assert_allclose(found.q[k], move.q_end, atol=2e-4)  # one cycle at less than 2 rad/s
        assert found.move[k - 2] == found.moves.index(move) + 1


def ways_around_a_path(seed: int) -> list[Any]:
    rng = np.random.default_rng(seed)
    before, after = (np.array(BENT) + rng.uniform(-0.6, 0.6, 6) for _ in range(2))
    corner = shifted(LOLA, BENT, tuple(rng.uniform(-0.15, 0.15, 3)))
    end = shifted(LOLA, BENT, tuple(rng.uniform(-0.15, 0.15, 3)))
    return [
        to(*before, line=1, blend=True),
        to(*BENT, line=2, blend=True),
        line_to(corner, 3, 0.5, corner=0.02),
        line_to(end, 4, 0.5, blend=True),
        to(*after, line=5),
    ]


@pytest.mark.parametrize("seed", range(8))
def test_limits_hold_in_blends_with_paths(seed: int) -> None:
    found = plan(LOLA, ways_around_a_path(seed), start=(0, 0, 0, 0, 0.5, 0), cycle=0.001)
    speed, bend = slopes(found)
    v, a = limits_of(LOLA)
    assert (np.abs(speed) / v).max() <= 1 + DIFFERENCES
    assert (np.abs(bend) / a).max() <= 1.02  # accelerations of a path are looked at 33 times a ramp
    assert [move.stops for move in found.moves[:2]] == [False, False]
    assert [move.stops for move in found.moves[3:]] == [False, True]


@pytest.mark.parametrize("seed", range(4))
def test_the_path_is_left_in_its_blends_only(seed: int) -> None:
    steps = ways_around_a_path(seed)
    found = plan(LOLA, steps, start=(0, 0, 0, 0, 0.5, 0), cycle=0.001)
    points = found.poses()[found.move == 3][:, :3, 3]
    a, b = (np.array(target.position) for target in (shifted(LOLA, BENT, (0, 0, 0)), steps[2].end))
    off = np.linalg.norm(np.cross(points - a, (b - a) / np.linalg.norm(b - a)), axis=1)
    before_the_corner = np.linalg.norm(points - b, axis=1) > 0.021
    behind_the_ramp = np.arange(len(points)) * found.cycle > 0.2 / 0.5 / 2
    assert off[0] > 1e-6
    assert off[before_the_corner & behind_the_ramp].max() < KINEMATICS


def test_what_needs_rest_is_not_blended() -> None:
    steps = [to(0.5, line=3, blend=True), Wait(4, 0.1), to(0.0, line=5)]
    found = plan(LOLA, steps)
    assert found.moves[0].stops
    assert "line 3: not blended, because line 4 needs the arm at rest" in found.notes


def test_a_move_without_length_behind_a_blend_ends_with_it() -> None:
    """Where the arm is then, the point-to-point move that still slows down included."""
    here, end = (shifted(LOLA, BENT, (x, 0, 0)) for x in (0.0, 0.1))
    steps = [to(*BENT, blend=True), line_to(here, 2), line_to(end, 3)]
    found = plan(LOLA, steps, start=(0, 0, 0, 0, 0.5, 0), cycle=0.0001)
    first, second, _ = found.moves
    assert second.end == pytest.approx(first.end, rel=ROUNDING)
    np.testing.assert_allclose(second.q_end, first.q_end, atol=KINEMATICS)
    assert np.abs(first.q_end - BENT).max() > 1e-3


# Paths ----------------------------------------------------------------------------------------


def test_a_line_is_straight_and_takes_its_closed_form() -> None:
    found = plan(LOLA, [line_to(shifted(LOLA, BENT, (0.3, 0.2, -0.1)), line=9)], start=BENT)
    length = math.sqrt(0.3**2 + 0.2**2 + 0.1**2)
    assert found.duration == pytest.approx(length / 0.2 + 0.2, rel=KINEMATICS)
    way = found.poses()[:, :3, 3] - found.poses()[0, :3, 3]
    assert np.linalg.norm(np.cross(way, (0.3, 0.2, -0.1)), axis=1).max() / length < KINEMATICS
    assert [(move.kind, move.line, move.stops) for move in found.moves] == [("lin", 9, True)]
    np.testing.assert_array_equal(found.q[-1], found.moves[0].q_end)


def test_moves_of_a_chain_have_their_own_ends() -> None:
    a, b = shifted(LOLA, BENT, (0.2, 0, 0)), shifted(LOLA, BENT, (0.2, 0.2, 0))
    via = shifted(LOLA, BENT, (0.2, 0.1, 0.1))
    found = plan(
        LOLA, [line_to(a, 1), line_to(b, 2, via=via), line_to(a, 3, corner=0.05), line_to(b, 4)], BENT
    )
    assert [move.kind for move in found.moves] == ["lin", "circle", "lin", "lin"]
    assert [move.stops for move in found.moves][:2] == [True, True]
    pose = Dynamics(LOLA, motors="none").pose(found.moves[1].q_end)
    np.testing.assert_allclose(pose[:3, 3], np.array(b.position), atol=KINEMATICS)
    assert found.moves[1].start == found.moves[0].end == pytest.approx(1.2, rel=KINEMATICS)
    np.testing.assert_array_equal(np.unique(found.line), [1, 2, 3, 4])


@pytest.mark.parametrize(
    ("robot", "start", "by"),
    [
        (UR5, (0.3, -1.2, 1.4, -0.5, 0.9, 0.1), (0.1, -0.1, 0.05)),
        (with_limits(load("planar3"), velocity=2.0, acceleration=4.0), (0.3, 1.2, -0.5), (-0.2, 0.1, 0.0)),
        (load("panda"), load("panda").home, (0.05, 0.1, -0.1)),
    ],
    ids=["ur5", "planar3", "panda"],
)
def test_other_arms_follow_lines_too(robot: Robot, start: Any, by: Any) -> None:
    target = shifted(robot, start, by)
    found = plan(robot, [line_to(target, blend=True), to(*start, line=2)], start=start)
    path = plan(robot, [line_to(target)], start=start)
    way = path.poses()[:, :3, 3] - path.poses()[0, :3, 3]
    assert np.linalg.norm(np.cross(way, way[-1]), axis=1).max() < 1e-7
    np.testing.assert_allclose(way[-1], by, atol=1e-7)
    assert not found.moves[0].stops
    np.testing.assert_array_equal(found.q[-1], start)


def test_a_path_without_a_way_takes_no_time() -> None:
    here = shifted(LOLA, BENT, (0, 0, 0))
    found = plan(LOLA, [line_to(here, 1, blend=True), to(*BENT, line=2, blend=True), line_to(here, 3)], BENT)
    assert found.duration == pytest.approx(0.0, abs=1e-6)
    np.testing.assert_allclose(found.q, np.broadcast_to(BENT, found.q.shape), atol=1e-9)


# Waits, tools, payloads -----------------------------------------------------------------------


def test_waiting() -> None:
    found = plan(LOLA, [to(0.5, line=1), Wait(2, 0.25), to(0.0, line=3)])
    _, wait, _ = found.moves
    assert (wait.kind, wait.end - wait.start) == ("wait", pytest.approx(0.25, rel=ROUNDING))
    resting = found.q[found.move == 2]
    np.testing.assert_array_equal(resting, np.repeat([[0.5, 0, 0, 0, 0, 0]], len(resting), axis=0))


def test_payloads_come_and_go() -> None:
    brick = Payload("link6", Inertia(5.0, (0, 0, 0.3)))
    steps = [
        to(0.5),
        ChangePayload(2, brick),
        Wait(3, 0.1),
        to(0.0, line=4),
        ChangePayload(5, None),
        to(0.1, line=6),
    ]
    arm = LOLA.with_payload(1.0)
    found = plan(arm, steps)
    assert [phase.robot.payloads for phase in found.phases] == [
        arm.payloads,
        (*arm.payloads, brick),
        arm.payloads,
    ]
    assert [found.phases[0].first, found.phases[-1].last] == [0, len(found.time)]
    for before, after in zip(found.phases[:-1], found.phases[1:], strict=True):
        assert before.last == after.first
    assert found.time[found.phases[1].first] >= found.moves[0].end > found.time[found.phases[1].first - 1]


def test_changes_at_one_instant_are_one_phase() -> None:
    brick = Payload("link6", Inertia(5.0))
    found = plan(LOLA, [to(0.5), ChangePayload(2, brick), ChangePayload(3, None), to(0.0, line=4)])
    assert [phase.robot for phase in found.phases] == [LOLA]
    at_first = plan(LOLA, [ChangePayload(1, brick), to(0.5, line=2)])
    assert [phase.robot.payloads for phase in at_first.phases] == [(brick,)]


def test_another_tool_is_another_pose() -> None:
    longer = Transform.of((0.1, 0.0, 0.5))
    with_longer = LOLA.with_tool(longer)
    steps = [ChangeTool(1, longer), line_to(shifted(with_longer, BENT, (0, 0.1, 0)), line=2)]
    found = plan(LOLA, steps, start=BENT)
    assert found.duration == pytest.approx(0.1 / 0.2 + 0.2, rel=1e-8)
    assert [phase.robot.tool for phase in found.phases] == [with_longer.tool]
    np.testing.assert_allclose(
        found.poses()[-1, :3, 3] - found.poses()[0, :3, 3], (0, 0.1, 0), atol=KINEMATICS
    )


# Problems -------------------------------------------------------------------------------------


def test_positions_outside_of_the_range_are_reported() -> None:
    steps = [to(5.0, line=1), to(4.9, line=2), to(0.0, line=3), to(-5.0, line=4)]
    found = plan(PLANAR2, steps, start=(0, 0))
    assert [(p.move, p.joint, p.quantity) for p in found.problems] == [
        (k, 1, "position") for k in (1, 2, 3, 4)
    ]
    first, last = found.problems[0], found.problems[-1]
    upper = math.radians(270)
    assert (first.required, first.limit) == (pytest.approx(5.0, abs=1e-3), pytest.approx(upper))
    assert first.margin == pytest.approx(upper - first.required)
    assert (last.required, last.limit) == (-5.0, pytest.approx(-upper))
    inside = found.time < first.time[0]
    assert (found.q[inside, 0] <= upper + 1e-9).all()


def test_a_singular_stretch_is_reported() -> None:
    start = (0.0, -0.3, 0.3, 0.0, 0.5, 0.0)
    through = shifted(LOLA, (0.0, -0.3, 0.3, 0.0, -0.5, 0.0), (0, 0, 0))
    found = plan(LOLA, [line_to(through, line=5)], start=start)
    problems = [p for p in found.problems if p.quantity == "singularity"]
    assert problems
    assert {(p.line, p.move, p.joint) for p in problems} == {(5, 1, None)}
    assert all(p.margin < 0 and p.required < p.limit for p in problems)


# What cannot be planned -----------------------------------------------------------------------


def test_unreachable_targets_name_their_line() -> None:
    far = Target((9.0, 0.0, 0.0), name="s1")
    with pytest.raises(PlanError, match=r'^line 12: target "s1": .*does not reach') as caught:
        plan(LOLA, [PointToPoint(12, far)], start=BENT)
    assert caught.value.line == 12
    with pytest.raises(
        PlanError, match=r"^line 13: the tool path cannot be followed at \d+\.\d+ s: "
    ) as caught:
        plan(LOLA, [line_to(shifted(LOLA, BENT, (0.05, 0, 0)), 12), line_to(far, 13)], start=BENT)
    assert caught.value.line == 13


@pytest.mark.parametrize(
    ("steps", "sentence"),
    [
        ([to(*range(7), line=4)], r"line 4: target has 7 joint values; robot .lola15. has 6 joints"),
        ([to(math.nan, line=4)], "line 4: target has nan for joint 1, expected a finite number"),
        ([to(1.0, line=4, speed=0.0)], "line 4: speed share 0 of the joints' limits, expected above 0 to 1"),
        ([to(1.0, line=4, acceleration=1.5)], "line 4: acceleration share 1.5 of the joints' limits"),
        ([Wait(4, -1.0)], "line 4: wait of -1 s, expected 0 or more"),
        ([Wait(4, 1e6)], "line 4: the motion lasts 1e[+]06 s, more than 5000000 samples of 0.01 s"),
        (
            [ChangeTool(4, Transform(translation=(1e300, 0, 0))), line_to(Target((1, 0, 1)), 5)],
            r"line 4: tool frame at \(1e[+]300, 0, 0\) m, expected numbers up to 1e[+]06",
        ),
        ([line_to(Target((1e300, 0, 0)), 4)], "line 4: position .*, expected three numbers up to 1e[+]06 m"),
        (
            [PointToPoint(4, Target((math.nan, 0, 0)))],
            r"line 4: target is at \(nan, 0, 0\), expected numbers up to 1e[+]06 m",
        ),
    ],
)
def test_steps_that_cannot_be(steps: list[Any], sentence: str) -> None:
    with pytest.raises(PlanError, match=sentence):
        plan(LOLA, steps)


@pytest.mark.parametrize(
    ("options", "error", "sentence"),
    [
        (
            {"start": [0, 0]},
            ShapeError,
            r"start has shape \(2,\); robot .lola15. has 6 joints, expected \(6,\)",
        ),
        ({"start": [0, 0, math.inf, 0, 0, 0]}, InputError, "start has inf for joint 3"),
        ({"start": "home"}, InputError, "start is 'home', expected 6 numbers"),
        ({"cycle": 0.0}, InputError, "cycle is 0 s, expected a time above 0 and at most 1 s"),
        ({"cycle": 1.5}, InputError, "cycle is 1.5 s"),
        ({"cycle": math.nan}, InputError, "cycle is nan s"),
        ({"jerk": 0.0}, InputError, "jerk is 0 s"),
        ({"jerk": 1e-300}, InputError, "jerk is 1e-300 s, expected the time of at least 1e-06 s"),
        ({"start": [0, 0, -1e300, 0, 0, 0]}, InputError, "start has -1e[+]300 for joint 3, expected at most"),
        ({"status": "posture"}, InputError, 'status "posture", expected "ignore" or "branch"'),
    ],
)
def test_arguments_that_cannot_be(options: Any, error: type[ArmdynError], sentence: str) -> None:
    with pytest.raises(error, match=sentence):
        plan(LOLA, [to(1.0)], **options)


def test_heavy_libraries_wait_until_they_are_needed() -> None:
    code = "import sys, armdyn.motion; print({'ruckig', 'scipy'} & set(sys.modules))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout == "set()\n"


# Limits of the joints -------------------------------------------------------------------------


def test_speed_without_a_limit_is_the_motors() -> None:
    arm = with_limits(LOLA, velocity=0.0, acceleration=3.0)
    found = plan(arm, [to(*[1e3] * 6)])
    largest = np.abs(slopes(found)[0]).max()
    assert largest == pytest.approx(3400 * math.tau / 60 / (219.42857142857144), rel=1e-6)
    assert "speed limits of all joints are their motors' largest speeds over the gear ratios" in found.notes


def test_the_slower_of_two_motors_decides() -> None:
    arm = with_limits(LOLA, velocity=0.0, acceleration=3.0)
    first = arm.drives[0]
    slow = replace(first, name="second motor", motor=replace(first.motor, maximum_speed=50.0))
    for drives in ((*arm.drives, slow), (slow, *arm.drives)):
        speed = joint_limits(replace(arm, drives=drives)).velocity[0]
        assert speed == pytest.approx(50.0 / dict(first.coupling.weights)[first.joint], rel=ROUNDING)


def test_unknown_speed_is_one_sentence() -> None:
    with pytest.raises(MissingDataError, match=r'robot "planar2", joint "joint1": .*; add limits.velocity'):
        plan(load("planar2"), [to(1.0)])


def test_unknown_acceleration_is_assumed() -> None:
    found = plan(UR5, [to(2.0)])
    assert found.duration == pytest.approx(2.0 / 3.15 + RAMP, rel=ROUNDING)
    assert found.notes == ("acceleration limits of all joints are unknown; full speed is reached in 0.25 s",)
