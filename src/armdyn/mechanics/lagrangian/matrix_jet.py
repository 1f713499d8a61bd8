"""Homogeneous matrices as functions of q, with their first and second derivatives.

A jet holds a 4x4 matrix T and dT/dq_j, d2T/dq_j dq_k, as many as there are: a derivative that
is missing is zero by structure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any

from armdyn.spatial.homogeneous import (
    NOTHING,
    UNIT,
    Mat4,
    block,
    column,
    homogeneous,
    multiplied,
    scaled,
    summed,
)
from armdyn.spatial.vector import negate, times, transpose


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
    R = transpose(block(T.value))
    back = homogeneous(R, negate(times(R, column(T.value))), 1)
    first = {j: scaled(-1, _between(back, m)) for j, m in T.first.items()}
    second = {jk: scaled(-1, _between(back, m)) for jk, m in T.second.items()}
    for j, k in combinations_with_replacement(sorted(T.first), 2):
        one, other = (multiplied(multiplied(T.first[a], back), T.first[b]) for a, b in ((j, k), (k, j)))
        _add(second, (j, k), _between(back, summed(one, other)))
    return Jet(back, first, second)


def _between(back: Mat4, m: Mat4) -> Mat4:
    return multiplied(multiplied(back, m), back)
