"""Quadratics near cosine and sine: their errors hold, and are as small as they are said to be."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from armdyn.extremes.waves import near_waves

ROUNDING = 1e-15
SHARES = np.linspace(-1, 1, 2001)


@given(w=st.floats(0, 8))
def test_the_errors_hold(w: float) -> None:
    near, x = near_waves(np.array(w)), w * SHARES
    assert np.abs(np.cos(x) - (near.level - near.bend * x**2)).max() <= near.cosine_error + ROUNDING
    assert np.abs(np.sin(x) - near.slope * x).max() <= near.sine_error + ROUNDING


def test_the_errors_are_those_of_chebyshev_polynomials() -> None:
    w = np.array([0.05, 0.1, 0.2])
    near = near_waves(w)
    np.testing.assert_allclose(near.cosine_error, w**4 / 192, rtol=0.01)
    np.testing.assert_allclose(near.sine_error, w**3 / 24, rtol=0.01)


def test_no_width_gives_taylor() -> None:
    near = near_waves(np.array(0.0))
    assert (near.level, near.bend, near.slope) == (1.0, 0.5, 1.0)
    assert (near.cosine_error, near.sine_error) == (0.0, 0.0)
