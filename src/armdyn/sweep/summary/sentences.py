"""Texts counted: why rows have no answer, and results that are words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from armdyn.sweep.row_files import INDEX
from armdyn.sweep.summary.blocks import Block

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
MOST_KINDS = 1000
"""Kinds of texts that are told apart; what comes later counts among others."""


@dataclass(frozen=True)
class Sentence:
    """A text, and how many rows have it or one that differs in numbers only."""

    text: str
    """That of the first such row"""
    rows: int
    first: int
    """The index of that row"""

    def document(self) -> dict[str, Any]:
        """As plain data."""
        return dict(vars(self))


class Texts:
    """Gathers a column of texts."""

    def __init__(self, name: str) -> None:
        """Nothing seen yet."""
        self.name, self.others = name, 0
        self._found: dict[str, tuple[str, int, int]] = {}

    def look(self, block: Block) -> None:
        """Count the texts of a block."""
        values = block[self.name]
        for row in np.flatnonzero(values != None).tolist():  # noqa: E711  element by element
            text = str(values[row])
            key = _NUMBER.sub("#", text)
            if key in self._found:
                said, rows, first = self._found[key]
                self._found[key] = (said, rows + 1, first)
            elif len(self._found) < MOST_KINDS:
                self._found[key] = (text, 1, int(block[INDEX][row]))
            else:
                self.others += 1

    def commonest(self) -> tuple[Sentence, ...]:
        """The most frequent first; of equally frequent ones the earliest."""
        found = (Sentence(text, rows, first) for text, rows, first in self._found.values())
        return tuple(sorted(found, key=lambda one: (-one.rows, one.first)))

    @property
    def rows(self) -> int:
        """Rows that have a text."""
        return self.others + sum(rows for _, rows, _ in self._found.values())
