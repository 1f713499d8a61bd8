"""Each subproblem solves what was made from a known angle, and gives the nearest where nothing solves it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armdyn.motion.inverse_kinematics import subproblems as sp

ROUNDING = 1e-9
"""Angles of random points: the worst of some hundred lie near a fold, where rounding weighs as its root."""

seeds = st.integers(0, 2**32 - 1)


def drawn(seed: int, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Unit axes (count, 3), points (20, count, 3) and angles (20, count)."""
    rng = np.random.default_rng(seed)
    k = rng.normal(size=(count, 3))
    k /= np.linalg.norm(k, axis=-1, keepdims=True)
    return k, rng.normal(size=(20, count, 3)), rng.uniform(-np.pi, np.pi, (20, count))


def turned(angle: np.ndarray, other: np.ndarray) -> np.ndarray:
    """How far two angles are apart."""
    return np.abs(np.angle(np.exp(1j * (angle - other))))


@given(seeds)
def test_turning_keeps_lengths_and_adds_up(seed: int) -> None:
    (k, _), points, angles = drawn(seed, 2)
    v, (a, b) = points[:, 0], angles.T
    np.testing.assert_allclose(np.linalg.norm(sp.rotated(k, a, v), axis=-1), np.linalg.norm(v, axis=-1))
    np.testing.assert_allclose(sp.rotated(k, b, sp.rotated(k, a, v)), sp.rotated(k, a + b, v), atol=1e-14)
    np.testing.assert_allclose(sp.turned_back(k, a, sp.rotated(k, a, v)), v, atol=1e-14)


@given(seeds)
def test_circle_to_point(seed: int) -> None:
    (k,), points, angles = drawn(seed, 1)
    p, theta = points[:, 0], angles[:, 0]
    assert turned(sp.circle_to_point(k, p, sp.rotated(k, theta, p)), theta).max() < ROUNDING


@given(seeds)
def test_circle_to_a_point_off_it_comes_nearest(seed: int) -> None:
    (k,), points, _ = drawn(seed, 1)
    p, q = points[:, 0], points[::-1, 0]
    theta = sp.circle_to_point(k, p, q)
    found = np.linalg.norm(sp.rotated(k, theta, p) - q, axis=-1)
    for other in np.linspace(-np.pi, np.pi, 50):
        assert (found <= np.linalg.norm(sp.rotated(k, np.full(20, other), p) - q, axis=-1) + 1e-12).all()


def test_a_point_on_the_axis_leaves_the_angle_free() -> None:
    k = np.array([0.6, 0.0, 0.8])
    assert sp.circle_to_point(k, 3 * k, 3 * k, free=0.7) == 0.7


@given(seeds)
def test_two_circles_have_the_known_pair_among_their_two(seed: int) -> None:
    (k1, k2), points, angles = drawn(seed, 2)
    p, (a, b) = points[:, 0], angles.T
    q = sp.rotated(k1, a, sp.rotated(k2, b, p))
    apart = []
    for sign in (1.0, -1.0):
        theta1, theta2 = sp.two_circles(k1, k2, p, q, sign)
        np.testing.assert_allclose(sp.rotated(k1, theta1, sp.rotated(k2, theta2, p)), q, atol=1e-6)
        apart.append(np.maximum(turned(theta1, a), turned(theta2, b)))
    assert np.min(apart, axis=0).max() < 1e-5


def test_circles_that_do_not_meet_come_nearest_each_other_without_an_error() -> None:
    k1, k2 = np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0])
    theta1, theta2 = sp.two_circles(k1, k2, np.array([0.9, 0.1, 0.0]), np.array([0.0, 0.1, 0.9]), 1.0)
    assert np.isfinite([theta1, theta2]).all()


@pytest.mark.parametrize("along", [1.0, -1.0])
def test_two_circles_leave_the_first_angle_free_where_the_point_is_on_its_axis(along: float) -> None:
    k1, k2 = np.array([0.0, 0.0, 1.0]), np.array([0.0, 1.0, 0.0])
    theta1, theta2 = sp.two_circles(k1, k2, k1, along * k1, 1.0, free=0.4)
    assert theta1 == 0.4
    np.testing.assert_allclose(sp.rotated(k2, theta2, k1), along * k1, atol=1e-15)


@given(seeds)
def test_circle_to_plane_and_the_meaning_of_its_sign(seed: int) -> None:
    (k,), points, angles = drawn(seed, 1)
    p, h, theta = points[:, 0], points[::-1, 0], angles[:, 0]
    d = sp.dot(h, sp.rotated(k, theta, p))
    found = [sp.circle_to_plane(k, h, p, d, sign) for sign in (1.0, -1.0)]
    assert np.min([turned(f, theta) for f in found], axis=0).max() < 1e-5
    for f, sign in zip(found, (1.0, -1.0), strict=True):
        np.testing.assert_allclose(sp.dot(h, sp.rotated(k, f, p)), d, atol=1e-12)
        slope = sp.dot(h, sp.rotated(k, f, p) @ sp.cross_matrix(k).T)
        assert (sign * slope <= 1e-9).all()


def test_a_plane_that_the_circle_misses_is_approached() -> None:
    k, p = np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0])
    for d, nearest in ((2.0, 0.0), (-2.0, np.pi)):
        assert turned(sp.circle_to_plane(k, p, p, d, 1.0), np.array(nearest)) < ROUNDING


@given(seeds)
def test_circle_to_distance(seed: int) -> None:
    (k,), points, angles = drawn(seed, 1)
    p, q, theta = points[:, 0], points[::-1, 0], angles[:, 0]
    d = np.linalg.norm(sp.rotated(k, theta, p) - q, axis=-1)
    found = [sp.circle_to_distance(k, p, q, d * d, sign) for sign in (1.0, -1.0)]
    assert np.min([turned(f, theta) for f in found], axis=0).max() < 1e-5


@given(seeds)
def test_three_circles_have_the_known_angles_among_their_solutions(seed: int) -> None:
    k, points, angles = drawn(seed, 3)
    y0, z0, p = points[0]
    z = z0 + sp.rotated(k[2], angles[:, 2], p)
    q = sp.rotated(k[0], angles[:, 0], sp.rotated(k[1], angles[:, 1], z) - y0)
    found = np.stack(sp.three_circles((k[0], k[1], k[2]), (y0, z0), p, q), axis=-1)
    apart = turned(found, angles[:, None]).max(axis=-1)
    assert np.nanmin(apart, axis=-1).max() < 1e-5
    left = sp.rotated(k[1], found[..., 1], z0 + sp.rotated(k[2], found[..., 2], p))
    right = y0 + sp.turned_back(k[0], found[..., 0], q[:, None])
    assert np.nanmax(np.abs(left - right)) < 1e-6
    ordered = np.diff(found[..., 2], axis=-1)
    assert (ordered[~np.isnan(ordered)] >= 0).all()
