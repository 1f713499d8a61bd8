"""Least squares of every kind beside plain NumPy, and errors that hold what they promise."""

from __future__ import annotations

import numpy as np
import pytest

from armdyn.errors import InputError
from armdyn.identification.estimation import observations as room
from armdyn.identification.estimation.estimate import METHODS, estimate
from armdyn.identification.estimation.factors import factors
from armdyn.identification.estimation.least_squares import System, weighted
from armdyn.identification.estimation.observations import Held, Observations, together

ROUNDING = 1e-9
"""Relative to the largest element: the same least squares by another decomposition."""
JOINTS, UNKNOWNS, SAMPLES = 3, 5, 400
DEVIATION = np.array([0.1, 1.0, 5.0])
"""Noise of the joints: far apart, so that weights matter."""
TRUTH = np.array([1.0, -2.0, 0.5, 3.0, 0.1])


def regressor(rng: np.random.Generator, samples: int = SAMPLES) -> np.ndarray:
    """Block triangular, as that of a chain: the last joint shows the last unknowns only."""
    Y = rng.normal(size=(samples, JOINTS, UNKNOWNS))
    Y[:, 1, :2], Y[:, 2, :3] = 0.0, 0.0
    return Y


def seen(rng: np.random.Generator, Y: np.ndarray, noise: np.ndarray | None = None) -> Observations:
    error = rng.normal(size=Y.shape[:2]) * DEVIATION if noise is None else noise
    used = np.ones(Y.shape[:2], dtype=bool)
    return Observations(Y @ TRUTH + error, Held(Y), Y.shape[2], used, (slice(0, len(Y)),))


def close(found, expected):
    return np.abs(found - expected).max() <= ROUNDING * np.abs(expected).max()


def test_chunks_make_no_difference(monkeypatch):
    rng = np.random.default_rng(0)
    found = seen(rng, regressor(rng))
    whole = factors(found)
    monkeypatch.setattr(room, "CHUNK", 37)
    again = np.random.default_rng(0)
    pieces = factors(seen(again, regressor(again)))
    for R, P in zip(whole.R, pieces.R, strict=True):
        assert close(P.T @ P, R.T @ R)


def test_ordinary_least_squares_are_those_of_numpy():
    rng = np.random.default_rng(1)
    found = seen(rng, regressor(rng))
    Y = found.regressor(slice(0, SAMPLES))
    expected = np.linalg.lstsq(Y.reshape(-1, UNKNOWNS), found.tau.ravel())[0]
    assert close(estimate(found, "ordinary", np.zeros(UNKNOWNS)).beta, expected)


def test_weighted_least_squares_are_those_of_numpy_with_rows_in_units_of_their_noise():
    rng = np.random.default_rng(2)
    found = seen(rng, regressor(rng))
    Y = found.regressor(slice(0, SAMPLES)) / DEVIATION[:, None]
    expected = np.linalg.lstsq(Y.reshape(-1, UNKNOWNS), (found.tau / DEVIATION).ravel())[0]
    assert close(weighted(factors(found), DEVIATION, np.zeros(UNKNOWNS)).beta, expected)


def test_rows_that_do_not_count_change_nothing():
    rng = np.random.default_rng(3)
    Y = regressor(rng)
    found = seen(rng, Y)
    used = rng.uniform(size=found.tau.shape) > 0.4
    spoiled = Observations(np.where(used, found.tau, 1e6), Held(Y), UNKNOWNS, used, found.segments)
    expected = np.linalg.lstsq(Y[used], found.tau[used])[0]
    assert close(estimate(spoiled, "ordinary", np.zeros(UNKNOWNS)).beta, expected)


@pytest.mark.parametrize("method", [each for each in METHODS if each != "total"])
def test_intervals_hold_the_truth_as_often_as_they_say(method):
    """300 repeats of 5 unknowns: 95 % intervals hold in 1425 of 1500, give or take 8.4 (3 sigma: 25).

    Those of total least squares are for another kind of data, see below.
    """
    rng = np.random.default_rng(4)
    Y = regressor(rng, 150)
    held = 0
    for _ in range(300):
        found = estimate(
            seen(rng, Y), method, np.zeros(UNKNOWNS), damping=1e-6 if method == "damped" else None
        )
        held += np.count_nonzero(np.abs(found.beta - TRUTH) < 1.96 * found.standard_error)
    assert 1385 <= held <= 1465


def test_noise_that_lasts_makes_errors_larger():
    """Noise through a moving average, slow columns: errors for white noise would be 3 times too small.

    Their intervals would hold in half of all cases; these, whose noise is told from 600 samples, in 9 of 10.
    """
    rng = np.random.default_rng(5)
    time = np.arange(600)
    slow = np.sin(np.outer(time, [0.011, 0.017, 0.023, 0.031, 0.041]))
    Y = np.repeat(slow[:, None, :], JOINTS, axis=1) * [1.0, 0.7, 1.3, 0.9, 1.1]
    Y[:, 1] *= np.cos(0.013 * time)[:, None]
    held = total = 0
    for _ in range(150):
        white = rng.normal(size=(600 + 8, JOINTS)) * DEVIATION
        noise = np.sum([white[k : k + 600] for k in range(9)], axis=0) / 3
        found = estimate(seen(rng, Y, noise), "weighted", np.zeros(UNKNOWNS))
        held += np.count_nonzero(np.abs(found.beta - TRUTH) < 1.96 * found.standard_error)
        total += UNKNOWNS
    assert 0.87 < held / total < 0.98


def test_outliers_hardly_move_reweighted_least_squares():
    rng = np.random.default_rng(6)
    Y = regressor(rng)
    noise = rng.normal(size=Y.shape[:2]) * DEVIATION
    noise[rng.uniform(size=noise.shape) < 0.05] += 100 * DEVIATION.max()
    plain = estimate(seen(rng, Y, noise), "weighted", np.zeros(UNKNOWNS)).beta
    robust = estimate(seen(rng, Y, noise), "reweighted", np.zeros(UNKNOWNS)).beta
    assert np.abs(robust - TRUTH).max() < 0.05 * np.abs(plain - TRUTH).max()


def test_total_least_squares_mend_what_errors_in_the_regressor_spoil():
    """Ordinary least squares shrink parameters by the share of noise in their columns, here a tenth."""
    rng = np.random.default_rng(7)
    exact = rng.normal(size=(20000, 1, 3))
    truth = np.array([1.0, -2.0, 3.0])
    noisy = exact + 0.33 * rng.normal(size=exact.shape)
    size = np.sqrt(np.mean((exact @ truth) ** 2))  # torques as noisy, beside their size, as the columns
    tau = exact @ truth + 0.33 * size * rng.normal(size=(20000, 1))
    found = Observations(tau, Held(noisy), 3, np.ones(tau.shape, dtype=bool), (slice(0, 20000),))
    assert np.abs(estimate(found, "ordinary", np.zeros(3)).beta / truth - 1).max() > 0.08
    assert np.abs(estimate(found, "total", np.zeros(3)).beta / truth - 1).max() < 0.03


def test_intervals_of_total_least_squares_hold_where_columns_have_errors():
    """400 intervals of 95 %: 380, give or take 4.4 (4 sigma: 18)."""
    rng = np.random.default_rng(14)
    truth, held = np.array([1.0, -2.0]), 0
    exact = rng.normal(size=(500, 1, 2))
    size = np.sqrt(np.mean((exact @ truth) ** 2))
    for _ in range(200):
        noisy = exact + 0.1 * rng.normal(size=exact.shape)
        tau = exact @ truth + 0.1 * size * rng.normal(size=(500, 1))
        found = Observations(tau, Held(noisy), 2, np.ones(tau.shape, dtype=bool), (slice(0, 500),))
        fit = estimate(found, "total", np.zeros(2))
        held += np.count_nonzero(np.abs(fit.beta - truth) < 1.96 * fit.standard_error)
    assert 362 <= held <= 398


def test_total_least_squares_are_the_smallest_singular_vector():
    rng = np.random.default_rng(8)
    A = rng.normal(size=(200, 3))
    y = A @ [1.0, 2.0, -1.0] + 0.1 * rng.normal(size=200)
    found = Observations(y[:, None], Held(A[:, None]), 3, np.ones((200, 1), dtype=bool), (slice(0, 200),))
    size, length = np.linalg.norm(A, axis=0), np.linalg.norm(y)
    v = np.linalg.svd(np.column_stack([A / size, y / length]))[2][-1]
    expected = -v[:3] / v[3] * length / size
    assert close(estimate(found, "total", np.zeros(3)).beta, expected)


def test_sequential_least_squares_begin_with_the_last_joint():
    """[Siciliano2009] 7.4: what the last joint shows comes from its torque alone."""
    rng = np.random.default_rng(9)
    found = seen(rng, regressor(rng))
    Y = found.regressor(slice(0, SAMPLES))
    beta = estimate(found, "sequential", np.zeros(UNKNOWNS)).beta
    last = np.linalg.lstsq(Y[:, 2, 3:], found.tau[:, 2])[0]
    assert close(beta[3:], last)
    rest = np.linalg.lstsq(Y[:, 1, 2:3], found.tau[:, 1] - Y[:, 1, 3:] @ last)[0]
    assert close(beta[2:3], rest)


def test_damping_pulls_to_what_is_assumed():
    rng = np.random.default_rng(10)
    found, assumed = seen(rng, regressor(rng)), np.full(UNKNOWNS, 7.0)
    assert close(estimate(found, "damped", assumed, damping=1e6).beta, assumed)
    weakly = estimate(found, "damped", assumed, damping=1e-9).beta
    assert np.abs(weakly - TRUTH).max() < 0.5


def test_directions_that_data_do_not_show_stay_as_assumed_and_say_so():
    rng = np.random.default_rng(11)
    Y = regressor(rng)
    Y[..., 1] = 2 * Y[..., 0]  # only beta_0 + 2 beta_1 shows
    assumed = np.array([10.0, 20.0, 0.0, 0.0, 0.0])
    found = estimate(seen(rng, Y), "weighted", assumed)
    assert np.isinf(found.standard_error[:2]).all()
    assert np.isfinite(found.standard_error[2:]).all()
    shown = found.beta[0] + 2 * found.beta[1]
    assert abs(shown - (TRUTH[0] + 2 * TRUTH[1])) < 0.1
    kept = found.beta[0] - 2 * found.beta[1]  # across it, columns of one size
    assert abs(kept - (assumed[0] - 2 * assumed[1])) < 1e-9 * 20
    assert System.of(factors(seen(rng, Y)), np.ones(3)).condition_number > 1e12
    with pytest.raises(InputError, match="need data that show every parameter"):
        estimate(seen(rng, Y), "total", assumed)


def test_two_logs_together_are_one_long_log():
    rng = np.random.default_rng(12)
    Y = regressor(rng)
    whole = seen(rng, Y)
    used = np.ones((SAMPLES // 2, JOINTS), dtype=bool)
    first, second = (
        Observations(whole.tau[part], Held(Y[part]), UNKNOWNS, used, (slice(0, SAMPLES // 2),))
        for part in (slice(0, SAMPLES // 2), slice(SAMPLES // 2, SAMPLES))
    )
    both = together(first, second)
    assert both.segments == (slice(0, 200), slice(200, 400))
    assert close(
        estimate(both, "weighted", np.zeros(UNKNOWNS)).beta,
        estimate(whole, "weighted", np.zeros(UNKNOWNS)).beta,
    )


def test_bad_methods_are_refused():
    rng = np.random.default_rng(13)
    found = seen(rng, regressor(rng))
    with pytest.raises(InputError, match='method "bayes", expected one of ordinary, weighted'):
        estimate(found, "bayes", np.zeros(UNKNOWNS))  # type: ignore[arg-type]
    with pytest.raises(InputError, match='damping is for the method "damped", not for "weighted"'):
        estimate(found, "weighted", np.zeros(UNKNOWNS), damping=0.1)
    with pytest.raises(InputError, match="damping is -1, expected a number above zero"):
        estimate(found, "damped", np.zeros(UNKNOWNS), damping=-1)


def test_damping_does_not_make_up_errors_for_what_nothing_shows():
    rng = np.random.default_rng(15)
    Y = regressor(rng)
    Y[..., 1] = 2 * Y[..., 0]
    found = estimate(seen(rng, Y), "damped", np.zeros(UNKNOWNS))
    assert np.isinf(found.standard_error[:2]).all()


def test_noise_of_weak_joints_is_told_though_strong_ones_are_noisy():
    """Ordinary least squares carry the noise of strong joints into weak ones; repeated weights do not."""
    rng = np.random.default_rng(16)
    found = estimate(seen(rng, regressor(rng)), "weighted", np.zeros(UNKNOWNS))
    assert np.allclose(found.noise.deviation, DEVIATION, rtol=0.12)


def test_neighbours_beyond_a_gap_have_nothing_in_common():
    """The same residuals in one stretch or in many: correlation counts within stretches only."""
    rng = np.random.default_rng(17)
    Y = np.ones((400, 1, 1))
    slow = np.repeat(rng.normal(size=40), 10)[:, None]
    whole = Observations(1.0 + slow, Held(Y), 1, np.ones((400, 1), dtype=bool), (slice(0, 400),))
    pieces = Observations(
        1.0 + slow, Held(Y), 1, np.ones((400, 1), dtype=bool), tuple(slice(k, k + 1) for k in range(400))
    )
    one, many = (estimate(each, "weighted", np.zeros(1)).standard_error[0] for each in (whole, pieces))
    assert one > 2 * many


def test_exact_columns_take_no_change_in_total_least_squares():
    """Without the part that exact columns explain, the smallest singular vector of the rest is the answer."""
    rng = np.random.default_rng(18)
    A = rng.normal(size=(200, 3))
    A[:, 0] = 1.0
    y = A @ [3.0, 2.0, -1.0] + 0.3 * rng.normal(size=200)
    found = Observations(y[:, None], Held(A[:, None]), 3, np.ones((200, 1), dtype=bool), (slice(0, 200),))
    exact = np.array([True, False, False])
    size, length = np.linalg.norm(A, axis=0), np.linalg.norm(y)
    rest = np.column_stack([A[:, 1:] / size[1:], y / length])
    v = np.linalg.svd(rest - rest.mean(axis=0))[2][-1]  # ones are exact: means are what they explain
    expected = -v[:2] / v[2] * length / size[1:]
    beta = estimate(found, "total", np.zeros(3), exact=exact).beta
    assert close(beta[1:], expected)
    assert not close(estimate(found, "total", np.zeros(3)).beta[1:], expected)
