"""What a motor can do: its torque-speed envelope, its greatest speed, and the mean that heats it.

The torque t at speed w is bound in up to four ways, each as far as the motor's data go:

    |t| <= peak torque                              for a moment
    |t| <= k_t i_max                                current
    |R t/k_t + k_e w| <= V_max                      voltage
    |t/stall torque + w/w_0| <= 1, w_0 = V_max/k_e  the same, where stall torque stands for k_t V_max/R

Where the peak torque is unknown the stall torque takes its place. Voltage leaves more torque for braking than
for driving, and above the no-load speed w_0 none for driving: the upper limit is negative there, the motor
can only turn so fast while it brakes. Still faster the limits cross (lower > upper), and no torque keeps them
all. The greatest speed is a limit of its own.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from armdyn.errors import InputError, MissingDataError, ShapeError, counted
from armdyn.robot import Motor, Robot
from armdyn.scalars import Array

Bound = tuple[float, float]
"""T [N m] and e [s/rad] of |t/T + e w| <= 1."""
NO_LIMIT = 1e30
"""A torque that no motion takes: where a limit is unknown."""


def torque_limits(motor: Motor, speed: ArrayLike) -> tuple[Array, Array]:
    """Lower and upper torque limit [N m] at each speed [rad/s]; -inf and inf where none is known.

    Beyond the no-load speed upper is negative and the motor must brake; far beyond it lower > upper.
    """
    w = np.asarray(speed, dtype=float)
    return -_upper(motor, -w), _upper(motor, w)


def _upper(motor: Motor, w: Array) -> Array:
    limit = np.full(w.shape, math.inf)
    with np.errstate(over="ignore"):
        for T, e in bounds(motor):
            limit = np.minimum(limit, T * (1 - e * w))
    return limit


def envelope_share(motor: Motor, speed: ArrayLike, torque: ArrayLike) -> Array | None:
    """How much of the envelope is used: 1 on its edge, more outside; None where no limit is known.

    It is the factor by which the envelope must grow, in torque and speed, to reach the point.
    """
    w, t = np.asarray(speed, dtype=float), np.asarray(torque, dtype=float)
    with np.errstate(over="ignore", invalid="ignore"):
        shares = [np.abs(t / T + e * w) for T, e in bounds(motor)]
    return np.max(shares, axis=0) if shares else None


def speed_limit(motor: Motor) -> float:
    """The greatest speed [rad/s] that the motor may have; inf where it is unknown."""
    return math.inf if motor.maximum_speed is None else motor.maximum_speed


def no_load_speed(motor: Motor) -> float:
    """V_max/k_e [rad/s], where the full voltage leaves no torque for driving; inf where it is unknown."""
    if motor.maximum_voltage is None or motor.back_emf_constant is None:
        return math.inf
    return motor.maximum_voltage / motor.back_emf_constant


def bounds(motor: Motor) -> Iterator[Bound]:
    """All that is known to bind the torque, in numbers that can be divided by."""
    for T, e in _known_bounds(motor):
        yield min(max(T, sys.float_info.min), sys.float_info.max), min(e, sys.float_info.max)


def _known_bounds(motor: Motor) -> Iterator[Bound]:
    k_t, R, V, stall = motor.torque_constant, motor.resistance, motor.maximum_voltage, motor.stall_torque
    momentary = stall if motor.peak_torque is None else motor.peak_torque
    if momentary is not None:
        yield momentary, 0.0
    if k_t is not None and motor.maximum_current is not None:
        yield k_t * motor.maximum_current, 0.0
    fastest = no_load_speed(motor)
    slope = 1 / fastest if fastest else math.inf
    if k_t is not None and R is not None and V is not None:
        yield k_t * V / R, slope
    if stall is not None and slope:
        yield stall, slope


# Motors side by side --------------------------------------------------------------------------


@dataclass(frozen=True)
class Envelopes:
    """The torque-speed envelopes of motors side by side; arrays are (..., n)."""

    motors: tuple[Motor, ...]

    @cached_property
    def known(self) -> Any:
        """(n) whether any limit of the torque is known."""
        return np.array([any(True for _ in bounds(motor)) for motor in self.motors], dtype=bool)

    @cached_property
    def _bounds(self) -> tuple[Array, Array]:
        """T and e (bounds, n) of |t/T + e w| <= 1; unknown ones bind nothing."""
        found = [list(bounds(motor)) for motor in self.motors]
        most = max((1, *(len(each) for each in found)))
        padded = [each + [(NO_LIMIT, 0.0)] * (most - len(each)) for each in found]
        table = np.array(padded).reshape(len(self.motors), most, 2)
        return table[:, :, 0].T.copy(), table[:, :, 1].T.copy()

    @cached_property
    def steady_limits(self) -> tuple[Array, Array] | None:
        """Lower and upper torque limits (n) where they are the same at every speed, else None."""
        T, e = self._bounds
        return None if e.any() else (-T.min(axis=0), T.min(axis=0))

    def limits(self, speed: Array) -> tuple[Array, Array]:
        """Lower and upper torque limit at each speed, or (n) those of all speeds.

        So fast that no torque keeps all limits (far above the no-load speed), a motor gives the nearest one.
        """
        if self.steady_limits is not None:
            return self.steady_limits
        T, e = self._bounds
        share = e * speed[..., None, :]
        upper, lower = (T * (1 - share)).min(axis=-2), -(T * (1 + share)).min(axis=-2)
        middle = 0.5 * (lower + upper)
        return np.minimum(lower, np.maximum(middle, upper)), np.maximum(upper, np.minimum(middle, lower))

    def share(self, speed: Array, torque: Array) -> Array:
        """How much of its envelope each uses: 1 on the edge; 0 where none is known."""
        T, e = self._bounds
        return np.abs(torque[..., None, :] / T + e * speed[..., None, :]).max(axis=-2)


def joint_motors(robot: Robot) -> tuple[Motor, ...]:
    """The joints as motors that have their effort limits."""
    return tuple(Motor(peak_torque=joint.limits.effort or None) for joint in robot.joints)


def drive_motors(robot: Robot, otherwise: str) -> tuple[Motor, ...]:
    """The motors of the drives, refused unless there are as many as joints; `otherwise` says what to do."""
    if len(robot.drives) != robot.n:
        has = f"{counted(len(robot.drives), 'drive')} for {counted(robot.n, 'joint')}"
        raise MissingDataError(
            f'robot "{robot.name}": {has}, motor torques need as many drives as joints; describe them, '
            f"or {otherwise}"
        )
    return tuple(drive.motor for drive in robot.drives)


# Means over time ------------------------------------------------------------------------------


def rms(time: ArrayLike, values: ArrayLike) -> Array:
    """The root of the time mean of the square, of values that run straight between the samples.

    Args:
        time: (t) increasing instants [s], not necessarily evenly spaced.
        values: (t, ...) what is sampled at them.

    Returns:
        (...), in the unit of the values.
    """
    t = check_time(time)
    with np.errstate(over="ignore", invalid="ignore"):
        return np.sqrt(integral_of_product(t, values, values) / (t[-1] - t[0]))


def integral_of_product(time: ArrayLike, a: ArrayLike, b: ArrayLike) -> Array:
    """The integral (...) over time of a b, exact for a and b (t, ...) straight between the samples."""
    t = check_time(time)
    x, y = _sampled(a, t), _sampled(b, t)
    # integral over a step h of two straight lines: h (2 x0 y0 + x0 y1 + x1 y0 + 2 x1 y1) / 6
    x0, x1, y0, y1 = x[:-1], x[1:], y[:-1], y[1:]
    with np.errstate(over="ignore", invalid="ignore"):
        return np.tensordot(np.diff(t), 2 * x0 * y0 + x0 * y1 + x1 * y0 + 2 * x1 * y1, axes=1) / 6


def check_time(time: ArrayLike) -> Array:
    """The instants as (t), refused unless there are two or more, finite and increasing."""
    try:
        t = np.asarray(time, dtype=float)
    except (TypeError, ValueError) as error:
        raise InputError("time is not an array of numbers, expected increasing instants in s") from error
    if t.ndim != 1 or len(t) < 2:
        raise ShapeError("time", t.shape, "a motion has two or more samples", "(t,) with t of 2 or more")
    if not np.isfinite(t).all():
        k = int(np.argmin(np.isfinite(t)))
        raise InputError(f"time has {t[k]} at sample {k + 1}, expected finite instants in s")
    late = t[1:] <= t[:-1]
    if late.any():
        k = int(np.argmax(late))
        raise InputError(
            f"time goes from {t[k]:g} to {t[k + 1]:g} s at sample {k + 2}, expected increasing instants"
        )
    if math.isinf(float(t[-1]) - float(t[0])):
        raise InputError(
            f"time goes from {t[0]:g} to {t[-1]:g} s, expected a duration that is a finite number"
        )
    return t


def _sampled(values: ArrayLike, t: Array) -> Array:
    x = np.asarray(values, dtype=float)
    if x.ndim == 0 or len(x) != len(t):
        raise ShapeError("values", x.shape, f"there are {len(t)} instants", f"({len(t)}, ...)")
    return x
