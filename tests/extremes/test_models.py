"""Models on boxes: the function stays within the remainder, and below the bound."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from armdyn.extremes.models import highest, model
from extremes.random_terms import random_terms

ROUNDING = 1e-11


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
    slack = ROUNDING * (1 + np.abs(near.hessian).max())
    np.testing.assert_allclose(near.gradient, f.gradient(q), atol=slack)
    np.testing.assert_allclose(near.value, f(q), atol=slack)
    step = 1e-5
    for j in range(f.n):
        e = step * np.eye(f.n)[j]
        rows = (f.gradient(q + e) - f.gradient(q - e)) / (2 * step)
        np.testing.assert_allclose(near.hessian[:, j], rows, atol=1e-6 * (1 + np.abs(near.hessian).max()))
