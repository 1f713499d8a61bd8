"""Signals: numbers over time, known in pieces between which they may jump or bend."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import ArrayLike

from armdyn.errors import InputError, ShapeError
from armdyn.scalars import Array
from armdyn.simulation.failures import Stopped, raised

NO_BREAKS: Array = np.empty(0)


class InPieces(Protocol):
    """What is known over time, in pieces between which it may jump or bend."""

    @property
    def breaks(self) -> Array:
        """Instants at which it jumps or bends, increasing [s]: integrators stop there."""
        ...

    @property
    def end(self) -> float:
        """How long it is known [s]; inf for ever."""
        ...

    @property
    def source(self) -> str:
        """What to call it in a message."""
        ...


class Signal(InPieces, Protocol):
    """Numbers (..., width) over time; leading axes are those of many runs at once."""

    @property
    def width(self) -> int:
        """How many numbers it has at an instant."""
        ...

    def between(self, start: float, end: float) -> Callable[[float], Array]:
        """Its values in a stretch without breaks inside, as they are from within at both ends."""
        ...

    def at(self, time: Array) -> Array:
        """(t, ..., width) its values at instants (t); where it jumps those that follow."""
        ...


@dataclass(frozen=True)
class Pieces:
    """A signal of straight pieces: constant, held samples, samples joined by lines, steps and ramps."""

    time: Array
    """(k) where pieces begin [s]; the first holds before it, too"""
    values: Array
    """(k, ..., width) at the beginning of each piece"""
    slopes: Array
    """(k, ..., width) how they change [1/s]"""
    end: float = math.inf
    source: str = "the input"
    """What to call it in a message"""

    @property
    def width(self) -> int:
        """How many numbers it has at an instant."""
        return self.values.shape[-1]

    @property
    def breaks(self) -> Array:
        """Where pieces begin, and where the last one ends."""
        return self.time if math.isinf(self.end) else np.append(self.time, self.end)

    def between(self, start: float, end: float) -> Callable[[float], Array]:
        """The piece in the middle of the stretch."""
        middle = 0.5 * (start + end)
        k = self._piece(middle)
        begin, value, slope = float(self.time[k]), self.values[k], self.slopes[k]
        if middle < begin or not slope.any():
            return lambda _: value
        return lambda t: value + (t - begin) * slope

    def at(self, time: Array) -> Array:
        """(t, ..., width) its values at instants (t)."""
        k: Any = np.clip(np.searchsorted(self.time, time, side="right") - 1, 0, None)
        since = np.maximum(time - self.time[k], 0.0).reshape((-1, *[1] * (self.values.ndim - 1)))
        return self.values[k] + since * self.slopes[k]

    def _piece(self, t: float) -> int:
        return max(int(np.searchsorted(self.time, t, side="right")) - 1, 0)


@dataclass(frozen=True)
class Function:
    """A signal that a function of time gives."""

    function: Callable[[float], ArrayLike]
    width: int
    breaks: Array = field(default_factory=lambda: NO_BREAKS)
    end: float = math.inf
    source: str = "the input"

    def between(self, start: float, end: float) -> Callable[[float], Array]:  # noqa: ARG002  one piece
        """The function, its values checked."""
        return self._value

    def at(self, time: Array) -> Array:
        """(t, ..., width) its values at instants (t)."""
        return np.stack([self._value(float(t)) for t in time]) if len(time) else np.empty((0, self.width))

    def _value(self, t: float) -> Array:
        try:
            value = np.asarray(self.function(t), dtype=float)
        except Exception as error:  # it may raise anything
            raise Stopped(raised(self.source, t, error)) from error
        if value.shape[-1:] != (self.width,):
            raise ShapeError(self.source, value.shape, f"at {t:g} s", f"(..., {self.width})")
        return value


def constant(values: ArrayLike, source: str = "the input") -> Pieces:
    """A signal (..., width) that stays as it is."""
    given = np.asarray(values, dtype=float)
    return Pieces(np.zeros(1), given[None], np.zeros((1, *given.shape)), source=source)


def slopes_between(time: Array, values: Array, source: str) -> Array:
    """(k-1, ..., width) how fast values change from instant to instant (k); finite, or refused."""
    steps = np.diff(time).reshape((-1, *[1] * (values.ndim - 1)))
    with np.errstate(over="ignore", invalid="ignore"):
        slopes = np.diff(values, axis=0) / steps
    if not np.isfinite(slopes).all():
        k = int(np.argmin(np.isfinite(slopes).reshape(len(slopes), -1).all(axis=1)))
        raise InputError(
            f"{source}: values change too fast from {time[k]:.9g} to {time[k + 1]:.9g} s to be joined by a "
            "line, expected a finite slope; mend them, or hold them"
        )
    return slopes


def sampled(
    time: ArrayLike,
    values: ArrayLike,
    between: Literal["hold", "linear"] = "linear",
    source: str = "the input",
) -> Pieces:
    """Samples (t, ..., width) at increasing instants (t), held or joined by lines.

    Before the first one its values hold; after the last one nothing is known.
    """
    if between not in ("hold", "linear"):
        raise InputError(f'between is "{between}", expected "hold" or "linear"')
    try:
        t, given = np.asarray(time, dtype=float), np.asarray(values, dtype=float)
    except (TypeError, ValueError) as error:
        raise InputError(f"{source} is no array of numbers, expected instants and values") from error
    if t.ndim != 1 or len(t) < 2 or given.ndim < 2 or len(given) != len(t):
        raise ShapeError(source, given.shape, f"there are {t.size} instants", f"({t.size}, width), 2 or more")
    if not (np.isfinite(t).all() and np.isfinite(given).all()):
        raise InputError(f"{source} has values that are not finite, expected numbers")
    steps = np.diff(t)
    if not (steps > 0).all():
        k = int(np.argmin(steps > 0))
        raise InputError(
            f"{source}: time goes from {t[k]:.9g} to {t[k + 1]:.9g} s, expected increasing instants"
        )
    slopes = np.zeros_like(given[:-1])
    if between == "linear":
        slopes = slopes_between(t, given, source)
    return Pieces(t[:-1], given[:-1], slopes, float(t[-1]), source)
