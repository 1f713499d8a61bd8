"""Whole turns of revolute joints, position limits, and how far postures are apart."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from armdyn.robot import Robot
from armdyn.scalars import Array

TURN = 2 * np.pi
EDGE = 1e-9
"""How far a position may be outside its limit [rad or m], so that rounding does not decide."""
SAME = 1e-6
"""Postures that differ by less [rad or m] are one."""


@dataclass(frozen=True)
class Turns:
    """Which joints turn, and the limits of all."""

    turning: NDArray[np.bool_]
    lower: Array
    upper: Array

    @classmethod
    def of(cls, robot: Robot) -> Turns:
        """Those of a robot; no limit is infinite."""
        limits = [joint.limits.position or (-np.inf, np.inf) for joint in robot.joints]
        turning = np.array([joint.kind == "revolute" for joint in robot.joints])
        return cls(turning, np.array([low for low, _ in limits]), np.array([high for _, high in limits]))

    def principal(self, q: Array) -> Array:
        """Angles in (-pi, pi]."""
        return q - np.where(self.turning, TURN * np.ceil((q - np.pi) / TURN), 0.0)

    def beside(self, q: Array, reference: Array) -> Array:
        """Angles shifted by whole turns to lie nearest the reference."""
        return q - np.where(self.turning, TURN * np.rint((q - reference) / TURN), 0.0)

    def beside_inside(self, q: Array, reference: Array) -> Array:
        """Angles shifted by whole turns to lie nearest the reference, inside the limits if that can be."""
        q = self.beside(q, reference)
        up = TURN * np.ceil((self.lower - EDGE - q) / TURN)
        down = TURN * np.floor((self.upper + EDGE - q) / TURN)
        shift = np.where(q < self.lower - EDGE, up, np.where(q > self.upper + EDGE, down, 0.0))
        shifted = q + np.where(self.turning, shift, 0.0)
        return np.where(self.inside(shifted), shifted, q)

    def inside(self, q: Array) -> NDArray[np.bool_]:
        """Which positions (..., n) are inside their limits."""
        return (q >= self.lower - EDGE) & (q <= self.upper + EDGE)

    def clamped(self, q: Array) -> Array:
        """Positions moved to their limits."""
        return np.clip(q, self.lower, self.upper)

    def range(self, length: float) -> tuple[Array, Array]:
        """Where postures are looked for: within the limits, a turn, or the arm's length."""
        most = np.where(self.turning, np.pi, length)
        lower, upper = np.maximum(self.lower, -most), np.minimum(self.upper, most)
        apart = lower > upper
        return np.where(apart, self.lower, lower), np.where(apart, self.upper, upper)

    def apart(self, q: Array, reference: Array) -> Array:
        """The largest difference of any joint (...), whole turns not counted; infinite of NaN."""
        return np.nan_to_num(np.abs(self.beside(q, reference) - reference).max(axis=-1), nan=np.inf)

    def unwound(self, q: Array, start: Array) -> Array:
        """A motion (t, n) without jumps by whole turns, beginning nearest `start`."""
        steps = np.diff(q, axis=0, prepend=start[None])
        jumps = np.where(self.turning, np.rint(steps / TURN), 0.0)
        return q - TURN * np.cumsum(jumps, axis=0) if jumps.any() else q

    def distinct(self, q: Array) -> Array:
        """Each of the postures (k, n) once, in their order."""
        kept: list[Array] = []
        for row in q:
            if not kept or self.apart(np.array(kept), row).min() > SAME:
                kept.append(row)
        return np.array(kept).reshape(-1, q.shape[-1])
