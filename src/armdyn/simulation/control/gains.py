"""Gains of controllers: given, or from the inertia that each joint feels."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from armdyn.dynamics import Dynamics
from armdyn.errors import InputError, ShapeError, counted
from armdyn.scalars import Array

INTEGRAL = 0.1
"""Share of the frequency with which an integral acts: far below where it swings, 2 zeta."""


def gains(
    dyn: Dynamics, frequency: ArrayLike, damping: ArrayLike = 1.0, q: ArrayLike | None = None
) -> tuple[Array, Array]:
    """kp and kv (n) of independent joints from their inertias J = H_jj: kp = J w^2, kv = J 2 zeta w.

    Args:
        dyn: what is controlled; its mass matrix has the rotors as its motor model sees them.
        frequency: w [rad/s] that each servo shall have, a number or (n).
        damping: zeta, 1 for critical, a number or (n).
        q: (n) posture at which the inertias are taken; by default the robot's home.
    """
    kp, kv = error_gains(dyn, frequency, damping)
    posture = np.array(dyn.robot.home if q is None else q, dtype=float)
    if posture.shape != (dyn.n,):
        raise ShapeError("q", posture.shape, _has_joints(dyn), f"({dyn.n},)")
    inertia = np.diagonal(dyn.mass_matrix(posture))
    if not np.isfinite(inertia).all():
        raise InputError(f"q is {posture}, where the inertias are not numbers; expected finite positions")
    return inertia * kp, inertia * kv


def error_gains(dyn: Dynamics, frequency: ArrayLike, damping: ArrayLike = 1.0) -> tuple[Array, Array]:
    """kp = w^2 and kv = 2 zeta w (n) of a computed torque, which has no inertia left; as for `gains`."""
    w, zeta = gain(dyn, "frequency", frequency), gain(dyn, "damping", damping)
    return w**2, 2 * zeta * w


def task_error_gains(axes: int, frequency: ArrayLike, damping: ArrayLike = 1.0) -> tuple[Array, Array]:
    """kp = w^2 and kv = 2 zeta w of the errors of a task of so many axes; as for `error_gains`."""
    w, zeta = task_gain(axes, "frequency", frequency), task_gain(axes, "damping", damping)
    return w**2, 2 * zeta * w


def task_gain(axes: int, name: str, value: ArrayLike) -> Array:
    """A gain of a task of so many axes: a number, or one for each, finite and not negative."""
    try:
        given = np.asarray(value, dtype=float)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} is {value!r}, expected a number or one for each axis") from error
    if given.shape not in ((), (axes,)):
        raise ShapeError(name, given.shape, f"the task has {axes} axes", f"a number or ({axes},)")
    if not (np.isfinite(given).all() and (given >= 0).all()):
        raise InputError(f"{name} is {given.tolist()}, expected finite numbers, 0 or above")
    return np.array(np.broadcast_to(given, (axes,)))


def integral_gain(dyn: Dynamics, frequency: ArrayLike, kp: ArrayLike) -> Array:
    """ki = 0.1 w kp (n) that goes with kp for a frequency w [rad/s]: slow beside the servo itself."""
    return INTEGRAL * gain(dyn, "frequency", frequency) * gain(dyn, "kp", kp)


def gain(dyn: Dynamics, name: str, value: ArrayLike) -> Array:
    """A gain as (n), refused unless it is a number, or one for each joint, finite and not negative."""
    try:
        given = np.asarray(value, dtype=float)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} is {value!r}, expected a number or one for each joint") from error
    if given.shape not in ((), (dyn.n,)):
        raise ShapeError(name, given.shape, _has_joints(dyn), f"a number or ({dyn.n},)")
    each = np.array(np.broadcast_to(given, (dyn.n,)))
    wrong = ~(np.isfinite(each) & (each >= 0))
    if wrong.any():
        j = int(np.argmax(wrong))
        place = f" for joint {j + 1}" if given.ndim else ""
        raise InputError(f"{name} is {each[j]:g}{place}, expected a finite number, 0 or above")
    return each


def _has_joints(dyn: Dynamics) -> str:
    return f'robot "{dyn.robot.name}" has {counted(dyn.n, "joint")}'
