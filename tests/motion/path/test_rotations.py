"""Rotation vectors and rotations: inverse to each other, and the choice at half a turn."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armdyn.motion.path.rotations import exponential, is_half_turn, logarithm, rate
from armdyn.spatial.rotation import from_axis_angle

ROUNDING = 1e-14

vectors = st.tuples(*[st.floats(-3, 3)] * 3).map(np.array)


@given(axis=vectors.filter(lambda v: np.linalg.norm(v) > 1e-3), angle=st.floats(-6, 6))
def test_a_rotation_vector_is_axis_times_angle(axis: Any, angle: float) -> None:
    unit = axis / np.linalg.norm(axis)
    expected = np.array(from_axis_angle(tuple(axis), angle), float)
    assert np.abs(exponential(angle * unit) - expected).max() <= 10 * ROUNDING


@given(vector=vectors)
def test_logarithm_gives_the_shortest_of_them(vector: Any) -> None:
    R = exponential(vector)
    shortest = logarithm(R)
    assert np.linalg.norm(shortest) <= math.pi + 1e-6
    assert np.abs(exponential(shortest) - R).max() <= 10 * ROUNDING
    if np.linalg.norm(vector) < math.pi - 1e-3:
        assert np.abs(shortest - vector).max() <= 1e-12


@pytest.mark.parametrize("axis", [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, -2, 2), (0, 1, -1)])
def test_half_a_turn_goes_one_way_whatever_rounding_says(axis: Any) -> None:
    unit = np.array(axis, float) / np.linalg.norm(axis)
    for angle in (math.pi, -math.pi, math.pi - 1e-9, -math.pi + 1e-9):
        vector = logarithm(exponential(angle * unit))
        assert np.abs(vector - math.pi * unit).max() <= 1e-8
        assert is_half_turn(vector)


@given(vector=vectors, change=vectors)
def test_the_rate_of_turning(vector: Any, change: Any) -> None:
    h = 1e-5
    slope = (exponential(vector + h * change) - exponential(vector - h * change)) / (2 * h)
    W = slope @ exponential(vector).T
    expected = np.array([W[2, 1], W[0, 2], W[1, 0]])
    assert np.abs(rate(vector, change) - expected).max() <= 1e-7
