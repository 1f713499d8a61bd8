"""References: postures, sampled motions, plans and functions as motions over time."""

import math
from itertools import pairwise

import numpy as np
import pytest

import armdyn as ad
from armdyn.errors import InputError, ShapeError
from armdyn.formats.motions import Motion
from armdyn.motion.planned import Plan
from armdyn.motion.sampled import plan_of_motion
from armdyn.scalars import Array
from armdyn.simulation.control import references
from armdyn.simulation.control.references import Reference

SMOOTH = 1e-9
"""What two neighbouring pieces may differ by: roundings of positions over the square of a step of 0.1 s."""
ROUNDED = 1e-12


def swing(t: Array) -> tuple[Array, Array, Array]:
    """A motion of two joints, a polynomial of degree five and a slow one; both end at rest at 1 s."""
    s, one = t, np.ones_like(t)
    q = np.stack([10 * s**3 - 15 * s**4 + 6 * s**5, 0.3 * (s - 1) ** 2], axis=-1)
    qd = np.stack([30 * s**2 - 60 * s**3 + 30 * s**4, 0.6 * (s - 1)], axis=-1)
    qdd = np.stack([60 * s - 180 * s**2 + 120 * s**3, 0.6 * one], axis=-1)
    return q, qd, qdd


def motion_until(end: float, samples: int = 11, start: float = 0.0) -> Motion:
    time = np.linspace(0, end, samples)
    return Motion(time + start, *swing(time), columns={})


def plan_of(q: Array, cycle: float = 0.01) -> Plan:
    time = np.linspace(0, cycle * (len(q) - 1), len(q))
    zeros = np.zeros_like(q)
    return plan_of_motion(ad.load("planar2"), Motion(time, q, zeros, zeros, {}), cycle)


def check_agreement(reference: Reference, until: float) -> None:
    """`between` and `at` tell the same, and what is within a piece meets at the breaks."""
    edges = np.unique(np.concatenate([[-0.5], reference.breaks, [until]]))
    for start, end in pairwise(edges):
        inside, times = reference.between(start, end), np.linspace(start, end, 6)[:-1]
        for t, *rows in zip(times, *reference.at(times), strict=True):
            for one, many in zip(inside(float(t)), rows, strict=True):
                np.testing.assert_allclose(one, many, atol=SMOOTH)


def test_fixed_posture_stays_for_ever() -> None:
    reference = references.fixed([0.1, -2.0, 3.0])
    assert (reference.n, reference.end, len(reference.breaks)) == (3, math.inf, 0)
    q, qd, qdd = reference.between(5, 1e9)(1e8)
    assert (q == [0.1, -2.0, 3.0]).all()
    assert not qd.any()
    assert not qdd.any()


def test_motion_of_low_degree_is_reproduced() -> None:
    reference = references.of_motion(motion_until(1.0))
    times = np.linspace(0, 0.999, 137)
    for found, wanted in zip(reference.at(times), swing(times), strict=True):
        np.testing.assert_allclose(found, wanted, atol=SMOOTH)
    check_agreement(reference, 2.0)


def test_motion_is_continuous_with_two_derivatives() -> None:
    rng = np.random.default_rng(3)
    time = np.cumsum(rng.uniform(0.05, 0.3, 9))
    samples = [rng.normal(size=(9, 2)) for _ in range(3)]
    reference = references.of_motion(Motion(time, *samples, columns={}))
    np.testing.assert_array_equal(reference.breaks, time)
    for k in range(1, 8):
        before = reference.between(time[k - 1], time[k])(time[k])
        after = reference.between(time[k], time[k + 1])(time[k])
        for left, right, sample in zip(before, after, samples, strict=True):
            np.testing.assert_allclose(left, right, atol=SMOOTH)
            np.testing.assert_allclose(right, sample[k], atol=SMOOTH)


def test_motion_that_ends_at_rest_is_held() -> None:
    reference = references.of_motion(motion_until(1.0, start=3.0))
    assert reference.end == math.inf
    q, qd, qdd = reference.at(np.array([0.0, 2.999, 4.0, 50.0]))
    np.testing.assert_array_equal(q, [[0, 0.3], [0, 0.3], [1, 0], [1, 0]])
    assert not qd.any()
    assert not qdd.any()


def test_motion_that_ends_in_motion_ends_there() -> None:
    reference = references.of_motion(motion_until(0.7))
    assert reference.end == 0.7
    assert reference.breaks[-1] == 0.7
    np.testing.assert_allclose(reference.between(0.65, 0.7)(0.7)[1], swing(np.array(0.7))[1], atol=SMOOTH)


def test_plan_starts_and_ends_at_rest_without_a_jump() -> None:
    time = np.linspace(0, 1, 101)
    q = swing(time)[0]
    q[:, 1] = 0.3  # never moves
    reference = references.of_plan(plan_of(q))
    assert reference.end == math.inf
    dense = np.linspace(0, 1.5, 3001)
    found, speed, acceleration = reference.at(dense)
    assert (found[:, 1] == 0.3).all()
    assert not speed[:, 1].any()
    assert not acceleration[:, 1].any()
    assert np.abs(speed[[0, 2000, -1]]).max() < ROUNDED
    np.testing.assert_allclose(reference.at(time)[0], q, atol=ROUNDED)
    # a spline through samples 10 ms apart: h^4, h^3, h^2 of the motion's derivatives
    exact = swing(dense[:2000])
    np.testing.assert_allclose(found[:2000, 0], exact[0][:, 0], atol=1e-7)
    np.testing.assert_allclose(speed[:2000, 0], exact[1][:, 0], atol=5e-5)
    np.testing.assert_allclose(acceleration[50:1950, 0], exact[2][50:1950, 0], atol=2e-2)
    for k in (0.25, 0.5, 0.75):
        before, after = reference.between(k - 0.01, k)(k), reference.between(k, k + 0.01)(k)
        for left, right in zip(before, after, strict=True):
            np.testing.assert_allclose(left, right, atol=1e-8)
    check_agreement(reference, 1.5)


def test_joint_that_waits_rests_exactly_and_is_no_break() -> None:
    move = swing(np.linspace(0, 1, 51))[0][:, :1]
    q = np.concatenate([move, np.ones((40, 1)), 1 - move])
    reference = references.of_plan(plan_of(np.hstack([q, q])))
    waiting = 0.01 * np.array([51.0, 60.3, 75.5, 89.0])
    found, speed, acceleration = reference.at(waiting)
    assert (found == 1).all()
    assert not speed.any()
    assert not acceleration.any()
    assert not ((reference.breaks > 0.52) & (reference.breaks < 0.89)).any()


def test_samples_that_are_equal_by_symmetry_do_not_stop_the_joint() -> None:
    t = np.linspace(0, 0.99, 100) - 0.005
    q = -((t - 0.49) ** 2)
    q[50] = q[49]  # the top of a parabola, between two samples
    assert (
        abs(references.of_plan(plan_of(np.stack([q, q], axis=-1))).at(np.array([0.495]))[2][0, 0] + 2) < 0.1
    )


def test_plan_that_never_moves_is_a_posture() -> None:
    plan = plan_of(np.array([[0.1, 0.2], [0.1, 0.2]]))
    assert len(references.of_plan(plan).breaks) == 0


def test_function_with_and_without_derivatives() -> None:
    full = references.of_function(lambda t: swing(np.array(t)), 2)
    q, qd, qdd = full.at(np.array([0.25, 0.5]))
    for found, wanted in zip((q, qd, qdd), swing(np.array([0.25, 0.5])), strict=True):
        np.testing.assert_array_equal(found, wanted)
    assert full.derivatives
    alone = references.of_function(lambda t: [t, 2 * t, 3 * t], 3, breaks=[1.0], end=4.0)
    position, speed, acceleration = alone.between(0, 1)(0.5)
    assert not alone.derivatives
    assert (position == [0.5, 1, 1.5]).all()
    assert np.isnan(speed).all()
    assert np.isnan(acceleration).all()


def test_wrong_references_are_refused() -> None:
    good = motion_until(1.0)
    qd = good.qd.copy()
    qd[2, 1] = np.nan
    with pytest.raises(InputError, match="qd has nan at sample 3, joint 2"):
        references.of_motion(Motion(good.time, good.q, qd, good.qdd, {}))
    with pytest.raises(InputError, match="instants do not increase"):
        references.of_motion(Motion(good.time[::-1], good.q, good.qd, good.qdd, {}))
    with pytest.raises(ShapeError, match="qdd"):
        references.of_motion(Motion(good.time, good.q, good.qd, good.qdd[:4], {}))
    with pytest.raises(InputError, match="inf at joint 2"):
        references.fixed([0, math.inf])
    with pytest.raises(ShapeError, match="one posture"):
        references.fixed([[0.0]])


def test_wrong_functions_are_refused() -> None:
    with pytest.raises(ShapeError, match=r"\(3, 2\): q, qd, qdd, or \(2,\)"):
        references.of_function(lambda t: ([t, t], [1, 1]), 2)
    with pytest.raises(InputError, match="does not give numbers at 0 s"):
        references.of_function(lambda t: ([t, t], None, None), 2)  # pyright: ignore[reportArgumentType]
    changing = references.of_function(lambda t: [t, t] if t < 1 else [t], 2)
    with pytest.raises(ShapeError, match="at 2 s"):
        changing.between(1, 3)(2.0)
    with pytest.raises(InputError, match="breaks"):
        references.of_function(lambda t: [t], 1, breaks=[2.0, 1.0])
