"""Blends of point-to-point moves with their neighbours: how gently, and for how long.

While one leg slows down and the next speeds up their accelerations add. Where the sum would exceed a joint's
limit the ramps of the point-to-point moves are made longer, by the least factor that keeps the sum inside.
Jerks add, too: in a blend of jerk-limited moves it may be the sum of both limits. A tool path that is blended
with a point-to-point move is left as long as they overlap.
"""

from __future__ import annotations

import numpy as np

from armdyn.motion.jerk_limited import JerkLimited
from armdyn.motion.legs import AnyMotion, PathMotion
from armdyn.motion.path import ToolPath
from armdyn.motion.point_to_point import JointMotion
from armdyn.scalars import Array

LONGEST = 4.0
"""A ramp beside a tool path is made at most so many times longer; what is left, the path itself asks for."""
RAMP_SAMPLES = 33
"""Instants at which the joints' accelerations along a ramp of the tool are looked at."""
BETWEEN = 1.001
"""What they may be more than that between these instants."""
SPEED_SAMPLES = 257
"""Instants at which the speeds of a jerk-limited blend are looked at."""
HALVINGS = 12
"""Of the overlap, until the speeds fit: to 1/4096."""


def softening(first: Array, second: Array, limits: Array) -> float:
    """By how much both ramps between two point-to-point moves are made longer, 1 or more.

    Args:
        first: (n) joint accelerations while the first move slows down.
        second: (n) joint accelerations while the second speeds up.
        limits: (n) of the joints.
    """
    return max(1.0, float(np.max(np.abs(first + second) / limits)))


def softening_beside(ramp: Array, path: Array, limits: Array) -> float:
    """By how much a ramp beside a tool path is made longer, from 1 to `LONGEST`.

    Args:
        ramp: (n) joint accelerations of the point-to-point move's ramp.
        path: (m, n) joint accelerations along the ramp of the tool.
        limits: (n) of the joints.
    """
    along = BETWEEN * np.max(np.sign(ramp) * path, axis=0, initial=0.0)
    room = np.maximum(limits - along, np.abs(ramp) / LONGEST)
    moving = ramp != 0
    return max(1.0, float(np.max(np.abs(ramp[moving]) / room[moving], initial=1.0)))


def ramp_instants(begins: float, ends: float) -> Array:
    """Instants along a ramp."""
    return np.linspace(begins, ends, RAMP_SAMPLES)


def accelerations(q: Array, duration: float) -> Array:
    """(m - 2, n) second differences of positions (m, n) at even instants over a duration."""
    if duration <= 0:
        return np.zeros((0, q.shape[1]))
    step = duration / (len(q) - 1)
    return np.diff(q, 2, axis=0) / step**2


def overlap(first: AnyMotion, second: AnyMotion, velocity: Array) -> float:
    """How long the second motion moves while the first one slows down [s].

    Speeds of two trapezoids, added, stay below the larger one. Rounded ramps may not: they overlap less.

    Args:
        first: what slows down.
        second: what speeds up.
        velocity: (n) limits for their sum.
    """
    longest = min(first.decelerating, second.accelerating)
    if not (_is_rounded(first) and _is_rounded(second)) or _within(first, second, longest, velocity):
        return longest
    fits, too_long = 0.0, longest
    for _ in range(HALVINGS):
        middle = (fits + too_long) / 2
        fits, too_long = (middle, too_long) if _within(first, second, middle, velocity) else (fits, middle)
    return fits


def _is_rounded(motion: AnyMotion) -> bool:
    return isinstance(motion, JointMotion) and isinstance(motion.way, JerkLimited)


def _within(first: AnyMotion, second: AnyMotion, lasting: float, velocity: Array) -> bool:
    """Whether the speeds of two jerk-limited motions, added, are within limits."""
    assert isinstance(first, JointMotion)
    assert isinstance(second, JointMotion)
    t = np.linspace(0.0, lasting, SPEED_SAMPLES)
    together = first.velocities(first.duration - lasting + t) + second.velocities(t)
    return bool(np.all(np.abs(together) <= velocity * (1 + 1e-9)))


def last_ramp_instants(path: ToolPath) -> Array:
    """Instants while the tool slows down at the end of its path."""
    return ramp_instants(path.duration - path.decelerating, path.duration)


def last_ramp(motion: PathMotion) -> Array:
    """(m, n) joint accelerations while the tool slows down at the end of its path."""
    return accelerations(motion.at(last_ramp_instants(motion.path)), motion.decelerating)
