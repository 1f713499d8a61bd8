"""The last minutes of a stream: the one buffer that it has, read by every page at its own pace."""

from __future__ import annotations

import numpy as np

from armdyn.scalars import Array

CAPACITY = 12_000
"""Rows: two minutes at 100 Hz."""


class History:
    """Rows of numbers, the oldest overwritten; each has a number that counts from 0."""

    def __init__(self, width: int, capacity: int = CAPACITY) -> None:
        """Empty, of so many numbers a row."""
        self._rows = np.empty((capacity, width))
        self.count = 0
        """Rows that were ever added: the number of the next"""

    @property
    def first(self) -> int:
        """The number of the oldest row that is left."""
        return max(0, self.count - len(self._rows))

    def add(self, row: Array) -> None:
        """A row more."""
        self._rows[self.count % len(self._rows)] = row
        self.count += 1

    def since(self, number: int, most: int | None = None) -> tuple[Array, int]:
        """Copies of the rows from a number on, the last ones if they are too many, and how many are lost."""
        begin = max(number, self.first)
        if most is not None:
            begin = max(begin, self.count - most)
        places = np.arange(begin, self.count) % len(self._rows)
        return self._rows[places], max(0, begin - number)
