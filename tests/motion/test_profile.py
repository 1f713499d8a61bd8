"""Trapezoids of speed: closed-form durations, exact ends, and never faster than allowed."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armdyn.errors import InputError
from armdyn.motion.profile import Trapezoid

ROUNDING = 1e-12
"""A dozen operations, relative to the largest of the numbers."""

lengths = st.floats(1e-6, 1e3)
rates = st.floats(1e-3, 1e2)
shares = st.floats(0, 1)


def test_a_long_way_takes_length_over_speed_and_one_ramp() -> None:
    profile = Trapezoid.of(1.0, 0.5, 2.0)
    assert profile.duration == pytest.approx(1.0 / 0.5 + 0.5 / 2.0, rel=ROUNDING)
    assert profile.accelerating == profile.decelerating == 0.25
    assert profile.cruising == pytest.approx(1.75, rel=ROUNDING)


def test_a_short_way_is_a_triangle() -> None:
    profile = Trapezoid.of(0.1, 5.0, 2.0)
    assert profile.duration == pytest.approx(2 * math.sqrt(0.1 / 2.0), rel=ROUNDING)
    assert profile.peak == pytest.approx(math.sqrt(0.1 * 2.0), rel=ROUNDING)
    assert profile.cruising == pytest.approx(0.0, abs=ROUNDING)


def test_a_ramp_down_of_its_own() -> None:
    profile = Trapezoid.of(1.0, 0.5, 2.0, 0.5)
    assert (profile.accelerating, profile.decelerating) == (0.25, 1.0)
    # T = L/v + v/2a + v/2d
    assert profile.duration == pytest.approx(2.0 + 0.125 + 0.5, rel=ROUNDING)


def test_no_way_takes_no_time() -> None:
    profile = Trapezoid.of(0.0, 0.5, 2.0)
    assert profile.duration == 0.0
    s, sd, sdd = profile.at([-1.0, 0.0, 1.0])
    assert not s.any()
    assert not sd.any()
    assert not sdd.any()


def test_before_and_after_it_rests() -> None:
    profile = Trapezoid.of(1.0, 0.5, 2.0)
    s, sd, sdd = profile.at([-1.0, profile.duration, 10.0])
    assert s.tolist() == [0.0, 1.0, 1.0]
    assert sd.tolist() == [0.0, 0.0, 0.0]
    assert sdd.tolist() == [0.0, 0.0, 0.0]


@given(length=lengths, speed=rates, up=rates, down=rates, first=shares, last=shares)
def test_it_keeps_its_limits_and_meets_its_ends(
    length: float, speed: float, up: float, down: float, first: float, last: float
) -> None:
    reachable = min(speed, math.sqrt(2 * min(up, down) * length))  # either end from the other, whatever it is
    profile = Trapezoid.of(length, speed, up, down, start=first * reachable, end=last * reachable)
    t = np.linspace(0, profile.duration, 501)
    s, sd, sdd = profile.at(t)
    assert s[0] == 0
    assert s[-1] == length
    assert sd[0] == pytest.approx(profile.start, abs=ROUNDING * speed)
    assert sd[-1] == pytest.approx(profile.end, abs=ROUNDING * speed)
    assert (sd <= speed * (1 + ROUNDING)).all()
    assert (sdd <= up).all()
    assert (sdd >= -down).all()
    assert (np.diff(s) >= -ROUNDING * length).all()


@given(length=lengths, speed=rates, up=rates, down=rates)
def test_speed_is_the_slope_of_the_way(length: float, speed: float, up: float, down: float) -> None:
    profile = Trapezoid.of(length, speed, up, down)
    t = np.linspace(0, profile.duration, 201)
    s, sd, _ = profile.at(t)
    step = t[1] - t[0]
    # over a step in which the speed is no straight line the trapezium rule is off by its bend at most
    assert (
        np.abs(np.diff(s) - (sd[1:] + sd[:-1]) / 2 * step).max() <= (up + down) * step**2 + ROUNDING * length
    )
    inside = profile.at((t[1:] + t[:-1]) / 2)[1]
    assert np.abs(np.diff(s) / step - inside).max() <= (up + down) * step + ROUNDING * speed


@given(length=lengths, speed=rates, rate=rates)
def test_from_rest_to_rest_it_takes_the_closed_form(length: float, speed: float, rate: float) -> None:
    room = length >= speed**2 / rate
    expected = length / speed + speed / rate if room else 2 * math.sqrt(length / rate)
    assert Trapezoid.of(length, speed, rate).duration == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"length": -1.0}, "length -1"),
        ({"length": math.nan}, "length nan"),
        ({"speed": 0.0}, "speed 0"),
        ({"acceleration": math.inf}, "acceleration inf"),
        ({"deceleration": -2.0}, "deceleration -2"),
        ({"start": 0.6}, "speed 0.6 at the start"),
        ({"end": -0.1}, "speed -0.1 at the end"),
        ({"length": 0.01, "start": 0.5}, "too short from speed 0.5 to 0"),
        ({"length": 0.01, "end": 0.5}, "too short from speed 0 to 0.5"),
    ],
)
def test_what_cannot_be_is_refused(changed: dict[str, float], sentence: str) -> None:
    values = {"length": 1.0, "speed": 0.5, "acceleration": 2.0} | changed
    with pytest.raises(InputError, match=sentence):
        Trapezoid.of(**values)
