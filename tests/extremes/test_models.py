"""Models on boxes: the function stays within the remainder, and below the bound."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armdyn.extremes import Terms
from armdyn.extremes.models import Model, highest, model
from extremes.random_terms import random_terms

ROUNDING = 1e-11
STEP = 1e-5
DIFFERENCE = 1e-6
"""Of central differences with this step: its square, and rounding over it."""


@given(seed=st.integers(0, 2**32 - 1), powers=st.booleans(), exponent=st.floats(-2, 0.5))
def test_functions_stay_within_their_models(seed: int, powers: bool, exponent: float) -> None:
    rng = np.random.default_rng(seed)
    f = random_terms(rng, powers=powers)
    centre, half = rng.normal(size=(20, f.n)), 10**exponent * rng.random((20, f.n))
    half[0] = 0.0
    d = rng.uniform(-1, 1, (300, 20, f.n))
    d[:50] = np.sign(d[:50])
    d *= half
    values, near = f(centre + d), model(f, centre, half)
    quadratic = near.value + (near.gradient * d).sum(axis=-1)
    quadratic += np.einsum("sij,ijk,sik->si", d, near.hessian, d) / 2
    slack = ROUNDING * (1 + np.abs(values).max())
    assert (np.abs(values - quadratic) <= near.remainder.sum(axis=1) + slack).all()
    assert (values <= highest(near, half)[0] + slack).all()
    np.testing.assert_allclose(near.centre_value, f(centre), atol=slack)


@given(seed=st.integers(0, 2**32 - 1))
def test_boxes_without_width_have_taylor(seed: int) -> None:
    rng = np.random.default_rng(seed)
    f = random_terms(rng, powers=True)
    q = rng.normal(size=(5, f.n))
    near = model(f, q, np.zeros_like(q))
    largest = 1 + np.abs(near.hessian).max() + np.abs(near.gradient).max()
    np.testing.assert_allclose(near.value, f(q), atol=ROUNDING * largest)
    assert not near.remainder.any()
    for j, e in enumerate(STEP * np.eye(f.n)):
        after, before = (model(f, q + sign * e, np.zeros_like(q)).gradient for sign in (1, -1))
        slopes, bends = (f(q + e) - f(q - e)) / (2 * STEP), (after - before) / (2 * STEP)
        np.testing.assert_allclose(near.gradient[:, j], slopes, atol=DIFFERENCE * largest)
        np.testing.assert_allclose(near.hessian[:, j], bends, atol=DIFFERENCE * largest)


@pytest.mark.parametrize("powers", [(3, 0), (4, 0), (2, 2), (3, 1), (1, 2), (4, 3)])
@pytest.mark.parametrize("wave", [False, True])
def test_high_powers_stay_within_their_models(powers: tuple[int, int], wave: bool) -> None:
    rng = np.random.default_rng(11)
    f = Terms(np.array([[0.0, 0.0, 1.0 * wave]]), np.array([[*powers, 0]]), np.ones(1), np.zeros(1))
    centre, half = rng.normal(size=(200, 3)), rng.uniform(0, 1.5, (200, 3))
    near = model(f, centre, half)
    for corner in itertools.product((-1.0, -0.5, 0.0, 0.5, 1.0), repeat=3):
        d = np.array(corner) * half
        left = np.abs(f(centre + d) - _quadratic(near, d))
        slack = ROUNDING * (1 + np.abs(f(centre + d)))
        assert (left <= near.remainder.sum(axis=1) + slack).all()
        assert (f(centre + d) <= highest(near, half)[0] + slack).all()
    if not wave:  # where lengths are positive the model is farthest off at the upper corner: no more is left
        positive = (centre > 0).all(axis=1)
        left = f(centre + half) - _quadratic(near, half)
        np.testing.assert_allclose(
            near.remainder.sum(axis=1)[positive], left[positive], rtol=1e-9, atol=1e-12
        )


def _quadratic(near: Model, d: np.ndarray) -> np.ndarray:
    """The models at d: (N, n) from the centres."""
    bent = np.einsum("ij,ijk,ik->i", d, near.hessian, d) / 2
    return near.value + (near.gradient * d).sum(axis=-1) + bent
