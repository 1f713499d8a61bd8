"""Long curves made short: every bucket of samples keeps its least and greatest value, so no peak is lost."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from armdyn.scalars import Array


def bucket_size(samples: int, points: int) -> int:
    """How many samples share two points so that there are at most so many points; 1 keeps all."""
    return 1 if samples <= points else 2 * math.ceil(samples / points)


def decimated(values: Array, size: int) -> Array:
    """(points) least and greatest value of every bucket, in the order in which they occur.

    The points are size/2 samples apart, or one for size 1. What is not a number is left out.
    """
    if size == 1:
        return values
    count = math.ceil(len(values) / size)
    padded = np.concatenate([values, np.repeat(values[-1:], count * size - len(values))])
    buckets = padded.reshape(count, size)
    missing = np.isnan(buckets)
    lowest = np.where(missing, np.inf, buckets).argmin(axis=1)
    highest = np.where(missing, -np.inf, buckets).argmax(axis=1)
    rows = np.arange(count)
    pair = np.stack(
        [buckets[rows, np.minimum(lowest, highest)], buckets[rows, np.maximum(lowest, highest)]], axis=1
    )
    return pair.reshape(-1)


def step_of(size: int) -> float:
    """How many samples two decimated points are apart."""
    return 1.0 if size == 1 else size / 2


def kept_samples(worth: Array, most: int) -> Any:
    """Indices of at most about so many samples: the first and the worthiest of every bucket, and the last."""
    samples = len(worth)
    if samples <= most:
        return np.arange(samples)
    size = 2 * math.ceil(samples / most)
    starts = np.arange(0, samples, size)
    best = [int(start + np.argmax(worth[start : start + size])) for start in starts.tolist()]
    return np.unique(np.concatenate([starts, best, [samples - 1]]))
