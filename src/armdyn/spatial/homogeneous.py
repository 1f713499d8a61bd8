"""4x4 matrices of generic scalars: homogeneous placements, their derivatives, pseudo-inertias."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from armdyn.spatial.moments import Moments
from armdyn.spatial.vector import Mat3, Vec3, vector

Row4 = tuple[Any, Any, Any, Any]
Mat4 = tuple[Row4, Row4, Row4, Row4]

NOTHING: Mat4 = ((0, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0))
UNIT: Mat4 = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))


def homogeneous(block: Mat3, column: Vec3, corner: int) -> Mat4:
    """[[block, column], [0, corner]]: a placement with corner 1, a derivative of one with corner 0."""
    x, y, z = ((*row, e) for row, e in zip(block, column, strict=True))
    return (x, y, z, (0, 0, 0, corner))


def pseudo_inertia(body: Moments) -> Mat4:
    """J = integral r r^T dm = [[S, h], [h^T, m]]  [Szkodny1995] (5)."""
    x, y, z = ((*row, e) for row, e in zip(body.second, body.first, strict=True))
    return (x, y, z, (*body.first, body.mass))


def multiplied(a: Mat4, b: Mat4) -> Mat4:
    """a b."""
    columns = transposed(b)
    return _matrix(
        (row[0] * c[0] + row[1] * c[1] + row[2] * c[2] + row[3] * c[3] for c in columns) for row in a
    )


def transposed(a: Mat4) -> Mat4:
    """a^T."""
    return _matrix(zip(*a, strict=True))


def trace(a: Mat4, b: Mat4) -> Any:
    """Trace(a b^T), the sum of products element by element."""
    total: Any = 0
    for row, other in zip(a, b, strict=True):
        for x, y in zip(row, other, strict=True):
            total = total + x * y
    return total


def scaled(s: Any, a: Mat4) -> Mat4:
    """s a."""
    return _matrix((s * x for x in row) for row in a)


def summed(a: Mat4, b: Mat4) -> Mat4:
    """a + b."""
    return _matrix((x + y for x, y in zip(row, other, strict=True)) for row, other in zip(a, b, strict=True))


def _matrix(rows: Iterable[Iterable[Any]]) -> Mat4:
    x, y, z, w = (tuple(row) for row in rows)
    return (x, y, z, w)


def block(m: Mat4) -> Mat3:
    """The rotation of a placement, or its derivative."""
    return (m[0][:3], m[1][:3], m[2][:3])


def column(m: Mat4) -> Vec3:
    """The translation of a placement, or its derivative."""
    return vector(row[3] for row in m[:3])
