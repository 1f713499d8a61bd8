"""Central differences of functions that take batches, and how near derivatives come to them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

STEP = 1e-5
DIFFERENCES = 1e-6
"""Relative to the largest element: central differences lose STEP^2 of the curve, and rounding / STEP."""


def close(ours: np.ndarray, expected: np.ndarray, relative: float, least: float = 0.0) -> None:
    size = max(float(np.abs(expected).max(initial=0.0)), least)
    assert ours.shape == expected.shape
    assert np.abs(ours - expected).max(initial=0.0) <= relative * size


def differences_of(f: Callable[..., np.ndarray], x: np.ndarray, k: int, **around: Any) -> np.ndarray:
    """d f/d x_k (outputs, inputs) at one point x of a function that takes batches."""

    def moved(by: np.ndarray) -> np.ndarray:
        arguments: list[Any] = [*x]
        arguments[k] = x[k] + by
        return f(*arguments, **around)

    steps = STEP * np.eye(len(x[k]))
    return (moved(steps) - moved(-steps)).T / (2 * STEP)
