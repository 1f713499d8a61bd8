"""Extremes: closed forms, random functions against dense sampling, and bounds that hold."""

from math import inf, pi, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from armdyn.errors import InputError, ShapeError
from armdyn.extremes import Bound, Terms, extremes, largest, ratio_extremes
from extremes.random_terms import random_points, random_terms

ROUNDING = 1e-11
"""Relative to the sum of the coefficients; bounds are widened by 1e-12 of it."""
TURN = [-pi, pi]
seeds = st.integers(0, 2**32 - 1)


def terms(n: int, *rows: tuple[list[float], list[int], float, float]) -> Terms:
    k, p, a, b = zip(*rows, strict=True)
    return Terms(
        np.array(k, dtype=float).reshape(-1, n), np.array(p).reshape(-1, n), np.array(a), np.array(b)
    )


def cosine(k: list[float], a: float = 1.0) -> Terms:
    return terms(len(k), (k, [0] * len(k), a, 0.0))


def random_box(rng: np.random.Generator, n: int) -> np.ndarray:
    low = rng.uniform(-3, 2, n)
    return np.stack([low, low + rng.choice([0, 0.5, 2, 2 * pi, 7], n)], axis=1)


def check(found: Bound, value: float, resolution: float, sign: int) -> None:
    """An extreme as expected, its bound on the far side and near."""
    assert found.certified
    assert found.value == pytest.approx(value, rel=1e-12, abs=1e-12)
    assert 0 <= sign * (found.bound - found.value) <= resolution


# Closed forms -----------------------------------------------------------------------------------


def test_a_wave_over_a_turn() -> None:
    found = extremes(terms(1, ([1], [0], 3.0, 4.0), ([0], [0], 1.0, 0.0)), [TURN])
    check(found.maximum, 6.0, 1e-2, 1)
    check(found.minimum, -4.0, 1e-2, -1)
    assert found.maximum.q[0] == pytest.approx(np.arctan2(4, 3), abs=1e-7)


def test_a_wave_over_a_part_of_a_turn_has_its_extremes_at_the_ends() -> None:
    found = extremes(cosine([1.0]), [[0.5, 1.5]])
    check(found.maximum, np.cos(0.5), 1e-3, 1)
    check(found.minimum, np.cos(1.5), 1e-3, -1)
    assert (found.maximum.q[0], found.minimum.q[0]) == (0.5, 1.5)


def test_two_harmonics() -> None:
    # cos q + cos 2q = 2 c^2 + c - 1, lowest at c = -1/4
    found = extremes(cosine([1.0]) + cosine([2.0]), [TURN])
    check(found.maximum, 2.0, 4e-3, 1)
    check(found.minimum, -9 / 8, 4e-3, -1)


def test_frequencies_that_are_no_whole_numbers() -> None:
    found = extremes(cosine([0.5]), [[pi, 3 * pi]])
    check(found.maximum, 0.0, 1e-3, 1)
    check(found.minimum, -1.0, 1e-3, -1)


def test_two_turns_where_one_does_not_repeat() -> None:
    # with u = q / 2, s = sin u: sin u + 0.3 sin 3u = 1.9 s - 1.2 s^3, highest at s^2 = 1.9 / 3.6
    f = terms(1, ([0.5], [0], 0.0, 1.0), ([1.5], [0], 0.0, 0.3))
    found = extremes(f, [[0.0, 4 * pi]])
    check(found.maximum, 1.9 * 2 / 3 * sqrt(1.9 / 3.6), 2e-3, 1)
    check(found.minimum, -1.9 * 2 / 3 * sqrt(1.9 / 3.6), 2e-3, -1)
    assert 2 * pi < found.minimum.q[0] < 4 * pi


def test_powers_of_a_length() -> None:
    # (r^2 - r) cos q: r^2 - r lies between -1/4 at 1/2 and 2 at 2
    f = terms(2, ([0, 1], [2, 0], 1.0, 0.0), ([0, 1], [1, 0], -1.0, 0.0))
    found = extremes(f, [[0.0, 2.0], [-0.5, 0.5]])
    check(found.maximum, 2.0, 3e-3, 1)
    check(found.minimum, -0.25, 3e-3, -1)
    np.testing.assert_allclose(found.minimum.q, [0.5, 0.0], atol=1e-6)


def test_a_length_on_both_sides_of_0() -> None:
    found = extremes(terms(1, ([0], [3], 1.0, 0.0)), [[-2.0, 1.0]])
    check(found.maximum, 1.0, 1e-2, 1)
    check(found.minimum, -8.0, 1e-2, -1)


def test_a_valley_of_extremes() -> None:
    # |cos(q1 + q2) + cos(q1 - q2)| = |2 cos q1 cos q2|
    found = largest(cosine([1.0, 1.0]) + cosine([1.0, -1.0]), [[0.3, 2.0], [-1.0, 1.0]])
    check(found, 2 * np.cos(0.3), 4e-3, 1)


@pytest.mark.parametrize("value", [0.0, 2.5, -3.0])
def test_constants(value: float) -> None:
    found = extremes(Terms.constant(value, 2), [TURN, [0.2, 1.0]])
    for bound in (found.minimum, found.maximum):
        assert bound.value == value
        assert bound.certified
        assert bound.bound == pytest.approx(value, abs=1e-11)
        assert bound.q.tolist() == [0.0, 0.2]


def test_no_terms_at_all() -> None:
    nothing = (cosine([1.0]) - cosine([1.0])).merged()
    found = extremes(nothing, [TURN])
    assert (found.minimum.value, found.maximum.value) == (0.0, 0.0)
    assert found.maximum.certified
    assert largest(nothing, [TURN]).bound == 0.0


def test_locked_joints() -> None:
    found = extremes(cosine([1.0, 1.0]), [[0.3, 0.3], [0.0, 1.0]])
    check(found.maximum, np.cos(0.3), 1e-3, 1)
    check(found.minimum, np.cos(1.3), 1e-3, -1)
    np.testing.assert_allclose(found.minimum.q, [0.3, 1.0])
    every = extremes(cosine([1.0, 1.0]), [[0.3, 0.3], [1.0, 1.0]])
    assert every.minimum.value == every.maximum.value == pytest.approx(np.cos(1.3))
    assert every.minimum.certified


def test_the_largest_of_both_signs() -> None:
    f = cosine([1.0]) + Terms.constant(-0.5, 1)
    found = largest(f, [TURN])
    check(found, 1.5, 2e-3, 1)
    assert abs(found.q[0]) == pytest.approx(pi, abs=1e-6)


# Quotients --------------------------------------------------------------------------------------


def test_a_quotient_with_a_known_maximum() -> None:
    # sin q / (2 + cos q) is largest at cos q = -1/2: 1/sqrt(3)
    below = cosine([1.0]) + Terms.constant(2.0, 1)
    found = ratio_extremes(terms(1, ([1], [0], 0.0, 1.0)), below, [TURN])
    check(found.maximum, 1 / sqrt(3), 2e-3, 1)
    check(found.minimum, -1 / sqrt(3), 2e-3, -1)
    assert np.cos(found.maximum.q[0]) == pytest.approx(-0.5, abs=1e-6)


def test_a_quotient_that_is_the_same_everywhere() -> None:
    below = cosine([1.0, 1.0]) + Terms.constant(2.0, 2)
    found = ratio_extremes(3.0 * below, below, [TURN, [0.0, 1.0]])
    assert found.minimum.value == pytest.approx(3.0)
    assert found.maximum.bound == pytest.approx(3.0)


@settings(max_examples=25)
@given(seed=seeds)
def test_quotients_keep_to_their_bounds(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 4))
    above, below = random_terms(rng, n), random_terms(rng, n)
    below = below + Terms.constant(1.2 * below.amplitudes.sum() + 0.1, n)
    box = random_box(rng, n)
    found = ratio_extremes(above, below, box, effort=100_000)
    q = random_points(rng, box, 20_000)
    values = above(q) / below(q)
    slack = ROUNDING * above.amplitudes.sum() / 0.1
    assert found.minimum.bound - slack <= found.minimum.value <= values.min() + slack
    assert found.maximum.bound + slack >= found.maximum.value >= values.max() - slack
    at = found.maximum.q
    assert above(at) / below(at) == pytest.approx(found.maximum.value, abs=slack)


def test_below_the_line_must_be_above_0() -> None:
    with pytest.raises(InputError, match=r"denominator is -1 at q = \(.*3.14.*\), expected above 0"):
        ratio_extremes(cosine([1.0]), cosine([1.0]), [TURN])
    with pytest.raises(InputError, match="denominator has 2 joints, expected 1"):
        ratio_extremes(cosine([1.0]), cosine([1.0, 0.0]), [TURN])


def test_a_quotient_without_a_proof_has_no_bound() -> None:
    # below the line is 1e-3 at its lowest, which two boxes do not show
    below = sum((cosine([k, 1.0], 1.0) for k in (1.0, 2.0)), Terms.constant(2.001, 2))
    found = ratio_extremes(cosine([1.0, 0.0]), below, [TURN, TURN], effort=2)
    assert (found.minimum.bound, found.maximum.bound) == (-inf, inf)
    assert not found.maximum.certified
    assert np.isfinite(found.maximum.value)


# Random functions -------------------------------------------------------------------------------


@given(seed=seeds, powers=st.booleans())
def test_as_extreme_as_dense_samples_and_bounded(seed: int, powers: bool) -> None:
    rng = np.random.default_rng(seed)
    f = random_terms(rng, powers=powers)
    box = random_box(rng, f.n)
    found = extremes(f, box, effort=100_000)
    values = f(random_points(rng, box, 20_000))
    slack = ROUNDING * (f.amplitudes @ np.prod(np.abs(box).max(axis=1) ** f.powers, axis=1))
    assert found.minimum.bound <= found.minimum.value <= values.min() + slack
    assert found.maximum.bound >= found.maximum.value >= values.max() - slack
    for bound in (found.minimum, found.maximum):
        assert float(f(bound.q)) == bound.value
        assert (box[:, 0] <= bound.q).all()
        assert (bound.q <= box[:, 1]).all()
    assert found.minimum.certified
    assert found.maximum.certified
    largest_found = largest(f, box, effort=100_000)
    both = max(-found.minimum.value, found.maximum.value)
    assert largest_found.value == pytest.approx(both, abs=slack)
    assert largest_found.bound >= np.abs(values).max() - slack


# What was asked ---------------------------------------------------------------------------------


def test_little_effort_is_not_certified_but_holds() -> None:
    rng = np.random.default_rng(7)
    f = sum((random_terms(rng, 4) for _ in range(6)), Terms.constant(0.0, 4))
    box = np.array([[-1.0, 1.0]] * 4)
    found = extremes(f, box, effort=10)
    values = f(random_points(rng, box, 100_000))
    assert not found.maximum.certified
    assert found.maximum.bound >= values.max()
    assert found.minimum.bound <= values.min()
    better = extremes(f, box, effort=10_000)
    assert better.maximum.bound < found.maximum.bound


def test_the_resolution_is_kept() -> None:
    f = cosine([1.0, 0.0]) + cosine([1.0, 2.0]) + cosine([0.0, 1.0], 0.3)
    for resolution in (0.5, 1e-2, 1e-5):
        found = extremes(f, [TURN, [0.0, 2.0]], resolution=resolution)
        assert found.maximum.certified
        assert found.maximum.bound - found.maximum.value <= resolution


def test_progress_is_told() -> None:
    told: list[float] = []
    f = cosine([1.0, 0.3]) + cosine([0.7, 2.0]) + cosine([0.2, 1.0], 0.3)
    extremes(f, [TURN, TURN], progress=told.append)
    assert told == sorted(told)
    assert 0 <= told[0] <= told[-1] == 1.0


@pytest.mark.parametrize(
    ("box", "sentence"),
    [
        ([[0.0, 1.0]], r"box has shape \(1, 2\); the function has 2 joints, expected \(2, 2\)"),
        ([0.0, 1.0], r"box has shape \(2,\)"),
        ([[0.0, 1.0], [2.0, 1.0]], r"box of joint 2 is \[2, 1\], expected the lower end first"),
        ([[0.0, np.nan], [0.0, 1.0]], r"box of joint 1 is \[0, nan\], expected finite numbers"),
        ([[0.0, 1.0], [-np.inf, np.inf]], "give one turn"),
    ],
)
def test_boxes_that_are_none_are_refused(box: list[list[float]], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        extremes(cosine([1.0, 1.0]), box)


def test_other_bad_input_is_refused() -> None:
    f = cosine([1.0])
    for resolution in (0.0, -1.0, np.nan, np.inf):
        with pytest.raises(InputError, match="resolution is"):
            extremes(f, [TURN], resolution=resolution)
    with pytest.raises(InputError, match="effort is 0, expected 1 box or more"):
        largest(f, [TURN], effort=0)
    with pytest.raises(ShapeError, match=r"box has shape \(2, 2\)"):
        largest(f, [TURN, TURN])
