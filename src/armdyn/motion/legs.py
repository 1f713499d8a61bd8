"""Legs: stretches of a motion between two corners, and the motion that they make together.

Every leg rests at its ends outside of its time, so that legs which overlap are added,
q(t) = q_a(t) + q_b(t) - q_corner: while one slows down the next speeds up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np
from numpy.typing import NDArray

from armdyn.errors import InputError, PlanError
from armdyn.motion.inverse_kinematics import Followed, InverseKinematics
from armdyn.motion.moves import PathMove
from armdyn.motion.path import ToolPath
from armdyn.motion.point_to_point import JointMotion
from armdyn.scalars import Array

ON_GRID = 1e-9
"""An instant so near to a sample, in cycles, is at the sample: the rest is rounding."""
SAME = 1e-12
"""[s] Instants this near are the same up to rounding."""


@dataclass(frozen=True, eq=False)
class Standing:
    """The arm stands still."""

    start: Array
    """(n) joint positions"""
    duration: float
    accelerating = decelerating = 0.0

    @property
    def end(self) -> Array:
        """(n) the same."""
        return self.start

    def at(self, time: Array) -> Array:
        """(t, n)."""
        return np.broadcast_to(self.start, (len(time), len(self.start)))


@dataclass(frozen=True, eq=False)
class PathMotion:
    """The joints follow the tool along its path."""

    path: ToolPath
    kinematics: InverseKinematics
    instants: Array
    """(m) increasing from 0 on: where the joints are known [s]"""
    followed: Followed
    """Where they are"""

    @property
    def known(self) -> Array:
        """(m, n) joint positions at the instants."""
        return self.followed.q

    @property
    def start(self) -> Array:
        """(n) joint positions."""
        return self.known[0]

    @property
    def end(self) -> Array:
        """(n) joint positions."""
        return self.known[-1]

    @property
    def duration(self) -> float:
        """[s]."""
        return self.path.duration

    @property
    def accelerating(self) -> float:
        """Time of the first ramp [s]."""
        return self.path.accelerating

    @property
    def decelerating(self) -> float:
        """Time of the last ramp [s]."""
        return self.path.decelerating

    def at(self, time: Array) -> Array:
        """(t, n) positions at instants (t), resting at the ends outside of the path."""
        wanted, k = self._nearest(time)
        q = self.known[k].copy()
        for i in np.flatnonzero(np.abs(self.instants[k] - wanted) > SAME):
            q[i] = self.kinematics.follow(self.path.poses(wanted[i : i + 1]), q[i]).q[0]
        return q

    def singularity_at(self, time: Array, near: float) -> Array:
        """(t) how far they are from a singular posture, if nearer than that, at instants that are known."""
        return self.followed.near_singular(near)[self._nearest(time)[1]]

    def _nearest(self, time: Array) -> tuple[Array, NDArray[np.intp]]:
        """Instants (t) within the path, and which known ones are the nearest."""
        wanted = np.clip(time, 0.0, self.duration)
        k = np.clip(np.searchsorted(self.instants, wanted), 1, len(self.instants) - 1)
        before = wanted - self.instants[k - 1] < self.instants[k] - wanted
        return wanted, k - before


def followed(
    path: ToolPath,
    kinematics: InverseKinematics,
    moves: Sequence[PathMove],
    start: Array,
    begins: float,
    instants: Array,
) -> PathMotion:
    """The joints along a path from a posture, at instants from its start on.

    Raises:
        PlanError: where the tool cannot go on.
    """
    t = np.unique(np.clip(instants, 0.0, path.duration))
    poses = path.poses(t)
    found = kinematics.follow(poses, start)
    if found.lost is not None:
        k = found.lost
        line = moves[int(path.move_at(t[k : k + 1])[0])].line
        before = found.q[k - 1] if k else start
        reason = why_lost(kinematics, poses[k], before)
        raise PlanError(f"the tool path cannot be followed at {begins + t[k]:.3f} s: {reason}", line=line)
    return PathMotion(path, kinematics, t, found)


def why_lost(kinematics: InverseKinematics, pose: Array, before: Array) -> str:
    """Why the arm cannot go on to a pose from the posture before."""
    try:
        kinematics.nearest(pose, before)
    except InputError as error:
        return str(error)
    x, y, z = pose[:3, 3].tolist()
    return (
        f"at ({x:.4g}, {y:.4g}, {z:.4g}) m the posture would have to change at once; "
        "start in another posture or move there point to point"
    )


AnyMotion = JointMotion | PathMotion | Standing


@dataclass(frozen=True, eq=False)
class Leg:
    """A motion at its place in time."""

    motion: AnyMotion
    begins: float
    """[s]"""
    overlap: float = 0.0
    """How long it moves while the leg before still does [s]"""

    @property
    def ends(self) -> float:
        """[s]."""
        return self.begins + self.motion.duration

    def at(self, time: Array) -> Array:
        """(t, n) positions at instants (t) of the whole motion."""
        return self.motion.at(time - self.begins)


def sample_times(count: int, cycle: float) -> Array:
    """(t) 0, cycle, 2 cycle, .. [s]."""
    return np.arange(count, dtype=np.float64) * cycle


def samples_within(begins: float, ends: float, cycle: float) -> tuple[int, int]:
    """The samples at or after the begin and before the end, half open."""
    return ceil(begins / cycle - ON_GRID), ceil(ends / cycle - ON_GRID)


def positions(legs: Sequence[Leg], time: Array, cycle: float) -> Array:
    """(t, n) of the whole motion at its samples."""
    q = np.empty((len(time), len(legs[0].motion.start)))
    done = 0
    for leg in legs:
        first, last = samples_within(leg.begins, leg.ends, cycle)
        if last > first:
            mine = leg.at(time[first:last])
            shared = max(min(done, last) - first, 0)
            q[first : first + shared] += mine[:shared] - leg.motion.start
            q[first + shared : last] = mine[shared:]
            done = max(done, last)
    q[done:] = legs[-1].motion.end
    return q


def position(legs: Sequence[Leg], k: int, since: float) -> Array:
    """(n) of the whole motion at an instant after the begin of leg k."""
    q = legs[k].motion.at(np.array([since]))[0]
    time = legs[k].begins + since
    if k and time < legs[k - 1].ends:
        q = q + legs[k - 1].at(np.array([time]))[0] - legs[k - 1].motion.end
    if k + 1 < len(legs) and time > legs[k + 1].begins:
        q = q + legs[k + 1].at(np.array([time]))[0] - legs[k + 1].motion.start
    return q


def singularities(legs: Sequence[Leg], time: Array, cycle: float, near: float) -> Array:
    """(t) how far samples along tool paths are from singular postures, if nearer than that."""
    found = np.full(len(time), np.inf)
    for leg in legs:
        if isinstance(leg.motion, PathMotion):
            first, last = samples_within(leg.begins, leg.ends, cycle)
            found[first:last] = leg.motion.singularity_at(time[first:last] - leg.begins, near)
    return found
