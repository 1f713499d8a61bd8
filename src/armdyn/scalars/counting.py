"""Counted numbers: they compute as floats do and count every operation as written.

A product or sum with the literal integers 0, 1 or -1 of an equation is not written by anyone
and not counted; a parameter that happens to be 0 or 1 is a Counted number like any other.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from armdyn.scalars.protocol import cos, is_literal, reciprocal, select, sin, sqrt


@dataclass
class Tally:
    """How many operations of each kind were done."""

    multiplications: int = 0
    additions: int = 0
    divisions: int = 0
    trigonometric: int = 0
    square_roots: int = 0

    def number(self, value: float) -> Counted:
        """A number whose operations are counted here."""
        return Counted(float(value), self)


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """A float that counts what is done with it."""

    value: float
    tally: Tally = field(repr=False)

    def _with(self, value: float) -> Counted:
        return Counted(value, self.tally)

    def __add__(self, other: Any) -> Any:
        if is_literal(other, 0):
            return self
        self.tally.additions += 1
        return self._with(self.value + _value(other))

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        if is_literal(other, 0):
            return self
        self.tally.additions += 1
        return self._with(self.value - _value(other))

    def __rsub__(self, other: Any) -> Any:
        return -self if is_literal(other, 0) else self._with(other) - self

    def __mul__(self, other: Any) -> Any:
        if is_literal(other, 0):
            return 0
        if is_literal(other, 1):
            return self
        if is_literal(other, -1):
            return -self
        self.tally.multiplications += 1
        return self._with(self.value * _value(other))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        self.tally.divisions += 1
        return self._with(self.value / _value(other))

    def __rtruediv__(self, other: Any) -> Any:
        return self._with(other) / self

    def __neg__(self) -> Counted:
        return self._with(-self.value)

    def __float__(self) -> float:
        return self.value


def _value(x: Any) -> float:
    return x.value if isinstance(x, Counted) else float(x)


@sin.register(Counted)
def _sin(x: Counted) -> Counted:
    x.tally.trigonometric += 1
    return Counted(sin(x.value), x.tally)


@cos.register(Counted)
def _cos(x: Counted) -> Counted:
    x.tally.trigonometric += 1
    return Counted(cos(x.value), x.tally)


@sqrt.register(Counted)
def _sqrt(x: Counted) -> Counted:
    x.tally.square_roots += 1
    return Counted(sqrt(x.value), x.tally)


@reciprocal.register(Counted)
def _reciprocal(x: Counted) -> Counted:
    x.tally.divisions += 1
    return Counted(reciprocal(x.value), x.tally)


@select.register(Counted)
def _select(condition: Counted, positive: Any, otherwise: Any) -> Any:
    return positive if condition.value > 0 else otherwise
