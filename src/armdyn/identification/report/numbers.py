"""Numbers with errors: as many digits as are known, points below one another."""

from __future__ import annotations

import math
from collections.abc import Sequence

from armdyn.report.wording import amount

DIGIT, POINT = "\u2007", "\u2008"
"""Spaces as wide as a digit, and as a point."""
FINEST = 8
"""Decimals beyond which numbers are written with an exponent."""


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
