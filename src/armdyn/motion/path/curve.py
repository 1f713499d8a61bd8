"""What every curve in space can say about itself, over its arc length."""

from __future__ import annotations

from typing import Protocol

from numpy.typing import ArrayLike

from armdyn.scalars import Array

NEAR = 1e-9
"""Points nearer to one another than this [m] are one point."""


class Curve(Protocol):
    """A smooth curve of constant curvature, over arc length s from 0 to its length [m]."""

    @property
    def length(self) -> float:
        """[m]."""
        ...

    @property
    def curvature(self) -> float:
        """Turning of the tangent per length [rad/m]."""
        ...

    def point(self, s: ArrayLike) -> Array:
        """s: (...) to points (..., 3) [m]."""
        ...

    def tangent(self, s: ArrayLike) -> Array:
        """s: (...) to unit vectors (..., 3) along the curve."""
        ...

    def normal(self, s: ArrayLike) -> Array:
        """s: (...) to unit vectors (..., 3) towards which the curve bends."""
        ...
