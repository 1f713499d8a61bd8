"""Other coordinates: they take the same values, and are as few as there are independent sums."""

from math import pi

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from armdyn.extremes import Terms
from armdyn.extremes.coordinates import coordinates
from extremes.random_terms import random_points, random_terms

ROUNDING = 1e-11


def waves(*frequencies: tuple[float, ...]) -> Terms:
    k = np.array(frequencies, dtype=float)
    return Terms(k, np.zeros(k.shape, int), np.arange(1.0, len(k) + 1), np.ones(len(k)))


@given(seed=st.integers(0, 2**32 - 1), powers=st.booleans())
def test_they_take_the_values_of_postures_in_the_box(seed: int, powers: bool) -> None:
    rng = np.random.default_rng(seed)
    f, g = random_terms(rng, 3, powers=powers), random_terms(rng, 3, powers=powers)
    low = rng.uniform(-4, 2, 3)
    box = np.stack([low, low + rng.choice([0, 0.7, 3, 2 * pi, 9], 3)], axis=1)
    at = coordinates([f, g], box)
    v = random_points(rng, at.box, 50)
    q = at.postures(v)
    assert (q >= box[:, 0]).all()
    assert (q <= box[:, 1]).all()
    for own, other in zip(at.functions, (f, g), strict=True):
        expected = other(q)
        np.testing.assert_allclose(own(v), expected, atol=ROUNDING * (1 + np.abs(expected).max()))


@given(seed=st.integers(0, 2**32 - 1))
def test_nothing_is_left_out(seed: int) -> None:
    rng = np.random.default_rng(seed)
    f = random_terms(rng, 3)
    low = rng.uniform(-4, 2, 3)
    box = np.stack([low, low + rng.choice([0, 0.7, 3, 2 * pi, 9], 3)], axis=1)
    at = coordinates([f], box)
    r = len(at.box)
    grid = (np.indices([24] * r).reshape(r, 24**r).T + 0.5) / 24
    v = at.box[:, 0] + (at.box[:, 1] - at.box[:, 0]) * grid
    values = at.functions[0](v)
    # between grid points f rises by no more than its steepest slope times half a cell
    cell = (at.box[:, 1] - at.box[:, 0]) / 48
    slope = (at.functions[0].amplitudes[:, None] * np.abs(at.functions[0].frequencies)).sum(axis=0)
    there = f(random_points(rng, box, 500))
    assert there.max() <= values.max() + slope @ cell + ROUNDING
    assert there.min() >= values.min() - slope @ cell - ROUNDING


def test_parallel_axes_are_summed_where_they_turn_fully() -> None:
    at = coordinates([waves((1, 0, 0), (1, 1, 0), (1, 1, 1))], np.array([[-pi, pi]] * 3))
    assert np.abs(at.functions[0].frequencies).sum() == 3  # one coordinate for each wave


def test_joints_that_appear_as_one_sum_are_one_coordinate() -> None:
    at = coordinates([waves((1, 1, 2), (2, 2, 4))], np.array([[0.0, 1.0], [-1.0, 0.5], [0.2, 0.3]]))
    np.testing.assert_allclose(at.box, [[-0.6, 2.1]])


def test_half_a_turn_is_enough_where_all_is_even() -> None:
    at = coordinates([waves((2, 0), (1, 1), (1, -1))], np.array([[-pi, pi]] * 2))
    widths = at.box[:, 1] - at.box[:, 0]
    np.testing.assert_allclose(np.prod(widths), (2 * pi) ** 2 / 2)


def test_joints_that_do_not_matter_stay_near_0() -> None:
    at = coordinates([waves((1, 0, 0))], np.array([[0.0, 1.0], [-1.0, 1.0], [2.0, 3.0]]))
    assert at.postures(np.array([0.5])).tolist() == [0.5, 0.0, 2.0]
