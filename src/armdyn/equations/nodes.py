"""What expressions are made of: numbers, symbols, sines and cosines, and sums, products and powers of these.

Nothing is rearranged: an expression keeps the form it was given. Only numbers are folded, and what is nothing
(0 +, 1 *) is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

Angle = tuple[tuple[str, int], ...]
"""(coordinate, whole factor), the coordinates in order: (("q2", 1), ("q3", 1)) is q2 + q3."""


@dataclass(frozen=True)
class Expression:
    """Anything that can be written; `+`, `-`, `*` and `**` make larger ones."""

    def __add__(self, other: Expression | float) -> Expression:
        return total((self, lifted(other)))

    def __radd__(self, other: float) -> Expression:
        return total((lifted(other), self))

    def __neg__(self) -> Expression:
        return product((Number(-1.0), self))

    def __sub__(self, other: Expression | float) -> Expression:
        return total((self, -lifted(other)))

    def __rsub__(self, other: float) -> Expression:
        return total((lifted(other), -self))

    def __mul__(self, other: Expression | float) -> Expression:
        return product((self, lifted(other)))

    def __rmul__(self, other: float) -> Expression:
        return product((lifted(other), self))

    def __pow__(self, exponent: int) -> Expression:
        return power(self, exponent)

    def __lt__(self, other: Expression) -> bool:
        return order(self) < order(other)


@dataclass(frozen=True)
class Number(Expression):
    """A number."""

    value: float


@dataclass(frozen=True)
class Symbol(Expression):
    """A parameter, a length, a rate: anything with a name."""

    name: str


@dataclass(frozen=True)
class Sine(Expression):
    """The sine of a sum of joint angles."""

    angle: Angle


@dataclass(frozen=True)
class Cosine(Expression):
    """The cosine of a sum of joint angles."""

    angle: Angle


@dataclass(frozen=True)
class Sum(Expression):
    """Two or more terms."""

    terms: tuple[Expression, ...]


@dataclass(frozen=True)
class Product(Expression):
    """Two or more factors, a number first."""

    factors: tuple[Expression, ...]


@dataclass(frozen=True)
class Power(Expression):
    """A base to a whole number that is neither 0 nor 1; -1 divides."""

    base: Expression
    exponent: int


Atom = Symbol | Sine | Cosine

ZERO, ONE = Number(0.0), Number(1.0)


# Writing ---------------------------------------------------------------------------------------


def lifted(x: Expression | float) -> Expression:
    """A number as an expression."""
    return x if isinstance(x, Expression) else Number(float(x))


def total(terms: Iterable[Expression]) -> Expression:
    """The sum, in the given order; sums within are taken apart, numbers are added up."""
    kept: list[Expression] = []
    number, place = 0.0, -1
    for term in terms:
        for part in term.terms if isinstance(term, Sum) else (term,):
            if isinstance(part, Number):
                number, place = number + part.value, len(kept) if place < 0 else place
            else:
                kept.append(part)
    if number:
        kept.insert(place, Number(number))
    return kept[0] if len(kept) == 1 else Sum(tuple(kept)) if kept else ZERO


def product(factors: Iterable[Expression]) -> Expression:
    """The product, in the given order; products within are taken apart, numbers are multiplied."""
    kept: list[Expression] = []
    number = 1.0
    for factor in factors:
        for part in factor.factors if isinstance(factor, Product) else (factor,):
            if isinstance(part, Number):
                number *= part.value
            else:
                kept.append(part)
    if not number or not kept:
        return Number(number + 0.0)
    if number != 1:
        kept.insert(0, Number(number))
    return kept[0] if len(kept) == 1 else Product(tuple(kept))


def power(base: Expression, exponent: int) -> Expression:
    """The power; of a power, the product of exponents."""
    if exponent in {0, 1}:
        return base if exponent else ONE
    match base:
        case Number(value):
            return Number(value**exponent)
        case Power(inner, n):
            return power(inner, n * exponent)
        case _:
            return Power(base, exponent)


# Order -----------------------------------------------------------------------------------------


def parts(expression: Expression) -> tuple[Expression, ...]:
    """The terms of a sum, the factors of a product, the base of a power."""
    match expression:
        case Sum(terms):
            return terms
        case Product(factors):
            return factors
        case Power(base, _):
            return (base,)
        case _:
            return ()


def natural(name: str) -> tuple[tuple[str, int], ...]:
    """A key that puts q2 before q10."""
    return tuple((text, int(digits or 0)) for text, digits in re.findall(r"(\D+|^)(\d*)", name))


@lru_cache(maxsize=100_000)
def order(expression: Expression) -> tuple[Any, ...]:
    """A key for the order of expressions: numbers, symbols, sines and cosines, then what is made of them."""
    match expression:
        case Number(value):
            return (0, value)
        case Symbol(name):
            return (1, natural(name))
        case Sine(angle) | Cosine(angle):
            return (2, tuple((natural(name), k) for name, k in angle), isinstance(expression, Cosine))
        case Power(base, exponent):
            return (*order(base), exponent)
        case _:
            rank = 3 if isinstance(expression, Product) else 4
            return (rank, tuple(order(part) for part in parts(expression)))
