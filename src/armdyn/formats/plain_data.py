"""Results as data that JSON can hold."""

from __future__ import annotations

from typing import Any

import numpy as np


def plain(value: Any) -> Any:
    """Arrays and tuples become lists; what is not a finite number becomes null."""
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, float):
        return value + 0.0 if np.isfinite(value) else None  # + 0.0: no minus zero
    return value
