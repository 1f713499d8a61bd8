"""Approximations on the way to results: polynomials for every case, written shortly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from armdyn.equations.expression import (
    Expression,
    Monomial,
    Number,
    Operations,
    monomial,
    operations,
    product,
    total,
)
from armdyn.equations.simplification.fitting import EQUAL, Fit
from armdyn.equations.simplification.results import Parameter
from armdyn.equations.simplification.writing import shortest
from armdyn.scalars import Array


@dataclass(frozen=True)
class Candidate:
    """One structure with its coefficients in every case."""

    polynomials: tuple[dict[Monomial, float], ...]
    expressions: tuple[Expression, ...]
    parameters: tuple[Parameter, ...]
    exact: bool = False
    """Whether it is the cases rewritten, nothing left out."""

    @property
    def operations(self) -> Operations:
        """Of the longest case."""
        return max((operations(e) for e in self.expressions), key=lambda count: (count.total, count))


def fitted(found: Fit, coefficients: Array) -> Candidate:
    """A fit, with coefficients of its own or refined ones."""
    polynomials = tuple(found.polynomial(column) for column in coefficients.T)
    factors = [
        total(product((Number(factor), monomial(found.dictionary.monomials[i]))) for i, factor in group)
        for group in found.structure
    ]
    rows = coefficients.tolist()
    return _candidate(polynomials, factors, rows)


def exactly(polynomials: Sequence[dict[Monomial, float]]) -> Candidate:
    """The cases as they are."""
    found = list(dict.fromkeys(m for p in polynomials for m in p))
    rows = [[p.get(m, 0.0) for p in polynomials] for m in found]
    return replace(_candidate(tuple(polynomials), [monomial(m) for m in found], rows), exact=True)


def _candidate(
    polynomials: tuple[dict[Monomial, float], ...], factors: list[Expression], rows: list[list[float]]
) -> Candidate:
    parameters = tuple(
        Parameter(factor, tuple(row), changes=max(row) - min(row) > EQUAL * max(map(abs, row)))
        for factor, row in zip(factors, rows, strict=True)
    )
    return Candidate(polynomials, tuple(shortest(p) for p in polynomials), parameters)
