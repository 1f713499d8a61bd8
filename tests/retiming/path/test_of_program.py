"""Paths of programs: exact geometry, pieces that meet, stops, corners, blends, waits, changes."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from armdyn.dynamics import Dynamics
from armdyn.errors import InputError, PlanError
from armdyn.feasibility import planned
from armdyn.formats import load
from armdyn.motion import (
    ChangePayload,
    ChangeTool,
    JointTarget,
    PathMove,
    PointToPoint,
    Step,
    Target,
    Wait,
    plan,
)
from armdyn.motion.path.arc import Arc
from armdyn.retiming.path import JointPath, path_of_program, path_of_work
from armdyn.retiming.path.curve import StraightCurve
from armdyn.retiming.path.joint_path import CHANGES, CORNER, MOVE_ENDS, TURNS_BACK, WAITS
from armdyn.robot import Payload, Robot
from armdyn.spatial import Inertia, Transform
from retiming.path.path_checks import check_derivatives, check_path, ends, samples_off, unit

ON_IT = 1e-9
"""[rad or m] Splines are refined until they are as near as that, and nearer."""
LOLA, PANDA = load("lola15"), load("panda")
BENT = (0.2, -0.3, -0.4, 0.1, 0.9, -0.2)
"""A posture of lola15 far from singular ones."""
ELSEWHERE = (0.5, -0.1, -0.5, 0.3, 0.7, 0.1)


def to(*q: float | None, line: int = 1, **options: Any) -> PointToPoint:
    return PointToPoint(line, JointTarget(q), **options)


def pose(robot: Robot, q: Any) -> Any:
    return Dynamics(robot, motors="none").pose(np.array(q))


def shifted(by: Any, robot: Robot = LOLA, q: Any = BENT, turned: Any = None) -> Target:
    """The pose at a posture, moved in base axes and turned."""
    T = pose(robot, q)
    R = T[:3, :3] if turned is None else turned @ T[:3, :3]
    x, y, z = (T[:3, 3] + by).tolist()
    rotation: Any = tuple(tuple(row) for row in R.tolist())
    return Target((x, y, z), rotation)


def line_by(*by: float, line: int = 1, turned: Any = None, **options: Any) -> PathMove:
    return PathMove(line, shifted(np.array(by), turned=turned), 0.2, 1.0, **options)


def about_z(angle: float) -> Any:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def path_of(*steps: Step, start: Any = BENT, **options: Any) -> JointPath:
    found = path_of_program(LOLA, steps, start, **options)
    check_path(found)
    return found


def places(path: JointPath, looks: int = 301) -> Any:
    """(t, 3) of the tool, with its tangents (t, 3) and postures."""
    q, first, _ = path.at(np.linspace(0.0, path.length, looks))
    dyn = Dynamics(LOLA, motors="none")
    return dyn.pose(q)[:, :3, 3], np.einsum("tij,tj->ti", dyn.jacobian(q), first)[:, :3], q


# Programs -------------------------------------------------------------------------------------


@pytest.mark.parametrize("turn_acceleration", [None, 2.0])
@pytest.mark.parametrize("name", ["lola15", "ur5_palletising"])
def test_samples_of_programs_lie_on_their_paths(name: str, turn_acceleration: float | None) -> None:
    path = path_of_work(planned(name, turn_acceleration=turn_acceleration))
    check_path(path)
    assert samples_off(path) < ON_IT
    assert path.plan is not None
    assert (path.duration, path.cycle) == (path.plan.duration, path.plan.cycle)
    assert [(m.line, m.kind) for m in path.moves] == [(m.line, m.kind) for m in path.plan.moves]
    for piece in path.pieces:
        check_derivatives(piece.curve, 1e-5)


def test_lola15_has_corners_unless_its_turning_is_spread() -> None:
    jumping = path_of_work(planned("lola15"))
    spread = path_of_work(planned("lola15", turn_acceleration=2.0))
    assert sum(piece.reason == CORNER for piece in jumping.pieces) == 7
    assert jumping.notes[-1] == (
        "lines 31, 32, 33, 34, 36, 37, 38: the joints' path has a corner, where the arm must stop; "
        "acc_ori, or a turn acceleration for all moves, rounds those where the tool's turning jumps"
    )
    assert [piece.reason for piece in spread.pieces if piece.stops] == [MOVE_ENDS] * 3
    assert not any("corner" in note for note in spread.notes)


def near(cycle: float) -> tuple[list[Step], Any, Any]:
    """Two lines of a Panda, and where they end as planned with a cycle."""
    targets = [shifted(np.array(by), PANDA, PANDA.home) for by in ((0.08, 0, 0), (0.08, 0.08, 0))]
    steps: list[Step] = [PathMove(1, targets[0], 0.2, 1.0, corner=0.02), PathMove(2, targets[1], 0.2, 1.0)]
    return steps, plan(PANDA, steps, cycle=cycle).q[-1], targets[1]


def test_an_arm_with_joints_to_spare_moves_them_least_whatever_the_cycle() -> None:
    steps, coarse, target = near(0.02)
    path = path_of_program(PANDA, steps, cycle=0.02)
    check_path(path)
    assert [p.reason for p in path.pieces] == ["", "", "", MOVE_ENDS]
    assert any("joints to spare" in note for note in path.notes)
    end = ends(path.pieces[-1].curve)[0][1]
    np.testing.assert_allclose(pose(PANDA, end)[:3, 3], target.position, atol=ON_IT)
    off = float(np.linalg.norm(coarse - end))
    assert off < 1e-3  # a plan's joints depend on its cycle, and come nearer as that is shorter
    assert np.linalg.norm(near(0.005)[1] - end) < 0.4 * off


@pytest.mark.slow
def test_a_program_for_an_arm_with_joints_to_spare() -> None:
    path = path_of_work(planned("panda"))
    check_path(path)
    assert samples_off(path) < 1e-3
    assert [p.wait for p in path.pieces if p.wait] == [0.5]


# Geometry -------------------------------------------------------------------------------------


def test_a_point_to_point_move_is_a_straight_line() -> None:
    path = path_of(to(*ELSEWHERE, line=4))
    (piece,) = path.pieces
    assert isinstance(piece.curve, StraightCurve)
    assert (piece.move, piece.line, piece.kind, piece.stops, piece.reason) == (1, 4, "ptp", True, MOVE_ENDS)
    np.testing.assert_allclose(ends(piece.curve)[0], [BENT, ELSEWHERE], atol=1e-15)
    assert path.length == pytest.approx(np.linalg.norm(np.subtract(ELSEWHERE, BENT)), rel=1e-12)
    assert not path.notes


def test_a_line_of_the_tool_is_straight_in_space() -> None:
    path = path_of(line_by(0.1, -0.2, 0.15, turned=about_z(0.4)))
    points, tangents, _ = places(path)
    way = unit(np.array([0.1, -0.2, 0.15]))
    across = (points - points[0]) - np.outer((points - points[0]) @ way, way)
    assert np.abs(across).max() < ON_IT
    directions = tangents / np.linalg.norm(tangents, axis=1)[:, None]
    np.testing.assert_allclose(directions, np.broadcast_to(way, directions.shape), atol=1e-8)
    np.testing.assert_allclose(points[-1] - points[0], (0.1, -0.2, 0.15), atol=ON_IT)


def test_a_circle_of_the_tool_is_round() -> None:
    via, end = shifted((0.1, 0.1, 0.0)), shifted((0.2, 0.0, 0.05))
    path = path_of(PathMove(1, end, 0.2, 1.0, via))
    points, tangents, _ = places(path)
    arc = Arc.through(points[0], np.array(via.position, float), np.array(end.position, float))
    out = points - arc.centre
    np.testing.assert_allclose(np.linalg.norm(out, axis=1), arc.radius, atol=ON_IT)
    np.testing.assert_allclose(out @ arc.axis, 0.0, atol=ON_IT)
    ahead = np.cross(arc.axis, out)
    ahead /= np.linalg.norm(ahead, axis=1)[:, None]
    np.testing.assert_allclose(tangents / np.linalg.norm(tangents, axis=1)[:, None], ahead, atol=1e-8)


def test_curvature_is_that_of_the_exact_motion() -> None:
    """J q'' + J' q' is along the line, as x'' of a straight line is: relative to both of them to 1e-6."""
    (piece,) = path_of(line_by(0.15, -0.2, 0.1)).pieces
    p = np.linspace(0.0, piece.curve.length, 41)
    q, first, second = piece.curve.at(p)
    dyn = Dynamics(LOLA, motors="none")
    found = dyn.acceleration(q, first, second)[:, :3]
    way = unit(np.array([0.15, -0.2, 0.1]))
    across = found - np.outer(found @ way, way)
    turning = dyn.acceleration(q, first, second)[:, 3:]
    size = np.abs(np.einsum("tij,tj->ti", dyn.jacobian(q), second)).max()
    assert np.abs(across).max() < 1e-6 * size
    assert np.abs(turning).max() < 1e-6 * size


def test_turning_on_the_spot_is_a_piece() -> None:
    path = path_of(line_by(0.0, 0.0, 0.0, turned=about_z(0.5)))
    points, _, q = places(path)
    np.testing.assert_allclose(points, np.broadcast_to(points[0], points.shape), atol=ON_IT)
    np.testing.assert_allclose(pose(LOLA, q[-1])[:3, :3], about_z(0.5) @ pose(LOLA, BENT)[:3, :3], atol=ON_IT)


def test_a_rounded_corner_is_two_pieces_between_two_lines() -> None:
    moves = [line_by(0.2, 0, 0, line=1, corner=0.05), line_by(0.2, 0.2, 0, line=2)]
    path = path_of(*moves)
    assert [(p.move, p.stops) for p in path.pieces] == [(1, False), (1, False), (2, False), (2, True)]
    assert samples_off(path) < ON_IT


def test_a_singular_wrist_is_passed() -> None:
    start = (0.2, -0.3, -0.4, 0.0, 0.25, 0.0)  # q5 goes through 0 where only q2, q3 and q5 move
    tilt = Dynamics(LOLA, motors="none").pose(np.array([0.2, -0.3, -0.4, 0.0, -0.2, 0.0]))
    x, y, z = tilt[:3, 3].tolist()
    target = Target((x, y, z), tuple(tuple(row) for row in tilt[:3, :3].tolist()))  # pyright: ignore[reportArgumentType]
    path = path_of(PathMove(1, target, 0.1, 1.0), start=start)
    assert samples_off(path) < ON_IT


def bending(offset: float) -> tuple[PathMove, Any]:
    """A line on which the wrist passes its singular posture at some distance, and where it starts."""
    start = (0.2, -0.3, -0.4, offset / 0.4, 0.4, 0.0)
    T = pose(LOLA, (0.2, -0.3, -0.4, 0.0, -0.4, 0.0))
    x, y, z = T[:3, 3].tolist()
    rotation: Any = tuple(tuple(row) for row in T[:3, :3].tolist())
    return PathMove(1, Target((x, y, z), rotation), 0.1, 1.0), start


@pytest.mark.parametrize("offset", [0.1, 0.03])
def test_a_line_past_a_singular_posture(offset: float) -> None:
    move, start = bending(offset)
    path = path_of(move, start=start)
    points, _, _ = places(path)
    way = unit(points[-1] - points[0])
    assert np.abs(points - points[0] - np.outer((points - points[0]) @ way, way)).max() < ON_IT
    assert samples_off(path) < ON_IT


def test_a_plan_that_leaps_over_a_singular_posture_is_refused() -> None:
    move, start = bending(1e-4)
    with pytest.raises(PlanError, match="passes a singular posture so closely"):
        path_of(move, start=start)


# Stops ----------------------------------------------------------------------------------------


def test_moves_that_stop_and_moves_that_run_on() -> None:
    stopping = path_of(line_by(0.1, 0, 0), line_by(0.2, 0, 0))
    assert [p.reason for p in stopping.pieces] == [MOVE_ENDS, MOVE_ENDS]
    running = path_of(line_by(0.1, 0, 0, keep_speed=True), line_by(0.2, 0, 0))
    assert [(p.move, p.reason) for p in running.pieces] == [(1, ""), (2, MOVE_ENDS)]


def test_a_turning_that_begins_at_once_is_a_corner() -> None:
    moves = [
        line_by(0.1, 0, 0, line=5, keep_speed=True),
        line_by(0.2, 0, 0, line=6, turned=about_z(0.3)),
    ]
    path = path_of(*moves)
    assert [p.reason for p in path.pieces] == [CORNER, MOVE_ENDS]
    assert path.notes[-1] == (
        "line 5: the joints' path has a corner, where the arm must stop; "
        "acc_ori, or a turn acceleration for all moves, rounds those where the tool's turning jumps"
    )
    rounded = path_of(*moves, turn_acceleration=2.0)
    assert [p.reason for p in rounded.pieces] == ["", "", "", MOVE_ENDS]
    assert [p.move for p in rounded.pieces] == [1, 1, 2, 2]


def test_waits() -> None:
    path = path_of(
        Wait(1, 0.3), to(*ELSEWHERE, line=2), Wait(3, 0.2), Wait(4, 0.5), to(*BENT, line=5), Wait(6, 0.1)
    )
    assert path.wait_before == 0.3
    assert [(p.move, p.wait, p.reason) for p in path.pieces] == [(2, 0.7, WAITS), (5, 0.1, WAITS)]
    assert [(m.kind, m.wait) for m in path.moves] == [
        ("wait", 0.3),
        ("ptp", 0.0),
        ("wait", 0.2),
        ("wait", 0.5),
        ("ptp", 0.0),
        ("wait", 0.1),
    ]


def test_payload_and_tool_changes_are_stops_with_another_robot() -> None:
    held = Payload(LOLA.tool.body, Inertia(2.0, (0.0, 0.0, 0.1), ((0, 0, 0), (0, 0, 0), (0, 0, 0))))
    tool = Transform(((1, 0, 0), (0, 1, 0), (0, 0, 1)), (0.0, 0.0, 0.1))
    steps = [
        to(*ELSEWHERE),
        Wait(2, 0.2),
        ChangePayload(3, held),
        to(*BENT),
        ChangeTool(4, tool),
        to(*ELSEWHERE),
    ]
    path = path_of(*steps)
    assert [(p.reason, p.wait) for p in path.pieces] == [(CHANGES, 0.2), (CHANGES, 0.0), (MOVE_ENDS, 0.0)]
    assert [p.robot for p in path.pieces] == [
        LOLA,
        replace(LOLA, payloads=(*LOLA.payloads, held)),
        replace(LOLA, payloads=(*LOLA.payloads, held)).with_tool(tool),
    ]
    assert path.robot == LOLA
    assert path.moves[1].robot == LOLA  # the wait


def test_moves_without_length_vanish_but_stop() -> None:
    path = path_of(to(*ELSEWHERE, blend=True), to(*ELSEWHERE, blend=True), to(*BENT))
    assert [(p.move, p.reason) for p in path.pieces] == [(1, MOVE_ENDS), (3, MOVE_ENDS)]
    assert len(path.moves) == 3


# Blends ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("jerk", [None, 0.1])
def test_blends_of_point_to_point_moves(jerk: float | None) -> None:
    path = path_of(to(*ELSEWHERE, blend=True), to(0.6, 0.2, -0.3, 0.1, 0.6, 0.2), jerk=jerk)
    assert not any(p.stops for p in path.pieces[:-1])
    assert {p.move for p in path.pieces} == {1, 2}
    assert samples_off(path) < ON_IT
    assert "blends of point-to-point moves (c_ptp) keep the path" in path.notes[-1]


def test_blends_with_tool_paths() -> None:
    moves = [to(*BENT, blend=True), line_by(0.1, 0, 0.1, blend=True), to(*ELSEWHERE)]
    path = path_of(*moves, start=ELSEWHERE)
    assert [p.move for p in path.pieces] == [1, 1, 2, 2, 2, 3, 3]
    assert not any(p.stops for p in path.pieces[:-1])
    assert samples_off(path) < ON_IT


@pytest.mark.parametrize("share", [1.0, 0.7])
def test_a_blend_that_turns_back_stops(share: float) -> None:
    path = path_of(to(*ELSEWHERE, blend=True), to(*BENT, acceleration=share))
    assert [p.reason for p in path.pieces if p.stops] == [TURNS_BACK, MOVE_ENDS]
    assert "turns back" in path.notes[-1]
    assert samples_off(path) < 1e-7


# Refusals -------------------------------------------------------------------------------------


def test_nothing_moves() -> None:
    with pytest.raises(InputError, match="nothing moves in the program"):
        path_of_program(LOLA, [Wait(1, 1.0)])
    with pytest.raises(InputError, match="nothing moves in the program"):
        path_of_program(LOLA, [])


def test_what_cannot_be_planned_is_refused_as_by_plan() -> None:
    with pytest.raises(PlanError, match="line 7"):
        path_of_program(LOLA, [line_by(3.0, 0, 0, line=7)], BENT)
