"""Counts as they are given: whole numbers within bounds, or a sentence."""

from __future__ import annotations

from typing import Any

from armdyn.errors import InputError

MOST = 2**53
"""What a count is at most, where nothing else limits it: floats that are larger are all whole."""


def whole_number(name: str, value: Any, least: int = 1, most: int | None = None) -> int:
    """The value as a whole number from `least` to `most`; 3.0 is one, True and "3" are none."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if is_number and least <= value <= (MOST if most is None else most) and value == int(value):
        return int(value)
    said = f"{value:g}" if isinstance(value, float) else repr(value)
    whole = f"a whole number of {least} or more" if most is None else f"{least} to {most}"
    raise InputError(f"{name} is {said}, expected {whole}")
