"""Angles that bring points to circles, planes and spheres: the subproblems of Paden and Kahan.

Closed-form inverse kinematics is a chain of these (Elias and Wen's "IK-Geo"). R(k, theta) turns about the
unit vector k (3). Points are (..., 3), angles (...); leading axes broadcast, and `sign` (+1 or -1) chooses
one of two solutions. Where there is no solution the result is the one of least squares: whoever asks must
check. Where every angle is a solution it is `free`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from armdyn.scalars import Array

NOTHING = 1e-11
"""Lengths below this, beside lengths of about one, point nowhere."""


def cross_matrix(k: Array) -> Array:
    """K with K v = k x v."""
    x, y, z = k.tolist()
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def rotated(k: Array, theta: Array | float, v: Array) -> Array:
    """R(k, theta) v = k k.v + cos(theta) (v - k k.v) + sin(theta) k x v."""
    along = v @ np.outer(k, k)
    turned = v @ cross_matrix(k).T
    turned = turned * np.sin(theta)[..., None]
    turned += (v - along) * np.cos(theta)[..., None]
    turned += along
    return turned


def turned_back(k: Array, theta: Array | float, v: Array) -> Array:
    """R(k, theta)^T v."""
    return rotated(-k, theta, v)


def dot(a: Array, b: Array) -> Any:
    """a . b."""
    return np.einsum("...i,...i->...", a, b)


def across(k: Array, v: Array) -> Array:
    """The part of v at right angles to k."""
    return v - v @ np.outer(k, k)


def wave(k: Array, h: Array, p: Array) -> tuple[Array, Array, Array]:
    """A, B, C of h . R(k, theta) p = A cos(theta) + B sin(theta) + C."""
    A = dot(across(k, p), h)
    return A, dot(p @ cross_matrix(k).T, h), dot(p, h) - A


def circle_to_point(k: Array, p: Array, q: Array, free: Any = 0.0) -> Array:
    """Subproblem 1: theta with R(k, theta) p = q; at least the nearest, min |R p - q|.

    tan(theta) = k.(p' x q') / p'.q', of the parts across k; any angle will do where p or q lies on the axis.
    """
    p_across, q_across = across(k, p), across(k, q)
    sine, cosine = dot(p_across @ cross_matrix(k).T, q_across), dot(p_across, q_across)
    nowhere = sine * sine + cosine * cosine < (NOTHING * NOTHING * dot(q, q)) ** 2
    return _decided(nowhere, free, np.arctan2(sine, cosine))


def two_circles(k1: Array, k2: Array, p: Array, q: Array, sign: Any, free: Any = 0.0) -> tuple[Array, Array]:
    """Subproblem 2: theta1, theta2 with R(k1, theta1) R(k2, theta2) p = q.

    v = R(k2, theta2) p lies on both circles: k2.v = k2.p and k1.v = k1.q. With rho = |q - k1 k1.q|, the
    distance of v from the axis k1, and x = (k2.p - (k1.k2)(k1.q)) / |k1 x k2|, its part along k2,
    v = k1 k1.q + x e1 + y e2,  y = sign sqrt(rho^2 - x^2): zero where the circles do not meet.
    theta1 is free where rho is zero: then both axes turn v about k1.
    """
    c = float(k1 @ k2)
    e2 = cross_matrix(k1) @ k2
    s = float(np.linalg.norm(e2))
    e2, e1 = e2 / s, (k2 - c * k1) / s
    high, rho = q @ k1, np.linalg.norm(across(k1, q), axis=-1)
    x = ((p @ k2) - c * high) / s
    y = sign * np.sqrt(np.maximum((rho - x) * (rho + x), 0.0))
    v = high[..., None] * k1 + x[..., None] * e1 + y[..., None] * e2
    size = np.sqrt(dot(q, q))
    theta1 = _decided(rho <= NOTHING * size, free, circle_to_point(k1, v, q, free))
    return theta1, circle_to_point(k2, p, v)


def circle_to_plane(k: Array, h: Array, p: Array, d: Array | float, sign: Any, free: Any = 0.0) -> Array:
    """Subproblem 4: theta with h . R(k, theta) p = d.

    A cos(theta) + B sin(theta) = D gives theta = atan2(B, A) + sign atan2(sqrt(A^2 + B^2 - D^2), D): with
    sign +1 the side grows smaller as theta grows. The extreme angle where the circle misses the plane.
    """
    A, B, C = wave(k, h, p)
    return _level(A, B, d - C, sign, free, dot(h, h) * dot(p, p))


def circle_to_distance(k: Array, p: Array, q: Array, d2: Array, sign: Any, free: Any = 0.0) -> Array:
    """Subproblem 3: theta with |R(k, theta) p - q|^2 = d2, that is q . R p = (p.p + q.q - d2) / 2."""
    return circle_to_plane(k, q, p, (dot(p, p) + dot(q, q) - d2) / 2, sign, free)


def _level(A: Array, B: Array, D: Array, sign: Any, free: Any, size2: Array) -> Array:
    top2 = A * A + B * B
    theta = np.arctan2(B, A) + sign * np.arctan2(np.sqrt(np.maximum(top2 - D * D, 0.0)), D)
    return _decided(top2 <= NOTHING**2 * size2, free, theta)


def _decided(nowhere: NDArray[np.bool_], free: Array | float, theta: Array) -> Array:
    """The angle, or the free one where nothing gives it."""
    return np.where(nowhere, free, theta)


def three_circles(
    k: tuple[Array, Array, Array], offsets: tuple[Array, Array], p: Array, q: Array
) -> tuple[Array, Array, Array]:
    """Subproblem 5: theta1, theta2, theta3 with R(k2, theta2) z(theta3) = y(theta1), (..., 4) solutions.

    y = offsets[0] + R(k1, theta1)^T q and z = offsets[1] + R(k3, theta3) p must be equally long and equally
    high along k2. Both conditions are linear in (cos theta1, sin theta1) = x1 and in x3:
    M x1 = N x3 + d, so that |M^-1 (N x3 + d)| = 1: a quartic in exp(i theta3). NaN where it has
    fewer real roots; they are in the order of theta3. Axes 1 and 2 must not lie in one plane.
    """
    y0, z0 = offsets
    turn = [wave(-k[0], h, q) for h in (2 * y0, k[1])]
    lift = [wave(k[2], h, p) for h in (2 * z0, k[1])]
    constant = [z0 @ z0 + p @ p - y0 @ y0 - dot(q, q), k[1] @ (z0 - y0)]
    d = np.stack([constant[i] + lift[i][2] - turn[i][2] for i in (0, 1)], axis=-1)
    M = np.stack([np.stack(turn[i][:2], axis=-1) for i in (0, 1)], axis=-2)
    N = np.array([lift[i][:2] for i in (0, 1)])
    inverse = _inverse2(M)
    E, f = inverse @ N, dot(inverse, d[..., None, :])
    theta3 = _unit_roots(E, f)
    x3 = np.stack([np.cos(theta3), np.sin(theta3)], axis=-1)
    x1 = dot(E[..., None, :, :], x3[..., None, :]) + f[..., None, :]
    theta1 = np.arctan2(x1[..., 1], x1[..., 0])
    y = y0 + rotated(-k[0], theta1, q[..., None, :])
    z = z0 + rotated(k[2], theta3, p)
    return theta1, circle_to_point(k[1], z, y), theta3


def _inverse2(M: Array) -> Array:
    """Of 2x2 matrices; NaN where there is none."""
    a, b, c, d = M[..., 0, 0], M[..., 0, 1], M[..., 1, 0], M[..., 1, 1]
    det = a * d - b * c
    adjugate = np.stack([np.stack([d, -b], axis=-1), np.stack([-c, a], axis=-1)], axis=-2)
    return adjugate / np.where(det == 0, np.nan, det)[..., None, None]


NEAR_CIRCLE = 1e-4
"""How far rounding may take a double root off the unit circle: about its fourth root."""
POLISH = 3


def _unit_roots(E: Array, f: Array) -> Array:
    """The angles theta (..., 4) with |E x + f| = 1, x = (cos theta, sin theta), ascending, NaN last.

    With z = exp(i theta): a z^4 + b z^3 + c z^2 + conj(b) z + conj(a) = 0; roots on the unit circle count.
    """
    Q, g, h = np.swapaxes(E, -1, -2) @ E, dot(np.swapaxes(E, -1, -2), f[..., None, :]), dot(f, f) - 1
    a = (Q[..., 0, 0] - Q[..., 1, 1]) / 4 - 0.5j * Q[..., 0, 1]
    b = g[..., 0] - 1j * g[..., 1]
    c = (Q[..., 0, 0] + Q[..., 1, 1]) / 2 + h
    size = np.abs(a) + np.abs(b) + np.abs(c)
    usable = np.isfinite(size)
    a = np.where(np.abs(a) > 1e-14 * size, a, 1e-14 * size)
    companion = np.zeros((*a.shape, 4, 4), complex)
    companion[..., [1, 2, 3], [0, 1, 2]] = 1
    tail = np.stack([np.conj(a), np.conj(b), c, b], axis=-1)
    companion[..., 3] = -tail / np.where(usable, a, 1.0)[..., None]
    companion[~usable] = 0.0
    z: Any = np.linalg.eigvals(companion)
    theta = _settled(np.angle(z), E, f)
    return np.sort(np.where(np.abs(np.abs(z) - 1) < NEAR_CIRCLE, theta, np.nan), axis=-1)


def _settled(theta: Array, E: Array, f: Array) -> Array:
    """Newton steps on |E x + f|^2 - 1, none where its slope is zero."""
    for _ in range(POLISH):
        x = np.stack([np.cos(theta), np.sin(theta)], axis=-1)
        r = dot(E[..., None, :, :], x[..., None, :]) + f[..., None, :]
        slope = 2 * dot(r, dot(E[..., None, :, :], (x[..., ::-1] * [-1, 1])[..., None, :]))
        step = (dot(r, r) - 1) / np.where(slope == 0, np.inf, slope)
        theta = theta - np.where(np.abs(step) < NEAR_CIRCLE, step, 0.0)
    return np.remainder(theta + np.pi, 2 * np.pi) - np.pi
