"""Extremes of any function: as extreme as samples, ends of ranges included, and no bound claimed."""

from math import inf

import numpy as np
import pytest

from armdyn.errors import InputError, ShapeError
from armdyn.extremes import attained
from extremes.random_terms import random_points

POLISHED = 1e-8
"""What L-BFGS-B leaves of a smooth function, relative to its range."""


def test_a_smooth_function() -> None:
    found = attained(lambda q: np.exp(-((q - 0.3) ** 2).sum(axis=1)), [[-1.0, 1.0], [-2.0, 2.0]])
    assert found.maximum.value == pytest.approx(1.0, abs=POLISHED)
    np.testing.assert_allclose(found.maximum.q, [0.3, 0.3], atol=1e-3)
    assert found.minimum.value == pytest.approx(np.exp(-(1.3**2) - 2.3**2), rel=POLISHED)
    assert found.minimum.q.tolist() == [-1.0, -2.0]


def test_no_bound_is_claimed() -> None:
    found = attained(lambda q: q[:, 0], [[0.0, 1.0]])
    assert (found.minimum.value, found.minimum.bound, found.minimum.certified) == (0.0, -inf, False)
    assert (found.maximum.value, found.maximum.bound, found.maximum.certified) == (1.0, inf, False)


def test_a_function_with_a_kink_and_many_hills() -> None:
    def function(q: np.ndarray) -> np.ndarray:
        return np.abs(np.sin(3 * q)).sum(axis=1) + 0.1 * q[:, 0]

    box = np.array([[-3.0, 3.0], [-1.0, 2.0]])
    values = function(random_points(np.random.default_rng(0), box, 1_000_000))
    found = attained(function, box)
    assert found.maximum.value >= values.max()
    assert found.minimum.value <= values.min() + 1e-2  # kinks are found as near as samples lie


def test_locked_joints_stay() -> None:
    found = attained(lambda q: q.sum(axis=1), [[0.5, 0.5], [0.0, 1.0]])
    assert found.maximum.q.tolist() == [0.5, 1.0]
    assert found.minimum.q.tolist() == [0.5, 0.0]


def test_a_constant() -> None:
    found = attained(lambda q: np.full(len(q), 2.0), [[0.0, 1.0]])
    assert found.minimum.value == found.maximum.value == 2.0


def test_functions_that_are_none_are_refused() -> None:
    with pytest.raises(ShapeError, match="the function's result has shape"):
        attained(lambda q: q, [[0.0, 1.0]])
    with pytest.raises(InputError, match=r"the function is nan at q = \(.*\), expected finite numbers"):
        attained(lambda q: q[:, 0] * np.nan, [[0.0, 1.0]])
    with pytest.raises(ShapeError, match=r"box has shape \(2,\)"):
        attained(lambda q: q[:, 0], [0.0, 1.0])
    with pytest.raises(InputError, match="samples is 2, expected 6 to 24"):
        attained(lambda q: q[:, 0], [[0.0, 1.0]], samples=2)
