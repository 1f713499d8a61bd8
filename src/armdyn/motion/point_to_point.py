"""Point to point: all joints start together and end together, straight in joint space.

The joints share one way s(t) from 0 to 1, q = q_start + s (q_end - q_start), whose speed and acceleration
are those of the joint that has the hardest task: every other one stays inside its limits.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armdyn.motion.jerk_limited import JerkLimited
from armdyn.motion.profile import Trapezoid
from armdyn.scalars import Array

STILL = 1e-12
"""[rad or m] That little is the rounding of inverse kinematics: a joint does not move."""


@dataclass(frozen=True, eq=False)
class JointMotion:
    """A motion of all joints along one straight line in joint space."""

    start: Array
    """(n) joint positions [rad or m]"""
    end: Array
    """(n)"""
    way: Trapezoid | JerkLimited
    """The share of the way in time, from 0 to 1 (to 0 if nothing moves)"""

    @property
    def duration(self) -> float:
        """[s], 0 if nothing moves."""
        return self.way.duration

    @property
    def accelerating(self) -> float:
        """Time until the largest speed is reached [s]."""
        return self.way.accelerating

    @property
    def decelerating(self) -> float:
        """Time from where the largest speed is left [s]."""
        return self.way.decelerating

    def at(self, time: Array) -> Array:
        """(t, n) positions at instants (t) [s], resting at the ends outside of the motion."""
        s = self.way.at(time)[0][:, None]
        return (1 - s) * self.start + s * self.end

    def velocities(self, time: Array) -> Array:
        """(t, n) velocities at instants (t)."""
        return self.way.at(time)[1][:, None] * (self.end - self.start)


def ramp(way: Array, limits: Array) -> Array:
    """(n) what all joints have together at the limit (n) of the one with the hardest task, 0 if none moves.

    Speeds, accelerations or jerks along `way` (n), which gives their proportions.
    """
    return way * _share(np.abs(way), limits)


def _share(lengths: Array, limits: Array) -> float:
    """The least limit in parts of its joint's way; 0 if no joint moves."""
    moving = lengths > STILL
    return float(np.min(limits[moving] / lengths[moving])) if moving.any() else 0.0


def point_to_point(
    start: Array,
    end: Array,
    velocity: Array,
    acceleration: Array,
    deceleration: Array | None = None,
    jerk: Array | None = None,
) -> JointMotion:
    """The fastest motion in which no joint exceeds its limits.

    Args:
        start: (n) joint positions [rad or m].
        end: (n) joint positions.
        velocity: (n) limits, above 0.
        acceleration: (n) limits while the joints speed up.
        deceleration: (n) limits while they slow down; as `acceleration` if not given.
        jerk: (n) limits; without them the speeds are trapezoids.
    """
    lengths: Array = np.abs(end - start)
    speed, up = _share(lengths, velocity), _share(lengths, acceleration)
    down = up if deceleration is None else _share(lengths, deceleration)
    if not speed:
        return JointMotion(end, end, Trapezoid.of(0.0, 1.0, 1.0))
    if jerk is None:
        return JointMotion(start, end, Trapezoid.of(1.0, speed, up, down))
    return JointMotion(start, end, JerkLimited.of(speed, up, down, _share(lengths, jerk)))
