"""Paths through waypoints: they are met, smooth or straight; clear refusals."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from armdyn.errors import InputError, ShapeError
from armdyn.formats import load
from armdyn.retiming.path import path_through
from armdyn.retiming.path.curve import StraightCurve
from armdyn.retiming.path.joint_path import CORNER, MOVE_ENDS, TURNS_BACK
from retiming.path.path_checks import check_derivatives, check_path, ends

PLANAR2 = load("planar2")
POINTS = [[0.0, 0.0], [1.0, 0.2], [1.4, 0.9], [0.8, 1.5]]


def test_a_spline_meets_its_waypoints_and_is_smooth() -> None:
    path = path_through(PLANAR2, POINTS)
    check_path(path)
    assert [p.reason for p in path.pieces] == ["", "", MOVE_ENDS]
    assert [(p.move, p.line, p.kind) for p in path.pieces] == [(k, 0, "samples") for k in (1, 2, 3)]
    for k, piece in enumerate(path.pieces):
        np.testing.assert_allclose(ends(piece.curve)[0], POINTS[k : k + 2], atol=1e-12)
        check_derivatives(piece.curve, 1e-6)
    for before, after in pairwise(path.pieces):  # C2
        np.testing.assert_allclose(ends(before.curve)[2][1], ends(after.curve)[2][0], atol=1e-12)
    np.testing.assert_allclose(ends(path.pieces[0].curve)[2][0], 0.0, atol=1e-12)
    np.testing.assert_allclose(ends(path.pieces[-1].curve)[2][1], 0.0, atol=1e-12)
    assert (path.notes, path.duration, path.plan) == ((), None, None)


def test_straight_lines_stop_at_corners_only() -> None:
    path = path_through(PLANAR2, [[0, 0], [1, 0], [2, 0], [2, 1], [2, 0.5]], "straight")
    check_path(path)
    assert all(isinstance(p.curve, StraightCurve) for p in path.pieces)
    assert [p.reason for p in path.pieces] == ["", CORNER, TURNS_BACK, MOVE_ENDS]
    assert path.notes == (
        "at one place: the joints' path has a corner, where the arm must stop",
        "at one place: the joints' path turns back, where the arm must stop",
    )


def test_two_waypoints_are_a_straight_line() -> None:
    (piece,) = path_through(PLANAR2, [[0, 0], [3, 4]]).pieces
    assert isinstance(piece.curve, StraightCurve)
    assert piece.curve.length == 5.0


def test_a_spline_that_turns_back_stops_there() -> None:
    path = path_through(PLANAR2, [[0, 0], [1, 0], [2, 1], [1, 0], [0, -1]])
    check_path(path)
    assert [p.reason for p in path.pieces] == ["", CORNER, "", MOVE_ENDS]


def test_equal_waypoints_count_once() -> None:
    path = path_through(PLANAR2, [[0, 0], [0, 0], [1, 0.2], [1, 0.2], [2, 1]])
    assert len(path.pieces) == 2
    assert path.notes == ("waypoints that are where the one before is count once: 2, 4",)


@pytest.mark.parametrize(
    ("waypoints", "kind", "error", "said"),
    [
        ([[0, 0]], "spline", InputError, "1 waypoint, expected two or more"),
        (np.zeros((0, 2)), "spline", InputError, "no waypoints, expected two or more"),
        ([[1, 1], [1, 1], [1, 1]], "spline", InputError, "all 3 waypoints are the same"),
        ([[0, 0, 0], [1, 1, 1]], "spline", ShapeError, r"shape \(2, 3\).*expected \(m, 2\)"),
        ([0, 1], "straight", ShapeError, r"shape \(2,\)"),
        ([[0, 0], [np.nan, 1]], "spline", InputError, "waypoint 2 has nan for joint 1"),
        ([[0, 0], [1, np.inf]], "straight", InputError, "waypoint 2 has inf for joint 2"),
        ([[0, 0], [1e9, 0]], "spline", InputError, "up to 1e\\+06"),
        ([["a", 0], [1, 0]], "spline", InputError, "no array of numbers"),
        ([[0, 0], [1, 0]], "round", InputError, 'kind is "round"'),
    ],
)
def test_refusals(waypoints: Any, kind: Any, error: type[InputError], said: str) -> None:
    with pytest.raises(error, match=said):
        path_through(PLANAR2, waypoints, kind)


angles = st.floats(-3.0, 3.0)


@settings(deadline=None)
@given(st.lists(st.tuples(angles, angles), min_size=2, max_size=9), st.sampled_from(["spline", "straight"]))
def test_any_path_is_regular(waypoints: list[tuple[float, float]], kind: Any) -> None:
    try:
        pieces = path_through(PLANAR2, waypoints, kind).pieces
    except InputError as error:
        if not any(said in str(error) for said in ("are the same", "stands still between")):
            raise
        pieces = ()  # a path that would not be regular is refused
    for piece in pieces:
        slopes = piece.curve.at(np.linspace(0.0, piece.curve.length, 257))[1]
        assert np.linalg.norm(slopes, axis=1).min() > 0
