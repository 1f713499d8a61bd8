"""Numbers with errors: as many digits as are known, points below one another."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from armdyn.report.wording import amount
from armdyn.scalars import Array

DIGIT, POINT = "\u2007", "\u2008"
"""Spaces as wide as a digit, and as a point."""
FINEST = 8
"""Decimals beyond which numbers are written with an exponent."""
ROUNDING = 1e-8
"""Share of the largest number of the same unit below which one is zero to a reader: a solver's rounding."""


def with_error(value: float, error: float) -> tuple[str, str]:
    """A value and its standard error, two digits of it and the value to the same place."""
    if not math.isfinite(error):
        return amount(value), "not told"
    if error <= 0:
        return amount(value), "0"
    decimals = 1 - math.floor(math.log10(error))
    if decimals > FINEST:
        return amount(value), f"{error:.1e}"
    decimals = max(decimals, 0)
    return f"{value:.{decimals}f}", f"{error:.{decimals}f}"


def aligned(column: Sequence[str]) -> list[str]:
    """Numbers that have their points below one another when they are set flush right."""
    after = [len(number.partition(".")[2]) if _is_number(number) else None for number in column]
    longest = max((length for length in after if length is not None), default=0)
    return [
        number
        if length is None
        else number + (POINT if not length and longest else "") + DIGIT * (longest - length)
        for number, length in zip(column, after, strict=True)
    ]


def _is_number(text: str) -> bool:
    return text.lstrip("-").replace(".", "", 1).isdigit()


def without_rounding(values: Array, units: Sequence[str]) -> Array:
    """Numbers, those that are rounding beside others of the same unit made zero."""
    of_unit = {unit: np.abs(values[[u == unit for u in units]]).max() for unit in set(units)}
    largest = np.array([of_unit[unit] for unit in units])
    return np.where(np.abs(values) <= ROUNDING * largest, 0.0, values)
