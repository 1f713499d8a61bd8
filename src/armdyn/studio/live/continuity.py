"""Whether samples follow one another: what was lost on the way, what came late, where all begins anew."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from statistics import median
from typing import Literal

from armdyn.studio.live.telemetry import Sample

GAP = 5.0
"""Usual periods: what is further apart does not follow, as in logs for identification."""
STARTED_AGAIN = 1000
"""Sequence numbers: what goes back further was not late, its sender has started again."""
CLOCK_SET = 1.0
"""[s] Time that goes back by more was set back; by less, it is a mistake of the sender."""
PERIODS = 50
"""Intervals from which the usual one is told."""
FEW = 10
"""Intervals before the usual one is trusted."""

Verdict = Literal["next", "anew", "late"]


@dataclass
class Counts:
    """What has come so far."""

    received: int = 0
    """Samples that were taken"""
    lost: int = 0
    """Sequence numbers that never came"""
    gaps: int = 0
    """Places where samples do not follow"""
    late: int = 0
    """Samples that came after later ones, or twice; left out"""
    refused: int = 0
    """Samples that made no sense or were too many"""


class Continuity:
    """Looks at sequence numbers and instants."""

    def __init__(self) -> None:
        """Nothing has come yet."""
        self.counts = Counts()
        self._last: tuple[int, float] | None = None
        self._rejoining = False
        self._intervals: deque[float] = deque(maxlen=PERIODS)

    @property
    def period(self) -> float | None:
        """[s] The usual one, None until a few samples have come."""
        return median(self._intervals) if len(self._intervals) >= FEW else None

    def reconnect(self) -> None:
        """Another connection: its sender goes on counting, or is another and counts anew."""
        self._rejoining = True

    def take(self, sample: Sample) -> Verdict:
        """Whether a sample follows the last one, begins anew, or is late and left out."""
        if self._last is None:
            return self._taken(sample, "anew")
        steps, seconds = sample.sequence - self._last[0], sample.time - self._last[1]
        back = steps <= 0 or seconds <= 0
        rejoining, self._rejoining = self._rejoining, False
        if steps < -STARTED_AGAIN or seconds < -CLOCK_SET or (rejoining and back):
            self._intervals.clear()
            self.counts.gaps += 1
            return self._taken(sample, "anew")
        if back:
            self.counts.late += 1
            return "late"
        self.counts.lost += steps - 1
        usual = self.period
        self._intervals.append(seconds / steps)  # of a gap, too: a sender may have become slower
        if usual is not None and seconds > GAP * usual:
            self.counts.gaps += 1
            return self._taken(sample, "anew")
        return self._taken(sample, "next")

    def _taken(self, sample: Sample, verdict: Verdict) -> Verdict:
        self._last = (sample.sequence, sample.time)
        self.counts.received += 1
        return verdict
