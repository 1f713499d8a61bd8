"""Wrenches, twists and accelerations at a point, against what point masses do."""

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from armdyn.spatial import Acceleration, Twist, Wrench
from armdyn.spatial.rotation import from_axis_angle, from_rpy
from armdyn.spatial.vector import times, vector

ROUNDING = 1e-13
"""A few products of numbers up to 10, each off by 1e-16 of its size."""

STEP = 1e-4
"""[s] Central differences of smooth motion are off by some STEP^2."""
DIFFERENCES = 1e-6
"""[m/s, m/s2] That truncation, and rounding divided by STEP^2."""

seeds = st.integers(0, 2**32 - 1)
vectors = st.tuples(*[st.floats(-2, 2)] * 3)
rotations = st.builds(from_rpy, *[st.floats(-4, 4)] * 3)


def pair(x: Wrench | Twist | Acceleration) -> np.ndarray:
    """Both parts, one after the other."""
    return np.array([e for part in vars(x).values() for e in part], float)


@given(seed=seeds, point=vectors)
def test_a_wrench_about_a_point_sums_the_moments_of_its_forces(seed: int, point: Any) -> None:
    rng = np.random.default_rng(seed)
    places, forces = rng.uniform(-1, 1, (2, 4, 3))
    here = Wrench(vector(forces.sum(0).tolist()), vector(np.cross(places, forces).sum(0).tolist()))
    there = [*forces.sum(0), *np.cross(places - np.array(point), forces).sum(0)]
    assert np.abs(pair(here.about(point)) - there).max() <= ROUNDING


def test_a_force_seen_from_beside_turns_the_right_way() -> None:
    up = Wrench((0.0, 0.0, 1.0))
    assert up.about((-2.0, 0.0, 0.0)).moment == (0.0, -2.0, 0.0)  # it pulls the arm that reaches along x up


@given(force=vectors, moment=vectors, there=vectors)
def test_going_there_and_back_restores_a_wrench(force: Any, moment: Any, there: Any) -> None:
    w = Wrench(force, moment)
    back = vector(-np.array(there))
    assert np.abs(pair(w.about(there).about(back)) - pair(w)).max() <= ROUNDING


@given(a=st.builds(Wrench, vectors, vectors), b=st.builds(Wrench, vectors, vectors))
def test_loads_at_one_point_add(a: Wrench, b: Wrench) -> None:
    assert np.array_equal(pair(a + b), pair(a) + pair(b))


@given(
    w=st.builds(Wrench, vectors, vectors),
    v=st.builds(Twist, vectors, vectors),
    point=vectors,
    rotation=rotations,
)
def test_power_does_not_depend_on_point_or_axes(w: Wrench, v: Twist, point: Any, rotation) -> None:
    power = pair(w) @ pair(v)
    assert abs(pair(w.about(point)) @ pair(v.at(point)) - power) <= 100 * ROUNDING
    assert abs(pair(w.seen_from(rotation)) @ pair(v.seen_from(rotation)) - power) <= 100 * ROUNDING


@given(v=st.builds(Twist, vectors, vectors), point=vectors)
def test_a_twist_at_a_point_is_how_that_point_moves(v: Twist, point: Any) -> None:
    def place(t: float) -> np.ndarray:
        """Where the point is at time t, the body turning about a fixed axis through its moving origin."""
        angle = t * float(np.linalg.norm(np.array(v.angular, float)))
        turned = times(from_axis_angle(v.angular, angle), point) if angle else point
        return t * np.array(v.linear, float) + np.array(turned, float)

    moved = (place(STEP) - place(-STEP)) / (2 * STEP)
    assert np.abs(np.array(v.at(point).linear, float) - moved).max() <= DIFFERENCES
    assert v.at(point).angular == v.angular


@given(point=vectors, linear=vectors, rate=st.floats(-2, 2), gain=st.floats(-2, 2))
def test_an_acceleration_at_a_point_is_how_that_point_speeds_up(
    point: Any, linear: Any, rate: float, gain: float
) -> None:
    axis = np.array([2.0, -1.0, 2.0]) / 3.0

    def place(t: float) -> np.ndarray:
        """The body turns by rate t + gain t^2/2 about a fixed axis, its origin falls from rest."""
        R = from_axis_angle(vector(axis.tolist()), rate * t + gain * t * t / 2)
        return np.array(times(R, point), float) + np.array(linear) * t * t / 2

    bend = (place(STEP) - 2 * place(0.0) + place(-STEP)) / STEP**2
    body = Acceleration(linear, vector((gain * axis).tolist()))
    there = body.at(point, vector((rate * axis).tolist()))
    assert np.abs(np.array(there.linear, float) - bend).max() <= DIFFERENCES
    assert there.angular == body.angular


def test_a_spinning_point_is_pulled_towards_the_axis() -> None:
    spinning = Acceleration().at((0.5, 0.0, 0.7), (0.0, 0.0, 3.0))
    assert spinning.linear == (-4.5, 0.0, 0.0)  # -omega^2 r


@given(rotation=rotations, a=st.builds(Acceleration, vectors, vectors), point=vectors, omega=vectors)
def test_axes_may_be_changed_before_or_after_the_point(
    rotation, a: Acceleration, point: Any, omega: Any
) -> None:
    before = a.seen_from(rotation).at(times(rotation, point), times(rotation, omega))
    after = a.at(point, omega).seen_from(rotation)
    assert np.abs(pair(before) - pair(after)).max() <= 10 * ROUNDING
