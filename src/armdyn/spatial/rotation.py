"""Rotations as 3x3 matrices: the columns are the turned axes."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from armdyn.errors import InputError
from armdyn.scalars import exact_cos_sin
from armdyn.spatial.vector import Mat3, Vec3, cross, diagonal, dot, matrix, product, scale, subtract, vector

IDENTITY: Mat3 = diagonal(1, 1, 1)
_UNIT_TOLERANCE = 4 * math.ulp(1.0)  # what normalising once leaves


def about_x(c: Any, s: Any) -> Mat3:
    """The turn about x whose cosine and sine are given."""
    return ((1, 0, 0), (0, c, -s), (0, s, c))


def about_y(c: Any, s: Any) -> Mat3:
    """The turn about y whose cosine and sine are given."""
    return ((c, 0, s), (0, 1, 0), (-s, 0, c))


def about_z(c: Any, s: Any) -> Mat3:
    """The turn about z whose cosine and sine are given."""
    return ((c, -s, 0), (s, c, 0), (0, 0, 1))


def from_rpy(roll: float, pitch: float, yaw: float) -> Mat3:
    """Rz(yaw) Ry(pitch) Rx(roll), URDF's roll, pitch, yaw [rad]; exact at right angles."""
    turned = product(about_y(*exact_cos_sin(pitch)), about_x(*exact_cos_sin(roll)))
    return product(about_z(*exact_cos_sin(yaw)), turned)


def from_axis_angle(axis: Vec3, angle: float) -> Mat3:
    """The turn about an axis (of any length) by an angle [rad]; exact at right angles."""
    a = along_z(axis)
    turned = product(a, about_z(*exact_cos_sin(angle)))
    return product(turned, matrix(zip(*a, strict=True)))


def unit(v: Vec3) -> Vec3:
    """The vector v at length one; a coordinate axis stays exact."""
    x = vector(_floats(v))
    length = math.sqrt(dot(x, x))
    if not 0 < length < math.inf:
        raise InputError(f"axis {x} has no direction, expected a finite vector other than zero")
    return x if abs(length - 1.0) <= _UNIT_TOLERANCE else scale(1.0 / length, x)


def along_z(axis: Vec3) -> Mat3:
    """A rotation whose z axis is `axis`; a signed permutation for a coordinate axis."""
    z = unit(axis)
    if z == (0, 0, 1):
        return IDENTITY
    sizes = [abs(e) for e in _floats(z)]
    weakest = sizes.index(min(sizes))
    helper = vector(1.0 if k == weakest else 0.0 for k in range(3))
    x = unit(subtract(helper, scale(dot(helper, z), z)))
    return snap(matrix(zip(x, cross(z, x), z, strict=True)), 0.0)  # exact ones and zeros are structure


def snap(m: Mat3, tolerance: float = 1e-9) -> Mat3:
    """Make entries within the tolerance of 0 or +-1 exact: files print pi/2 as 1.57079632679.

    An entry becomes +-1 only where its row and column are otherwise zero: the cosine of a small angle
    is that near to 1 while its sine is not that near to 0, and is no right angle.
    """
    written = [_floats(row) for row in m]
    near = [[round(x) if abs(x - round(x)) <= tolerance else x for x in row] for row in written]

    def exact(i: int, j: int) -> float:
        others = [near[i][k] for k in range(3) if k != j] + [near[k][j] for k in range(3) if k != i]
        return near[i][j] if near[i][j] == 0 or not any(others) else written[i][j]

    return matrix([exact(i, j) for j in range(3)] for i in range(3))


def check_rotation(m: Mat3, subject: str, tolerance: float = 1e-6) -> Mat3:
    """Return m if it is a proper rotation, raise otherwise."""
    products = [abs(dot(m[i], m[j]) - (1 if i == j else 0)) for i in range(3) for j in range(3)]
    if not all(x <= tolerance for x in products) or dot(m[0], cross(m[1], m[2])) < 0:
        raise InputError(f"{subject}: not a rotation, expected orthonormal rows and determinant +1")
    return m


def _floats(values: Iterable[Any]) -> list[float]:
    return [float(x) for x in values]
