"""[Siciliano2009] Example 7.2: its three motions of the planar arm, and what they take."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise

import numpy as np
from siciliano2009_arms import EXAMPLE, dynamics

import armdyn as ad
from armdyn.motion.profile import Trapezoid

Array = np.ndarray
QUARTER, HALF_SECOND = np.pi / 2, 0.5
"""Rotation [rad] and duration [s] of both joints in the first motion."""
ACCELERATING, SPEED = 0.15, 5.0
"""Acceleration time [s] and maximum velocity [rad/s or m/s] of the other two."""
FROM, TO = 0.2, 1.8
"""x of the tip [m], at y = 0."""
PHASE = 121
"""Samples between two jumps of the accelerations."""
INSIDE = 1e-9
"""[s] Samples keep that far from the jumps, on either side of which there is one."""


@cache
def planar2() -> ad.Dynamics:
    """The arm of Example 7.2, with its rotors as bodies."""
    return dynamics(ad.load("planar2"), "exact")


def posture(x: Array | float, y: Array | float = 0.0) -> Array:
    """(..., 2) joint angles with the tip at (x, y), elbow below: the law of cosines for a_1 = a_2."""
    r = np.hypot(x, y)
    q2 = 2 * np.arccos(r / (EXAMPLE.a1 + EXAMPLE.a2))
    return np.stack([np.arctan2(y, x) - q2 / 2, q2], axis=-1)


@dataclass(frozen=True, eq=False)
class Motion:
    """A motion of the arm: samples on both sides of every jump of an acceleration."""

    name: str
    durations: tuple[float, ...]
    """Of each joint's motion, or of the tip's [s]"""
    time: Array
    q: Array
    qd: Array
    qdd: Array

    @property
    def duration(self) -> float:
        """Until both joints rest [s]."""
        return max(self.durations)

    @cached_property
    def torque(self) -> Array:
        """What the motion takes: (t, 2) [N m]."""
        return planar2().inverse(self.q, self.qd, self.qdd)

    @cached_property
    def contributions(self) -> dict[str, Array]:
        """(t) the terms of (7.82), whose sums over each joint are the torques [N m]."""
        H, c = planar2().mass_matrix(self.q), planar2().velocity_coefficients(self.q)
        (e1, e2), (w1, w2), g = self.qdd.T, self.qd.T, planar2().gravity(self.q)
        return {
            "inertia 11": H[:, 0, 0] * e1,
            "inertia 12": H[:, 0, 1] * e2,
            "centrifugal 1": c[:, 0, 1, 1] * w2**2,
            "Coriolis 1": 2 * c[:, 0, 0, 1] * w1 * w2,
            "gravity 1": g[:, 0],
            "inertia 22": H[:, 1, 1] * e2,
            "inertia 21": H[:, 1, 0] * e1,
            "centrifugal 2": c[:, 1, 0, 0] * w1**2,
            "Coriolis 2": 2 * c[:, 1, 0, 1] * w1 * w2,
            "gravity 2": g[:, 1],
        }


def _times(jumps: list[float]) -> Array:
    """Samples of every phase between jumps, in order."""
    ends = sorted({round(t, 12) for t in jumps})
    return np.concatenate([np.linspace(a + INSIDE, b - INSIDE, PHASE) for a, b in pairwise(ends)])


def _jumps(way: Trapezoid) -> list[float]:
    return [0.0, way.accelerating, way.duration - way.decelerating, way.duration]


def _of_joints(name: str, start: Array, turns: Array, way: Callable[[float], Trapezoid]) -> Motion:
    """Every joint by a profile of its own, all beginning together."""
    ways = [way(abs(float(turn))) for turn in turns]
    time = _times([t for each in ways for t in _jumps(each)])
    s, sd, sdd = (np.stack(x, axis=-1) for x in zip(*(each.at(time) for each in ways), strict=True))
    sign = np.sign(turns)
    durations = tuple(each.duration for each in ways)
    return Motion(name, durations, time, start + sign * s, sign * sd, sign * sdd)


# The three motions ----------------------------------------------------------------------------


@cache
def equal_duration(sign: int = 1) -> Motion:
    """Triangles of speed: both joints turn by pi/2 in 0.5 s, forwards or backwards."""
    peak = 2 * QUARTER / HALF_SECOND

    def triangle(turn: float) -> Trapezoid:
        return Trapezoid.of(turn, peak, 2 * peak / HALF_SECOND)

    return _of_joints("equal duration", posture(FROM), sign * np.full(2, QUARTER), triangle)


@cache
def different_duration() -> Motion:
    """Trapezoids of speed: each joint turns as fast as it may, the tip from (0.2, 0) to (1.8, 0)."""

    def trapezoid(turn: float) -> Trapezoid:
        return Trapezoid.of(turn, SPEED, SPEED / ACCELERATING)

    return _of_joints("different duration", posture(FROM), posture(TO) - posture(FROM), trapezoid)


def line() -> Trapezoid:
    """The way of the tip in the third motion."""
    return Trapezoid.of(TO - FROM, SPEED, SPEED / ACCELERATING)


@cache
def straight_line() -> Motion:
    """The tip along x with a trapezoid of speed."""
    way = line()
    time = _times(_jumps(way))
    s, sd, sdd = way.at(time)
    q = posture(FROM + s)
    along = np.array([1.0, 0.0])
    J = planar2().jacobian(q)[:, :2]
    qd = np.linalg.solve(J, (sd[:, None] * along)[..., None])[..., 0]
    # pdd = J qdd + Jdot qd
    drift = planar2().acceleration(q, qd, np.zeros_like(qd))[:, :2]
    qdd = np.linalg.solve(J, (sdd[:, None] * along - drift)[..., None])[..., 0]
    return Motion("straight line", (way.duration,), time, q, qd, qdd)


def motions() -> tuple[Motion, Motion, Motion]:
    """All three."""
    return equal_duration(), different_duration(), straight_line()
