"""Expressions as a person writes them: what it takes to evaluate them as they stand, and their values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from armdyn.equations.nodes import (
    ONE,
    ZERO,
    Angle,
    Atom,
    Cosine,
    Expression,
    Number,
    Power,
    Product,
    Sine,
    Sum,
    Symbol,
    lifted,
    natural,
    order,
    parts,
    power,
    product,
    total,
)

__all__ = [
    "ONE",
    "ZERO",
    "Angle",
    "Atom",
    "Cosine",
    "Expression",
    "Monomial",
    "Number",
    "Operations",
    "Polynomial",
    "Power",
    "Product",
    "Sine",
    "Sum",
    "Symbol",
    "evaluate",
    "expanded",
    "is_negative",
    "lifted",
    "monomial",
    "natural",
    "operations",
    "order",
    "parts",
    "power",
    "product",
    "total",
    "walk",
]

Monomial = tuple[tuple[Expression, int], ...]
"""(atom, exponent), the atoms in order; a sum can stand in an atom's place."""
Polynomial = Mapping[Monomial, float]


def monomial(powers: Monomial, coefficient: float = 1.0) -> Expression:
    """A coefficient times powers of atoms."""
    return product((Number(coefficient), *(power(atom, n) for atom, n in powers)))


def expanded(polynomial: Polynomial) -> Expression:
    """The sum of monomials as it stands, in order."""
    in_order = sorted(polynomial, key=lambda powers: [(order(atom), n) for atom, n in powers])
    return total(monomial(powers, polynomial[powers]) for powers in in_order)


# Looking ---------------------------------------------------------------------------------------


def walk(expression: Expression) -> Iterator[Expression]:
    """An expression and all within it, parts before the whole."""
    for part in parts(expression):
        yield from walk(part)
    yield expression


def is_negative(expression: Expression) -> bool:
    """Whether it is written with a minus in front."""
    match expression:
        case Number(value) | Product((Number(value), *_)):
            return value < 0
        case _:
            return False


class Operations(NamedTuple):
    """What it takes to evaluate an expression as written, its sines and cosines given."""

    multiplications: int
    """Divisions are counted here."""
    additions: int
    """Subtractions too."""

    @property
    def total(self) -> int:
        """Both together."""
        return self.multiplications + self.additions


def operations(expression: Expression) -> Operations:
    """Multiplications (and divisions) and additions, as written; a factor of -1 costs nothing."""
    match expression:
        case Sum(terms):
            inner = _added(operations(term) for term in terms)
            return Operations(inner.multiplications, inner.additions + len(terms) - 1)
        case Product(factors):
            return _product_operations([f for f in factors if f != Number(-1.0)])
        case Power(base, exponent):
            inner = operations(base)
            return Operations(inner.multiplications + _power_cost(exponent), inner.additions)
        case _:
            return Operations(0, 0)


def _product_operations(factors: list[Expression]) -> Operations:
    """Factors are multiplied; dividing by x^n, which x^-n counts, joins it as well."""
    multiplied = sum(not (isinstance(factor, Power) and factor.exponent < 0) for factor in factors)
    inner = _added(operations(factor) for factor in factors)
    return Operations(inner.multiplications + max(multiplied - 1, 0), inner.additions)


def _power_cost(exponent: int) -> int:
    """x^2 is one multiplication, x^3 and x^4 are two; a negative power divides once."""
    n = abs(exponent)
    return n.bit_length() - 1 + n.bit_count() - 1 + (exponent < 0)


def _added(counts: Iterable[Operations]) -> Operations:
    multiplications = additions = 0
    for count in counts:
        multiplications += count.multiplications
        additions += count.additions
    return Operations(multiplications, additions)


# Values ----------------------------------------------------------------------------------------


def evaluate(expression: Expression, values: Mapping[str, Any]) -> NDArray[np.float64]:
    """The value where every symbol and coordinate has a number or an array."""
    known: dict[Expression, Any] = {}

    def value(x: Expression) -> Any:
        match x:
            case Number(number):
                return number
            case Symbol(name):
                return values[name]
            case Sine(angle) | Cosine(angle):
                if x not in known:
                    turned = sum(k * np.asarray(values[name], dtype=float) for name, k in angle)
                    known[x] = np.sin(turned) if isinstance(x, Sine) else np.cos(turned)
                return known[x]
            case Power(base, exponent):
                return np.asarray(value(base), dtype=float) ** exponent
            case Product(factors):
                result = value(factors[0])
                for factor in factors[1:]:
                    result = result * value(factor)
                return result
            case _:
                return sum(value(part) for part in parts(x))

    return np.asarray(value(expression), dtype=float)
