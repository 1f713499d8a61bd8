"""The criteria beside NumPy's own, and their derivatives."""

import numpy as np
import pytest

from armdyn.identification.excitation.criterion import (
    condition_number,
    information,
    quality,
    smooth_quality,
)

W = np.random.default_rng(0).normal(size=(3, 90, 7)) * np.geomspace(1, 30, 7)
ROUNDING = 1e-12
DIFFERENCE = 1e-5
NUMERICAL = 1e-7
"""In parts of the largest derivative: the least eigenvalue is about 1, the error its square of 1e-5."""


def test_the_condition_number_is_that_of_the_regressor():
    assert condition_number(information(W)) == pytest.approx(np.linalg.cond(W), rel=1e-10)
    assert quality("condition", information(W)) == pytest.approx(np.log(np.linalg.cond(W)))


def test_products_in_parts_are_the_product():
    wide = np.random.default_rng(1).normal(size=(1000, 60))  # several parts, the last not full
    assert information(wide) == pytest.approx(wide.T @ wide / 1000, rel=1e-12, abs=1e-14)


def test_d_optimality_is_the_volume_of_the_ellipsoid():
    volume = [np.prod(np.linalg.svd(each, compute_uv=False) / np.sqrt(90)) for each in W]
    assert np.exp(-7 * quality("d_optimal", information(W))) == pytest.approx(volume)


@pytest.mark.parametrize("doublings", [0, 1, 3, 6])
def test_power_means_are_above_the_extremes_and_not_far(doublings):
    smooth = smooth_quality("condition", information(W), doublings)[0]
    sharp = quality("condition", information(W))
    assert np.all(sharp <= smooth + ROUNDING)
    assert np.all(smooth <= sharp + np.log(7) / 2**doublings)


@pytest.mark.parametrize(("name", "doublings"), [("condition", 0), ("condition", 4), ("d_optimal", 0)])
def test_derivatives_are_derivatives(name, doublings):
    A = information(W[0])
    _, slopes = smooth_quality(name, A, doublings)
    step = DIFFERENCE
    for i in range(7):
        for j in range(i, 7):
            change = np.zeros_like(A)
            change[i, j] = change[j, i] = step
            up, down = (smooth_quality(name, A + sign * change, doublings)[0] for sign in (1, -1))
            along = np.sum(slopes * change) / step
            assert (up - down) / (2 * step) == pytest.approx(along, abs=NUMERICAL * np.abs(slopes).max())


def test_a_motion_that_does_not_show_a_parameter_is_infinitely_bad():
    blind = W[0].copy()
    blind[:, 2] = 0.0
    A = np.stack([information(blind), information(W[1])])
    assert list(np.isinf(condition_number(A))) == [True, False]
    assert list(np.isinf(smooth_quality("condition", A, 4)[0])) == [True, False]
    assert list(np.isinf(smooth_quality("d_optimal", A, 4)[0])) == [True, False]
    assert list(np.isinf(quality("d_optimal", A))) == [True, False]
