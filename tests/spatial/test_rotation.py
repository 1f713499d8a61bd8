"""Rotations: a group, exact where angles are right, and never silently something else."""

import math
from itertools import product as every
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armdyn.errors import InputError
from armdyn.spatial.rotation import (
    IDENTITY,
    about_x,
    about_y,
    about_z,
    along_z,
    check_rotation,
    from_axis_angle,
    from_rpy,
    snap,
    unit,
)
from armdyn.spatial.vector import transpose, vector

ROUNDING = 1e-14
"""A product of three rotations: a dozen operations on numbers of size one, each off by 1e-16."""

QUARTER = math.pi / 2
COORDINATE_AXES = [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]

angles = st.floats(-10, 10)
axes = st.tuples(*[st.floats(-1, 1)] * 3).filter(lambda v: math.hypot(*v) > 1e-3)


def turned(angle: float) -> tuple[float, float]:
    return math.cos(angle), math.sin(angle)


def assert_rotation(R: np.ndarray) -> None:
    assert np.abs(R @ R.T - np.eye(3)).max() <= ROUNDING
    assert np.linalg.det(R) > 0


@given(axis=axes, angle=angles)
def test_a_turn_is_a_proper_rotation_that_leaves_its_axis_alone(axis: Any, angle: float) -> None:
    R = np.array(from_axis_angle(axis, angle), float)
    assert_rotation(R)
    assert np.abs(R @ axis - axis).max() <= ROUNDING


@given(axis=axes, angle=angles)
def test_a_turn_follows_rodrigues(axis: Any, angle: float) -> None:
    x, y, z = np.array(unit(axis), float)
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    expected = np.eye(3) + math.sin(angle) * K + (1 - math.cos(angle)) * K @ K
    assert np.abs(np.array(from_axis_angle(axis, angle)) - expected).max() <= ROUNDING


@given(axis=axes, first=angles, second=angles)
def test_turns_about_one_axis_add_and_undo_each_other(axis: Any, first: float, second: float) -> None:
    R1, R2 = (np.array(from_axis_angle(axis, angle), float) for angle in (first, second))
    both = from_axis_angle(axis, first + second)  # the sum of the angles rounds, too
    assert np.abs(R1 @ R2 - both).max() <= 10 * ROUNDING
    assert np.abs(R1.T - from_axis_angle(axis, -first)).max() <= ROUNDING


@given(roll=angles, pitch=angles, yaw=angles)
def test_roll_pitch_yaw_turns_about_x_first_and_z_last(roll: float, pitch: float, yaw: float) -> None:
    x, y, z = about_x(*turned(roll)), about_y(*turned(pitch)), about_z(*turned(yaw))
    expected = np.array(z) @ np.array(y) @ np.array(x)
    assert np.abs(np.array(from_rpy(roll, pitch, yaw)) - expected).max() <= ROUNDING


@pytest.mark.parametrize(
    ("turn", "start", "end"), [(about_x, 1, 2), (about_y, 2, 0), (about_z, 0, 1)], ids=["x", "y", "z"]
)
def test_a_quarter_turn_carries_one_axis_to_the_next(turn, start: int, end: int) -> None:
    R = np.array(turn(0, 1))
    assert (R @ np.eye(3)[start]).tolist() == np.eye(3)[end].tolist()


@pytest.mark.parametrize("turns", list(every(range(-4, 5, 2), range(-1, 3), (-3, 0, 1))))
def test_right_angles_are_exact(turns: tuple[int, int, int]) -> None:
    R = np.array(from_rpy(*(k * QUARTER for k in turns)))
    assert set(np.abs(R).ravel()) <= {0.0, 1.0}
    assert_rotation(R)


@pytest.mark.parametrize("axis", COORDINATE_AXES)
@pytest.mark.parametrize("quarters", [-2, -1, 1, 2, 3])
def test_right_angles_about_coordinate_axes_are_exact(axis: Any, quarters: int) -> None:
    R = np.array(from_axis_angle(axis, quarters * QUARTER), float)
    assert set(np.abs(R).ravel()) == {0.0, 1.0}
    assert np.array_equal(R @ axis, axis)


@pytest.mark.parametrize("axis", COORDINATE_AXES)
@pytest.mark.parametrize("length", [1, 2.0, 0.1])
def test_a_coordinate_axis_comes_along_z_by_a_signed_permutation(axis: Any, length: float) -> None:
    R = np.array(along_z(vector(length * e for e in np.array(axis))), float)
    assert sorted(np.abs(R).ravel().tolist()) == [0] * 6 + [1] * 3
    assert np.linalg.det(R) == 1
    assert R[:, 2].tolist() == list(axis)


def test_z_itself_stays_structure() -> None:
    assert along_z((0, 0, 1)) is IDENTITY


@given(axis=axes)
def test_any_axis_comes_along_z(axis: Any) -> None:
    R = np.array(along_z(axis), float)
    assert_rotation(R)
    assert np.abs(R[:, 2] - np.array(axis) / np.linalg.norm(np.array(axis))).max() <= ROUNDING


@given(axis=axes)
def test_an_axis_of_length_one_stays_as_it_is(axis: Any) -> None:
    """Else a robot would change whenever it is written, read, locked or placed."""
    assert unit(unit(axis)) == unit(axis)


@pytest.mark.parametrize("axis", [(0, 0, 0), (math.nan, 0, 1), (math.inf, 0, 0)])
def test_an_axis_without_direction_is_refused(axis: Any) -> None:
    with pytest.raises(InputError, match=r"axis \(.*\) has no direction, expected a finite vector"):
        unit(axis)


def test_snap_mends_printed_right_angles_and_nothing_else() -> None:
    printed, slanted = 1.57079632679, 0.7
    c, s = turned(printed)
    assert snap(about_x(c, s)) == about_x(0.0, 1.0)
    assert snap(about_y(*turned(slanted))) == about_y(*turned(slanted))
    assert snap(about_x(c, s), tolerance=1e-13) == about_x(c, s)


def test_snap_leaves_a_small_angle_a_rotation() -> None:
    """Its cosine is within 1e-9 of 1 while its sine is not near 0: to snap one alone would stretch."""
    small = about_z(*turned(3e-5))
    assert snap(small) == small


@given(roll=angles, pitch=angles, yaw=angles)
def test_a_rotation_passes_the_check_unchanged(roll: float, pitch: float, yaw: float) -> None:
    R = from_rpy(roll, pitch, yaw)
    assert check_rotation(R, "joint") is R
    assert check_rotation(transpose(R), "joint") == transpose(R)


@pytest.mark.parametrize(
    "matrix",
    [
        pytest.param(((1, 0, 0), (0, 1, 0), (0, 0, -1)), id="mirror"),
        pytest.param(((1, 0, 0), (0, 1, 0), (0, 0, 1.001)), id="stretched"),
        pytest.param(((1, 0.001, 0), (0, 1, 0), (0, 0, 1)), id="sheared"),
        pytest.param(((0, 0, 0), (0, 0, 0), (0, 0, 0)), id="nothing"),
        pytest.param(((1, 0, 0), (0, math.nan, 0), (0, 0, 1)), id="not a number"),
        pytest.param(((1, 0, 0), (0, 1, 0), (0, 0, math.nan)), id="not a number at the end"),
    ],
)
def test_what_is_not_a_rotation_is_refused_by_name(matrix) -> None:
    with pytest.raises(InputError, match=r'^joint "a": not a rotation, expected orthonormal rows'):
        check_rotation(matrix, 'joint "a"')
