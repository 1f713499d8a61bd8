"""Numbers as people want to read them."""

from __future__ import annotations

import math

RPM = 60 / math.tau
"""Revolutions a minute of one rad/s."""
DEGREES = 180 / math.pi


def amount(value: float, digits: int = 4) -> str:
    """A number with so many significant digits, without an exponent where that reads well."""
    if value == 0 or not math.isfinite(value):
        return f"{abs(value) if value == 0 else value:g}"
    if not 1e-4 <= abs(value) < 1e7:
        return f"{value:.{digits - 1}e}"
    decimals = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    shown = f"{value:.{decimals}f}"
    return shown.rstrip("0").rstrip(".") if "." in shown else shown


def seconds(value: float) -> str:
    """An instant or a duration, to a millisecond."""
    return f"{value:.3f}"


def percent(share: float) -> str:
    """A share as a percentage, with as many digits as it takes to see that 100 % are exceeded."""
    if share >= 100:
        return f"{amount(share, 3)} times"
    for decimals in range(4):
        shown = f"{100 * share:.{decimals}f}"
        if share == 1 or float(shown) != 100:
            return f"{shown} %"
    return "just over 100 %" if share > 1 else "just under 100 %"
