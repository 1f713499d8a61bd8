"""Sums of waves: values against the formula, and what joining and locking leave alone."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armdyn.errors import InputError, ShapeError
from armdyn.extremes import Terms
from extremes.random_terms import random_points, random_terms

ROUNDING = 1e-12
"""Some dozens of operations with numbers up to some hundreds."""

seeds = st.integers(0, 2**32 - 1)


def as_written(f: Terms, q: np.ndarray) -> float:
    total = 0.0
    for k, p, a, b in zip(f.frequencies, f.powers, f.cosine, f.sine, strict=True):
        total += np.prod(q**p) * (a * np.cos(k @ q) + b * np.sin(k @ q))
    return total


@given(seed=seeds)
def test_values_are_those_of_the_formula(seed: int) -> None:
    rng = np.random.default_rng(seed)
    f = random_terms(rng, powers=True)
    q = rng.uniform(-2, 2, (3, 4, f.n))
    expected = [[as_written(f, one) for one in row] for row in q]
    np.testing.assert_allclose(f(q), expected, atol=ROUNDING * 1e2)


@given(seed=seeds)
def test_no_term_is_larger_than_its_size(seed: int) -> None:
    rng = np.random.default_rng(seed)
    f = random_terms(rng, powers=True)
    low = rng.uniform(-2, 1, f.n)
    box = np.stack([low, low + rng.uniform(0, 2, f.n)], axis=1)
    q = random_points(rng, box, 100)
    for i, size in enumerate(f.sizes(box)):
        one = slice(i, i + 1)
        term = Terms(f.frequencies[one], f.powers[one], f.cosine[one], f.sine[one])
        assert np.abs(term(q)).max() <= size * (1 + ROUNDING)
        assert size == pytest.approx(term.amplitudes[0] * np.prod(np.abs(box).max(axis=1) ** f.powers[i]))


@given(seed=seeds)
def test_joined_terms_are_the_same_function(seed: int) -> None:
    rng = np.random.default_rng(seed)
    f = random_terms(rng, powers=True)
    q = rng.uniform(-2, 2, (20, f.n))
    doubled = f + Terms(-f.frequencies, f.powers, f.cosine, -f.sine)
    joined = doubled.merged()
    np.testing.assert_allclose(joined(q), 2 * f(q), atol=ROUNDING * 1e2)
    assert len(joined.cosine) <= len(f.cosine)
    assert len((joined - joined).merged().cosine) == 0


@given(seed=seeds)
def test_locked_joints_are_put_in(seed: int) -> None:
    rng = np.random.default_rng(seed)
    f = random_terms(rng, powers=True)
    locked = rng.random(f.n) < 0.5
    at = rng.uniform(-2, 2, f.n)
    fixed = f.fixed(locked, at)
    q = rng.uniform(-2, 2, (20, f.n))
    np.testing.assert_allclose(fixed(q), f(np.where(locked, at, q)), atol=ROUNDING * 1e2)
    assert not fixed.variables[locked].any()


def test_arithmetic() -> None:
    rng = np.random.default_rng(1)
    f, g = random_terms(rng, 3), random_terms(rng, 3)
    q = rng.uniform(-3, 3, (10, 3))
    np.testing.assert_allclose((f + g)(q), f(q) + g(q), atol=ROUNDING)
    np.testing.assert_allclose((f - 2 * g)(q), f(q) - 2 * g(q), atol=ROUNDING)
    np.testing.assert_allclose((-f)(q), -f(q), atol=ROUNDING)
    assert Terms.constant(4.0, 3)(q).tolist() == [4.0] * 10


def test_joints_that_cancel_do_not_matter() -> None:
    f = Terms(
        np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]), np.zeros((2, 3), int), np.array([1.0, 0.0]), np.zeros(2)
    )
    assert f.variables.tolist() == [True, False, False]


def test_terms_that_do_not_belong_together_are_refused() -> None:
    k, p, a = np.ones((2, 3)), np.zeros((2, 3), int), np.ones(2)
    with pytest.raises(ShapeError, match=r"frequencies has shape \(3,\)"):
        Terms(k[0], p, a, a)
    with pytest.raises(ShapeError, match=r"powers has shape \(1, 3\)"):
        Terms(k, p[:1], a, a)
    with pytest.raises(ShapeError, match=r"sine has shape \(1,\); there are 2 terms"):
        Terms(k, p, a, a[:1])
    with pytest.raises(InputError, match="powers has -1, expected whole numbers"):
        Terms(k, p - 1, a, a)
    with pytest.raises(InputError, match="cosine has a number that is not finite"):
        Terms(k, p, a * np.nan, a)
    with pytest.raises(InputError, match="2 joints added to terms in 3"):
        _ = Terms(k, p, a, a) + Terms(k[:, :2], p[:, :2], a, a)
    with pytest.raises(ShapeError, match=r"q has shape \(2,\); the function has 3 joints"):
        Terms(k, p, a, a)([0.0, 0.0])
