"""References: the motion that a controller is asked for, known in pieces of smooth functions of time."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from armdyn.errors import InputError, ShapeError, counted
from armdyn.formats.motions import REST, Motion
from armdyn.motion.planned import Plan
from armdyn.scalars import Array
from armdyn.simulation.control.polynomials import Polynomials, Wanted, held, through
from armdyn.simulation.signals import NO_BREAKS, InPieces


class Reference(InPieces, Protocol):
    """The motion of n joints over time."""

    @property
    def n(self) -> int:
        """How many joints it moves."""
        ...

    @property
    def derivatives(self) -> bool:
        """Whether velocities and accelerations are known; they are NaN otherwise."""
        ...

    def between(self, start: float, end: float) -> Callable[[float], Wanted]:
        """q, qd, qdd (n) in a stretch without breaks inside, as they are from within at both ends."""
        ...

    def at(self, time: Array) -> Wanted:
        """q, qd, qdd (t, n) at instants (t); where they jump those that follow."""
        ...


@dataclass(frozen=True, eq=False)
class Called:
    """A reference that a function of time gives."""

    function: Callable[[float], ArrayLike]
    n: int
    derivatives: bool
    """Whether it gives (q, qd, qdd); otherwise q alone"""
    breaks: Array = field(default_factory=lambda: NO_BREAKS)
    end: float = math.inf
    source: str = "the reference"

    def between(self, start: float, end: float) -> Callable[[float], Wanted]:  # noqa: ARG002  one piece
        """The function, its values checked."""
        return self._wanted

    def at(self, time: Array) -> Wanted:
        """q, qd, qdd (t, n) at instants (t)."""
        rows = np.array([self._wanted(float(t)) for t in time]).reshape(-1, 3, self.n)
        return rows[:, 0], rows[:, 1], rows[:, 2]

    def _wanted(self, t: float) -> Wanted:
        value = _called(self.function, t, self.source)
        expected = (3, self.n) if self.derivatives else (self.n,)
        if value.shape != expected:
            raise ShapeError(self.source, value.shape, f"at {t:g} s, and other than before", f"{expected}")
        if self.derivatives:
            return value[0], value[1], value[2]
        unknown = np.full(self.n, math.nan)
        return value, unknown, unknown


# Makers ---------------------------------------------------------------------------------------


def fixed(q: ArrayLike) -> Polynomials:
    """A posture q (n) that is held for ever."""
    posture = np.asarray(q, dtype=float)
    if posture.ndim != 1:
        raise ShapeError("q", posture.shape, "the reference is one posture", "(n,)")
    if not np.isfinite(posture).all():
        raise InputError(f"the posture to hold has {_first_wrong(posture)}, expected finite numbers")
    return Polynomials(np.zeros(1), held(posture)[None])


def of_motion(motion: Motion, *, source: str = "the reference") -> Polynomials:
    """A sampled motion, positions, velocities and accelerations continuous (Hermite's quintic pieces).

    Before the first sample the first posture is held. After the last one the last posture is held if the
    motion ends at rest (no joint faster than 1e-4 of its largest speed); otherwise the reference ends there.
    """
    _check_samples(motion.time, (motion.q, motion.qd, motion.qdd), source)
    speeds = np.abs(motion.qd)
    rests = bool((speeds[-1] <= REST * speeds.max(axis=0)).all())
    return through(motion.time, (motion.q, motion.qd, motion.qdd), source, rests=rests)


def of_plan(plan: Plan, *, source: str = "the reference") -> Polynomials:
    """The motion of a plan: a cubic spline through its samples, accelerations continuous.

    It starts from rest and ends at rest, and the last posture is held, unless the last move does not stop.
    A joint that is in the same place at three or more samples in a row rests there exactly.
    """
    if len(plan.time) < 2:
        return fixed(plan.q[0])
    stops = not plan.moves or plan.moves[-1].stops
    _check_samples(plan.time, (plan.q,), source)
    interpolate: Any = import_module("scipy.interpolate")  # slow to import: only where it is needed
    spline: Any = interpolate.CubicSpline(
        plan.time, plan.q, bc_type=("clamped", "clamped" if stops else "not-a-knot")
    )
    rests = _resting(plan.q)
    qd, qdd = (np.where(rests, 0.0, spline(plan.time, order)) for order in (1, 2))
    return through(plan.time, (plan.q, qd, qdd), source, rests=stops)


def of_function(
    function: Callable[[float], ArrayLike],
    n: int,
    *,
    breaks: ArrayLike = (),
    end: float = math.inf,
    source: str = "the reference",
) -> Called:
    """A reference of n joints that a function of time gives: (q, qd, qdd), or q alone.

    Args:
        function: of the time [s]; called at time 0 to see which of both it gives. With q alone it serves
            controllers that ask for no derivatives.
        n: how many joints it moves.
        breaks: instants at which it jumps or bends [s].
        end: how long it is known [s].
        source: what to call it in a message.
    """
    shape = _called(function, 0.0, source).shape
    if shape not in ((n,), (3, n)):
        raise ShapeError(source, shape, f"it moves {counted(n, 'joint')}", f"(3, {n}): q, qd, qdd, or ({n},)")
    instants = np.asarray(breaks, dtype=float)
    if instants.ndim != 1 or not (np.diff(instants) > 0).all():
        raise InputError(f"{source}: breaks are not increasing instants, expected some in s")
    return Called(function, n, len(shape) == 2, instants, end, source)


def _resting(q: Array) -> Any:
    """(t, n) which samples belong to three or more in a row in the same place."""
    still = np.zeros(q.shape, dtype=bool)
    middle: Any = (q[1:-1] == q[:-2]) & (q[1:-1] == q[2:])
    for shift in range(3):
        still[shift : len(q) - 2 + shift] |= middle
    return still


# Checks ---------------------------------------------------------------------------------------


def _check_samples(time: Array, samples: tuple[Array, ...], source: str) -> None:
    """Refuse samples through which no motion goes."""
    t = len(time)
    for name, values in zip(("q", "qd", "qdd"), samples, strict=False):
        if values.ndim != 2 or values.shape != (t, samples[0].shape[-1]):
            raise ShapeError(f"{source}: {name}", values.shape, f"there are {t} instants", f"({t}, n)")
        if not np.isfinite(values).all():
            raise InputError(f"{source}: {name} has {_first_wrong(values)}, expected finite numbers")
    if t < 2 or not (np.diff(time) > 0).all():
        raise InputError(f"{source}: instants do not increase, expected two or more that do")


def _first_wrong(values: Array) -> str:
    """The first value that is not finite, and where it is, counted from 1."""
    place = np.argwhere(~np.isfinite(values))[0]
    value = values[tuple(place)]
    joint = f"joint {place[-1] + 1}"
    return f"{value} at {joint}" if values.ndim == 1 else f"{value} at sample {place[0] + 1}, {joint}"


def _called(function: Callable[[float], ArrayLike], t: float, source: str) -> Array:
    """What a function gives, as an array of numbers."""
    value = function(t)
    try:
        return np.asarray(value, dtype=float)
    except (TypeError, ValueError) as error:
        raise InputError(
            f"{source} does not give numbers at {t:g} s, expected (q, qd, qdd), or q alone"
        ) from error
