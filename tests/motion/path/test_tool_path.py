"""Chains of path moves: durations, geometry, corners, orientation, and what is said about them."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from armdyn.errors import InputError, PlanError, ShapeError
from armdyn.motion.moves import PathMove, Target
from armdyn.motion.path import ToolPath, tool_path
from armdyn.motion.path.arc import Arc
from armdyn.motion.path.corner import Corner
from armdyn.motion.path.pieces import Part
from armdyn.motion.path.rotations import logarithm
from armdyn.spatial.rotation import from_axis_angle, from_rpy

ON_IT = 1e-12
"""Points of about one metre, a dozen operations."""
START = np.eye(4)


def to(*position: Any, **options: Any) -> PathMove:
    """A line at 0.5 m/s and 2 m/s2 unless told otherwise."""
    rotation = options.pop("rotation", None)
    name = options.pop("name", "")
    values: dict[str, Any] = {"line": 7, "speed": 0.5, "acceleration": 2.0} | options
    x, y, z = position
    return PathMove(end=Target((x, y, z), rotation, name=name), **values)


def past(via: Any, *position: float, **options: Any) -> PathMove:
    """An arc through a via point."""
    rotation = options.pop("via_rotation", None)
    return to(*position, via=Target(via, rotation), **options)


def about_z(angle: float) -> Any:
    return from_axis_angle((0, 0, 1), angle)


def instants(path: ToolPath, count: int = 2001) -> Any:
    return np.linspace(0, path.duration, count)


def at_end(path: ToolPath) -> Any:
    """(4, 4)."""
    return path.poses([path.duration])[0]


def angle_between(R1: Any, R2: Any) -> float:
    return float(np.linalg.norm(logarithm(R1 @ R2.T)))


def velocities(path: ToolPath, t: Any) -> tuple[Any, Any]:
    """The tool's velocity and angular velocity in base axes, by differences."""
    h = 1e-6
    slope = (path.poses(t + h) - path.poses(t - h)) / (2 * h)
    W = slope[:, :3, :3] @ np.swapaxes(path.poses(t)[:, :3, :3], 1, 2)
    return slope[:, :3, 3], np.stack([W[:, 2, 1], W[:, 0, 2], W[:, 1, 0]], axis=1)


# One move -------------------------------------------------------------------------------------


def test_a_line_takes_the_time_of_its_trapezoid_and_stays_on_the_line() -> None:
    path = tool_path(START, [to(0.6, 0.8, 0)])
    assert path.duration == pytest.approx(1 / 0.5 + 0.5 / 2.0, rel=ON_IT)
    assert path.ends == (path.duration,)
    assert (path.accelerating, path.decelerating) == (0.25, 0.25)
    x = path.poses(instants(path))[:, :3, 3]
    assert np.abs(np.cross(x, [0.6, 0.8, 0])).max() <= ON_IT
    assert np.abs(x[-1] - [0.6, 0.8, 0]).max() <= ON_IT
    assert path.notes == ()


def test_an_arc_takes_the_time_of_its_trapezoid_and_stays_on_the_circle() -> None:
    path = tool_path(START, [past((1, 1, 0), 2, 0, 0)])
    assert path.duration == pytest.approx(math.pi / 0.5 + 0.5 / 2.0, rel=ON_IT)
    x = path.poses(instants(path))[:, :3, 3]
    assert np.abs(np.linalg.norm(x - [1, 0, 0], axis=1) - 1).max() <= ON_IT


def test_before_and_after_the_tool_rests() -> None:
    path = tool_path(START, [to(1, 0, 0)])
    poses = path.poses([-1.0, 0.0, path.duration, 100.0])
    assert (poses[0] == poses[1]).all()
    assert (poses[2] == poses[3]).all()
    assert np.abs(poses[3] - at_end(path)).max() <= ON_IT
    assert poses[3, :3, 3].tolist() == [1.0, 0.0, 0.0]
    assert path.speeds([-1.0, 100.0]).tolist() == [0.0, 0.0]


# Orientation ----------------------------------------------------------------------------------


def test_o_var_has_turned_half_the_angle_half_way() -> None:
    goal = np.array(from_rpy(0.3, -0.8, 1.9), float)
    path = tool_path(START, [to(1, 0, 0, rotation=from_rpy(0.3, -0.8, 1.9))])
    middle = path.poses([path.duration / 2])[0]
    whole = logarithm(goal)
    assert middle[0, 3] == pytest.approx(0.5)
    assert np.abs(logarithm(middle[:3, :3]) - whole / 2).max() <= ON_IT
    assert np.abs(at_end(path)[:3, :3] - goal).max() <= ON_IT


def test_a_target_without_orientation_keeps_the_one_before() -> None:
    T = np.eye(4)
    T[:3, :3] = np.array(from_rpy(0.3, -0.8, 1.9), float)
    path = tool_path(T, [to(1, 0, 0), past((1.5, 1, 0), 2, 0, 0)])
    assert np.abs(path.poses(instants(path))[:, :3, :3] - T[:3, :3]).max() <= ON_IT


def test_half_a_turn_is_chosen_and_said() -> None:
    path = tool_path(START, [to(1, 0, 0, rotation=about_z(math.pi))])
    assert path.notes == (
        "line 7: half a turn can go both ways; the tool turns about (0, 0, 1) in base axes",
    )
    assert np.abs(path.poses([path.duration / 2])[0, :3, 0] - [0, 1, 0]).max() <= ON_IT


def test_o_pco_holds_the_tool_to_tangent_and_normal() -> None:
    T = np.eye(4)
    T[:3, :3] = np.array(from_rpy(0.3, -0.8, 1.9), float)
    path = tool_path(T, [past((1, 1, 0.2), 2, 0, 0.1, orientation="pco")])
    t = np.linspace(0.01, path.duration - 0.01, 200)
    tangent, _ = velocities(path, t)
    tangent /= np.linalg.norm(tangent, axis=1, keepdims=True)
    along = np.einsum("tij,ti->tj", path.poses(t)[:, :3, :3], tangent)
    assert np.abs(along - along[0]).max() <= 1e-8  # differences
    assert path.notes == ()


def test_o_pco_keeps_the_orientation_on_a_line_and_says_what_it_does_not_use() -> None:
    path = tool_path(START, [to(1, 0, 0, orientation="pco", rotation=about_z(0.5), name="p3")])
    assert (at_end(path)[:3, :3] == np.eye(3)).all()
    (note,) = path.notes
    assert note == 'line 7: the orientation of "p3" is not used, o_pco leads to one 28.6 degrees from it'


def test_o_pvo_passes_the_orientation_of_the_via_point() -> None:
    via, end = from_rpy(0.5, 0.2, -0.4), from_rpy(-0.3, 0.9, 0.4)
    move = past((0.3, 0.9, 0.1), 2, 0, 0, via_rotation=via, orientation="pvo", rotation=end)
    path = tool_path(START, [move])
    t = instants(path, 200001)
    poses = path.poses(t)
    nearest = int(np.argmin(np.linalg.norm(poses[:, :3, 3] - [0.3, 0.9, 0.1], axis=1)))
    assert angle_between(poses[nearest, :3, :3], np.array(via, float)) < 1e-4  # of a sample
    assert np.abs(poses[-1, :3, :3] - np.array(end, float)).max() <= ON_IT
    assert np.abs(poses[0] - START).max() <= ON_IT
    _, turning = velocities(path, np.linspace(0.01, path.duration - 0.01, 4001))
    assert np.linalg.norm(np.diff(turning, axis=0), axis=1).max() < 0.01


def test_o_pvo_of_a_line_is_o_var() -> None:
    moves = [to(1, 0, 0, rotation=about_z(1.0), orientation=rule) for rule in ("var", "pvo")]
    first, second = (tool_path(START, [move]) for move in moves)
    assert (first.poses(instants(first)) == second.poses(instants(first))).all()


def test_a_turn_on_the_spot_is_timed_by_its_angle() -> None:
    path = tool_path(START, [to(1, 0, 0, keep_speed=True), to(1, 0, 0, rotation=about_z(1.5)), to(2, 0, 0)])
    # a triangle at 2 rad/s2 up to 90 deg/s takes 1.23 rad
    turn = 1.5 / math.radians(90) + math.radians(90) / 2.0
    assert path.ends[1] - path.ends[0] == pytest.approx(turn, rel=ON_IT)
    during = path.poses(np.linspace(path.ends[0], path.ends[1], 50))
    assert np.abs(during[:, :3, 3] - [1, 0, 0]).max() <= ON_IT
    assert not path.speeds(np.linspace(path.ends[0], path.ends[1], 50)).any()
    assert path.notes == ("line 7: the tool stops where it turns on the spot",)


def test_a_move_that_does_nothing_takes_no_time() -> None:
    path = tool_path(START, [to(0, 0, 0)])
    assert path.duration == 0
    assert (path.poses([0.0, 1.0]) == START).all()
    assert (path.accelerating, path.decelerating) == (0, 0)


# Junctions ------------------------------------------------------------------------------------


def test_without_more_a_move_ends_in_a_stop() -> None:
    path = tool_path(START, [to(1, 0, 0), to(1, 1, 0)])
    assert path.ends[0] == pytest.approx(2.25)
    assert path.duration == pytest.approx(4.5)
    assert path.speeds([path.ends[0]])[0] == pytest.approx(0, abs=1e-9)
    assert path.move_at([0.0, 2.2, 2.3, 4.5, 99.0]).tolist() == [0, 0, 1, 1, 1]


def test_c_cp_rounds_the_corner_within_its_distance() -> None:
    path = tool_path(START, [to(1, 0, 0, corner=0.1), to(1, 1, 0)])
    x = path.poses(instants(path, 20001))[:, :3, 3]
    off = np.minimum(np.abs(x[:, 1]), np.abs(x[:, 0] - 1))  # from the nearer of the two lines
    assert np.linalg.norm(x[off > ON_IT] - [1, 0, 0], axis=1).max() <= 0.1
    assert np.linalg.norm(x - [1, 0, 0], axis=1).min() == pytest.approx(0.1 * math.sqrt(2) / 4, rel=1e-6)
    v = path.speeds(instants(path))
    assert v[100:-100].min() > 0.2
    # v^2 sin(45) / (d cos^2(45)) is the acceleration
    slowest = math.sqrt(2.0 * 0.1 * 0.5 / math.sqrt(0.5))
    assert path.speeds([path.ends[0]])[0] == pytest.approx(slowest, rel=1e-9)


def test_c_speed_keeps_the_speed_through_a_tangent_junction() -> None:
    moves = [to(1, 0, 0, keep_speed=True), past((2, 1, 0), 1, 2, 0, speed=0.4)]
    path = tool_path(START, moves)
    around = path.ends[0] + np.linspace(-0.02, 1.0, 100)
    assert path.speeds(around).max() <= 0.4 + 2.0 * 0.02 + ON_IT
    assert path.speeds(around).min() >= 0.4 * 0.99
    x = path.poses(instants(path))[:, :3, 3]
    arc = x[:, 0] > 1
    assert np.abs(np.linalg.norm(x[arc] - [1, 1, 0], axis=1) - 1).max() <= ON_IT
    assert np.abs(x[~arc & (x[:, 1] < 1), 1]).max() <= ON_IT


@pytest.mark.parametrize(
    "second", [to(1, 1, 0), to(2, 0.3, 0), to(0.5, 0.8, 0), past((1.3, 0.8, 0.2), 1, 1.5, 0.4)]
)
def test_c_speed_rounds_other_corners_as_much_as_the_acceleration_needs(second: PathMove) -> None:
    path = tool_path(START, [to(1, 0, 0, keep_speed=True), second])
    t = np.linspace(path.accelerating + 1e-5, path.duration - path.decelerating - 1e-5, 5001)
    assert np.abs(path.speeds(t) / 0.5 - 1).max() <= 0.01
    v, _ = velocities(path, t)
    assert np.abs(np.linalg.norm(v, axis=1) / 0.5 - 1).max() <= 1e-8
    own = 0.5**2 / 0.9 if second.via else 0.0
    assert np.linalg.norm(np.diff(v, axis=0), axis=1).max() / (t[1] - t[0]) <= 2.0 + own + 0.01
    assert path.notes == ()


def test_a_corner_that_is_too_tight_for_the_speed_is_taken_slower_and_says_so() -> None:
    path = tool_path(START, [to(1, 0, 0, corner=0.01, keep_speed=True), to(1, 1, 0)])
    assert path.notes == (
        "line 7: the tool rounds the corner with 118.9 instead of 500 mm/s, the acceleration allows no more",
    )


def test_a_corner_is_cut_where_a_move_is_short_and_says_so() -> None:
    path = tool_path(START, [to(1, 0, 0, corner=0.3), to(1, 0.2, 0)])
    assert path.notes == (
        "line 7: the corner distance is cut from 300 to 100 mm, the moves beside it are not longer",
    )


def test_corners_at_both_ends_share_the_move() -> None:
    moves = [to(1, 0, 0, corner=0.3), to(1, 0.4, 0, corner=0.1), to(0, 0.4, 0)]
    assert tool_path(START, moves).notes == ()
    path = tool_path(START, [replace(move, corner=0.3, line=k) for k, move in enumerate(moves)])
    cut = "the corner distance is cut from 300 to 200 mm, the moves beside it are not longer"
    assert path.notes[:2] == (f"line 0: {cut}", f"line 1: {cut}")
    assert path.notes[2] == "line 2: the tool stops, no path move follows at once"


def test_a_reversal_stops() -> None:
    path = tool_path(START, [to(1, 0, 0, keep_speed=True), to(0, 0, 0)])
    assert path.duration == pytest.approx(4.5)
    (note,) = path.notes
    assert note == "line 7: the tool stops, a corner of 180 degrees is too sharp to be rounded"


@pytest.mark.parametrize("corner", [None, 0.2])
@pytest.mark.parametrize("goal", [(2, 0, 0), (1, 1, 0)])
def test_angular_velocity_is_continuous_where_the_tool_does_not_stop(corner: Any, goal: Any) -> None:
    first = to(1, 0, 0, keep_speed=True, corner=corner, rotation=from_rpy(0.5, 0, 0))
    path = tool_path(START, [first, to(*goal, rotation=from_rpy(0.5, 0.9, 0))], turn_acceleration=2.0)
    t = np.linspace(0.01, path.duration - 0.01, 20001)
    _, turning = velocities(path, t)
    change = np.linalg.norm(np.diff(turning, axis=0), axis=1)
    # no step is larger than an angular acceleration of some rad/s2 makes it
    assert change.max() / (t[1] - t[0]) < 6.0
    assert angle_between(at_end(path)[:3, :3], np.array(from_rpy(0.5, 0.9, 0), float)) <= 1e-12


def test_a_passage_of_orientation_takes_the_angular_acceleration_at_most() -> None:
    first = to(1, 0, 0, keep_speed=True, rotation=about_z(0.5))
    path = tool_path(START, [first, to(2, 0, 0, rotation=about_z(-0.5))], turn_acceleration=2.0)
    t = path.ends[0] + np.linspace(-0.3, 0.3, 6001)
    _, turning = velocities(path, t)
    assert np.abs(np.diff(turning[:, 2])).max() / (t[1] - t[0]) == pytest.approx(2.0, rel=1e-3)


def test_a_turn_acceleration_of_a_move_is_that_of_all_moves_and_wins() -> None:
    def moves(*own: float | None) -> list[PathMove]:
        ends = [(1, 0.5), (2, -0.5), (3, 0.5)]
        return [
            to(x, 0, 0, rotation=about_z(angle), keep_speed=x < 3, turn_acceleration=turning)
            for (x, angle), turning in zip(ends, own, strict=True)
        ]

    def angles(path: ToolPath) -> Any:
        return path.poses(np.linspace(0, path.duration, 2001))[:, :2, 0]

    of_all = angles(tool_path(START, moves(None, None, None), turn_acceleration=2.0))
    assert (angles(tool_path(START, moves(2.0, 2.0, None))) == of_all).all()
    assert (angles(tool_path(START, moves(2.0, 2.0, None), turn_acceleration=0.3)) == of_all).all()
    # the junction is of the move that ends there: the first has its own, the second that of all
    mixed = tool_path(START, moves(4.0, None, None), turn_acceleration=2.0)
    reaches = [piece.leaving.reach for piece in mixed.pieces if isinstance(piece, Part) and piece.leaving]
    changes = (1.5, 2.0)  # of the turning [rad/m], at 0.5 m/s
    assert reaches == pytest.approx([0.5**2 * c / (2 * a) for c, a in zip(changes, (4.0, 2.0), strict=True)])


@pytest.mark.parametrize("turning", [0.0, -1.0, math.inf, math.nan])
def test_turn_accelerations_that_are_none(turning: float) -> None:
    with pytest.raises(PlanError, match=r"line 7: turn acceleration .* expected a number above 0"):
        tool_path(START, [to(1, 0, 0, turn_acceleration=turning)])


def test_by_default_every_move_turns_in_proportion_to_its_length() -> None:
    first, second = to(1, 0, 0, keep_speed=True, rotation=about_z(0.5)), to(2, 0, 0, rotation=about_z(-0.5))
    path = tool_path(START, [first, second])
    poses = path.poses(np.linspace(0, path.duration, 1001))
    x, angle = poses[:, 0, 3], np.arctan2(poses[:, 1, 0], poses[:, 0, 0])
    assert np.abs(angle - np.where(x <= 1, 0.5 * x, 0.5 - (x - 1))).max() <= 1e-12


# Any chain ------------------------------------------------------------------------------------

coordinates = st.tuples(*[st.integers(-5, 5)] * 3).map(lambda p: tuple(0.2 * x for x in p))
rotations = st.none() | st.builds(from_rpy, *[st.floats(-3, 3)] * 3)


@st.composite
def chains(draw: Any) -> list[PathMove]:
    moves: list[PathMove] = []
    here = (0.0, 0.0, 0.0)
    for line in range(draw(st.integers(1, 6))):
        end, via = draw(coordinates), draw(st.none() | coordinates)
        a, b = (np.array(x if x is not None else here) - here for x in (via, end))
        if np.linalg.norm(np.cross(a, b)) < 1e-3:
            via = None
        target = None if via is None else Target(via, draw(rotations))
        rule = draw(st.sampled_from(["var", "pco", "pvo"]))
        corner = draw(st.none() | st.floats(0.001, 1))
        speed, acceleration = draw(st.floats(0.05, 2)), draw(st.floats(0.2, 10))
        goal = Target(end, draw(rotations))
        moves.append(PathMove(line, goal, speed, acceleration, target, rule, corner, draw(st.booleans())))
        here = end
    return moves


@settings(max_examples=100, deadline=None)
@given(moves=chains())
def test_any_chain_reaches_its_end_without_a_jump(moves: list[PathMove]) -> None:
    path = tool_path(START, moves)
    t = np.unique(np.concatenate([instants(path, 3001), path.ends]))
    poses, speeds = path.poses(t), path.speeds(t)
    assert np.isfinite(poses).all()
    assert np.abs(poses[0] - START).max() <= 1e-11
    assert np.abs(poses[-1][:3, 3] - np.array(moves[-1].end.position, float)).max() <= 1e-8
    assert np.abs(poses[:, :3, :3] @ np.swapaxes(poses[:, :3, :3], 1, 2) - np.eye(3)).max() <= 1e-12
    assert np.diff([0.0, *path.ends]).min() >= 0
    fastest = max(move.speed for move in moves)
    assert speeds.max() <= fastest * (1 + 1e-9)
    steps = np.linalg.norm(np.diff(poses[:, :3, 3], axis=0), axis=1)
    assert (steps <= np.diff(t) * fastest * (1 + 1e-9) + 1e-11).all()
    ramp = max(move.acceleration for move in moves)
    assert (np.abs(np.diff(speeds)) <= np.diff(t) * ramp * (1 + 1e-9) + 1e-9).all()


@settings(max_examples=50, deadline=None)
@given(moves=chains())
def test_in_any_chain_the_tool_goes_at_its_moves_speed_at_most(moves: list[PathMove]) -> None:
    path = tool_path(START, moves)
    t = instants(path)
    assert (path.speeds(t) <= np.array([m.speed for m in moves])[path.move_at(t)] * (1 + 1e-9)).all()


@settings(max_examples=50, deadline=None)
@given(moves=chains())
def test_in_any_chain_the_programmed_speed_is_the_real_one(moves: list[PathMove]) -> None:
    path = tool_path(START, moves)
    if path.duration == 0:
        return
    h = 1e-6
    t = np.linspace(2 * h, path.duration - 2 * h, 1001)
    v, _ = velocities(path, t)
    # a ramp begins or ends within the difference: half of an acceleration of 10 m/s2 times 1e-6 s
    assert np.abs(np.linalg.norm(v, axis=1) - path.speeds(t)).max() <= 2e-5


# What cannot be planned -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("move", "sentence"),
    [
        (past((1, 0, 0), 2, 0, 0), "line 7: start, via and end of a circle are on one line"),
        (past((1, 0, 0), 0, 0, 0), "line 7: a circle ends where it starts"),
        (to(1, 0, 0, speed=0.0), "line 7: speed 0 of a path move"),
        (to(1, 0, 0, acceleration=-1.0), "line 7: acceleration -1 of a path move"),
        (to(1, 0, 0, corner=-0.1), "line 7: corner distance -0.1 m"),
        (to(1, math.nan, 0), "line 7: position"),
    ],
)
def test_a_move_that_cannot_be_planned_is_refused_with_its_line(move: PathMove, sentence: str) -> None:
    with pytest.raises(PlanError, match=sentence) as caught:
        tool_path(START, [move])
    assert caught.value.line == 7


def test_chains_and_instants_of_the_wrong_form_are_refused() -> None:
    with pytest.raises(InputError, match="no moves"):
        tool_path(START, [])
    with pytest.raises(ShapeError):
        tool_path(np.eye(3), [to(1, 0, 0)])
    with pytest.raises(ShapeError):
        tool_path(START, [to(1, 0, 0)]).poses(1.0)


# What decides at junctions ----------------------------------------------------------------------


def test_a_move_that_is_rounded_into_the_next_ends_in_the_middle_of_the_corner() -> None:
    path = tool_path(START, [to(1, 0, 0, corner=0.2), to(1, 1, 0)])
    assert path.ends[0] == pytest.approx(path.duration / 2, rel=ON_IT)


@pytest.mark.parametrize("order", [(2.0, 0.3), (0.3, 2.0)])
def test_a_corner_is_taken_with_the_lower_acceleration(order: tuple[float, float]) -> None:
    first, second = order
    path = tool_path(START, [to(1, 0, 0, corner=0.1, acceleration=first), to(1, 1, 0, acceleration=second)])
    # the parabola's sharpest bend is sin(45) / (d cos^2(45))
    allowed = math.sqrt(0.3 * 0.1 * math.cos(math.pi / 4) ** 2 / math.sin(math.pi / 4))
    assert path.speeds([path.ends[0]])[0] == pytest.approx(allowed, rel=1e-9)


@pytest.mark.parametrize("order", [(0.5, 0.2), (0.2, 0.5)])
def test_the_slower_of_two_moves_decides_where_one_goes_on_as_the_other(order: tuple[float, float]) -> None:
    first, second = order
    path = tool_path(START, [to(1, 0, 0, speed=first, keep_speed=True), to(2, 0, 0, speed=second)])
    assert path.speeds([path.ends[0]])[0] == pytest.approx(0.2, rel=1e-9)


def test_the_bend_of_arcs_themselves_is_not_held_to_the_acceleration() -> None:
    """Only what a corner bends more than they do."""
    side = 0.1 * math.sqrt(2)
    via, end = (0.2 + side, 0.0, 0.0), (0.2 + side, side, 0.0)
    path = tool_path(START, [past((0.1, 0.1, 0), 0.2, 0, 0, corner=0.02), past(via, *end)])
    before = Arc.through((0, 0, 0), (0.1, 0.1, 0), (0.2, 0, 0))
    after = Arc.through((0.2, 0, 0), via, end)
    excess = Corner.between(before, after, 0.02).sharpest() - 1 / 0.1
    assert path.speeds([path.ends[0]])[0] == pytest.approx(math.sqrt(2.0 / excess), rel=1e-9)


def test_a_jump_of_the_turning_is_said() -> None:
    turning = to(1, 0, 0, rotation=about_z(0.2), keep_speed=True)  # with 0.1 rad/s
    (note,) = tool_path(START, [turning, to(2, 0, 0)]).notes
    assert note.startswith("line 7: the tool's turning jumps by 0.1 rad/s into the next move")
    slow = to(1, 0, 0, rotation=about_z(0.05), keep_speed=True)
    assert tool_path(START, [slow, to(2, 0, 0)]).notes == ()


def test_instants_in_any_order() -> None:
    path = tool_path(START, [to(1, 0, 0, corner=0.2), to(1, 1, 0), to(0, 0, 1)])
    t = instants(path, 301)
    mixed = np.random.default_rng(1).permutation(len(t))
    assert np.array_equal(path.poses(t[mixed]), path.poses(t)[mixed])


def test_o_pco_names_the_target_where_it_has_a_name() -> None:
    (note,) = tool_path(START, [to(1, 0, 0, orientation="pco", rotation=about_z(0.5))]).notes
    assert (
        note == "line 7: the orientation of the target is not used, o_pco leads to one 28.6 degrees from it"
    )
