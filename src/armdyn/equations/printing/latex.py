"""Expressions in LaTeX."""

from __future__ import annotations

from collections.abc import Iterable

from armdyn.equations.expression import (
    Angle,
    Cosine,
    Expression,
    Number,
    Power,
    Product,
    Sine,
    Sum,
    Symbol,
    is_negative,
    lifted,
    product,
)
from armdyn.equations.printing.names import is_square, joint_numbers, latex_angle, latex_name
from armdyn.equations.printing.numbers import decimal, fraction
from armdyn.equations.readable import Definition
from armdyn.equations.readable import definitions as found_definitions
from armdyn.scalars.harmonic import Ring

DIGITS = 6
"""Significant digits of a number, unless others are asked for."""


def to_latex(expression: Expression | float, *, short: bool = True, digits: int | None = DIGITS) -> str:
    """An expression in LaTeX.

    short: sines and cosines as s_2 and c_{23}; otherwise spelt out, as angles with factors always are.
    digits: significant digits of numbers; None for as many as it takes.
    """
    return _Latex(short, digits).text(lifted(expression))


def definitions(ring: Ring, names: Iterable[str], short: bool = True) -> list[tuple[str, str]]:
    """(left side, right side) of what opaque symbols stand for, in LaTeX."""
    return [
        (latex_name(definition.name), defined(definition, short))
        for definition in found_definitions(ring, names)
    ]


def defined(definition: Definition, short: bool = True, digits: int | None = DIGITS) -> str:
    """What a symbol stands for, in LaTeX."""
    text = to_latex(definition.argument, short=short, digits=digits)
    match definition.function:
        case "sqrt":
            return rf"\sqrt{{{text}}}"
        case "reciprocal":
            return rf"\frac{{1}}{{{text}}}"
        case _:
            return text


class _Latex:
    """Writes with fixed choices."""

    def __init__(self, short: bool, digits: int | None) -> None:
        self.short, self.digits = short, digits

    def text(self, expression: Expression) -> str:
        match expression:
            case Number(value):
                return self._number(value)
            case Symbol(name):
                return latex_name(name)
            case Sine(angle) | Cosine(angle):
                return self._wave(isinstance(expression, Sine), angle, 1)
            case Power(base, exponent):
                return self._power(base, exponent)
            case Product(factors):
                return self._product(factors)
            case Sum(terms):
                return "".join(self._term(term, i == 0) for i, term in enumerate(terms))
            case _:
                raise TypeError(f"{type(expression).__name__} is no expression")

    def _number(self, value: float) -> str:
        near = fraction(value)
        if near is not None:
            return rf"{'-' if value < 0 else ''}\frac{{{abs(near.numerator)}}}{{{near.denominator}}}"
        text, _, exponent = decimal(value, self.digits).partition("e")
        return rf"{text} \cdot 10^{{{int(exponent)}}}" if exponent else text

    def _term(self, term: Expression, first: bool) -> str:
        if is_negative(term):
            return ("-" if first else " - ") + self._enclosed(-term)
        return self.text(term) if first else f" + {self.text(term)}"

    def _product(self, factors: tuple[Expression, ...]) -> str:
        if is_negative(factors[0]):
            return f"-{self._enclosed(-product(factors))}"
        above = [f for f in factors if not (isinstance(f, Power) and f.exponent < 0)]
        below = [Power(f.base, -f.exponent) for f in factors if isinstance(f, Power) and f.exponent < 0]
        if not below:
            return " ".join(self._enclosed(factor) for factor in above)
        text = self.text(product(above))
        under = product(f.base if f.exponent == 1 else f for f in below)
        return rf"\frac{{{text}}}{{{self.text(under)}}}"

    def _enclosed(self, expression: Expression) -> str:
        text = self.text(expression)
        return rf"\left({text}\right)" if isinstance(expression, Sum) else text

    def _power(self, base: Expression, exponent: int) -> str:
        if exponent < 0:
            return rf"\frac{{1}}{{{self.text(base if exponent == -1 else Power(base, -exponent))}}}"
        match base:
            case Sine(angle) | Cosine(angle):
                return self._wave(isinstance(base, Sine), angle, exponent)
            case Symbol(name) if not is_square(name):
                return f"{latex_name(name)}^{_raised(exponent)}"
            case _:
                return rf"\left({self.text(base)}\right)^{_raised(exponent)}"

    def _wave(self, sine: bool, angle: Angle, exponent: int) -> str:
        raised = "" if exponent == 1 else f"^{_raised(exponent)}"
        numbers = joint_numbers(angle) if self.short else None
        if numbers is not None:
            below = numbers if len(numbers) == 1 else f"{{{numbers}}}"
            return f"{'s' if sine else 'c'}_{below}{raised}"
        inner = latex_angle(angle)
        spelt = rf"\left({inner}\right)" if len(angle) > 1 else f" {inner}" if inner[0] != "\\" else inner
        return rf"{{\{'sin' if sine else 'cos'}{raised}{spelt}}}"


def _raised(exponent: int) -> str:
    return str(exponent) if 0 <= exponent < 10 else f"{{{exponent}}}"
