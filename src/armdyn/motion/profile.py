"""Trapezoids of speed: along a length as fast as speed and acceleration allow, in closed form."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from armdyn.errors import InputError
from armdyn.scalars import Array

ROUNDING = 1e-12
"""By this share of a ramp from rest a ramp may be longer than its length: rounding, not a mistake."""


@dataclass(frozen=True)
class Trapezoid:
    """A motion along a length: up from the start's speed to the peak, along it, down to the end's speed."""

    length: float
    """[m or rad], 0 or more"""
    peak: float
    """The largest speed"""
    acceleration: float
    deceleration: float
    """Its size, above 0 as the acceleration"""
    start: float = 0.0
    """Speed at the start, at most the peak"""
    end: float = 0.0
    """Speed at the end, at most the peak"""

    @classmethod
    def of(
        cls,
        length: float,
        speed: float,
        acceleration: float,
        deceleration: float | None = None,
        *,
        start: float = 0.0,
        end: float = 0.0,
    ) -> Trapezoid:
        """The fastest one that keeps to a speed and an acceleration; a triangle where the length is short.

        Args:
            length: how far, 0 or more.
            speed: what is reached where there is room.
            acceleration: of the ramp up.
            deceleration: of the ramp down; the acceleration's size if not given.
            start: speed at the start, at most `speed`.
            end: speed at the end, at most `speed`.
        """
        down = acceleration if deceleration is None else deceleration
        _check_limits(length, speed, acceleration, down)
        _check_ends(length, speed, acceleration, down, start, end)
        # up and down without cruising: (peak^2 - start^2) / 2a + (peak^2 - end^2) / 2d = length
        squared = 2 * acceleration * down * length + down * start**2 + acceleration * end**2
        peak = min(speed, math.sqrt(squared / (acceleration + down)))
        if length and not peak:
            raise InputError(
                f"a motion of length {length:g} with acceleration {acceleration:g} lasts too long for a "
                "number; give a larger acceleration, or a nearer target"
            )
        return cls(length, max(peak, start, end), acceleration, down, start, end)

    @property
    def accelerating(self) -> float:
        """Time of the ramp up [s]."""
        return (self.peak - self.start) / self.acceleration

    @property
    def decelerating(self) -> float:
        """Time of the ramp down [s]."""
        return (self.peak - self.end) / self.deceleration

    @property
    def cruising(self) -> float:
        """Time at the peak [s]."""
        if self.peak == 0:
            return 0.0
        up = (self.peak + self.start) / 2 * self.accelerating
        down = (self.peak + self.end) / 2 * self.decelerating
        return max((self.length - up - down) / self.peak, 0.0)

    @property
    def duration(self) -> float:
        """Time of all of it [s]."""
        return self.accelerating + self.cruising + self.decelerating

    def at(self, time: ArrayLike) -> tuple[Array, Array, Array]:
        """Way, speed and acceleration at instants; outside of the motion it stays as it is at its ends.

        Args:
            time: (...) instants, 0 at the start [s].

        Returns:
            s, sd, sdd of shape (...); sdd is 0 before 0, and from the end on.
        """
        given: Array = np.asarray(time, dtype=np.float64)
        duration, up = self.duration, self.accelerating
        t: Array = np.clip(given, 0.0, duration)
        left = duration - t
        accelerating, decelerating = t < up, left < self.decelerating
        # down the ramp the way is counted from the end, which so is met exactly
        s: Array = np.where(
            accelerating,
            (self.start + self.acceleration / 2 * t) * t,
            (self.start + self.peak) / 2 * up + self.peak * (t - up),
        )
        s = np.where(decelerating, self.length - (self.end + self.deceleration / 2 * left) * left, s)
        s = np.where(left == 0, self.length, s)
        sd: Array = np.where(accelerating, self.start + self.acceleration * t, self.peak)
        sd = np.where(decelerating, self.end + self.deceleration * left, sd)
        sdd: Array = np.where(accelerating, self.acceleration, 0.0)
        sdd = np.where(decelerating, -self.deceleration, sdd)
        sdd = np.where((given < 0) | (given >= duration), 0.0, sdd)
        return np.clip(s, 0.0, self.length), sd, sdd


def _check_limits(length: float, speed: float, acceleration: float, deceleration: float) -> None:
    """Refuse what no motion can have."""
    if not 0 <= length < math.inf:
        raise InputError(f"length {length:g} of a motion, expected a finite number of 0 or more")
    for name, value in (("speed", speed), ("acceleration", acceleration), ("deceleration", deceleration)):
        if not 0 < value < math.inf:
            raise InputError(f"{name} {value:g} of a motion, expected a finite number above 0")


def _check_ends(
    length: float, speed: float, acceleration: float, deceleration: float, start: float, end: float
) -> None:
    """Refuse speeds at the ends that are above the speed, or too far apart for the length."""
    for name, value in (("start", start), ("end", end)):
        if not 0 <= value <= speed:
            raise InputError(f"speed {value:g} at the {name} of a motion, expected 0 to its speed {speed:g}")
    rate = deceleration if start > end else acceleration
    ramp = abs(start - end) * (start + end) / (2 * rate)
    if ramp > length + ROUNDING * max(start, end) ** 2 / (2 * rate):
        raise InputError(
            f"a motion of length {length:g} is too short from speed {start:g} to {end:g}; "
            f"it takes {ramp:g}, change the speeds or the acceleration"
        )
