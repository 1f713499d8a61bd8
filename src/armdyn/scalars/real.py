"""Real numbers: Python floats, and exact right angles."""

from __future__ import annotations

import math
from typing import Any

from armdyn.scalars.protocol import cos, reciprocal, select, sin, sqrt

QUARTER_TURNS = ((1, 0), (0, 1), (-1, 0), (0, -1))
"""(cosine, sine) of 0, 90, 180 and 270 degrees."""

_RIGHT_ANGLE_TOLERANCE = 4 * math.ulp(1.0)  # pi/2 k as a double is off by at most an ulp or two


def quarter_turns(angle: float) -> int | None:
    """How many right angles `angle` [rad] is, or None if it is not a whole number of them."""
    if not math.isfinite(angle):
        return None
    turns = angle / (math.pi / 2)
    whole = round(turns)
    return whole if abs(turns - whole) <= _RIGHT_ANGLE_TOLERANCE * max(1, abs(whole)) else None


def exact_cos_sin(angle: float) -> tuple[float, float]:
    """Cosine and sine of a constant angle [rad]; at right angles whole numbers, which are structure."""
    turns = quarter_turns(angle)
    return QUARTER_TURNS[turns % 4] if turns is not None else (math.cos(angle), math.sin(angle))


def cos_sin(angle: Any, offset: float = 0.0) -> tuple[Any, Any]:
    """Cosine and sine of `angle + offset`, where a right-angled offset costs and rounds nothing."""
    turns = quarter_turns(offset)
    if turns is None:
        return cos(angle + offset), sin(angle + offset)
    c, s = cos(angle), sin(angle)
    return ((c, s), (-s, c), (-c, -s), (s, -c))[turns % 4]


def _real_trigonometry(function: Any) -> Any:
    def evaluate(x: Any) -> float:
        return function(x) if math.isfinite(x) else math.nan

    return evaluate


for _real in (int, float):
    sin.register(_real, _real_trigonometry(math.sin))
    cos.register(_real, _real_trigonometry(math.cos))


@sqrt.register(int)
@sqrt.register(float)
def _sqrt(x: float) -> float:
    return math.sqrt(x) if x >= 0 else math.nan


@reciprocal.register(int)
@reciprocal.register(float)
def _reciprocal(x: float) -> float:
    return 1 / x if x else math.inf


@select.register(int)
@select.register(float)
def _select(condition: float, positive: Any, otherwise: Any) -> Any:
    return positive if condition > 0 else otherwise
