"""Results gathered over the cells of one axis, or of two: smallest, mean and largest in every cell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from armdyn.scalars import Array
from armdyn.sweep.summary.blocks import Block
from armdyn.sweep.summary.cells import Cells


@dataclass(frozen=True, eq=False)
class Gathered:
    """A result over cells; arrays are (k,) over one axis, (k, l) over two, NaN where there is nothing."""

    result: str
    over: tuple[Cells, ...]
    count: Array
    smallest: Array
    mean: Array
    largest: Array

    def document(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "result": self.result,
            "axes": [cells.axis for cells in self.over],
            "at": [list(cells.labels or cells.middles.tolist()) for cells in self.over],
            **{name: getattr(self, name).tolist() for name in ("count", "smallest", "mean", "largest")},
        }


class Gathering:
    """Gathers one result."""

    def __init__(self, result: str, over: tuple[Cells, ...]) -> None:
        """Nothing seen yet."""
        self.result, self.over = result, over
        size = int(np.prod([cells.count for cells in over]))
        self._count, self._sum = np.zeros(size), np.zeros(size)
        self._low, self._high = np.full(size, np.inf), np.full(size, -np.inf)

    def look(self, block: Block) -> None:
        """Add the rows of a block."""
        values = np.asarray(block[self.result], dtype=float)
        rows = np.flatnonzero(np.isfinite(values))
        x, place = values[rows], np.zeros(len(rows), dtype=np.intp)
        for cells in self.over:
            place = place * cells.count + cells.places(block[cells.axis][rows])
        self._count += np.bincount(place, minlength=len(self._count))
        self._sum += np.bincount(place, weights=x, minlength=len(self._count))
        np.minimum.at(self._low, place, x)
        np.maximum.at(self._high, place, x)

    def gathered(self) -> Gathered:
        """All that was seen."""
        shape = tuple(cells.count for cells in self.over)
        empty = self._count == 0
        mean = np.where(empty, np.nan, self._sum / np.where(empty, 1.0, self._count))
        arrays = (self._count, np.where(empty, np.nan, self._low), mean, np.where(empty, np.nan, self._high))
        return Gathered(self.result, self.over, *(array.reshape(shape) for array in arrays))
