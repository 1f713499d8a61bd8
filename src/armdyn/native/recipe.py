"""The text of data, exact to the last bit: what tells one robot's code from another's on disk."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np


def recipe(value: Any) -> str:
    """A text that two values share only if every number in them is the same."""
    if isinstance(value, (np.ndarray, np.generic)):
        return recipe(value.tolist())
    if value is None or isinstance(value, (str, bool, int, float)):
        return f"{type(value).__name__}:{value!r}"
    if isinstance(value, (tuple, list)):
        return f"({','.join(recipe(part) for part in value)})"  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, dict):
        pairs = sorted((recipe(key), recipe(part)) for key, part in value.items())  # pyright: ignore[reportUnknownVariableType]
        return f"{{{','.join(f'{key}={part}' for key, part in pairs)}}}"
    if is_dataclass(value):
        parts = (f"{field.name}={recipe(getattr(value, field.name))}" for field in fields(value))
        return f"{type(value).__name__}({','.join(parts)})"
    raise TypeError(f"{type(value).__name__} has no exact text")
