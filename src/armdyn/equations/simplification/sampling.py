"""Postures spread over a box, and what the cases are there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from armdyn.equations.expression import Expression, Monomial, evaluate
from armdyn.equations.simplification.waves import Joints
from armdyn.extremes.terms import Terms
from armdyn.scalars import Array

MOST_AT_ONCE = 4_000_000
"""Waves times postures evaluated in one go."""


@dataclass(frozen=True)
class Sample:
    """Postures with the values of every case."""

    q: Array
    """(t, n)"""
    coordinates: dict[str, Array]
    """The joints and the angles that are multiples of them, each (t)."""
    values: Array
    """(t, cases)"""

    @property
    def mean_values(self) -> Array:
        """(cases) mean |value|; 1 where there is nothing."""
        means = np.abs(self.values).mean(axis=0)
        return np.where(means > 0, means, 1.0)

    @property
    def ranges(self) -> Array:
        """(cases) largest minus smallest value; |value| where all are the same."""
        width = np.ptp(self.values, axis=0)
        return np.where(width > 1e-12 * self.mean_values, width, self.mean_values)

    def columns(self, monomials: Sequence[Monomial]) -> Array:
        """(t, m) the values of monomials."""
        result: Array = np.empty((len(self.q), len(monomials)))
        known: dict[Expression, Array] = {}
        for column, powers in enumerate(monomials):
            result[:, column] = 1.0
            for atom, n in powers:
                if atom not in known:
                    known[atom] = evaluate(atom, self.coordinates)
                result[:, column] *= known[atom] ** n
        return result

    def of(self, expression: Expression) -> Array:
        """(t) the values of an expression."""
        return np.broadcast_to(evaluate(expression, self.coordinates), len(self.q))


def sample(cases: Sequence[Terms], joints: Joints, count: int, seed: int) -> Sample:
    """Postures spread evenly (scrambled Sobol points), the same for the same seed."""
    n = len(joints.names)
    exponent = max(1, (count - 1).bit_length())
    qmc: Any = import_module("scipy.stats.qmc")  # slow to import: only where it is needed
    unit: Array = qmc.Sobol(max(n, 1), rng=np.random.default_rng(seed)).random_base2(exponent)[:count, :n]
    q: Array = joints.box[:, 0] + unit * (joints.box[:, 1] - joints.box[:, 0])
    coordinates = {name: q[:, j] for j, name in enumerate(joints.names)}
    for name, parts in joints.scaled.items():
        coordinates[name] = sum((factor * coordinates[joint] for joint, factor in parts), np.zeros(count))
    return Sample(q, coordinates, np.stack([_values(case, q) for case in cases], axis=1))


def _values(case: Terms, q: Array) -> Array:
    rows = max(1, MOST_AT_ONCE // max(1, len(case.cosine)))
    return np.concatenate([case(q[start : start + rows]) for start in range(0, len(q), rows)])
