"""Expressions in plain text, which Python and SymPy read too."""

from __future__ import annotations

from collections.abc import Callable

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
from armdyn.equations.printing.numbers import decimal, fraction

Wave = Callable[[bool, Angle], str]
"""(whether a sine, its angle) -> text"""


def to_text(expression: Expression | float, *, digits: int | None = None) -> str:
    """m3*r3*sin(q2)**2: one line, numbers in as many digits as it takes unless so many are asked for."""
    return Text(spelt, _simple(digits)).of(lifted(expression))


def spelt(sine: bool, angle: Angle) -> str:
    """sin(q2 + q3)."""
    return f"{'sin' if sine else 'cos'}({angle_text(angle)})"


def angle_text(angle: Angle, name: Callable[[str], str] = str) -> str:
    """q2 + q3, 2*q2 - q3."""
    text = ""
    for i, (coordinate, factor) in enumerate(angle):
        sign = ("-" if factor < 0 else "") if i == 0 else (" - " if factor < 0 else " + ")
        size = "" if abs(factor) == 1 else f"{abs(factor)}*"
        text += f"{sign}{size}{name(coordinate)}"
    return text


def _simple(digits: int | None) -> Callable[[float], str]:
    def number(value: float) -> str:
        near = fraction(value)
        return decimal(value, digits) if near is None else f"{near.numerator}/{near.denominator}"

    return number


def starred(base: str, exponent: int) -> str:
    """A power as Python has it."""
    return f"{base}**{exponent}"


class Text:
    """Writes expressions in the operators of Python; how their atoms and powers look is given."""

    def __init__(
        self,
        wave: Wave,
        number: Callable[[float], str],
        symbol: Callable[[str], str] = str,
        raised: Callable[[str, int], str] = starred,
    ) -> None:
        """`raised` writes a power of what is one name or in parentheses."""
        self.wave, self.number, self.symbol = wave, number, symbol
        self.raised = raised

    def of(self, expression: Expression) -> str:
        """The text of an expression."""
        match expression:
            case Number(value):
                return self.number(value)
            case Symbol(name):
                return self.symbol(name)
            case Sine(angle) | Cosine(angle):
                return self.wave(isinstance(expression, Sine), angle)
            case Power(base, exponent):
                if exponent < 0:
                    return f"{self.number(1.0)}/{self._tight(power_of(base, -exponent))}"
                return self.raised(self._tight(base), exponent)
            case Product(factors):
                return self._product(factors)
            case Sum(terms):
                return "".join(self._term(term, i == 0) for i, term in enumerate(terms))
            case _:
                raise TypeError(f"{type(expression).__name__} is no expression")

    def _term(self, term: Expression, first: bool) -> str:
        if is_negative(term):
            return ("-" if first else " - ") + self._factor(-term)
        return self.of(term) if first else f" + {self.of(term)}"

    def _product(self, factors: tuple[Expression, ...]) -> str:
        if is_negative(factors[0]):
            return f"-{self._factor(-product(factors))}"
        above = [f for f in factors if not (isinstance(f, Power) and f.exponent < 0)]
        below = [power_of(f.base, -f.exponent) for f in factors if isinstance(f, Power) and f.exponent < 0]
        text = "*".join(self._factor(factor) for factor in above) or self.number(1.0)
        return "".join((text, *(f"/{self._tight(factor)}" for factor in below)))

    def _factor(self, expression: Expression) -> str:
        """In parentheses where a product would tear it apart."""
        text = self.of(expression)
        return f"({text})" if isinstance(expression, Sum) else text

    def _tight(self, expression: Expression) -> str:
        """In parentheses where a power or a division would tear it apart."""
        text = self.of(expression)
        return f"({text})" if isinstance(expression, Sum | Product | Number) else text


def power_of(base: Expression, exponent: int) -> Expression:
    """A positive power, the first being the base itself."""
    return base if exponent == 1 else Power(base, exponent)
