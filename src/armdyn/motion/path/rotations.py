"""Rotation vectors, along the axis and as long as the angle, and the rotations they stand for, in batches."""

from __future__ import annotations

import math

import numpy as np

from armdyn.motion.vectors import cross
from armdyn.scalars import Array

HALF_TURN = 1e-6
"""So near to half a turn [rad] both directions are as short."""
SMALL = 1e-3
"""Below this angle [rad] (1 - sin(x)/x)/x^2 is better taken from its series."""


def exponential(vectors: Array) -> Array:
    """vectors: (..., 3) to rotations (..., 3, 3), [Rodrigues] I + sin(x)/x K + (1 - cos(x))/x^2 K^2."""
    x, y, z = np.moveaxis(vectors, -1, 0)
    angle = np.sqrt(x * x + y * y + z * z)
    a = np.sinc(angle / math.pi)
    b = np.sinc(angle / math.tau) ** 2 / 2
    out = np.empty((*vectors.shape[:-1], 3, 3))
    bx, by, bz = b * x, b * y, b * z
    out[..., 0, 0] = 1 - by * y - bz * z
    out[..., 1, 1] = 1 - bx * x - bz * z
    out[..., 2, 2] = 1 - bx * x - by * y
    for i, j, mixed, single in ((1, 0, bx * y, a * z), (0, 2, bx * z, a * y), (2, 1, by * z, a * x)):
        out[..., i, j] = mixed + single
        out[..., j, i] = mixed - single
    return out


def logarithm(rotation: Array) -> Array:
    """The shortest rotation vector (3) of a rotation (3, 3).

    Of the two of half a turn it is the one whose first component other than zero is positive.
    """
    w, v = _quaternion(rotation)
    size = float(np.linalg.norm(v))
    if size == 0:
        return np.zeros(3)
    if w < HALF_TURN / 2:  # cos(angle / 2)
        first = v[np.argmax(np.abs(v) > HALF_TURN)]
        sign = math.copysign(1.0, float(first))
        v, w = sign * v, sign * w
    return (2 * math.atan2(size, w) / size) * v


def is_half_turn(vector: Array) -> bool:
    """Whether the other way round would be as short."""
    return abs(float(np.linalg.norm(vector)) - math.pi) <= HALF_TURN


def rate(vector: Array, change: Array) -> Array:
    """The angular velocity (3) of exponential(vector) in fixed axes while the vector (3) changes."""
    # [Left Jacobian] w = x' + (1 - cos)/x^2 x cross x' + (1 - sin(x)/x)/x^2 x cross (x cross x')
    angle = float(np.linalg.norm(vector))
    b = float(np.sinc(angle / math.tau)) ** 2 / 2
    c = 1 / 6 - angle**2 / 120 if angle < SMALL else (1 - math.sin(angle) / angle) / angle**2
    across: Array = cross(vector, change)
    return change + b * across + c * cross(vector, across)


def _quaternion(R: Array) -> tuple[float, Array]:
    """w >= 0 and (x, y, z) of a rotation, from the largest of the four (Shepperd)."""
    trace = float(np.trace(R))
    diagonal = [float(R[k, k]) for k in range(3)]
    odd = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    if trace >= max(diagonal):
        w = math.sqrt(max(1 + trace, 0.0)) / 2
        return w, odd / (4 * w)
    k = diagonal.index(max(diagonal))
    column: Array = (R[:, k] + R[k, :]).astype(np.float64)
    column[k] = 1 + 2 * diagonal[k] - trace
    v: Array = column / (2 * math.sqrt(float(column[k])))
    w = float(odd[k]) / (4 * float(v[k]))
    return (w, v) if w >= 0 else (-w, -v)
