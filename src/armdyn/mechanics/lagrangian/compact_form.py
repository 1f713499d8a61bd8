"""The state equations of a robot as vectors and matrices, as [Bejczy1974] writes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from armdyn.mechanics.lagrangian.coefficients import Coefficients
from armdyn.mechanics.linear_system import dot


@dataclass(frozen=True)
class CompactForm:
    """The state equations of [Bejczy1974] (18)-(26) as vectors and matrices.

    The report's D_ijk of (12)-(17) and (22), j != k, belong to a pair that appears once and are twice the
    traces of (1): with those, every element of D_i,V is twice the symmetric coefficient, on the diagonal
    and beside it.
    """

    d_G: list[Any]  # noqa: N815  as the report writes it
    """(18)"""
    D_A: list[list[Any]]
    """(19)"""
    D_V: list[list[list[Any]]]
    """D_i,V of every joint i  (22)"""

    @classmethod
    def of(cls, D: Coefficients) -> CompactForm:
        """From D_i, D_ij and D_ijk."""
        return cls(D.gravity, D.inertia, [[[2 * c for c in row] for row in matrix] for matrix in D.velocity])

    def d_V(self, qd: Sequence[Any]) -> list[Any]:
        """(23), (24): 1/2 qd^T D_i,V qd."""
        return [0.5 * dot(qd, [dot(row, qd) for row in matrix]) for matrix in self.D_V]

    def d_TF(self, qd: Sequence[Any], qdd: Sequence[Any]) -> list[Any]:
        """(26): D_A qdd + d_V + d_G."""
        return [
            dot(row, qdd) + velocity + weight
            for row, velocity, weight in zip(self.D_A, self.d_V(qd), self.d_G, strict=True)
        ]
