"""Placements: a group that acts on points."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armdyn.errors import InputError
from armdyn.spatial import Transform
from armdyn.spatial.rotation import from_rpy
from armdyn.spatial.vector import vector

ROUNDING = 1e-13
"""Sums of a few products of lengths up to 5 m, each off by 1e-16 of its size."""

lengths = st.floats(-5, 5)
points = st.tuples(lengths, lengths, lengths)
transforms = st.builds(Transform, st.builds(from_rpy, *[st.floats(-4, 4)] * 3), points)


def array(values: Any) -> np.ndarray:
    return np.array(values, dtype=float)


def homogeneous(T: Transform) -> np.ndarray:
    """The 4x4 matrix."""
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = array(T.rotation), array(T.translation)
    return matrix


def assert_same(T: Transform, expected: Transform | np.ndarray) -> None:
    matrix = homogeneous(expected) if isinstance(expected, Transform) else expected
    assert np.abs(homogeneous(T) - matrix).max() <= ROUNDING


@given(a=transforms, b=transforms)
def test_the_product_is_that_of_homogeneous_matrices(a: Transform, b: Transform) -> None:
    assert_same(a @ b, homogeneous(a) @ homogeneous(b))


@given(a=transforms, b=transforms, c=transforms)
def test_products_associate(a: Transform, b: Transform, c: Transform) -> None:
    assert_same((a @ b) @ c, a @ (b @ c))


@given(a=transforms)
def test_the_identity_changes_nothing_and_the_inverse_undoes_all(a: Transform) -> None:
    assert_same(a @ Transform(), a)
    assert_same(Transform() @ a, a)
    assert_same(a @ a.inverse(), Transform())
    assert_same(a.inverse() @ a, Transform())
    assert_same(a.inverse(), np.linalg.inv(homogeneous(a)))


@given(a=transforms, b=transforms, p=points)
def test_points_go_through_one_after_the_other(a: Transform, b: Transform, p: Any) -> None:
    assert np.abs(array((a @ b).apply(p)) - array(a.apply(b.apply(p)))).max() <= ROUNDING


@given(a=transforms, p=points, q=points)
def test_distances_stay(a: Transform, p: Any, q: Any) -> None:
    before, after = array(p) - array(q), array(a.apply(p)) - array(a.apply(q))
    assert abs(np.linalg.norm(before) - np.linalg.norm(after)) <= ROUNDING


def test_a_placement_maps_from_the_second_frame_into_the_first() -> None:
    T_base_tool = Transform(from_rpy(0, 0, np.pi / 2), (1.0, 2.0, 3.0))
    assert T_base_tool.apply((1.0, 0.0, 0.0)) == (1.0, 3.0, 3.0)


def test_right_angles_stay_exact_through_products() -> None:
    T = Transform(from_rpy(np.pi / 2, 0, -np.pi / 2), vector((0.1, 0.2, 0.3)))
    assert set(np.abs(array((T @ T @ T.inverse()).rotation)).ravel()) == {0.0, 1.0}


def test_placements_come_from_angles_or_from_a_matrix() -> None:
    T = Transform.of(xyz=(1, 2, 3), rpy=(0, 0, math.pi / 2))
    assert T.rotation == ((0, -1, 0), (1, 0, 0), (0, 0, 1))
    assert T.translation == (1, 2, 3)
    rows: Any = [[*row, x] for row, x in zip(T.rotation, T.translation, strict=True)]
    assert Transform.from_matrix([*rows, [0, 0, 0, 1]]) == T


@pytest.mark.parametrize("matrix", [np.eye(3), 2 * np.eye(4), np.diag([1.0, 1.0, 2.0, 1.0])])
def test_what_is_no_placement_is_refused(matrix: np.ndarray) -> None:
    with pytest.raises(InputError, match="placement"):
        Transform.from_matrix(matrix)
