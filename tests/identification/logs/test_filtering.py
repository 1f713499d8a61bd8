"""Differences and the low-pass: their errors and gains are those that their formulas say."""

import numpy as np
import pytest
from scipy.signal import savgol_coeffs

from armdyn.identification.logs.cutoff import encoder_steps
from armdyn.identification.logs.differences import bends, inner, slopes
from armdyn.identification.logs.low_pass import LowPass
from armdyn.identification.logs.segments import segments_of, usual_period
from log_signals import quantised

PER_PERIOD = 12
"""Samples in a period of a sine: coarse enough for errors to be seen."""


def test_differences_are_short_by_what_they_say() -> None:
    wh = 2 * np.pi / PER_PERIOD
    k = np.arange(200)
    sine, cosine = np.sin(wh * k), np.cos(wh * k)
    slope, bend = slopes(sine, 1.0) / wh, bends(sine, 1.0) / wh**2
    next_order = wh**2  # relative: what the leading term of the error leaves out
    np.testing.assert_allclose(
        inner(cosine) - slope, wh**8 / 630 * inner(cosine), atol=wh**8 / 630 * next_order
    )
    np.testing.assert_allclose(
        -inner(sine) - bend, -(wh**8) / 3150 * inner(sine), atol=wh**8 / 3150 * next_order
    )


@pytest.mark.parametrize(("deriv", "of"), [(1, slopes), (2, bends)])
def test_differences_are_those_of_the_polynomial_through_nine_points(deriv: int, of: object) -> None:
    weights = savgol_coeffs(9, 8, deriv=deriv, use="dot")  # by SciPy: a fit of degree 8 to 9 points is exact
    x = np.random.default_rng(5).normal(size=9)
    found = slopes(x, 1.0) if of is slopes else bends(x, 1.0)
    np.testing.assert_allclose(found, [weights @ x], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("share", [1 / 6, 1 / 2, 1.0, 2.0])
def test_the_gain_is_that_of_butterworth_twice(share: float) -> None:
    low_pass = LowPass(cutoff=10.0, rate=1000.0)
    t = np.arange(20000) / 1000
    phase = 2 * np.pi * 10 * share * t
    found = low_pass.filtered(np.column_stack([np.cos(phase), np.sin(phase)]))[10000] @ [1, 1j]
    # the bilinear transformation maps f to tan(pi f/rate)
    warped = np.tan(np.pi * 10 * share / 1000) / np.tan(np.pi * 10 / 1000)
    assert found * np.exp(-1j * phase[10000]) == pytest.approx(1 / (1 + warped**8), rel=1e-9)  # real: no lag


def test_a_constant_and_a_line_pass() -> None:
    t = np.arange(3000) / 1000
    line = np.column_stack([1e6 + 0 * t, 3 - 2 * t])
    started = 7e-4**2  # relative: what is left after twice the time to settle, the length of the continuation
    np.testing.assert_allclose(LowPass(5.0, 1000.0).filtered(line), line, rtol=0, atol=started * 6)


def test_the_usual_period_knows_of_rounding_holes_and_gaps() -> None:
    t = np.arange(6000) / 1500
    rounded = np.round(t, 4)  # 0.0007, 0.0013, 0.0020
    holes = np.delete(rounded, np.arange(5, 6000, 50))
    gap = np.concatenate([holes, holes + 1000.0])
    assert usual_period(gap) == pytest.approx(1 / 1500, rel=1e-4)
    assert len(segments_of(gap, {"x": gap[:, None]}, 1 / 1500)) == 2


def test_the_step_of_an_encoder_is_found() -> None:
    q = quantised(np.sin(np.arange(3000) / 100), 12)
    assert encoder_steps(np.column_stack([q, 0 * q])) == pytest.approx([2 * np.pi / 4096, 0.0])
