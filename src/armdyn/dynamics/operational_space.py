"""The dynamics of a task at given states: its parts, torques that move it, and directions that are lost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from armdyn.dynamics.lost_directions import LOST, Directions, Scale
from armdyn.errors import InputError, ShapeError
from armdyn.scalars import Array

SEEN = 0.05
"""Shares of a direction below it are left out of a sentence."""


@dataclass(frozen=True, eq=False)
class OperationalSpace:
    """B_A xdd + C_A xd + g_A = gamma - h_A of a task of m axes ([Siciliano2009] 7.133), at states (...).

    Where a direction is lost, what has it in it (inertia, inverse, coriolis, gravity, contact) is NaN, or
    damped where that was asked for; jacobian, mobility, `acceleration` and `directions` are always there.
    """

    axes: tuple[str, ...]
    """What the task's coordinates are called"""
    jacobian: Array
    """J or J_A (..., m, n)"""
    velocity: Array
    """xd (..., m)"""
    drift: Array
    """Jdot qd (..., m)"""
    mobility: Array
    """J H^-1 J^T (..., m, m)"""
    inertia: Array
    """B_A (..., m, m)"""
    inverse: Array
    """Jbar (..., n, m), the dynamically consistent inverse (7.138)"""
    coriolis: Array
    """C_A xd (..., m) (7.131), with what a moving base does"""
    gravity: Array
    """g_A (..., m) (7.132)"""
    contact: Array
    """h_A (..., m), of the wrench that was given; zero without one"""
    bias: Array
    """(..., n) C qd + g + J^T h of the joints"""
    freed: Array
    """H^-1 J^T (..., n, m)"""
    damping: float | None
    scale: Scale
    """What makes lengths and turns comparable, by the arm's reach"""
    singular: NDArray[np.bool_]
    """(...) whether a direction is lost"""
    angles: str | None
    rates: Callable[[], tuple[Array, Array]]
    """C (..., n, n) and Jdot (..., m, n), when they are asked for"""

    # Torques and accelerations --------------------------------------------------------------

    def force(self, xdd: ArrayLike) -> Array:
        """gamma = B_A xdd + C_A xd + g_A + h_A (..., m) that accelerates the task by xdd (..., m)."""
        return _times(self.inertia, self._vector("xdd", xdd)) + self.coriolis + self.gravity + self.contact

    def torque(self, xdd: ArrayLike, null: ArrayLike | None = None) -> Array:
        """tau = J^T gamma + (1 - J^T Jbar^T) tau_0 (..., n) ([Siciliano2009] 7.141).

        Args:
            xdd: (..., m) acceleration that the task shall have.
            null: (..., n) tau_0, torques that move the arm without moving the task; none by default.
        """
        tau = _times(_transposed(self.jacobian), self.force(xdd))
        if null is None:
            return tau
        return tau + _times(self.projector, self._vector("null", null, self.jacobian.shape[-1]))

    def task_force(self, tau: ArrayLike) -> Array:
        """gamma = Jbar^T tau (..., m) of joint torques (..., n) ([Siciliano2009] 7.140)."""
        return _times(_transposed(self.inverse), self._vector("tau", tau, self.jacobian.shape[-1]))

    def acceleration(self, tau: ArrayLike) -> Array:
        """xdd (..., m) of joint torques (..., n): J H^-1 (tau - bias) + Jdot qd, friction left out."""
        net = self._vector("tau", tau, self.jacobian.shape[-1]) - self.bias
        return _times(_transposed(self.freed), net) + self.drift

    def joint_acceleration(self, xdd: ArrayLike, null: ArrayLike | None = None) -> Array:
        """qdd (..., n) of `torque`: Jbar (xdd - Jdot qd) + (1 - Jbar J) qdd_0, qdd_0 = `null` (..., n).

        Its inverse dynamics are `torque` with tau_0 = H qdd_0 + bias; without `null` the arm accelerates as
        little as it can, measured by its mass matrix.
        """
        qdd = _times(self.inverse, self._vector("xdd", xdd) - self.drift)
        if null is None:
            return qdd
        free = self._vector("null", null, self.jacobian.shape[-1])
        return qdd + free - _times(self.inverse, _times(self.jacobian, free))

    @cached_property
    def projector(self) -> Array:
        """1 - J^T Jbar^T (..., n, n), what is left of joint torques that must not move the task."""
        n = self.jacobian.shape[-1]
        return np.eye(n) - _transposed(self.jacobian) @ _transposed(self.inverse)

    # The matrix C_A -------------------------------------------------------------------------

    @cached_property
    def coriolis_matrix(self) -> Array:
        """C_A = (Jbar^T C - B_A Jdot) Jbar (..., m, m), for which B_A' - 2 C_A is skew (Problem 7.9).

        On a base at rest. C_A xd is `coriolis` less `internal`.
        """
        C, Jdot = self.rates()
        return (_transposed(self.inverse) @ C - self.inertia @ Jdot) @ self.inverse

    @cached_property
    def internal(self) -> Array:
        """(..., m) the part of `coriolis` that motions inside the arm cause; none where m = n."""
        return self.coriolis - _times(self.coriolis_matrix, self.velocity)

    # Lost directions ------------------------------------------------------------------------

    @cached_property
    def directions(self) -> Directions:
        """In which directions the task moves easily, and in which hardly or not at all."""
        return Directions.of(self.scale, self.jacobian)

    @property
    def lost(self) -> NDArray[np.bool_]:
        """(..., m) which of the `directions` are lost."""
        return self.directions.values < LOST

    def explained(self) -> str:
        """The directions of one state in a sentence: which are lost, or which is nearest to that."""
        if self.jacobian.ndim != 2:
            raise InputError(
                f"explained() is for one state, this has {self.jacobian.shape[:-2]}; ask for one posture"
            )
        if not np.isfinite(self.jacobian).all():
            if self.angles is None:
                return "the state is not a number, or has no answer"
            return f'the angles "{self.angles}" are not defined here; take angles=None, or the other ones'
        found, lost = self.directions, self.lost
        if lost.any():
            names = " and ".join(_written(self.axes, u) for u in found.vectors.T[lost])
            return f"the task cannot move along {names}; ask for fewer axes, or for damping"
        least = _written(self.axes, found.vectors[:, -1])
        return f"all {len(self.axes)} axes can move; least along {least}, {found.values[-1]:.3g} of the reach"

    def _vector(self, name: str, value: ArrayLike, size: int | None = None) -> Array:
        """(..., size) numbers, m of them by default."""
        wanted = len(self.axes) if size is None else size
        try:
            numbers = np.asarray(value, dtype=float)
        except (TypeError, ValueError) as error:
            raise InputError(f"{name} is not an array of numbers, expected shape (..., {wanted})") from error
        if numbers.ndim == 0 or numbers.shape[-1] != wanted:
            has = (
                f"the task has axes {', '.join(self.axes)}" if size is None else f"there are {wanted} joints"
            )
            raise ShapeError(name, numbers.shape, has, f"(..., {wanted})")
        batch = self.jacobian.shape[:-2]
        try:
            np.broadcast_shapes(numbers.shape[:-1], batch)
        except ValueError:
            expected = f"({wanted},) or {(*batch, wanted)}"
            raise ShapeError(name, numbers.shape, f"there are {batch} states", expected) from None
        return numbers


def _written(axes: tuple[str, ...], direction: Array) -> str:
    """A direction as (0.71 x - 0.71 rz), turns at the arm's reach."""
    turned = direction if direction[np.argmax(np.abs(direction))] > 0 else -direction
    parts = [(float(u), axis) for u, axis in zip(turned, axes, strict=True) if abs(u) > SEEN]
    if len(parts) == 1:
        return parts[0][1]
    text = " ".join(f"{'-' if u < 0 else '+'} {abs(u):.2f} {axis}" for u, axis in parts)
    return f"({text.removeprefix('+ ')})"


def _times(matrix: Array, x: Array) -> Array:
    """matrix x, over batches."""
    return (matrix @ x[..., None])[..., 0]


def _transposed(matrix: Array) -> Any:
    return np.swapaxes(matrix, -1, -2)
