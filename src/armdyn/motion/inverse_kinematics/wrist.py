"""Three axes through one point: the angles that give an orientation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from armdyn.motion.inverse_kinematics.subproblems import (
    circle_to_point,
    turned_back,
    two_circles,
)
from armdyn.motion.vectors import beside_of
from armdyn.scalars import Array

WRISTS = ("wrist plain", "wrist flipped")
"""Plain: axis 6 is turned from axis 4 by less than half a turn in the positive sense of axis 5."""


@dataclass(frozen=True)
class Wrist:
    """R(a4, q4) R(a5, q5) R(a6, q6) = R."""

    axes: Array
    """(3, 3) unit vectors a4, a5, a6"""

    def solve(self, along: Array, beside: Array, sign: Any, free: Any) -> tuple[Array, Array, Array]:
        """q4, q5, q6 from R a6 (..., 3) and R b6 (..., 3); sign +1 for plain.

        R(a4, q4) R(a5, q5) a6 = R a6, and then R(a6, q6) b6 = R(a5, q5)^T R(a4, q4)^T R b6. Where a6
        lines up with a4 only q4 + q6 (or q4 - q6) is given: q4 is the free angle.
        """
        a4, a5, a6 = self.axes
        q4, q5 = two_circles(a4, a5, a6, along, -sign, free)
        rest = turned_back(a5, q5, turned_back(a4, q4, beside))
        return q4, q5, circle_to_point(a6, beside_of(a6), rest)
