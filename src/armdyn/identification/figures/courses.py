"""Torques of logs over time, as lines that can be drawn: short ones, with gaps where logs have some."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from armdyn.identification.identified import Compared
from armdyn.report.decimation import bucket_size, decimated, step_of
from armdyn.scalars import Array

POINTS = 1000
"""Of a line; more are not seen on paper."""
BETWEEN = 0.03
"""Share of their time that stands between logs."""
LONGEST = 26
"""Letters of a log's name."""


@dataclass(frozen=True, eq=False)
class Course:
    """Logs side by side, one after the other in time."""

    logs: tuple[Compared, ...]
    is_validation: bool = False

    @property
    def name(self) -> str:
        """The logs' names."""
        return ", ".join(short(log.name) for log in self.logs)

    @cached_property
    def starts(self) -> tuple[float, ...]:
        """When each log begins: a single one when it says, the first of several at zero [s]."""
        if len(self.logs) == 1:
            return (float(self.logs[0].observed.samples.time[0]),)
        lengths = [float(np.ptp(log.observed.samples.time)) for log in self.logs]
        between = BETWEEN * sum(lengths)
        return tuple(sum(lengths[:k]) + k * between for k in range(len(lengths)))

    @property
    def end(self) -> float:
        """When the last one ends [s]."""
        return self.starts[-1] + float(np.ptp(self.logs[-1].observed.samples.time))

    @property
    def duration(self) -> float:
        """[s]."""
        return max(self.end - self.starts[0], np.finfo(float).tiny)

    @property
    def bucket(self) -> int:
        """How many samples share two points of a line."""
        return bucket_size(sum(len(log.measured) for log in self.logs), POINTS)

    def measured(self, j: int) -> tuple[Array, Array]:
        """Time and torque of joint j."""
        return self._line([log.measured[:, j] for log in self.logs])

    def predicted(self, j: int) -> tuple[Array, Array]:
        """Time and torque of joint j."""
        return self._line([log.predicted[:, j] for log in self.logs])

    def residual(self, j: int, *, counting: bool) -> tuple[Array, Array]:
        """Time, and measured less predicted torque of joint j: of all rows, or of those that count."""
        return self._line([_residual(log, j, counting) for log in self.logs])

    def largest_residual(self, j: int) -> float:
        """Of the rows of joint j that count."""
        each = (np.nan_to_num(np.abs(_residual(log, j, True))).max(initial=0.0) for log in self.logs)
        return float(max(each))

    def resting(self, j: int) -> tuple[Array, NDArray[np.bool_]]:
        """Time, and whether most of the rows of joint j do not count then."""
        size = self.bucket
        times, rests = list[Array](), list[Array]()
        for log, start in zip(self.logs, self.starts, strict=True):
            time = log.observed.samples.time
            for part in log.observed.observations.segments:
                first: NDArray[np.intp] = np.arange(part.start, part.stop, size, dtype=np.intp)
                idle = ~log.observed.observations.used[part, j]
                share = np.add.reduceat(idle.astype(float), first - part.start) / size
                times += [time[first] - time[0] + start, np.array([np.nan])]
                rests += [share > 0.5, np.array([False])]
        return np.concatenate(times), np.concatenate(rests).astype(bool)

    def _line(self, values: Sequence[Array]) -> tuple[Array, Array]:
        """Times and values, NaN between stretches that are not to be joined."""
        size = self.bucket
        x, y = list[Array](), list[Array]()
        for log, start, own in zip(self.logs, self.starts, values, strict=True):
            time = log.observed.samples.time - log.observed.samples.time[0] + start
            for part in log.observed.observations.segments:
                drawn = decimated(own[part], size)
                place = np.arange(len(drawn)) * step_of(size)
                own_time: Array = time[part]
                x += [np.interp(place, np.arange(len(own_time)), own_time), np.array([np.nan])]
                y += [drawn, np.array([np.nan])]
        return np.concatenate(x), np.concatenate(y)


def short(name: str) -> str:
    """A name that fits: its end, which tells files apart."""
    return name if len(name) <= LONGEST else f"..{name[-LONGEST + 2 :]}"


def _residual(log: Compared, j: int, counting: bool) -> Array:
    if not counting:
        return log.measured[:, j] - log.predicted[:, j]
    return np.where(log.observed.observations.used[:, j], log.residuals[:, j], np.nan)
