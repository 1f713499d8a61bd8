"""Ways to write one coefficient: in sines and cosines, as a square, as a product of hints."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from armdyn.equations.expression import (
    Cosine,
    Expression,
    Monomial,
    Number,
    Operations,
    Polynomial,
    Power,
    Product,
    Sine,
    Sum,
    monomial,
    operations,
    order,
    total,
    walk,
)
from armdyn.equations.factoring import factored
from armdyn.equations.readable.products import Found, Products
from armdyn.equations.readable.shortest import Known, rounded, several
from armdyn.equations.readable.squares import square_root
from armdyn.equations.readable.views import views
from armdyn.equations.readable.waves import Waves

Way = dict[Monomial, float]

MANY = 4
"""Polynomials looked at in every view of the angles."""
KEPT = 6
"""Ways kept for each coefficient."""
LONG = 60
"""Waves above which a coefficient is not taken for a constant less a square."""
FEW = 3
"""Different coefficients, but for signs, that a constant less a square has at most: 1, 2, .."""
SHORT = 3
"""Operations up to which nothing shorter is looked for."""


@dataclass
class Coefficients:
    """Finds ways to write coefficients, and remembers them."""

    angles: Sequence[str]
    parallel: Sequence[Sequence[str]]
    products: Products
    _known: Known = field(default_factory=dict[Any, Way], repr=False)
    _ways: dict[Any, list[Way]] = field(default_factory=dict[Any, list[Way]], repr=False)

    def ways(self, waves: Waves) -> list[Way]:
        """Ways to write waves, the shortest first."""
        scale = max(waves.values(), key=abs)
        size = abs(scale.real) if abs(scale.real) > abs(scale.imag) else abs(scale.imag)
        unit = {key: c / size for key, c in waves.items()}
        seen = frozenset((key, *rounded(c)) for key, c in unit.items())
        if seen not in self._ways:
            self._ways[seen] = self._found(unit, 1 / size)
        return [_sized(way, size) for way in self._ways[seen]]

    def _found(self, waves: Waves, unit: float) -> list[Way]:
        plain = self._polynomials(waves)
        best = min(cost(factored(way)) for way in plain)
        if best <= SHORT:
            return plain
        more = [*plain, *_squares(plain), *map(self._product, self.products.matching(waves, unit))]
        if len(waves) <= LONG:
            more += self._beside_constants(waves, plain)
        return _shortest(more + [_whole(way) for way in _shortest(more)[:2]])

    def _polynomials(self, waves: Waves) -> list[Way]:
        found = [
            tidied(way)
            for written, variables in views(waves, self.angles, self.parallel)
            for way in several(written, variables, self._known, MANY)
        ]
        return _shortest(found)

    def _beside_constants(self, waves: Waves, plain: Sequence[Way]) -> Iterator[Way]:
        """a - b u^2, where it is such a sum: 1 - u^2 for what a unit vector has across u."""
        zero = next(tuple((0,) * len(k) for k in key) for key in waves)
        sizes = {abs(c) for c in plain[0].values()}
        for a in sorted({sign * size for size in sizes for sign in (1, -1)} if len(sizes) <= FEW else ()):
            rest = {**waves, zero: waves.get(zero, 0) - a}
            if abs(rest[zero]) < 1e-12:
                del rest[zero]
            if rest:
                yield from ({(): a, **square} for square in _squares(self._polynomials(rest)))

    def _product(self, found: Found) -> Way:
        way: Way = {}
        for factor, *hints in found:
            coefficient, powers = factor, dict[Expression, int]()
            for hint in hints:
                c, mine = taken_apart(factored(self._polynomials(self.products.hints[hint])[0]))
                coefficient *= c
                for atom, n in mine:
                    powers[atom] = powers.get(atom, 0) + n
            way[in_order(powers.items())] = coefficient
        return tidied(way)


def _squares(plain: Iterable[Way]) -> Iterator[Way]:
    for way in plain:
        for sign in (1, -1):
            root = square_root({powers: sign * c for powers, c in way.items()})
            if root is not None:
                c, powers = taken_apart(factored(tidied(root)))
                yield {in_order((atom, 2 * n) for atom, n in powers): sign * c * c}


def _sized(way: Way, size: float) -> Way:
    """A way times a number, which a square of a sum takes in where that is shorter."""
    sized = tidied({powers: c * size for powers, c in way.items()})
    if len(sized) > 1:
        return sized
    ((powers, c),) = sized.items()
    for place, (atom, n) in enumerate(powers):
        if n == 2 and isinstance(atom, Sum):
            root = total(_scaled(term, math.sqrt(abs(c))) for term in atom.terms)
            within = {(*powers[:place], (root, 2), *powers[place + 1 :]): math.copysign(1.0, c)}
            return min(sized, within, key=lambda way: cost(factored(way)))
    return sized


def _scaled(term: Expression, size: float) -> Expression:
    c, powers = taken_apart(term)
    return monomial(powers, _simple(c * size))


def _whole(way: Way) -> Way:
    """A way as one product, its sums not to be taken apart."""
    c, powers = taken_apart(factored(way))
    return {powers: c}


def _shortest(found: Iterable[Way]) -> list[Way]:
    """The different ones, the shortest first."""
    different = {frozenset(way): way for way in found}
    return sorted(different.values(), key=lambda way: cost(factored(way)))[:KEPT]


# Expressions -----------------------------------------------------------------------------------


def taken_apart(expression: Expression) -> tuple[float, Monomial]:
    """A product as coefficient and powers; a sum is a factor of its own."""
    coefficient, powers = 1.0, dict[Expression, int]()
    for factor in expression.factors if isinstance(expression, Product) else (expression,):
        match factor:
            case Number(value):
                coefficient *= value
            case Power(base, n):
                powers[base] = powers.get(base, 0) + n
            case _:
                powers[factor] = powers.get(factor, 0) + 1
    return coefficient, in_order(powers.items())


def in_order(powers: Iterable[tuple[Expression, int]]) -> Monomial:
    """A monomial of atoms in any order."""
    return tuple(sorted(powers, key=lambda power: order(power[0])))


def cost(expression: Expression) -> float:
    """Operations; the sine or cosine of a multiple of an angle counts as one, every sum as a little."""
    count: Operations = operations(expression)
    multiples = sum(
        isinstance(part, Sine | Cosine) and any(abs(k) > 1 for _, k in part.angle)
        for part in walk(expression)
    )
    return count.total + multiples + 1e-3 * sum(isinstance(part, Sum) for part in walk(expression))


def tidied(way: Polynomial) -> Way:
    """With simple fractions made exact, and without what rounding left."""
    floor = 1e-13 * max(map(abs, way.values()), default=0.0)
    return {powers: _simple(c) for powers, c in way.items() if abs(c) > floor}


def _simple(c: float) -> float:
    """The fraction or the short decimal that a number is but for rounding."""
    near = float(Fraction(c).limit_denominator(64))
    if abs(near - c) <= 1e-13 * abs(c):
        return near
    near = float(f"{c:.12g}")
    return near if abs(near - c) <= 4e-15 * abs(c) else c
