"""Point to point: closed-form durations, joints together on a straight line, limits kept, jerk bounded."""

import math

import numpy as np
import pytest

from armdyn.motion.jerk_limited import JerkLimited
from armdyn.motion.point_to_point import STILL, JointMotion, point_to_point, ramp

ROUNDING = 1e-12
"""Relative: a handful of operations."""
DIFFERENCES = 1e-5
"""Relative: second differences of 20 001 samples, rounding included."""

ZERO = np.zeros(3)
WAY = np.array([1.0, -0.5, 2.0])
SPEEDS = np.array([1.0, 2.0, 1.0])
ACCELERATIONS = np.array([4.0, 1.0, 2.0])


def fine(motion: JointMotion, count: int = 20_001) -> tuple[np.ndarray, np.ndarray]:
    time = np.linspace(0.0, motion.duration, count)
    return time, motion.at(time)


def derivative(q: np.ndarray, time: np.ndarray, order: int) -> np.ndarray:
    return np.diff(q, order, axis=0) / (time[1] - time[0]) ** order


# Trapezoids -----------------------------------------------------------------------------------


def test_the_duration_of_a_trapezoid_is_its_closed_form() -> None:
    # joint 3 is the slowest: speed 1/2 and acceleration 1 of its way; L/v + v/a
    motion = point_to_point(ZERO, WAY, SPEEDS, ACCELERATIONS)
    assert motion.duration == pytest.approx(2.0 + 0.5, rel=ROUNDING)
    assert motion.accelerating == motion.decelerating == pytest.approx(0.5, rel=ROUNDING)


def test_a_short_move_is_a_triangle() -> None:
    motion = point_to_point(ZERO, 0.01 * WAY, SPEEDS, ACCELERATIONS)
    assert motion.duration == pytest.approx(2 * math.sqrt(0.02 / 2.0), rel=ROUNDING)
    assert motion.accelerating + motion.decelerating == pytest.approx(motion.duration, rel=ROUNDING)


def test_a_longer_ramp_down_costs_half_of_what_it_is_longer() -> None:
    motion = point_to_point(ZERO, WAY, SPEEDS, ACCELERATIONS, ACCELERATIONS / 2)
    assert motion.decelerating == pytest.approx(1.0, rel=ROUNDING)
    assert motion.duration == pytest.approx(2.75, rel=ROUNDING)


def test_joints_start_and_end_together_on_a_straight_line() -> None:
    motion = point_to_point(ZERO, WAY, SPEEDS, ACCELERATIONS)
    _, q = fine(motion, 101)
    np.testing.assert_allclose(q / WAY, np.repeat(q[:, :1] / WAY[0], 3, axis=1), atol=ROUNDING)
    np.testing.assert_array_equal(q[0], ZERO)
    np.testing.assert_array_equal(q[-1], WAY)


def test_outside_of_its_time_the_arm_rests() -> None:
    motion = point_to_point(WAY, ZERO, SPEEDS, ACCELERATIONS)
    np.testing.assert_array_equal(motion.at(np.array([-1.0, 99.0])), [WAY, ZERO])
    np.testing.assert_array_equal(motion.velocities(np.array([0.0, 99.0])), [ZERO, ZERO])


def test_velocities_are_the_slopes_of_positions() -> None:
    for jerk in (None, 20 * ACCELERATIONS):
        motion = point_to_point(ZERO, WAY, SPEEDS, ACCELERATIONS, jerk=jerk)
        time, q = fine(motion)
        middle = (time[1:] + time[:-1]) / 2
        np.testing.assert_allclose(derivative(q, time, 1), motion.velocities(middle), atol=DIFFERENCES)


@pytest.mark.parametrize("seed", range(20))
def test_no_joint_exceeds_its_limits_and_one_reaches_them(seed: int) -> None:
    rng = np.random.default_rng(seed)
    start, end = rng.uniform(-3, 3, (2, 6))
    v, a = rng.uniform(0.5, 4, 6), rng.uniform(0.5, 8, 6)
    motion = point_to_point(start, end, v, a, a / 3)
    time, q = fine(motion)
    share_of_speed = np.abs(derivative(q, time, 1)) / v
    bend = derivative(q, time, 2) * np.sign(end - start)
    assert share_of_speed.max() <= 1 + DIFFERENCES
    assert (bend / a).max() == pytest.approx(1.0, rel=DIFFERENCES)
    assert (bend / a).min() == pytest.approx(-1 / 3, rel=DIFFERENCES)


@pytest.mark.parametrize("jerk", [None, ACCELERATIONS])
def test_nothing_to_do_takes_no_time(jerk: np.ndarray | None) -> None:
    motion = point_to_point(WAY, WAY + STILL / 2, SPEEDS, ACCELERATIONS, jerk=jerk)
    assert (motion.duration, motion.accelerating, motion.decelerating) == (0.0, 0.0, 0.0)
    np.testing.assert_array_equal(motion.at(np.array([0.0, 1.0])), [WAY + STILL / 2] * 2)


def test_a_ramp_has_the_proportions_of_the_way() -> None:
    np.testing.assert_allclose(ramp(WAY, ACCELERATIONS), [1.0, -0.5, 2.0], rtol=ROUNDING)
    np.testing.assert_array_equal(ramp(ZERO, ACCELERATIONS), ZERO)


# Limited jerk ---------------------------------------------------------------------------------


def test_a_jerk_limited_duration_is_its_closed_form() -> None:
    # with room for all seven pieces: L/v + v/a + a/j
    motion = point_to_point(ZERO, WAY, SPEEDS, ACCELERATIONS, jerk=ACCELERATIONS / 0.1)
    assert motion.duration == pytest.approx(2.0 + 0.5 + 0.1, rel=ROUNDING)
    assert (motion.accelerating, motion.decelerating) == pytest.approx((0.6, 0.6), rel=1e-9)


def test_a_short_jerk_limited_move_has_four_pieces() -> None:
    way = JerkLimited.of(1e3, 1e3, 1e3, 1.0)
    assert way.duration == pytest.approx(32 ** (1 / 3), rel=ROUNDING)  # L = j (T/4)^3 2
    assert (way.accelerating, way.decelerating) == pytest.approx((way.duration / 2,) * 2, rel=1e-9)


@pytest.mark.parametrize("seed", range(20))
def test_jerk_is_bounded_and_the_line_straight(seed: int) -> None:
    rng = np.random.default_rng(seed)
    start, end = rng.uniform(-3, 3, (2, 6)) * 10 ** rng.uniform(-4, 0)
    v, a = rng.uniform(0.5, 4, 6), rng.uniform(0.5, 8, 6)
    j = a / 10 ** rng.uniform(-1.5, 0.5)
    motion = point_to_point(start, end, v, a, a / 2, j)
    time, q = fine(motion, 2001)
    assert (np.abs(derivative(q, time, 1)) / v).max() <= 1 + DIFFERENCES
    assert (np.abs(derivative(q, time, 2)) / a).max() <= 1 + DIFFERENCES
    assert (np.abs(derivative(q, time, 3)) / j).max() <= 1.01  # third differences lose six digits
    way = (q - start) / (end - start)
    np.testing.assert_allclose(way, np.repeat(way[:, :1], 6, axis=1), atol=1e-10)
    np.testing.assert_array_equal(q[[0, -1]], [start, end])


@pytest.mark.parametrize("seed", range(20))
def test_between_its_ramps_a_jerk_limited_motion_has_its_largest_speed(seed: int) -> None:
    rng = np.random.default_rng(seed)
    way = JerkLimited.of(*10 ** rng.uniform(-3, 3, 4))
    fastest = way.at(np.linspace(0, way.duration, 1001))[1].max()
    bounds = np.array([way.accelerating, way.duration - way.decelerating])
    assert bounds[0] <= bounds[1] * (1 + 1e-9)
    np.testing.assert_allclose(way.at(bounds)[1], np.maximum(fastest, way.at(bounds)[1].max()), rtol=1e-6)


def test_an_infinite_jerk_is_the_trapezoid() -> None:
    sharp = point_to_point(ZERO, WAY, SPEEDS, ACCELERATIONS, ACCELERATIONS / 2, 1e9 * ACCELERATIONS)
    plain = point_to_point(ZERO, WAY, SPEEDS, ACCELERATIONS, ACCELERATIONS / 2)
    time = np.linspace(0.0, plain.duration, 101)
    np.testing.assert_allclose(sharp.at(time), plain.at(time), atol=1e-8)
