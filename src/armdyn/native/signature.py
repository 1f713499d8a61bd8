"""What goes into a kernel and what comes out."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Signature:
    """All that a caller must know of a program: one row of each input and of each result for every state."""

    inputs: tuple[tuple[str, int], ...]
    """(name, size) of the inputs, in order."""
    results: tuple[tuple[int, ...], ...]
    """The shapes of the results, for one state."""

    @property
    def sizes(self) -> tuple[int, ...]:
        """Elements of each result, for one state."""
        return tuple(math.prod(shape) for shape in self.results)
