"""Right angles, which files write as decimals: 1.5707963268 for a quarter turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from armdyn.errors import counted
from armdyn.spatial import Transform, Vec3
from armdyn.spatial.rotation import snap, unit
from armdyn.spatial.vector import ZERO, Mat3

UNCHANGED = 1e-15
"""Rounding alone moves an entry by this much; it is not worth a note."""


@dataclass
class RightAngles:
    """Makes decimals of right angles exact, unless the file is to be taken literally, and counts."""

    literal: bool
    count: int = 0
    largest: float = 0.0

    def placement(self, written: Transform) -> Transform:
        """A placement whose right angles are exact."""
        if self.literal:
            return written
        return Transform(self._exact(written.rotation), written.translation)

    def axis(self, written: Vec3) -> Vec3:
        """An axis, of length one, that is a coordinate axis if it nearly is."""
        return written if self.literal else unit(self._exact((written, ZERO, ZERO))[0])

    def _exact(self, written: Mat3) -> Mat3:
        exact = snap(written)
        a: Any = written
        b: Any = exact
        change = max(abs(a[i][j] - b[i][j]) for i in range(3) for j in range(3))
        if change > UNCHANGED:
            self.count, self.largest = self.count + 1, max(self.largest, change)
        return exact

    def notes(self) -> list[str]:
        """What was changed so far."""
        if not self.count:
            return []
        return [
            f"right angles written as decimals were read as exact ({counted(self.count, 'rotation')}, "
            f"largest change {self.largest:.1g}); literal=True or --literal keeps them as written"
        ]
