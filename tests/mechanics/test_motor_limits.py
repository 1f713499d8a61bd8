"""What a motor can do: at the edge of its envelope exactly one of its limits is met."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armdyn.errors import InputError, MissingDataError, ShapeError
from armdyn.formats import load
from armdyn.mechanics.motor_equations import current_of_torque, voltage_of
from armdyn.mechanics.motor_limits import (
    NO_LIMIT,
    Envelopes,
    check_time,
    drive_motors,
    envelope_share,
    integral_of_product,
    joint_motors,
    no_load_speed,
    rms,
    speed_limit,
    torque_limits,
)
from armdyn.robot import Coupling, Drive, Motor

ROUNDING = 1e-13
"""Relative: some operations, one of them a difference of voltages."""

constants = st.floats(0.01, 100)
motors = st.builds(
    Motor,
    torque_constant=constants,
    back_emf=st.none() | constants,
    resistance=constants,
    peak_torque=st.none() | constants,
    stall_torque=st.none() | constants,
    maximum_current=st.none() | constants,
    maximum_voltage=constants,
)
IRB6 = Motor(
    torque_constant=0.1,
    resistance=0.6,
    maximum_current=20.0,
    maximum_voltage=45.0,
    peak_torque=2.0,
    maximum_speed=261.8,
)


def limits(motor: Motor, speed: float) -> tuple[float, float]:
    lower, upper = torque_limits(motor, speed)
    return float(lower), float(upper)


# The envelope ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("motor", "speed", "expected"),
    [
        (Motor(), 10.0, (-math.inf, math.inf)),
        (Motor(maximum_speed=5.0), 10.0, (-math.inf, math.inf)),  # a limit of its own
        (Motor(rated_torque=1.0), 10.0, (-math.inf, math.inf)),  # of the mean, not of the torque
        (Motor(peak_torque=17.8), 10.0, (-17.8, 17.8)),
        (Motor(peak_torque=17.8, stall_torque=9.0), 10.0, (-17.8, 17.8)),
        (Motor(stall_torque=9.0), 10.0, (-9.0, 9.0)),
        (Motor(torque_constant=0.1, maximum_current=20.0), 10.0, (-2.0, 2.0)),
        (Motor(maximum_current=20.0), 10.0, (-math.inf, math.inf)),
        (Motor(torque_constant=0.5, maximum_voltage=48.0, resistance=2.0), 0.0, (-12.0, 12.0)),
        (Motor(torque_constant=0.5, maximum_voltage=48.0, resistance=2.0), 48.0, (-18.0, 6.0)),
        (Motor(torque_constant=0.5, maximum_voltage=48.0, resistance=2.0), -48.0, (-6.0, 18.0)),
        (Motor(0.5, 0.25, 2.0, maximum_voltage=48.0), 96.0, (-18.0, 6.0)),
        # above 96 rad/s it can only brake; above 96 + 96/6 the peak torque no longer brakes enough
        (Motor(0.5, None, 2.0, 2.0, maximum_voltage=48.0), 104.0, (-2.0, -1.0)),
        (Motor(0.5, None, 2.0, 2.0, maximum_voltage=48.0), 120.0, (-2.0, -3.0)),
        # a line from the stall torque to the no-load speed of 96 rad/s; braking as at standstill
        (Motor(back_emf=0.5, stall_torque=8.0, maximum_voltage=48.0), 48.0, (-8.0, 4.0)),
        (Motor(back_emf=0.5, peak_torque=10.0, stall_torque=8.0, maximum_voltage=48.0), 48.0, (-10.0, 4.0)),
    ],
)
def test_hand_and_pencil(motor: Motor, speed: float, expected: tuple[float, float]) -> None:
    assert limits(motor, speed) == pytest.approx(expected, rel=ROUNDING)


def test_a_batch_has_its_own_shape() -> None:
    speed = np.linspace(-400, 400, 12).reshape(3, 4)
    lower, upper = torque_limits(IRB6, speed)
    assert lower.shape == upper.shape == (3, 4)
    for index in np.ndindex(3, 4):
        assert (lower[index], upper[index]) == limits(IRB6, float(speed[index]))


@given(motor=motors, speed=st.floats(-100, 100))
def test_at_the_edge_one_limit_is_met_and_none_exceeded(motor: Motor, speed: float) -> None:
    lower, upper = limits(motor, speed)
    if lower > upper:  # so fast that no torque keeps all limits
        assert abs(speed) > no_load_speed(motor)
        return
    drive = Drive("m", "j", Coupling.of({"j": 1.0}), motor=motor)
    for torque in (lower, upper):
        current = current_of_torque(drive, torque)
        voltage = voltage_of(drive, current, speed)
        assert motor.maximum_voltage is not None
        assert motor.resistance is not None
        terms = abs(motor.resistance * current) + abs(voltage)  # what the voltage is the difference of
        used = [abs(voltage) / motor.maximum_voltage]
        if motor.maximum_current is not None:
            used.append(abs(current) / motor.maximum_current)
        if motor.peak_torque is not None:
            used.append(abs(torque) / motor.peak_torque)
        if motor.stall_torque is not None:
            used.append(abs(torque / motor.stall_torque + speed / no_load_speed(motor)))
            used += [abs(torque) / motor.stall_torque] if motor.peak_torque is None else []
        rounding = ROUNDING * (1 + terms / motor.maximum_voltage + abs(speed) / no_load_speed(motor))
        assert max(used) == pytest.approx(1.0, abs=10 * rounding)


@given(motor=motors, speed=st.floats(-100, 100))
def test_the_envelope_looks_the_same_from_both_sides(motor: Motor, speed: float) -> None:
    lower, upper = limits(motor, speed)
    assert limits(motor, -speed) == (-upper, -lower)


@given(motor=motors, speed=st.floats(-100, 100), where=st.floats(0, 1), far=st.floats(1e-6, 10))
def test_the_share_is_one_at_the_edge_and_tells_inside_from_outside(
    motor: Motor, speed: float, where: float, far: float
) -> None:
    lower, upper = limits(motor, speed)

    def share(torque: float) -> float:
        found = envelope_share(motor, speed, torque)
        assert found is not None
        return float(found)

    if lower > upper:
        assert share(0.0) > 1
        return
    size = 1 + abs(speed) / no_load_speed(motor)
    assert share(upper) == pytest.approx(1.0, abs=ROUNDING * size)
    assert share(lower) == pytest.approx(1.0, abs=ROUNDING * size)
    assert share(lower + where * (upper - lower)) <= 1 + ROUNDING * size
    width = max(abs(lower), abs(upper))
    assert share(upper + far * width) > 1
    assert share(lower - far * width) > 1


@given(motor=motors, speed=st.floats(-100, 100), torque=st.floats(-100, 100), factor=st.floats(0.1, 10))
def test_the_share_grows_with_torque_and_speed_together(
    motor: Motor, speed: float, torque: float, factor: float
) -> None:
    once, more = envelope_share(motor, speed, torque), envelope_share(motor, factor * speed, factor * torque)
    assert once is not None
    assert more is not None
    assert float(more) == pytest.approx(factor * float(once), rel=1e-9, abs=1e-9)


def test_no_limit_no_share() -> None:
    assert envelope_share(Motor(rated_torque=1.0, maximum_speed=3.0), [1.0, 2.0], [0.1, 0.2]) is None


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "motor",
    [
        Motor(peak_torque=1e-30),
        Motor(1e-30, maximum_current=1e-30),
        Motor(1e10, resistance=1.0, maximum_voltage=1e-30),
        Motor(1e308, 1e-30, 1e-30, maximum_voltage=1e308, maximum_current=1e308),
    ],
)
def test_limits_of_any_size_are_numbers(motor: Motor) -> None:
    lower, upper = torque_limits(motor, [0.0, 1.0, -1.0])
    assert not np.isnan([lower, upper]).any()
    share = envelope_share(motor, [0.0, 1.0], [0.0, 0.0])
    assert share is not None
    assert share[0] == 0


def test_motors_side_by_side_have_each_its_limits() -> None:
    motor = Motor(torque_constant=0.1, back_emf=0.1, resistance=1.0, maximum_voltage=10, peak_torque=0.5)
    both = Envelopes((motor, Motor()))
    assert both.known.tolist() == [True, False]
    assert both.steady_limits is None
    lower, upper = both.limits(np.array([[0.0, 0.0], [120.0, 1e3], [300.0, 0.0]]))
    np.testing.assert_allclose(upper[:2, 0], [0.5, -0.2])
    np.testing.assert_allclose(lower[:2, 0], [-0.5, -0.5])
    # so fast that they cross the nearest torque is given
    assert lower[2, 0] == upper[2, 0] == pytest.approx(-1.25)
    assert (upper[:, 1] == NO_LIMIT).all()
    assert (lower[:, 1] == -NO_LIMIT).all()
    speed, torque = np.array([[50.0, 1e3]]), np.array([[0.4, 1e3]])
    expected = envelope_share(motor, 50.0, 0.4)
    assert both.share(speed, torque)[0] == pytest.approx([expected, 0.0])


def test_limits_that_no_speed_changes_are_steady() -> None:
    both = Envelopes((Motor(peak_torque=2.0), Motor(torque_constant=0.5, maximum_current=6.0)))
    assert both.steady_limits is not None
    assert [limit.tolist() for limit in both.steady_limits] == [[-2.0, -3.0], [2.0, 3.0]]
    assert both.limits(np.ones((4, 2))) is both.steady_limits


def test_no_motors_have_no_limits() -> None:
    assert not Envelopes(()).known.any()
    assert Envelopes(()).limits(np.empty((3, 0)))[0].shape == (0,)


def test_motors_of_a_robot() -> None:
    arm, driven = load("ur5"), load("lola15")
    assert [motor.peak_torque for motor in joint_motors(arm)] == [150, 150, 150, 28, 28, 28]
    assert drive_motors(driven, "rest") == tuple(drive.motor for drive in driven.drives)
    with pytest.raises(MissingDataError, match=r'"ur5": no drives for 6 joints.*; describe them, or rest$'):
        drive_motors(arm, "rest")


def test_speeds() -> None:
    assert speed_limit(IRB6) == 261.8
    assert speed_limit(Motor()) == math.inf
    assert no_load_speed(IRB6) == pytest.approx(450.0, rel=ROUNDING)
    assert no_load_speed(Motor(maximum_voltage=45.0)) == math.inf
    assert limits(IRB6, no_load_speed(IRB6))[1] == pytest.approx(0.0, abs=ROUNDING * 7.5)


# Means over time ------------------------------------------------------------------------------


def test_rms_of_a_constant_a_ramp_and_a_triangle() -> None:
    assert rms([0.0, 0.3, 2.0], [-3.0, -3.0, -3.0]) == pytest.approx(3.0, rel=ROUNDING)
    assert rms([0.0, 2.0], [0.0, 6.0]) == pytest.approx(6 / math.sqrt(3), rel=ROUNDING)
    assert rms([1.0, 2.0, 4.0], [0.0, 6.0, 0.0]) == pytest.approx(6 / math.sqrt(3), rel=ROUNDING)
    assert rms([0.0, 1.0], [-1.0, 1.0]) == pytest.approx(1 / math.sqrt(3), rel=ROUNDING)  # not 1


def test_rms_of_a_sine_converges_to_its_half() -> None:
    t = np.linspace(0, 2 * math.pi, 1001)
    # a chord of a sine lies h^2/12 of its curvature inside, on average
    assert rms(t, np.sin(t)) == pytest.approx(math.sqrt(0.5), rel=1e-5)


def test_a_trapezoidal_duty_cycle() -> None:
    """Accelerate at 2 N m for 1 s, hold 0.5 for 3 s, brake at -2 for 1 s, rest 5 s: sqrt(8.75/10)."""
    e = 1e-9
    t = [0, 1, 1 + e, 4, 4 + e, 5, 5 + e, 10]
    torque = [2, 2, 0.5, 0.5, -2, -2, 0, 0]
    assert rms(t, torque) == pytest.approx(math.sqrt(0.875), rel=1e-8)


@given(
    st.lists(st.tuples(st.floats(0.01, 10), st.floats(-100, 100)), min_size=2, max_size=8),
    st.floats(0.05, 0.95),
)
def test_a_sample_more_on_a_straight_line_changes_nothing(
    rows: list[tuple[float, float]], where: float
) -> None:
    steps, values = np.array(rows).T
    t = np.cumsum(steps)
    middle = t[0] + where * (t[1] - t[0])
    more_t = np.insert(t, 1, middle)
    more = np.insert(values, 1, np.interp(middle, t, values))
    assert rms(more_t, more) == pytest.approx(rms(t, values), rel=1e-9, abs=1e-12)


def test_columns_are_taken_apart() -> None:
    t, x = [0.0, 0.5, 2.0], np.array([[1.0, 2.0], [0.0, 2.0], [-3.0, 2.0]])
    np.testing.assert_allclose(rms(t, x), [float(rms(t, x[:, 0])), 2.0], rtol=ROUNDING)


def test_the_integral_of_a_product_of_ramps() -> None:
    """Integral of t (4 - t) from 0 to 4 is 32/3, with samples anywhere."""
    t = np.array([0.0, 0.7, 1.1, 3.9, 4.0])
    assert integral_of_product(t, t, 4 - t) == pytest.approx(32 / 3, rel=ROUNDING)


@pytest.mark.parametrize(
    ("time", "sentence"),
    [
        (
            [0.0],
            r"^time has shape \(1,\); a motion has two or more samples, expected \(t,\) with t of 2 or more$",
        ),
        (3.0, r"^time has shape \(\); a motion has two or more samples"),
        ([[0.0, 1.0]], r"^time has shape \(1, 2\); a motion"),
        ([0.0, math.nan, 1.0], r"^time has nan at sample 2, expected finite instants in s$"),
        ([0.0, math.inf], r"^time has inf at sample 2, expected finite instants in s$"),
        ([0.0, 0.5, 0.5], r"^time goes from 0.5 to 0.5 s at sample 3, expected increasing instants$"),
        ([1.0, 0.5], r"^time goes from 1 to 0.5 s at sample 2, expected increasing instants$"),
        (
            [-1e308, 1.7e308],
            r"^time goes from -1e\+308 to 1\.7e\+308 s, expected a duration that is a finite",
        ),
        (["a", "b"], r"^time is not an array of numbers, expected increasing instants in s$"),
    ],
)
def test_time_that_does_not_pass(time: Any, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        check_time(time)


def test_as_many_values_as_instants() -> None:
    with pytest.raises(
        ShapeError, match=r"^values has shape \(2,\); there are 3 instants, expected \(3, \.\.\.\)$"
    ):
        rms([0.0, 1.0, 2.0], [1.0, 2.0])
