"""Homogeneous matrices as functions of q, with their first and second derivatives.

A jet holds a 4x4 matrix T and dT/dq_j, d2T/dq_j dq_k, as many as there are: a derivative that
is missing is zero by structure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any

from armdyn.spatial import Moments
from armdyn.spatial.vector import Mat3, Vec3, negate, times, transpose, vector

Row4 = tuple[Any, Any, Any, Any]
Mat4 = tuple[Row4, Row4, Row4, Row4]

NOTHING: Mat4 = ((0, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0))
UNIT: Mat4 = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))


# Matrices -------------------------------------------------------------------------------------


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
    columns = turned(b)
    return _matrix(
        (row[0] * c[0] + row[1] * c[1] + row[2] * c[2] + row[3] * c[3] for c in columns) for row in a
    )


def turned(a: Mat4) -> Mat4:
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


# Jets -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Jet:
    """A matrix at q and its derivatives; `second` has each pair once, j <= k."""

    value: Mat4
    first: Mapping[int, Mat4]
    second: Mapping[tuple[int, int], Mat4]

    def d(self, j: int) -> Mat4:
        """dT/dq_j."""
        return self.first.get(j, NOTHING)

    def dd(self, j: int, k: int) -> Mat4:
        """d2T/dq_j dq_k."""
        return self.second.get((min(j, k), max(j, k)), NOTHING)

    def rate(self, qd: Sequence[Any]) -> Mat4:
        """dT/dt = sum_j dT/dq_j qd_j  [Szkodny1995] (3)."""
        total = NOTHING
        for j, m in self.first.items():
            total = summed(total, scaled(qd[j], m))
        return total

    def map(self, change: Callable[[Mat4], Mat4]) -> Jet:
        """The same linear change of the matrix and of all its derivatives."""
        return Jet(
            change(self.value),
            {j: change(m) for j, m in self.first.items()},
            {jk: change(m) for jk, m in self.second.items()},
        )

    def __matmul__(self, other: Jet) -> Jet:
        """The product, by the product rule."""
        a, b = self, other
        first: dict[int, Mat4] = {}
        second: dict[tuple[int, int], Mat4] = {}
        for j, m in a.first.items():
            _add(first, j, multiplied(m, b.value))
            for k, n in b.first.items():
                both = multiplied(m, n)
                _add(second, (min(j, k), max(j, k)), both if j != k else scaled(2, both))
        for k, n in b.first.items():
            _add(first, k, multiplied(a.value, n))
        for jk, m in a.second.items():
            _add(second, jk, multiplied(m, b.value))
        for jk, n in b.second.items():
            _add(second, jk, multiplied(a.value, n))
        return Jet(multiplied(a.value, b.value), first, second)


CONSTANT = Jet(UNIT, {}, {})
"""The base on itself."""


def _add(terms: dict[Any, Mat4], key: Any, m: Mat4) -> None:
    terms[key] = summed(terms[key], m) if key in terms else m


def inverse(T: Jet) -> Jet:
    """T^-1 of a placement.

    d(T^-1) = -T^-1 dT T^-1,  d2(T^-1) = T^-1 (dT_j T^-1 dT_k + dT_k T^-1 dT_j - d2T) T^-1
    """
    R = transpose(_block(T.value))
    back = homogeneous(R, negate(times(R, _column(T.value))), 1)
    first = {j: scaled(-1, _between(back, m)) for j, m in T.first.items()}
    second = {jk: scaled(-1, _between(back, m)) for jk, m in T.second.items()}
    for j, k in combinations_with_replacement(sorted(T.first), 2):
        one, other = (multiplied(multiplied(T.first[a], back), T.first[b]) for a, b in ((j, k), (k, j)))
        _add(second, (j, k), _between(back, summed(one, other)))
    return Jet(back, first, second)


def _between(back: Mat4, m: Mat4) -> Mat4:
    return multiplied(multiplied(back, m), back)


def _block(m: Mat4) -> Mat3:
    return (m[0][:3], m[1][:3], m[2][:3])


def _column(m: Mat4) -> Vec3:
    return vector(row[3] for row in m[:3])
