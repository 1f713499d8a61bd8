"""Expressions as SymPy objects, in the form they have."""

from __future__ import annotations

from importlib import import_module
from typing import Any

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
    lifted,
)
from armdyn.equations.printing.numbers import fraction


def to_sympy(expression: Expression | float) -> Any:
    """An expression as SymPy has it, not rearranged; all symbols are real."""
    sympy: Any = import_module("sympy")  # slow to import: only where it is asked for
    return _converted(sympy, lifted(expression))


def _converted(sympy: Any, x: Expression) -> Any:
    match x:
        case Number(value):
            return _number(sympy, value)
        case Symbol(name):
            return sympy.Symbol(name, real=True)
        case Sine(angle):
            return sympy.sin(_angle(sympy, angle))
        case Cosine(angle):
            return sympy.cos(_angle(sympy, angle))
        case Power(base, exponent):
            return sympy.Pow(_converted(sympy, base), exponent, evaluate=False)
        case Product(factors):
            return sympy.Mul(*(_converted(sympy, factor) for factor in factors), evaluate=False)
        case Sum(terms):
            return sympy.Add(*(_converted(sympy, term) for term in terms), evaluate=False)
        case _:
            raise TypeError(f"{type(x).__name__} is no expression")


def _number(sympy: Any, value: float) -> Any:
    near = fraction(value)
    if near is not None:
        return sympy.Rational(near.numerator, near.denominator)
    return sympy.Integer(int(value)) if value.is_integer() and abs(value) < 1e15 else sympy.Float(value)


def _angle(sympy: Any, angle: Angle) -> Any:
    return sympy.Add(*(factor * sympy.Symbol(name, real=True) for name, factor in angle))
