"""How samples arrive: how many a second, and how much later than the quickest."""

from __future__ import annotations

from collections import deque
from itertools import pairwise

EVERY = 0.1
"""[s] between marks from which a rate is told."""
MARKS = 21
"""Marks that are kept: two seconds."""
REMEMBERED = 30.0
"""[s] The quickest way of the last so many seconds, up to twice as many, counts: clocks drift."""


class Arrival:
    """Looks at the clock of this computer and at that of the controller."""

    def __init__(self) -> None:
        """Nothing has arrived yet."""
        self._marks: deque[tuple[float, int]] = deque(maxlen=MARKS)
        self._count = 0
        self._quickest: list[float] = []
        self._turned = 0.0
        self.last = -float("inf")
        """[s] by the clock of this computer, of the last sample"""
        self.behind = 0.0
        """[s] by which the last sample was later than the quickest"""

    def mark(self, now: float, time: float) -> None:
        """A sample of an instant by the controller's clock has arrived now [s]."""
        self.last = now
        self._count += 1
        if not self._marks or now - self._marks[-1][0] >= EVERY:
            self._marks.append((now, self._count))
        offset = now - time
        if not self._quickest or now - self._turned > REMEMBERED:
            self._quickest, self._turned = [*self._quickest[-1:], offset], now
        self._quickest[-1] = min(self._quickest[-1], offset)
        self.behind = offset - min(self._quickest)

    def restart(self) -> None:
        """The controller's clock is another."""
        self._quickest, self.behind = [], 0.0

    def rate(self, now: float) -> float:
        """[Hz] of the last two seconds; 0 if nothing has come in the last of them."""
        recent = [mark for mark in self._marks if now - mark[0] <= EVERY * MARKS]
        if now - self.last > 1.0 or len(recent) < 2:
            return 0.0
        counts = sum(after[1] - before[1] for before, after in pairwise(recent))
        return counts / (recent[-1][0] - recent[0][0])
