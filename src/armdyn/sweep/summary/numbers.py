"""A column of numbers described: extremes with their rows, mean, deviation, quantiles, histogram."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from armdyn.scalars import Array
from armdyn.sweep.row_files import INDEX
from armdyn.sweep.summary.blocks import Block

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
EXACT = 100_000
"""Rows up to which quantiles are exact; of more they are known to a part of the span."""
FINE = 2048
"""Parts of the span in which numbers are counted."""
Counts = NDArray[np.int64]
BARS = 32
"""Of a histogram."""


@dataclass(frozen=True)
class Extreme:
    """A row that nothing exceeds; of several the first."""

    value: float
    index: int
    at: Mapping[str, Any]
    """Axis -> value"""

    def document(self) -> dict[str, Any]:
        """As plain data."""
        return {"value": self.value, "index": self.index, "at": dict(self.at)}


@dataclass(frozen=True, eq=False)
class Described:
    """What a column of numbers is like."""

    name: str
    unit: str
    kind: str
    count: int
    """Rows with a finite number"""
    infinite: int
    minimum: Extreme | None
    maximum: Extreme | None
    mean: float | None
    deviation: float | None
    quantiles: Mapping[float, float]
    exact: bool
    """Whether the quantiles are exact; otherwise to a 2048th of the span"""
    histogram: tuple[Array, Counts]
    """(bars + 1) edges and (bars) counts"""

    @property
    def is_truth(self) -> bool:
        """Whether it is a matter of yes and no: its mean is the share of yes."""
        return self.kind == "bool"

    def document(self) -> dict[str, Any]:
        """As plain data."""
        edges, counts = self.histogram
        return {
            "name": self.name,
            "unit": self.unit,
            "kind": self.kind,
            "count": self.count,
            "infinite": self.infinite,
            "minimum": None if self.minimum is None else self.minimum.document(),
            "maximum": None if self.maximum is None else self.maximum.document(),
            "mean": self.mean,
            "deviation": self.deviation,
            "quantiles": {f"{q:g}": value for q, value in self.quantiles.items()},
            "quantiles_exact": self.exact,
            "histogram": {"edges": edges.tolist(), "counts": counts.tolist()},
        }


class Numbers:
    """Gathers a column: `look` at every block, then `count` every block."""

    def __init__(self, name: str, unit: str, kind: str, axes: Sequence[str], total: int) -> None:
        """Nothing seen yet; `total` rows are to come at most."""
        self.name, self._unit, self._kind, self._axes = name, unit, kind, axes
        self._count = self._infinite = 0
        self._low: Extreme | None = None
        self._high: Extreme | None = None
        self._shift, self._sum, self._squares = math.nan, 0.0, 0.0
        self._kept: list[Array] | None = [] if total <= EXACT else None
        self._counts = np.zeros(FINE, dtype=np.int64)

    def look(self, block: Block) -> None:
        """Extremes and sums."""
        values = np.asarray(block[self.name], dtype=float)
        finite = np.isfinite(values)
        self._infinite += int(np.isinf(values).sum())
        rows = np.flatnonzero(finite)
        if not len(rows):
            return
        x = values[rows]
        self._count += len(x)
        low, high = int(rows[np.argmin(x)]), int(rows[np.argmax(x)])
        if self._low is None or values[low] < self._low.value:
            self._low = self._extreme(block, low)
        if self._high is None or values[high] > self._high.value:
            self._high = self._extreme(block, high)
        if math.isnan(self._shift):
            self._shift = float(x[0])
        self._sum += float((x - self._shift).sum())
        self._squares += float(((x - self._shift) ** 2).sum())
        if self._kept is not None:
            self._kept.append(x)

    def _extreme(self, block: Block, row: int) -> Extreme:
        at = {axis: _plain(block[axis][row]) for axis in self._axes}
        return Extreme(float(block[self.name][row]), int(block[INDEX][row]), at)

    @property
    def needs_counting(self) -> bool:
        """Whether a second look is needed: numbers that are not kept are counted between the extremes."""
        return self._kept is None

    def count(self, block: Block) -> None:
        """Numbers between the extremes."""
        if self._low is None or self._high is None:
            return
        values = np.asarray(block[self.name], dtype=float)
        self._counts += _counted(values[np.isfinite(values)], self._low.value, self._high.value, FINE)

    def described(self) -> Described:
        """All that was seen."""
        if self._low is None or self._high is None:
            nothing = (np.zeros(0), np.zeros(0, dtype=np.int64))
            about = (self.name, self._unit, self._kind, 0, self._infinite)
            return Described(*about, None, None, None, None, {}, exact=True, histogram=nothing)
        low, high, n = self._low.value, self._high.value, self._count
        shifted = self._sum / n
        variance = max(0.0, (self._squares - n * shifted * shifted) / (n - 1)) if n > 1 else 0.0
        mean = min(max(self._shift + shifted, low), high)
        return Described(
            self.name,
            self._unit,
            self._kind,
            n,
            self._infinite,
            self._low,
            self._high,
            mean,
            math.sqrt(variance),
            self._quantiles(low, high),
            exact=self._kept is not None,
            histogram=self._histogram(low, high),
        )

    def _quantiles(self, low: float, high: float) -> dict[float, float]:
        if self._kept is not None:
            values = np.concatenate(self._kept)
            return {q: float(np.quantile(values, q)) for q in QUANTILES}
        edges, below = np.linspace(low, high, FINE + 1), np.concatenate([[0], np.cumsum(self._counts)])
        return {q: float(np.interp(q * self._count, below, edges)) for q in QUANTILES}

    def _histogram(self, low: float, high: float) -> tuple[Array, Counts]:
        bars = 2 if self._kind == "bool" else BARS
        if high == low:
            return np.array([low, high]), np.array([self._count])
        if self._kept is not None:
            counts = _counted(np.concatenate(self._kept), low, high, bars)
        else:
            counts = self._counts.reshape(bars, -1).sum(axis=1)
        return np.linspace(low, high, bars + 1), counts


def _counted(values: Array, low: float, high: float, parts: int) -> Any:
    """(parts) how many values lie in each equal part; the upper end is in the last."""
    if high == low:
        places = np.zeros(len(values), dtype=np.intp)
    else:
        share = (values - low) / (high - low)
        places = np.minimum((share * parts).astype(np.intp), parts - 1)
    return np.bincount(places, minlength=parts)


def _plain(value: Any) -> Any:
    return value if isinstance(value, str) or value is None else float(value)
