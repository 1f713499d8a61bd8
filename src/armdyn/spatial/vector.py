"""Vectors and 3x3 matrices of generic scalars, as plain tuples."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from armdyn.scalars import Scalar

Vec3 = tuple[Scalar, Scalar, Scalar]
Mat3 = tuple[Vec3, Vec3, Vec3]

ZERO: Vec3 = (0, 0, 0)
"""The zero vector. Whole numbers are structure: they cost nothing in any kind of scalar."""


def vector(values: Iterable[Any]) -> Vec3:
    """Three values as a vector."""
    x, y, z = values
    return (x, y, z)


def matrix(rows: Iterable[Iterable[Any]]) -> Mat3:
    """Three rows as a matrix."""
    x, y, z = rows
    return (vector(x), vector(y), vector(z))


def add(a: Vec3, b: Vec3) -> Vec3:
    """a + b."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def subtract(a: Vec3, b: Vec3) -> Vec3:
    """a - b."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def negate(a: Vec3) -> Vec3:
    """-a."""
    return (-a[0], -a[1], -a[2])


def scale(s: Any, a: Vec3) -> Vec3:
    """s a."""
    return (s * a[0], s * a[1], s * a[2])


def dot(a: Vec3, b: Vec3) -> Any:
    """a . b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Vec3, b: Vec3) -> Vec3:
    """a x b."""
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )


def transpose(m: Mat3) -> Mat3:
    """The transposed matrix."""
    return matrix(zip(*m, strict=True))


def times(m: Mat3, v: Vec3) -> Vec3:
    """m v."""
    return (dot(m[0], v), dot(m[1], v), dot(m[2], v))


def product(a: Mat3, b: Mat3) -> Mat3:
    """a b."""
    columns = transpose(b)
    return matrix([dot(row, column) for column in columns] for row in a)


def add_matrices(a: Mat3, b: Mat3) -> Mat3:
    """a + b."""
    return (add(a[0], b[0]), add(a[1], b[1]), add(a[2], b[2]))


def scale_matrix(s: Any, m: Mat3) -> Mat3:
    """s m."""
    return (scale(s, m[0]), scale(s, m[1]), scale(s, m[2]))


def outer(a: Vec3, b: Vec3) -> Mat3:
    """a b^T."""
    return (scale(a[0], b), scale(a[1], b), scale(a[2], b))


def trace(m: Mat3) -> Any:
    """The sum of the diagonal."""
    return m[0][0] + m[1][1] + m[2][2]


def diagonal(x: Any, y: Any, z: Any) -> Mat3:
    """A diagonal matrix."""
    return ((x, 0, 0), (0, y, 0), (0, 0, z))
