"""Logs to samples: known derivatives come back, with no lag, from coarse, uneven and broken records."""

import math
from typing import Any

import numpy as np
import pytest
from scipy.signal import correlate

from armdyn.dynamics import Dynamics
from armdyn.errors import InputError
from armdyn.formats import load
from armdyn.identification.logs import Log, Samples, prepared
from log_signals import Sines, quantised, rms

ARM = load("planar2")
DYN = Dynamics(ARM)
DRIVEN = Dynamics(load("irb6"))
RATE = 1000.0
TIME = np.arange(20001) / RATE
SLOW, FAST = Sines(), Sines((5.0,), (0.3,))

DROOP = 1e-6
"""Relative: what the filter takes off at a sixth of its cutoff, (1/6)^8 = 6e-7, and differences' error."""
UNSETTLED = 2e-4
"""Relative to the rms: what an end has stirred up 3/cutoff before, 7e-4 there, on average less."""


def log_of(motion: Sines = SLOW, time: Any = TIME, bits: int | None = None, **given: Any) -> Log:
    """A log of an arm that follows sines, its torques sines too."""
    q = motion.at(time) if bits is None else quantised(motion.at(time), bits)
    return Log.of(ARM, time, q, **{"tau": motion.at(time, 1) + motion.at(time), **given})


def errors(samples: Samples, motion: Sines) -> list[float]:
    """Of q, qd and qdd, relative (rms)."""
    found = (samples.q, samples.qd, samples.qdd)
    exact = [motion.at(samples.time, order) for order in range(3)]
    return [rms(x - y) / rms(y) for x, y in zip(found, exact, strict=True)]


# Derivatives ----------------------------------------------------------------------------------


def test_accelerations_of_a_sine_are_exact_within_what_the_filter_takes() -> None:
    samples = prepared(log_of(FAST), DYN, trim=1.0)  # ends that have settled
    for found, order in ((samples.q, 0), (samples.qd, 1), (samples.qdd, 2)):
        exact = FAST.at(samples.time, order)
        np.testing.assert_allclose(found, exact, rtol=0, atol=DROOP * np.abs(exact).max())


@pytest.mark.parametrize("motion", [SLOW, FAST], ids=["slow", "fast"])
def test_ends_are_cut_where_the_filter_has_not_settled(motion: Sines) -> None:
    samples = prepared(log_of(motion), DYN)
    assert max(errors(samples, motion)) < UNSETTLED
    assert samples.time[0] == pytest.approx(3 / samples.cutoff, abs=6 / RATE)
    all_of_it = prepared(log_of(motion), DYN, trim=0.0)
    assert all_of_it.time[0] == pytest.approx(4 / RATE)
    assert errors(all_of_it, motion)[2] > 5 * errors(samples, motion)[2]


@pytest.mark.parametrize("motion", [SLOW, FAST], ids=["slow", "fast"])
@pytest.mark.parametrize("bits", [16, 20])
def test_noise_of_encoders_stays_within_what_the_filter_lets_through(motion: Sines, bits: int) -> None:
    samples = prepared(log_of(motion, bits=bits), DYN, decimate=1)
    # white noise of variance step^2/12 over half the rate: below the cutoff its k-th derivative has variance
    # step^2/12 (2 pi cutoff)^2k / (2k + 1) cutoff/(rate/2); the filter's flank lets as much again through
    step = 2 * np.pi / 2**bits
    for order, found in enumerate((samples.q, samples.qd, samples.qdd)):
        band = (2 * np.pi * samples.cutoff) ** (2 * order) / (2 * order + 1) * samples.cutoff / (RATE / 2)
        exact = motion.at(samples.time, order)
        assert rms(found - exact) < 2 * step / math.sqrt(12) * math.sqrt(band) + UNSETTLED * rms(exact)


def test_nothing_lags() -> None:
    samples = prepared(log_of(bits=16), DYN, decimate=1)
    for found, exact in (
        (samples.q, SLOW.at(samples.time)),
        (samples.qd, SLOW.at(samples.time, 1)),
        (samples.tau, SLOW.at(samples.time, 1) + SLOW.at(samples.time)),
    ):
        for k in range(2):
            product = correlate(found[:, k], exact[:, k], method="fft")
            assert int(np.argmax(product)) == len(exact) - 1  # no shift is the best
        assert rms(found - exact) < 1e-4 * rms(exact)  # a lag of one sample would be 1e-3


def test_measured_velocities_are_taken_if_asked() -> None:
    log = log_of(bits=12, qd=SLOW.at(TIME, 1))
    derived, measured = prepared(log, DYN), prepared(log, DYN, velocity="measured")
    assert errors(measured, SLOW)[1] < DROOP * 10
    assert errors(measured, SLOW)[2] < UNSETTLED < errors(derived, SLOW)[2]
    with pytest.raises(
        InputError, match=r"^log: no velocities were measured, expected qd1, \.\.; take velocity"
    ):
        prepared(log_of(), DYN, velocity="measured")


def test_measured_velocities_that_cannot_be_are_told() -> None:
    late = prepared(log_of(FAST, qd=FAST.at(TIME - 0.003, 1)), DYN)
    assert late.notes[-1] == (
        "qd2 as measured differs from the slope of q2 by 9%: it is 0.996 times as large and 3 ms late"
    )
    in_degrees = prepared(log_of(qd=np.degrees(SLOW.at(TIME, 1))), DYN)
    assert "it is 57.3 times as large" in in_degrees.notes[-1]
    accelerations = prepared(log_of(FAST, qd=FAST.at(TIME, 2)), DYN)
    assert accelerations.notes[-1].endswith(": the two have little in common")
    assert not any("as measured" in note for note in prepared(log_of(qd=SLOW.at(TIME, 1)), DYN).notes)


# Cutoff and rate ------------------------------------------------------------------------------


@pytest.mark.parametrize("bits", [None, 20, 16])
@pytest.mark.parametrize(
    ("motion", "highest"),
    [(SLOW, 0.5), (FAST, 5.0), (Sines((0.2, 5.0), (1.0, 0.003)), 5.0), (Sines((0.05,), (0.1,)), 0.05)],
    ids=["slow", "fast", "slow and fast", "creeping"],
)
def test_the_cutoff_follows_the_motion_whatever_the_encoder(
    motion: Sines, highest: float, bits: int | None
) -> None:
    samples = prepared(log_of(motion, bits=bits), DYN)
    # six times the highest frequency, widened by a band (12 %) and by the window's lobe, 4/20 s
    assert 5.9 * highest <= samples.cutoff <= 6 * 1.13 * (highest + 4 / 20)
    assert f"low-pass with a cutoff of {samples.cutoff:.3g} Hz, from the spectrum" in samples.notes[-1]


def test_white_noise_on_positions_does_not_move_the_cutoff() -> None:
    noise = 1e-4 * np.random.default_rng(1).normal(size=(len(TIME), 2))
    noisy = Log.of(ARM, TIME, SLOW.at(TIME) + noise, tau=SLOW.at(TIME))
    assert prepared(noisy, DYN).cutoff == prepared(log_of(), DYN).cutoff


def test_samples_are_thinned_out_to_what_is_left() -> None:
    samples = prepared(log_of(FAST), DYN)
    factor = round(samples.rate_before / samples.rate)
    assert samples.rate_before == pytest.approx(RATE, rel=1e-12)
    assert 2.5 * samples.cutoff <= samples.rate < 2.5 * samples.cutoff * (factor + 1) / factor
    np.testing.assert_allclose(np.diff(samples.time), factor / RATE, rtol=1e-9)
    assert len(prepared(log_of(FAST), DYN, decimate=1).time) > 10 * len(samples.time)
    assert prepared(log_of(FAST), DYN, decimate=7).rate == pytest.approx(RATE / 7)


def test_without_a_filter_nothing_is_changed() -> None:
    samples = prepared(log_of(), DYN, cutoff=math.inf)
    np.testing.assert_array_equal(samples.q, SLOW.at(TIME)[4:-4])
    np.testing.assert_allclose(samples.qdd, SLOW.at(samples.time, 2), rtol=0, atol=1e-7)  # rounding
    assert samples.rate == samples.rate_before


# Time -----------------------------------------------------------------------------------------


def uneven(seed: int) -> Any:
    """Instants that are up to 0.3 periods away from even ones."""
    return TIME + np.random.default_rng(seed).uniform(-0.3, 0.3, len(TIME)) / RATE


def test_uneven_time_is_brought_to_even_instants() -> None:
    samples = prepared(log_of(FAST, uneven(2)), DYN)
    assert max(errors(samples, FAST)) < UNSETTLED
    np.testing.assert_allclose(np.diff(samples.time), 1 / samples.rate, rtol=1e-9)
    assert "uneven time: brought to even instants by cubic splines" in samples.notes
    np.testing.assert_allclose(
        samples.tau, FAST.at(samples.time, 1) + FAST.at(samples.time), rtol=0, atol=UNSETTLED * 10
    )


def test_rounded_instants_are_even() -> None:
    log = log_of(time=np.round(1.7e9 + TIME, 9) - 1.7e9)  # to 2.4e-7 s
    assert not any("uneven" in note for note in prepared(log, DYN).notes)


def test_gaps_split_a_log_and_each_stretch_is_filtered_on_its_own() -> None:
    kept = (TIME < 8) | ((TIME > 8.5) & (TIME < 8.6)) | (TIME > 9.2)
    samples = prepared(log_of(FAST, TIME[kept]), DYN)
    assert "gaps in time: 3 stretches, 1 of them too short to filter and left out" in samples.notes
    first, second = samples.segments
    assert (first.start, first.stop, second.stop) == (0, second.start, len(samples.time))
    assert samples.time[first][-1] < 8
    assert samples.time[second][0] > 9.2
    for part in samples.segments:
        np.testing.assert_allclose(np.diff(samples.time[part]), 1 / samples.rate, rtol=1e-6)
    assert max(errors(samples, FAST)) < UNSETTLED


def test_a_few_missing_samples_are_bridged() -> None:
    kept = np.random.default_rng(3).uniform(size=len(TIME)) > 0.02
    samples = prepared(log_of(FAST, TIME[kept]), DYN)
    assert samples.rate_before == pytest.approx(RATE, rel=1e-6)
    assert max(errors(samples, FAST)) < UNSETTLED


# Torques and forces ---------------------------------------------------------------------------


def test_torques_of_the_arm_are_found_again_from_currents_and_motors() -> None:
    motion = Sines((0.3, 0.8), (0.2, 0.05), n=DRIVEN.n)
    home = np.array(DRIVEN.robot.home)
    states = [motion.at(TIME) + home, motion.at(TIME, 1), motion.at(TIME, 2)]
    tau = DRIVEN.inverse(*states)
    robot = DRIVEN.robot
    logs = [
        Log.of(robot, TIME, states[0], tau=tau),
        Log.of(robot, TIME, states[0], motor_torque=DRIVEN.motor_torque(states[0], tau)),
        Log.of(robot, TIME, states[0], current=DRIVEN.motor_current(states[0], tau)),
    ]
    by_joints, by_motors, by_currents = (prepared(log, DRIVEN, cutoff=40.0).tau for log in logs)
    # the filter and the gears, whose ratios change with q, do not quite commute
    scale = np.abs(by_joints).max(axis=0)
    assert (np.abs(by_motors - by_joints) < 5e-3 * scale).all()
    np.testing.assert_allclose(by_currents, by_motors, rtol=0, atol=1e-9 * scale.max())


def test_forces_go_through_the_same_filter() -> None:
    force = np.column_stack([SLOW.at(TIME), SLOW.at(TIME, 1), SLOW.at(TIME, 2)])
    samples = prepared(log_of(wrench=force, sensor=-force), DYN)
    exact = np.column_stack([SLOW.at(samples.time, k) for k in range(3)])
    assert samples.wrench is not None
    assert samples.sensor is not None
    np.testing.assert_allclose(samples.wrench, exact, rtol=0, atol=1e-3 * np.abs(exact).max())
    np.testing.assert_allclose(samples.sensor, -samples.wrench, rtol=0, atol=1e-12)


def test_parallel_filtering_takes_off_a_regressor_what_torques_lost() -> None:
    """Coulomb friction of 2 N m: its sharp sign fits filtered torques badly, its filtered sign well."""
    q, qd = SLOW.at(TIME), SLOW.at(TIME, 1)
    log = Log.of(ARM, TIME, q, tau=2 * np.sign(qd))
    full = prepared(log, DYN, decimate=1)
    samples, sign = full.parallel(np.sign(full.qd))
    assert samples.rate == pytest.approx(prepared(log, DYN).rate)
    assert samples.time.shape == (len(sign),)
    fitted = (sign * samples.tau).sum() / (sign**2).sum()
    sharp = (np.sign(samples.qd) * samples.tau).mean()
    assert fitted == pytest.approx(2.0, rel=1e-3)
    assert abs(sharp - 2.0) > 0.02
    np.testing.assert_allclose(samples.tau, 2 * sign, atol=0.02)
    with pytest.raises(
        InputError, match=r"^samples are thinned out already, expected all of them; prepare with"
    ):
        samples.parallel(sign)


# One sentence each ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"cutoff": 0.0}, "cutoff is 0 Hz, expected a frequency above 0 and below 500, half the rate of log"),
        (
            {"cutoff": 600.0},
            "cutoff is 600 Hz, expected a frequency above 0 and below 500, half the rate of log",
        ),
        (
            {"cutoff": math.nan},
            "cutoff is nan Hz, expected a frequency above 0 and below 500, half the rate of log",
        ),
        (
            {"cutoff": 1e-9, "trim": 0.0},
            "cutoff is 1e-09 Hz, log lasts 20 s without a gap, expected one period in it or more",
        ),
        ({"decimate": 0}, "decimate is 0, expected a whole number of 1 or more"),
        ({"decimate": 1.5}, "decimate is 1.5, expected a whole number of 1 or more"),
        ({"trim": -1.0}, "trim is -1.0, expected seconds, 0 or more"),
        ({"velocity": "guessed"}, 'velocity is "guessed", expected "measured" or "derived"'),
        (
            {"cutoff": 0.2},
            "log: the log takes 20 s, expected 30 s or more for a filter of 0.2 Hz to settle; "
            "record longer, or give a higher cutoff=",
        ),
    ],
    ids=[
        "zero",
        "too high",
        "nan",
        "too low",
        "no samples",
        "half a sample",
        "negative",
        "guessed",
        "too short",
    ],
)
def test_bad_options_are_refused(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        prepared(log_of(), DYN, **options)
    assert str(caught.value) == sentence


def test_an_arm_at_rest_and_another_arm_are_refused() -> None:
    still = Log.of(ARM, TIME, np.zeros((len(TIME), 2)), tau=SLOW.at(TIME))
    with pytest.raises(
        InputError, match=r"^log: no joint moves, no cutoff can be told from it; give cutoff=$"
    ):
        prepared(still, DYN)
    with pytest.raises(
        InputError, match=r'^log: of 2 joints, robot "irb6" has 5; expected a log of that robot$'
    ):
        prepared(log_of(), DRIVEN)
