"""Numbers as people want to read them."""

from __future__ import annotations

import math
from collections.abc import Sequence

RPM = 60 / math.tau
"""Revolutions a minute of one rad/s."""
DEGREES = 180 / math.pi
MILLI = 1000.0
FINEST = 1e-3
"""Distances below this are not worth a number [mm]."""
MODELS = {
    "exact": "exact: every rotor a body of its own",
    "augmented": "augmented: rotors ride on their links, spin terms kept",
    "coupled": "coupled: rotor inertias through the gear matrix",
    "reflected": "reflected: rotor inertias at the joints",
    "none": "none: joints without drives",
}
"""What a motor model counts."""


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


def seconds_text(value: float) -> str:
    """A duration with its unit, to a millisecond, without an exponent however long it is."""
    shown = seconds(value)
    return f"{shown.rstrip('0').rstrip('.')} s"


def millimetres(metres: float) -> str:
    """A distance with its unit; what is under a thousandth of a millimetre only so."""
    far = metres * MILLI
    return f"{amount(far, 3)} mm" if far == 0 or far >= FINEST else f"under {FINEST:g} mm"


def listed(names: Sequence[str]) -> str:
    """One, two and three."""
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def percent(share: float) -> str:
    """A share as a percentage, with as many digits as it takes to see that 100 % are exceeded."""
    if share >= 100:
        return f"{amount(share, 3)} times"
    for decimals in range(4):
        shown = f"{100 * share:.{decimals}f}"
        if share == 1 or float(shown) != 100:
            return f"{shown} %"
    return "just over 100 %" if share > 1 else "just under 100 %"
