"""Chunks: the rows that one process evaluates at a time, and one file holds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

TARGET_SECONDS = 3.0
"""What a chunk should take: little is lost with it, and starting it costs nothing beside it."""
TARGET_BYTES = 48 * 2**20
"""What the columns of a chunk may take in memory."""
LEAST_EACH = 4
"""Chunks that every worker should have at least, so that all end together."""


@dataclass(frozen=True)
class Chunk:
    """Rows first .. stop - 1 of a study."""

    number: int
    first: int
    stop: int


@dataclass(frozen=True)
class Chunks:
    """The rows of a study, cut into chunks of equal size; fixed when a sweep starts."""

    total: int
    rows: int
    """Of a chunk"""

    @property
    def count(self) -> int:
        """How many chunks there are."""
        return -(-self.total // self.rows)

    def __getitem__(self, number: int) -> Chunk:
        return Chunk(number, number * self.rows, min(self.total, (number + 1) * self.rows))

    def in_order(self, scattered: bool) -> Iterator[Chunk]:
        """All chunks one after the other or, if `scattered`, ever finer over the whole study.

        Along a grid rows may cost ever more: scattered, those done so far stand for those to come.
        """
        bits = (self.count - 1).bit_length()
        for k in range(2**bits if scattered else self.count):
            number = int(f"{k:0{bits}b}"[::-1], 2) if scattered and bits else k
            if number < self.count:
                yield self[number]


def rows_of_chunk(total: int, workers: int, seconds_per_row: float, bytes_per_row: float) -> int:
    """How many rows a chunk has: some seconds of work, not too many bytes, enough chunks for all workers."""
    by_time = TARGET_SECONDS / max(seconds_per_row, 1e-12)
    by_bytes = TARGET_BYTES / max(bytes_per_row, 1.0)
    by_workers = total / (LEAST_EACH * workers)
    return int(max(1, min(by_time, by_bytes, max(by_workers, 0.2 * by_time))))
