"""Studies in words: what tables on pages and terminals call things, and how rows stand together."""

from __future__ import annotations

from collections.abc import Sequence

from armdyn.studies.loads import magnitudes
from armdyn.studies.loads.rows import Row

LOADS = dict(magnitudes.LOADS)
TABLES = 9
"""Up to so many quantities have a table each."""
NOISE = 1e-7
"""Relative: the root of a square that is zero but for rounding."""
WORDS = {
    "drive": "drive",
    "gear": "gear",
    "share": "of inertia",
    "border_scale": "border scale",
    "position_gain": "position gain",
    "torque_share": "of envelope",
    "rms_share": "of rated torque",
    "speed_share": "of greatest speed",
    "effort_share": "of effort limit",
    "nominal_inertia": "nominal inertia",
    "reached_share": "cells reached",
}
"""What columns of numbers beside the extremes are called."""
VERDICTS = {True: "yes", False: "no", None: "unknown"}
"""Whether a candidate suffices."""


def title_of(quantity: str) -> str:
    """A quantity as a heading: motor_inertia -> motor inertia; H12/H11 stays."""
    return quantity.replace("_", " ")


def shown_ends(row: Row) -> tuple[float, float]:
    """Minimum and maximum of a row; what is rounding beside the other one is zero to a reader."""
    ends = row.extremes.minimum.value, row.extremes.maximum.value
    noise = NOISE * max(map(abs, ends))
    low, high = (0.0 if abs(end) <= noise else end for end in ends)
    return low, high


def posture_text(q: Sequence[float], between: str = ", ") -> str:
    """A posture to a thousandth."""
    return between.join(f"{round(float(x), 3) + 0.0:g}" for x in q)


def capital(text: str) -> str:
    """With a capital letter at the beginning, the rest as it is."""
    return text[:1].upper() + text[1:]


def grouped(rows: Sequence[Row]) -> list[tuple[str, list[Row], bool]]:
    """Title, rows, and whether they are of several quantities; a group for each, or one for many."""
    names = list(dict.fromkeys(row.quantity for row in rows))
    if len(names) > TABLES:
        return [("all quantities", list(rows), True)]
    groups = ([row for row in rows if row.quantity == name] for name in names)
    return [(title_of(group[0].quantity), group, False) for group in groups]


def plain_columns(rows: Sequence[Row]) -> list[tuple[str, str]]:
    """Keys of single values beside the extremes, and what to call them: named ones, and shares of limits."""
    keys = dict.fromkeys(key for row in rows for key, value in row.more.items() if value is not None)
    return [(key, name) for key in keys if (name := column_name(key))]


def column_name(key: str) -> str:
    """What a column is called, nothing for those that are not shown."""
    if key in WORDS:
        return WORDS[key]
    if key.endswith("_share") and key != "border_share":
        return f"of {key.removesuffix('_share').replace('_', ' ')} torque"
    return ""
