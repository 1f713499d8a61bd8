"""Stretches of a path from one rest to the next, over one parameter all along."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from armdyn.feasibility.arm import Arm
from armdyn.retiming.limits import Limits, limits
from armdyn.retiming.optimal.grid import Grid, Part
from armdyn.retiming.torques import Course
from armdyn.scalars import Array


@dataclass(frozen=True, eq=False)
class Stretch:
    """Parts between two rests; s counts on over all of them, so that dq/ds does not jump."""

    arm: Arm
    parts: Sequence[Part]
    margin: float
    tool_speed: float | None

    @cached_property
    def scales(self) -> Array:
        """(parts) ds/dp in each."""
        found = [1.0]
        for before, after in zip(self.parts[:-1], self.parts[1:], strict=True):
            found.append(found[-1] * float(np.linalg.norm(after.first[0]) / np.linalg.norm(before.first[-1])))
        return np.array(found)

    @cached_property
    def starts(self) -> Array:
        """(parts + 1) the s at which each begins, and the end."""
        lengths = self.scales * [part.p[-1] for part in self.parts]
        return np.append(0.0, np.cumsum(lengths))

    @property
    def length(self) -> float:
        """Where s ends."""
        return float(self.starts[-1])

    def number(self, s: Array) -> NDArray[np.intp]:
        """(t) of the part."""
        return np.clip(np.searchsorted(self.starts, s, side="right") - 1, 0, len(self.parts) - 1)

    def place(self, s: Array) -> tuple[NDArray[np.intp], Array]:
        """(t) the number of the part, and p in it."""
        number = self.number(s)
        p = (s - self.starts[number]) / self.scales[number]
        return number, np.clip(p, 0.0, np.array([part.p[-1] for part in self.parts])[number])

    def at(self, s: Array) -> Array:
        """(4, t, n) q and its first three derivatives by s."""
        number, p = self.place(s)
        values = np.empty((4, len(s), self.parts[0].q.shape[1]))
        for k, part in enumerate(self.parts):
            mine = number == k
            values[:3, mine] = part.piece.curve.at(p[mine])
            values[3, mine] = part.piece.curve.third(p[mine])
            values[1:, mine] /= self.scales[k] ** np.arange(1, 4)[:, None, None]
        return values

    @cached_property
    def jumps(self) -> tuple[Array, Array]:
        """(m) the s at which parts meet, and (m, n) by how much d2q/ds2 jumps there, up or down."""
        before = [part.second[-1] / scale**2 for part, scale in zip(self.parts, self.scales, strict=True)]
        after = [part.second[0] / scale**2 for part, scale in zip(self.parts, self.scales, strict=True)]
        return self.starts[1:-1], np.abs(np.array(after[1:]) - np.array(before[:-1])).reshape(
            -1, len(after[0])
        )

    def limits(self, course: Course) -> Limits:
        """What limits a course along it."""
        return limits(self.arm, course, margin=self.margin, tool_speed=self.tool_speed)


def stretches(grid: Grid) -> Iterator[tuple[slice, Stretch]]:
    """The stretches of a grid, each with its parts' numbers."""
    first = 0
    for k, part in enumerate(grid.parts):
        if part.piece.stops or k == len(grid.parts) - 1:
            mine = slice(first, k + 1)
            yield mine, Stretch(grid.arms[first], grid.parts[mine], grid.largest_margin, grid.tool_speed)
            first = k + 1
