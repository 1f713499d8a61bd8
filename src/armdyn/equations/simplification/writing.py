"""Short ways to write a polynomial with numbers as coefficients, and a function exactly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from armdyn.equations.expression import (
    Angle,
    Expression,
    Number,
    Polynomial,
    operations,
    product,
    walk,
)
from armdyn.equations.factoring import factored
from armdyn.equations.simplification.spelling import Form, Groups, spelled
from armdyn.equations.simplification.waves import Waves

MOST_REPEATED = 4
"""Coefficients tried in front of the whole."""
WIDE = 100
"""Monomials above which only one way to write is tried."""
MANY_WAVES = 500
"""Waves above which forms are not compared."""


def shortest(polynomial: Polynomial) -> Expression:
    """The shortest form found: as it is, or with a coefficient that repeats taken out of the whole."""
    best = factored(polynomial)
    if len(polynomial) > WIDE:
        return best
    numbers = Counter(abs(part.value) for part in walk(best) if isinstance(part, Number))
    for c in [c for c, n in numbers.most_common(MOST_REPEATED) if n > 1 and c != 1]:
        inner = factored({monomial: value / c for monomial, value in polynomial.items()})
        other = product((Number(c), inner))
        if operations(other).total < operations(best).total:
            best = other
    return best


def exact_forms(cases: Sequence[Waves], groups: Groups, choice: Sequence[Form]) -> dict[Angle, Form]:
    """For each angle the form that writes all cases shortest, chosen one angle after the other."""
    keys = {key for case in cases for key in case}
    turns = [(angle, g) for _, frequencies in keys for angle, g in groups.angles(frequencies)]
    angles = sorted({angle for angle, g in turns if abs(g) > 1})
    forms: dict[Angle, Form] = dict.fromkeys(angles, choice[0])
    if len(keys) > MANY_WAVES:
        return forms
    length = _length(cases, groups, forms)
    for _ in range(2):
        before = length
        for angle in angles:
            for form in choice:
                trial: dict[Angle, Form] = {**forms, angle: form}
                if form != forms[angle] and (other := _length(cases, groups, trial)) < length:
                    forms, length = trial, other
        if length == before:
            break
    return forms


def _length(cases: Sequence[Waves], groups: Groups, forms: Mapping[Angle, Form]) -> tuple[int, int]:
    """How long the longest case is: operations, or monomials alone where there are many."""
    polynomials = [spelled(case, groups, forms) for case in cases]
    most = max(map(len, polynomials), default=0)
    if most > WIDE:
        return most, 0
    return max((operations(shortest(p)).total for p in polynomials), default=0), most
