"""How the tool turns along one move, over the move's arc length."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from armdyn.motion.path.rotations import exponential, rate
from armdyn.scalars import Array


@dataclass(frozen=True, eq=False)
class Turning:
    """R(s) = exp(c0 + c1 s + c2 s^2) R_middle: a rotation vector in base axes that is a polynomial of s."""

    middle: Array
    """(3, 3) R_base_tool where the vector is zero"""
    coefficients: Array
    """(3, 3) c0, c1, c2 in rows"""

    @classmethod
    def steady(cls, start: Array, vector: Array, length: float) -> Turning:
        """From an orientation by a rotation vector (3), in proportion to the length."""
        return cls(start, np.array([np.zeros(3), vector / length, np.zeros(3)]))

    @classmethod
    def none(cls, start: Array) -> Turning:
        """The orientation stays."""
        return cls(start, np.zeros((3, 3)))

    @classmethod
    def past(cls, middle: Array, at: float, first: Array, last: Array, length: float) -> Turning:
        """Through `middle` at arc length `at`, from and to where rotation vectors (3) lead from there."""
        # Lagrange's parabola through (0, first), (at, 0), (length, last)
        squares: Array = first / (at * length) + last / (length * (length - at))
        slopes: Array = -first * (at + length) / (at * length) - last * at / (length * (length - at))
        return cls(middle, np.array([first, slopes, squares]))

    def rotation(self, s: ArrayLike) -> Array:
        """s: (...) to R_base_tool (..., 3, 3)."""
        x = np.asarray(s, np.float64)[..., None]
        c0, c1, c2 = self.coefficients
        return exponential(c0 + x * (c1 + x * c2)) @ self.middle

    def rate(self, s: float) -> Array:
        """The turning per length at s, (3) in base axes [rad/m]."""
        c0, c1, c2 = self.coefficients
        return rate(c0 + s * (c1 + s * c2), c1 + 2 * s * c2)


@dataclass(frozen=True, eq=False)
class Passage:
    """From one move's turning to the next's: R(u) = R1(L1 - w (1 - u)^2) R_c^T R2(w u^2), u from 0 to 1.

    It begins and ends with the turning rates of the two, so that the tool's angular velocity is continuous.
    """

    before: Turning
    """R1, of a move of length L1"""
    length: float
    """L1 [m]"""
    after: Turning
    """R2, which begins at R_c, where R1 ends"""
    reach: float
    """w [m]"""

    def rotation(self, u: ArrayLike) -> Array:
        """u: (...) to R_base_tool (..., 3, 3)."""
        x = np.asarray(u, np.float64)
        entering = self.after.rotation(0.0).T @ self.after.rotation(self.reach * x**2)
        return self.before.rotation(self.length - self.reach * (1 - x) ** 2) @ entering
