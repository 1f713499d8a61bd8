"""Numbers as they are written."""

from __future__ import annotations

from fractions import Fraction

LARGEST = 32
"""Of numerators and denominators; 0.3 stays a decimal, 1/3 does not become one."""


def fraction(value: float) -> Fraction | None:
    """A small fraction that the number is, exactly; None for others, for whole ones and for tenths."""
    near = Fraction(value).limit_denominator(LARGEST)
    simple = near.denominator > 1 and near.denominator % 5 and abs(near.numerator) <= LARGEST
    return near if simple and float(near) == value else None


def decimal(value: float, digits: int | None = None) -> str:
    """A number in as many digits as it takes, or in so many significant ones; whole ones without a point."""
    if value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return repr(value) if digits is None else f"{value:.{digits}g}"
