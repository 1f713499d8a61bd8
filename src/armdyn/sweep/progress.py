"""How far a sweep is, how fast it goes, and how long it will still take, from what was measured."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from time import monotonic

WINDOW = 60.0
"""[s] over which the speed is taken: long enough to be steady, short enough to see a machine slow down."""
FEWEST = 4
"""Chunks that a speed is taken over at least."""


@dataclass(frozen=True)
class Progress:
    """How far a sweep is."""

    phase: str
    """"checking", "starting" or "computing" """
    done: int
    """Rows, with those that were there before; files while they are checked"""
    total: int
    rate: float | None = None
    """Rows a second"""
    left: float | None = None
    """Seconds that are left, at the speed of the last chunks"""


class Pace:
    """The speed of a sweep, from the chunks that came in."""

    def __init__(self, done: int, total: int, rows_per_second: float | None) -> None:
        """Of a sweep that starts now; the speed expected at first is that of the rows that were timed."""
        self._total = total
        self._expected = rows_per_second
        self._marks: deque[tuple[float, int]] = deque([(monotonic(), done)])

    def at(self, done: int) -> Progress:
        """As it is now that so many rows are done."""
        if done != self._marks[-1][1]:
            self._mark(monotonic(), done)
        rate = self._rate()
        left = (self._total - done) / rate if rate else None
        return Progress("computing", done, self._total, rate, left)

    def _mark(self, now: float, done: int) -> None:
        self._marks.append((now, done))
        while len(self._marks) > FEWEST + 1 and now - self._marks[1][0] > WINDOW:
            self._marks.popleft()

    def _rate(self) -> float | None:
        """Over the last minute; the time since the last chunk counts only where it is longer than usual."""
        (began, before), (last, now) = self._marks[0], self._marks[-1]
        if now == before or last == began:
            return self._expected
        usual = (last - began) / (len(self._marks) - 1)
        waited = max(0.0, monotonic() - last - 2 * usual)
        return (now - before) / (last - began + waited)
