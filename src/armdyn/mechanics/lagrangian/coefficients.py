"""Dynamic coefficients: F_i = sum_j D_ij qdd_j + sum_jk D_ijk qd_j qd_k + D_i  [Szkodny1995] (7)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from armdyn.mechanics.lagrangian.matrix_jet import Jet
from armdyn.spatial import Vec3
from armdyn.spatial.homogeneous import Mat4, multiplied, trace
from armdyn.spatial.vector import dot, vector


@dataclass(frozen=True)
class Coefficients:
    """D_i, D_ij and D_ijk of n coordinates; D_ijk is symmetric in j and k (Christoffel), not doubled."""

    gravity: list[Any]
    inertia: list[list[Any]]
    velocity: list[list[list[Any]]]

    @classmethod
    def of(
        cls,
        n: int,
        gravity: Callable[[int], Any],
        inertia: Callable[[int, int], Any],
        velocity: Callable[[int, int, int], Any],
    ) -> Coefficients:
        """From functions of the indices; `velocity` may be any D_ijk, its symmetric part is kept."""
        all_n = range(n)

        def symmetric(i: int, j: int, k: int) -> Any:
            return velocity(i, j, k) if j == k else 0.5 * (velocity(i, j, k) + velocity(i, k, j))

        return cls(
            [gravity(i) for i in all_n],
            _mirrored(n, inertia),
            [_mirrored(n, lambda j, k, i=i: symmetric(i, j, k)) for i in all_n],
        )

    def __add__(self, other: Coefficients) -> Coefficients:
        """Those of two bodies together."""
        n = len(self.gravity)
        return Coefficients(
            [a + b for a, b in zip(self.gravity, other.gravity, strict=True)],
            _sum(self.inertia, other.inertia),
            [_sum(self.velocity[i], other.velocity[i]) for i in range(n)],
        )

    def forces(self, qd: Sequence[Any], qdd: Sequence[Any]) -> list[Any]:
        """F of a motion  [Szkodny1995] (7)."""
        result: list[Any] = []
        for D_i, D_ij, D_ijk in zip(self.gravity, self.inertia, self.velocity, strict=True):
            total = D_i
            for j, row in enumerate(D_ijk):
                total = total + D_ij[j] * qdd[j]
                for k, D in enumerate(row):
                    total = total + D * (qd[j] * qd[k])
            result.append(total)
        return result


def no_coefficients(n: int) -> Coefficients:
    """Those of nothing."""
    return Coefficients([0] * n, [[0] * n for _ in range(n)], [[[0] * n for _ in range(n)] for _ in range(n)])


def body_coefficients(n: int, T: Jet, J: Mat4, gravity: Vec3) -> Coefficients:
    """The share of one body that stands at T in the base and has the pseudo-inertia J.

    D_ij  = Trace(dT/dq_i J dT^T/dq_j)
    D_ijk = Trace(d2T/dq_j dq_k J dT^T/dq_i)
    D_i   = -m g^T dT/dq_i r
    """
    weighted = {i: multiplied(m, J) for i, m in T.first.items()}

    def D_i(i: int) -> Any:
        return weight(weighted[i], gravity) if i in weighted else 0

    def D_ij(i: int, j: int) -> Any:
        return trace(weighted[i], T.first[j]) if i in weighted and j in weighted else 0

    def D_ijk(i: int, j: int, k: int) -> Any:
        pair = (min(j, k), max(j, k))
        return trace(T.second[pair], weighted[i]) if i in weighted and pair in T.second else 0

    return Coefficients(
        [D_i(i) for i in range(n)],
        _mirrored(n, D_ij),
        [_mirrored(n, lambda j, k, i=i: D_ijk(i, j, k)) for i in range(n)],
    )


def weight(weighted: Mat4, gravity: Vec3) -> Any:
    """-g^T U m r, where U J has m U r as its last column."""
    return -dot(gravity, vector(row[3] for row in weighted[:3]))


def _mirrored(n: int, element: Callable[[int, int], Any]) -> list[list[Any]]:
    """A symmetric matrix, the lower triangle asked for."""
    M: list[list[Any]] = [[0] * n for _ in range(n)]
    for j in range(n):
        for k in range(j + 1):
            M[j][k] = M[k][j] = element(j, k)
    return M


def _sum(a: Sequence[Sequence[Any]], b: Sequence[Sequence[Any]]) -> list[list[Any]]:
    return [[x + y for x, y in zip(row, other, strict=True)] for row, other in zip(a, b, strict=True)]
