"""Fits: exact for cubics at any instants, late by half a window at every frequency."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armdyn.studio.live.fitting import Window, even_weights

ROUNDING = 1e-7
"""Second differences lose digits: eps/h^2."""


@given(seed=st.integers(0, 10**6), half=st.integers(2, 30), even=st.booleans())
def test_cubics_are_told_exactly(seed: int, half: int, even: bool) -> None:
    random = np.random.default_rng(seed)
    t = 1e3 + 0.01 * (np.arange(2 * half + 1) + (0 if even else random.uniform(-0.4, 0.4, 2 * half + 1)))
    a, b, c, d = random.normal(size=(4, 3))
    s = (t - t[half])[:, None]
    x = a + b * s + c * s**2 + d * s**3
    window = Window(half, 3)
    fits = [window.push(instant, row) for instant, row in zip(t, x, strict=True)]
    assert fits[:-1] == [None] * (2 * half)
    fit = fits[-1]
    assert fit is not None
    assert fit.time == t[half]
    assert np.array_equal(fit.raw, x[half])
    assert fit.value == pytest.approx(a, abs=ROUNDING)
    assert fit.slope == pytest.approx(b, abs=ROUNDING)
    assert fit.bend == pytest.approx(2 * c, abs=1e4 * ROUNDING)


def test_weights_are_those_of_savitzky_and_golay() -> None:
    value, slope, bend = even_weights(3)
    assert value * 21 == pytest.approx([-2, 3, 6, 7, 6, 3, -2])
    assert slope * 252 == pytest.approx([22, -67, -58, 0, 58, 67, -22])
    assert bend * 42 == pytest.approx([5, 0, -3, -4, -3, 0, 5])


def test_a_window_that_is_cleared_begins_anew() -> None:
    window = Window(2, 1)
    rows = np.arange(20.0).reshape(-1, 1)
    assert [window.push(k, rows[k]) is not None for k in range(7)] == [False] * 4 + [True] * 3
    window.clear()
    assert [window.push(k, rows[k]) is not None for k in range(7, 13)] == [False] * 4 + [True] * 2
