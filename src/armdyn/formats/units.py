"""Units in files: `"200 mm"`, `"90 deg"`, `"3150 rpm"` become SI once, here.

A plain number is SI already. pint is imported only when a file really carries units.
"""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import Any, cast

from armdyn.errors import InputError

SI = {
    "length": "m",
    "angle": "rad",
    "mass": "kg",
    "inertia": "kg*m^2",
    "torque": "N*m",
    "force": "N",
    "velocity": "m/s",
    "angular velocity": "rad/s",
    "acceleration": "m/s^2",
    "angular acceleration": "rad/s^2",
    "viscous friction": "N*m*s/rad",
    "linear viscous friction": "N*s/m",
    "ratio": "",
    "screw ratio": "rad/m",
    "area": "m^2",
    "torque constant": "N*m/A",
    "back-EMF constant": "V*s/rad",
    "resistance": "ohm",
    "current": "A",
    "voltage": "V",
}
"""What each kind of quantity is measured in inside armdyn."""

COMMON = {
    ("length", "mm"): 1e-3,
    ("length", "cm"): 1e-2,
    ("length", "inch"): 0.0254,
    ("area", "mm^2"): 1e-6,
    ("angle", "deg"): math.pi / 180,
    ("angular velocity", "deg/s"): math.pi / 180,
    ("angular velocity", "rpm"): math.pi / 30,
}
"""Units that most files use; pint knows them too, but takes most of a second to wake."""

_UNITS_OF_ROBOTS = (
    *("meter", "inch", "foot", "gram", "pound", "ounce", "slug", "second", "minute", "hour"),
    *("radian", "degree", "turn", "arcminute", "arcsecond", "revolutions_per_minute"),
    *("newton", "force_pound", "force_ounce", "force_gram", "joule", "watt", "ampere", "volt", "ohm"),
)
"""Units that make sense here, with any prefix. pint knows many more that it takes for an angle or for
1/s without a word: hertz, percent, byte, curie."""

# One number, one unit of named factors with one-digit powers: nothing that could be evaluated.
_UNIT = r"[A-Za-zµ°Ω]{1,20}(?:(?:\^|\*\*)-?[1-9])?"
_QUANTITY = re.compile(
    rf"\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{{1,3}})?)\s*((?:{_UNIT})(?:\s*[*/ ]\s*{_UNIT}){{0,7}})\s*"
)


def to_si(value: Any, quantity: str) -> float:
    """A number (SI) or a string with a unit, as a number in SI."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise InputError(f"{_short(value)} is not a number, expected {_expected(quantity)}")
    try:
        number = _with_unit(value, quantity) if isinstance(value, str) else float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise InputError(f"{_short(value)} is not a finite number, expected {_expected(quantity)}")
    return number


def measures(text: str) -> tuple[str, ...]:
    """The quantities that a text with a unit may be: "200 mm" is a length; none if it is no such text."""
    match = _QUANTITY.fullmatch(text) if len(text) < 100 else None
    if match is None:
        return ()
    unit = match.group(2)
    common = tuple(quantity for quantity, known in COMMON if known == unit)
    return common or tuple(q for q in SI if SI[q] and isinstance(_factor(unit, q), float))


def _short(value: Any) -> str:
    if isinstance(value, int) and abs(value) >= 10**40:
        return "a whole number of more than 40 digits"
    text = str(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _with_unit(text: str, quantity: str) -> float:
    match = _QUANTITY.fullmatch(text) if len(text) < 100 else None
    if match is None or not SI[quantity]:
        raise InputError(f'"{_short(text)}" is not a quantity, expected {_expected(quantity)}')
    number, unit = match.groups()
    factor = _factor(unit, quantity)
    if factor is None:
        raise InputError(f'"{text}" is not {_a(quantity)}, expected {_expected(quantity)}')
    if factor == "unknown":
        raise InputError(f'"{text}": unknown unit "{unit}", expected {_expected(quantity)}')
    return float(number) * float(factor)


@lru_cache(maxsize=256)
def _factor(unit: str, quantity: str) -> float | str | None:
    """How many SI units one `unit` is; None if it measures something else, "unknown" if nothing."""
    if (quantity, unit) in COMMON:
        return COMMON[quantity, unit]
    import pint

    registry = _registry()
    try:
        one = registry.Quantity(1.0, unit.replace(" ", "*") if "*" not in unit and "/" not in unit else unit)
        if not all(name.endswith(_UNITS_OF_ROBOTS) for name in dict(one.unit_items())):
            return None
        return float(one.to(SI[quantity] or "dimensionless").magnitude)
    except pint.DimensionalityError:
        return None
    except (pint.PintError, AttributeError, LookupError, ValueError, TypeError, AssertionError):
        return "unknown"


@lru_cache(maxsize=1)
def _registry() -> Any:
    import pint

    registry = cast("Any", pint.UnitRegistry(cache_folder=None))
    registry.define("@alias turn = rev")
    return registry


def _expected(quantity: str) -> str:
    unit = SI[quantity]
    return f"{_a(quantity)} in {unit} or a string with a unit" if unit else "a plain number"


def _a(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"
