"""From rest to rest along a length with limited jerk: seven pieces of constant jerk, found by ruckig."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from armdyn.errors import InputError
from armdyn.scalars import Array

NEVER_REACHED = 10.0
"""Over a length of 1 under a jerk of 1 speed and acceleration stay below 1: a larger limit is no limit."""
LEVEL = 1 - 1e-9
"""Above this share of the largest speed a piece without jerk cruises."""


@dataclass(frozen=True, eq=False)
class JerkLimited:
    """A motion over a length of 1 from rest to rest, in pieces of constant jerk."""

    instants: Array
    """(k + 1) where the pieces begin, and the end [s]"""
    states: Array
    """(3, k) way, speed and acceleration at the beginning of every piece"""
    jerks: Array
    """(k)"""

    @classmethod
    def of(cls, speed: float, acceleration: float, deceleration: float, jerk: float) -> JerkLimited:
        """The fastest one within the limits."""
        # in units of time in which the jerk is 1 all numbers are of one size
        unit = jerk ** (-1 / 3)
        limits = (speed * unit, acceleration * unit**2, deceleration * unit**2)
        v, a, d = (min(limit, NEVER_REACHED) for limit in limits)
        piece = _pieces(v, a, d, f"speed {speed:g}, acceleration {acceleration:g} and jerk {jerk:g}")
        lasting = np.asarray(piece.t) > 0
        instants = np.concatenate([[0.0], np.cumsum(np.asarray(piece.t)[lasting])]) * unit
        states = np.array([piece.p[:7], piece.v[:7], piece.a[:7]])[:, lasting]
        scale = np.array([1.0, 1 / unit, 1 / unit**2])[:, None]
        return cls(instants, states * scale, np.asarray(piece.j)[lasting] * jerk)

    @property
    def duration(self) -> float:
        """Time of all of it [s]."""
        return float(self.instants[-1])

    @property
    def accelerating(self) -> float:
        """Time until the largest speed is reached [s]."""
        return self._fastest[0]

    @property
    def decelerating(self) -> float:
        """Time from where the largest speed is left [s]."""
        return self.duration - self._fastest[1]

    @cached_property
    def _fastest(self) -> tuple[float, float]:
        """When the largest speed is reached, and left."""
        _, speed, acceleration = self.states
        k = int(np.argmax(speed))
        fast = np.append(speed, 0.0) >= LEVEL * speed[k]
        cruising = np.flatnonzero((self.jerks == 0) & fast[:-1] & fast[1:])
        if len(cruising):
            return float(self.instants[cruising[0]]), float(self.instants[cruising[-1] + 1])
        # inside of the piece before or after, or between the two: where the acceleration is 0
        crossed = k - 1 if acceleration[k] < 0 else k
        peak = float(self.instants[k] - acceleration[k] / self.jerks[crossed])
        return peak, peak

    def at(self, time: ArrayLike) -> tuple[Array, Array, Array]:
        """Way, speed and acceleration at instants (...), resting at the ends outside of the motion."""
        given: Array = np.asarray(time, dtype=np.float64)
        t: Array = np.clip(given, 0.0, self.duration)
        k = np.clip(np.searchsorted(self.instants, t, side="right") - 1, 0, len(self.jerks) - 1)
        (p, v, a), j, x = self.states[:, k], self.jerks[k], t - self.instants[k]
        over = t >= self.duration
        s = np.where(over, 1.0, np.clip(p + x * (v + x * (a / 2 + x * j / 6)), 0.0, 1.0))
        sd = np.where(over, 0.0, v + x * (a + x * j / 2))
        sdd = np.where(over | (given < 0), 0.0, a + x * j)
        return s, sd, sdd


def _pieces(speed: float, acceleration: float, deceleration: float, asked: str) -> Any:
    """Ruckig's seven pieces over a length of 1 under a jerk of 1."""
    ruckig: Any = import_module("ruckig")  # only for those who limit the jerk
    wanted, found = ruckig.InputParameter(1), ruckig.Trajectory(1)
    wanted.current_position, wanted.target_position = [0.0], [1.0]
    wanted.max_velocity, wanted.max_jerk = [speed], [1.0]
    wanted.max_acceleration, wanted.min_acceleration = [acceleration], [-deceleration]
    result = ruckig.Ruckig(1).calculate(wanted, found)
    if result not in (ruckig.Result.Working, ruckig.Result.Finished):
        raise InputError(f"no motion with {asked} in parts of its length; change the time of the jerk")
    return found.profiles[0][0]
