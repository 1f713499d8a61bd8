"""What a sweep has come to."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from armdyn.sweep.store.reader import Results, open_results


@dataclass(frozen=True)
class FailedRows:
    """Rows that could not be computed: whoever tried has died, or armdyn has a fault."""

    first: int
    last: int
    why: str


@dataclass(frozen=True)
class Sweep:
    """A sweep, finished or stopped; its rows are in files."""

    done: int
    """Rows that are in files, with those from before"""
    total: int
    output: Path
    """The folder"""
    computed: int
    """Rows that were computed now"""
    without_answer: int
    """Rows whose `error` says why they have no answer"""
    chunks: int
    """Files when all is done"""
    seconds: float
    failed: tuple[FailedRows, ...] = ()
    notes: tuple[str, ...] = ()
    stopped: str | None = None
    """Why it ended early, if it did"""

    @property
    def complete(self) -> bool:
        """Whether every row is there."""
        return self.done == self.total

    def reader(self) -> Results:
        """The rows, a chunk at a time."""
        return open_results(self.output)

    def table(self) -> Any:
        """All rows as one Arrow table, in their order."""
        return self.reader().table()

    def document(self) -> dict[str, Any]:
        """As `--json` prints it."""
        return {
            "done": self.done,
            "total": self.total,
            "output": str(self.output),
            "computed": self.computed,
            "without_answer": self.without_answer,
            "failed": [{"rows": [one.first, one.last], "reason": one.why} for one in self.failed],
            "chunks": self.chunks,
            "seconds": self.seconds,
            "stopped": self.stopped,
            "notes": list(self.notes),
        }
