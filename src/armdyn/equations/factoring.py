"""Short nested forms of sums of monomials: common factors are taken out until none are left.

A coefficient is a factor like any other, so that 2 a + 2 b becomes 2 (a + b), and so is a sum that was
formed on the way, so that a (c + d) + b (c + d) becomes (a + b) (c + d). Of all factors, the one goes out
first that saves most multiplications (multivariate Horner).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from armdyn.equations.expression import (
    ZERO,
    Atom,
    Expression,
    Monomial,
    Number,
    Polynomial,
    Sum,
    is_negative,
    order,
    power,
    product,
    total,
)

WIDE = 150
"""Terms above which factors are chosen by how often they appear, without a look at what goes with them."""
DIGITS = 13
"""Significant digits by which two coefficients are the same."""

Powers = dict[int, int]
"""Literal -> exponent"""


class _Term(NamedTuple):
    """A sign and powers of literals."""

    sign: int
    powers: Powers


def factored(polynomial: Polynomial, first: Sequence[Atom] = ()) -> Expression:
    """A short nested form of a sum of monomials.

    Atoms in `first`, such as masses, are collected outermost in that order, after what all have in common.
    """
    literals = _Literals(polynomial, first)
    terms = literals.terms(polynomial)
    return literals.written(literals.nested(terms)) if terms else ZERO


class _Literals:
    """What is a factor: atoms, their reciprocals, coefficients and sums, numbered in order of writing."""

    def __init__(self, polynomial: Polynomial, first: Sequence[Atom]) -> None:
        atoms = {atom if n > 0 else power(atom, -1) for powers in polynomial for atom, n in powers}
        chosen = [atom for atom in first if atom in atoms]
        self._ahead = range(len(chosen))
        self._expressions: list[Expression] = []
        self._places: dict[Expression | str, int] = {}
        self._collected: set[int] = set()
        """Sums over the atoms in `first`, which keep their order."""
        for atom in dict.fromkeys((*chosen, *sorted(atoms, key=order))):
            self._place(atom, atom)
        sizes = sorted({abs(c) for c in polynomial.values()})
        self._numbers = {self._place(_text(size), Number(size)) for size in sizes if _text(size) != "1"}

    def _place(self, key: Expression | str, expression: Expression) -> int:
        place = self._places.get(key)
        if place is None:
            place = self._places[key] = len(self._expressions)
            self._expressions.append(expression)
        return place

    def terms(self, polynomial: Polynomial) -> list[_Term]:
        """The monomials, in order."""
        terms = [self._term(powers, c) for powers, c in polynomial.items() if c]
        return sorted(terms, key=self._rank)

    def _term(self, powers: Monomial, coefficient: float) -> _Term:
        mine = {self._places[atom if n > 0 else power(atom, -1)]: abs(n) for atom, n in powers}
        if (text := _text(abs(coefficient))) != "1":
            mine[self._places[text]] = 1
        return _Term(1 if coefficient > 0 else -1, mine)

    def _rank(self, term: _Term) -> list[tuple[int, int]]:
        """The order of terms; their coefficients have no say."""
        return sorted(power for power in term.powers.items() if power[0] not in self._numbers)

    def nested(self, terms: list[_Term]) -> _Term:
        """What all terms have in common, times the sum of the rest in groups."""
        if len(terms) == 1:
            return terms[0]
        if common := _common(terms):
            rest = self.nested([_Term(term.sign, _divided(term.powers, common)) for term in terms])
            return _Term(rest.sign, _multiplied(rest.powers, common))
        groups = self._in_groups(terms)
        while 1 < len(groups) < len(terms):  # sums that were formed can be common factors in turn
            if _common(groups):
                return self.nested(groups)
            terms, groups = groups, self._in_groups(groups)
        return groups[0] if len(groups) == 1 else self._sum(groups)

    def _in_groups(self, terms: list[_Term]) -> list[_Term]:
        """The same sum in fewer terms."""
        return sorted(map(self.nested, self._grouped(terms)), key=self._rank)

    def _sum(self, terms: list[_Term]) -> _Term:
        """A sum as a literal, most of its terms with a plus."""
        balance = sum(term.sign for term in terms)
        sign = (balance > 0) - (balance < 0) or terms[0].sign
        inner = total(self.written(_Term(sign * term.sign, term.powers)) for term in terms)
        place = self._place(inner, inner)
        if any(literal in self._ahead for literal in terms[0].powers):
            self._collected.add(place)
        return _Term(sign, {place: 1})

    def _grouped(self, terms: list[_Term]) -> list[list[_Term]]:
        """Terms that share the literal that saves most, then of the rest; what shares none, each alone."""
        groups: list[list[_Term]] = []
        for literal in self._ahead:
            if taken := [term for term in terms if literal in term.powers]:
                groups.append(taken)
                terms = [term for term in terms if literal not in term.powers]
        while len(terms) > 1 and (literal := _best(terms)) is not None:
            groups.append([term for term in terms if literal in term.powers])
            terms = [term for term in terms if literal not in term.powers]
        groups.extend([term] for term in terms)
        return groups

    def written(self, term: _Term) -> Expression:
        """As an expression: the number, the atoms in order, then the sums."""
        factors = [power(self._shown(literal), n) for literal, n in sorted(term.powers.items())]
        if term.sign < 0 and len(factors) == 1 and isinstance(inner := factors[0], Sum):
            negative = total(-part for part in inner.terms)  # no sign stands before a sum alone
            return negative if self._collected & term.powers.keys() else _led(negative)
        return product((Number(float(term.sign)), *factors))

    def _shown(self, literal: int) -> Expression:
        return self._expressions[literal] if literal in self._collected else _led(self._expressions[literal])


def _text(size: float) -> str:
    """The same for coefficients that are the same but for rounding."""
    return f"{size:.{DIGITS}g}"


def _led(expression: Expression) -> Expression:
    """A sum with a term ahead that has a plus, if there is one."""
    if not isinstance(expression, Sum) or not is_negative(expression.terms[0]):
        return expression
    terms = expression.terms
    ahead = next((i for i, term in enumerate(terms) if not is_negative(term)), 0)
    return Sum((terms[ahead], *terms[:ahead], *terms[ahead + 1 :]))


def _best(terms: list[_Term]) -> int | None:
    """The literal that saves most multiplications when it goes out with all that goes with it."""
    counts = Counter(literal for term in terms for literal in term.powers)
    shared = [literal for literal, n in counts.items() if n > 1]
    if not shared:
        return None
    if len(terms) > WIDE:
        return max(shared, key=lambda literal: (counts[literal], -literal))

    def saved(literal: int) -> tuple[int, int, int]:
        common = _common([term for term in terms if literal in term.powers])
        return (counts[literal] - 1) * sum(common.values()), counts[literal], -literal

    return max(shared, key=saved)


def _common(terms: Sequence[_Term]) -> Powers:
    """The largest powers that all terms have."""
    common = terms[0].powers
    for _, powers in terms[1:]:
        if not common:
            break
        common = {literal: min(n, powers[literal]) for literal, n in common.items() if literal in powers}
    return common


def _divided(powers: Powers, divisor: Powers) -> Powers:
    return {k: n - divisor.get(k, 0) for k, n in powers.items() if n != divisor.get(k, 0)}


def _multiplied(powers: Powers, other: Powers) -> Powers:
    result = dict(powers)
    for literal, n in other.items():
        result[literal] = result.get(literal, 0) + n
    return result
