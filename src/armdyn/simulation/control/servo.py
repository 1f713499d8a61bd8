"""The servo of one joint: how inertia and gains make its natural frequency and damping.

[Bejczy1974] II, a position servo with velocity feedback on an inertia J:

    J th'' + kv th' + kp th = kp r,    w = sqrt(kp/J),    zeta = kv/(2 sqrt(kp J))

When the inertia falls by a factor n, both rise by sqrt(n); kv/sqrt(n) makes zeta what it was.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from armdyn.errors import InputError, ShapeError
from armdyn.mechanics.motor_limits import check_time
from armdyn.scalars import Array

MISFIT = 0.05
"""A response that the best fit misses by more than this share of the step (rms) is none of second order."""
DAMPINGS = np.geomspace(0.02, 20.0, 13)
FREQUENCIES = 200
"""The fit begins where the miss is least among these dampings and so many frequencies."""
MOST_COMPARED = 400
"""Samples that are looked at for that."""
SMALL = 1e-3
"""Below this sinh(b)/b is its series in x = b^2: the next term is x^4/362880."""


@dataclass(frozen=True)
class Servo:
    """Natural frequency and damping of a servo, one or (...) many."""

    frequency: Any
    """w [rad/s], undamped"""
    damping: Any
    """zeta: 1 is critical"""


def servo(inertia: ArrayLike, kp: ArrayLike, kv: ArrayLike) -> Servo:
    """The servo of inertias [kg m2 or kg] under gains kp [N m/rad] and kv [N m s/rad], all (...)."""
    J, stiffness = _positive("inertia", inertia), _positive("kp", kp)
    w: Any = np.sqrt(stiffness / J)
    return Servo(w, _not_negative("kv", kv) / (2 * J * w))


def critical_velocity_gain(inertia: ArrayLike, kp: ArrayLike) -> Any:
    """The gain kv = 2 sqrt(kp J) that damps critically, (...)."""
    return 2 * np.sqrt(_positive("kp", kp) * _positive("inertia", inertia))


def step_response(time: ArrayLike, frequency: float, damping: float) -> Array:
    """What is left (t) of a unit step at instants (t) after it, of a servo at rest: from 1 to 0."""
    s = frequency * np.asarray(time, dtype=float)
    # e^(-zeta s) (cosh b + zeta s sinh(b)/b), b^2 = x = (zeta^2 - 1) s^2: analytic, no case is critical
    x = (damping * damping - 1) * s * s
    b = np.sqrt(np.abs(x))
    cosh, sinh = _waves(x, b, damping * s)
    return cosh + damping * s * sinh


def _waves(x: Array, b: Array, decay: Array) -> tuple[Array, Array]:
    """cosh(b) and sinh(b)/b, of b imaginary where x < 0, both times e^-decay."""
    slow, fast = np.exp(np.where(x > 0, b, 0.0) - decay), np.exp(-np.where(x > 0, b, 0.0) - decay)
    safe = np.where(np.abs(x) < SMALL, 1.0, b)
    cosh = np.where(x > 0, 0.5 * (slow + fast), np.cos(b) * fast)
    sinh = np.where(x > 0, 0.5 * (slow - fast), np.sin(b) * fast) / safe
    near = np.abs(x) < SMALL
    series = (1 + x / 6 * (1 + x / 20 * (1 + x / 42))) * np.exp(-decay)
    return cosh, np.where(near, series, sinh)


def measured_servo(time: ArrayLike, q: ArrayLike, r: float) -> Servo:
    """The servo whose exact response from rest is nearest to a step response.

    Args:
        time: (t) increasing instants [s]; the first is that of the step.
        q: (t) positions of the joint, at rest at the first instant.
        r: where it is asked to go.
    """
    t = check_time(time)
    since = t - t[0]
    left = _left_of_step(since, q, r)
    weights: Array = np.sqrt(np.gradient(since) / since[-1])

    def misses(logarithms: Array) -> Array:
        frequency, damping = np.exp(logarithms)
        return weights * (step_response(since, frequency, damping) - left)

    optimize: Any = import_module("scipy.optimize")  # slow to import: only where it is needed
    start = _nearest_of_many(since, left)
    bounds = (start - 5, start + 5)  # e^5 either way: far enough, and no number overflows
    best = optimize.least_squares(misses, start, bounds=bounds, xtol=1e-15, ftol=1e-15, gtol=1e-15)
    miss = float(np.sqrt(2 * best.cost))
    if miss > MISFIT:
        raise InputError(
            f"the step response is {100 * miss:.3g} % of the step off that of any servo of second order, "
            f"expected {100 * MISFIT:g} % or less; start at rest, and let the record begin with the step"
        )
    frequency, damping = np.exp(best.x)
    return Servo(float(frequency), float(damping))


def _left_of_step(since: Array, q: ArrayLike, r: float) -> Array:
    """(t) what is left of the step: 1 at the beginning."""
    x = np.asarray(q, dtype=float)
    if x.shape != since.shape:
        raise ShapeError("q", x.shape, f"there are {len(since)} instants", f"({len(since)},)")
    if not (np.isfinite(x).all() and np.isfinite(r)):
        raise InputError("the step response has values that are not finite, expected numbers")
    if len(x) < 4 or x[0] == r:
        raise InputError(
            f"the response has {len(x)} samples and a step of {r - x[0]:g}, expected 4 or more and a step"
        )
    return (x - r) / (x[0] - r)


def _nearest_of_many(since: Array, left: Array) -> Array:
    """Logarithms of the frequency and the damping that come nearest, of a grid of them."""
    some: Any = np.unique(np.linspace(0, len(since) - 1, min(len(since), MOST_COMPARED)).astype(int))
    t, wanted = since[some], left[some]
    weights = np.gradient(t)
    slowest, fastest = 0.1 / float(t[-1]), 1.0 / float(np.median(np.diff(since)))
    frequencies = np.geomspace(slowest, max(fastest, 100 * slowest), FREQUENCIES)
    misses = np.array(
        [
            [float(weights @ (step_response(t, w, damping) - wanted) ** 2) for w in frequencies]
            for damping in DAMPINGS
        ]
    )
    row, column = np.unravel_index(int(np.argmin(misses)), misses.shape)
    return np.log([frequencies[column], DAMPINGS[row]])


def _positive(name: str, value: ArrayLike) -> Array:
    numbers = np.asarray(value, dtype=float)
    if not (np.isfinite(numbers).all() and (numbers > 0).all()):
        raise InputError(f"{name} is {value}, expected a finite number above 0")
    return numbers


def _not_negative(name: str, value: ArrayLike) -> Array:
    numbers = np.asarray(value, dtype=float)
    if not (np.isfinite(numbers).all() and (numbers >= 0).all()):
        raise InputError(f"{name} is {value}, expected a finite number, 0 or above")
    return numbers
