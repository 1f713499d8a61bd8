"""A motion that is linear in its coefficients."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from armdyn.identification.excitation.bases import Basis
from armdyn.scalars import Array

Motion = tuple[Array, Array, Array]
"""q, qd, qdd, each (t, n)."""


@dataclass(frozen=True, eq=False)
class Course:
    """q(t) = phi(t) c: smooth, and at rest at both ends."""

    basis: Basis
    coefficients: Array
    """(size, n) [rad or m, of the basis]"""

    @property
    def duration(self) -> float:
        """[s]."""
        return self.basis.duration

    def at(self, time: Array) -> Motion:
        """Positions, velocities and accelerations (t, n) at instants (t) within the duration [s]."""
        q, qd, qdd = self.basis.at(np.asarray(time, dtype=float)) @ self.coefficients
        return q, qd, qdd

    def grid(self, points: int) -> Array:
        """(points + 1) instants from start to end [s]."""
        return np.linspace(0.0, self.duration, points + 1)

    def shrunk(self, share: float, towards: Array) -> Course:
        """That share of the way from a posture (n) to every place that it takes."""
        centre = np.outer(self.basis.one, towards)
        return replace(self, coefficients=centre + share * (self.coefficients - centre))
