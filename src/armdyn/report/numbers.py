"""Numbers as a page keeps them."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from typing import Any, cast

import numpy as np

from armdyn.scalars import Array

DIGITS = 6
"""Significant digits of embedded data."""


def rounded(values: Any, digits: int = DIGITS) -> list[Any]:
    """An array as nested lists with so many significant digits; what is not finite becomes None."""
    x = np.asarray(values, dtype=float)
    finite = np.isfinite(x)
    size = np.abs(np.where(finite & (x != 0), x, 1.0))
    places = digits - 1 - np.floor(np.log10(size))
    up, down = 10.0 ** np.clip(places, 0, 300), 10.0 ** np.clip(-places, 0, 300)
    short = np.round(np.where(finite, x, 0.0) * up / down) * down / up
    listed = np.where(finite, short + 0.0, np.nan).tolist()
    return _plain(listed)


def _plain(values: Any) -> Any:
    """Whole numbers without a point, None for what is no number."""
    if isinstance(values, list):
        return [_plain(value) for value in cast("list[Any]", values)]
    if values != values:  # noqa: PLR0124  (not a number)
        return None
    return int(values) if abs(values) < 1e6 and values == int(values) else values


def embedded(document: Mapping[str, Any]) -> str:
    """JSON that may stand inside a script element: no character of it can end that element."""
    written = json.dumps(document, separators=(",", ":"), allow_nan=False)
    for character in "<>&":
        written = written.replace(character, f"\\u{ord(character):04x}")
    return written


def round_ticks(low: float, high: float, most: int) -> list[float]:
    """At most so many multiples of 1, 2 or 5 times a power of ten between two numbers."""
    span = high - low
    if not span > 0:
        return [low]
    raw = span / most
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(power * k for k in (1, 2, 5, 10, 20) if power * k >= raw)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [k * step for k in range(first, last + 1)]


def path_data(parts: Iterable[Any]) -> str:
    """Polylines (points, 2) as the data of one SVG path, to a tenth of a unit."""
    return "".join(_polyline(np.asarray(part, dtype=float)) for part in parts if len(part))


def _polyline(points: Array) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points.tolist())
