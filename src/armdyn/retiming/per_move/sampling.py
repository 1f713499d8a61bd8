"""A block where it matters: at the ends of moves, along ramps, and now and then while the speed is steady.

A slow move has many more samples than things happen in it. So a motion is looked at in places, each with the
instants one cycle before and behind it: velocity and acceleration there are those of samples which the
interpolation cycle puts at these instants. The ends of moves are places: where the tool's turning jumps from
one move to the next, a sample right there shows all of the jump, others a part of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby, pairwise
from math import ceil

import numpy as np
from numpy.typing import NDArray

from armdyn.motion.blends import last_ramp_instants
from armdyn.motion.legs import Leg, PathMotion
from armdyn.motion.moves import PathMove, Step
from armdyn.motion.path import ToolPath
from armdyn.motion.problems import NEAR_SINGULAR, OUTSIDE
from armdyn.motion.walk import Task, Walk
from armdyn.robot import Robot
from armdyn.scalars import Array

MOST = 80
"""Places along a ramp or a stretch of steady speed."""
NEAR = 6
"""Places, a cycle apart, on either side of where one piece of a path becomes the next."""

BETWEEN = 160
"""Instants along a piece of a path at which joints are known, besides those around places."""


@dataclass(frozen=True, eq=False)
class Sampled:
    """A block at places (t) in time."""

    robot: Robot
    """With the tool and the payloads that it has there"""
    duration: float
    """[s]"""
    moves: tuple[NDArray[np.intp], NDArray[np.intp]]
    """(t) twice: the numbers, from 0, of the moves that meet there, or of the one move"""
    q: Array
    """(t, n)"""
    qd: Array
    """(t, n) over the cycle before"""
    qdd: Array
    """(t, n) from that one to the cycle behind"""
    possible: bool
    """Whether all joints are within their ranges, and no posture is too near a singular one"""


class SparseWalk(Walk):
    """Knows the joints along paths at and around places only."""

    def _instants(self, path: ToolPath, begins: float, blended: bool) -> Array:  # noqa: ARG002
        around = (path_places(path, self.cycle)[:, None] + self.cycle * np.array([-1.0, 0.0, 1.0])).ravel()
        slowing = last_ramp_instants(path) if blended else np.empty(0)
        return np.concatenate([[0.0], around, self._between(path), path.ends, slowing])

    def _between(self, path: ToolPath) -> Array:
        """Instants between places, so that no step is so long that inverse kinematics doubts its branch."""
        pieces = pairwise([*path.starts.tolist(), path.duration])
        spans = ((a, b, min(ceil((b - a) / self.cycle), BETWEEN) + 1) for a, b in pieces)
        return np.concatenate([np.linspace(*span) for span in spans])


def path_places(path: ToolPath, cycle: float) -> Array:
    """(m) places along a path, 0 at its start [s]."""
    beside = cycle * np.arange(-NEAR, NEAR + 1.0)
    found: list[Array] = [np.array(path.ends), path.duration + beside]
    for piece, start in zip(path.pieces, path.starts.tolist(), strict=True):
        profile = piece.profile
        lasting = (profile.accelerating, profile.cruising, profile.decelerating)
        sections = pairwise(accumulate(lasting, initial=float(start)))
        found += [start + beside, *(np.linspace(a, b, _count(b - a, cycle)) for a, b in sections)]
    places = np.concatenate(found)
    return np.unique(places[(places >= 0) & (places <= path.duration)])


def _count(length: float, cycle: float) -> int:
    return min(ceil(length / cycle), MOST) + 1


def sampled(walk: SparseWalk, steps: Sequence[Step]) -> Sampled:
    """A block from rest to rest, walked along its steps.

    Raises:
        PlanError: a move cannot be planned.
    """
    tasks = list(_tasks(steps))
    for k, task in enumerate(tasks):
        walk.take(task, tasks[k + 1] if k + 1 < len(tasks) else None)
    legs, cycle = walk.legs, walk.cycle
    time, *moves = (np.concatenate(parts) for parts in zip(*_places(legs, cycle), strict=True))
    q0, q1, q2 = (_positions(legs, time + shift) for shift in (-cycle, 0.0, cycle))
    robot = walk.robots[-1][1]
    return Sampled(
        robot,
        walk.time,
        (moves[0], moves[1]),
        q1,
        (q1 - q0) / cycle,
        (q2 - 2 * q1 + q0) / cycle**2,
        _within(robot, q1) and not any(map(_is_singular, legs)),
    )


def _tasks(steps: Sequence[Step]) -> Iterator[Task]:
    """The steps, path moves in chains."""
    for path, group in groupby(steps, key=lambda step: isinstance(step, PathMove)):
        if path:
            yield tuple(step for step in group if isinstance(step, PathMove))
        else:
            yield from (step for step in group if not isinstance(step, PathMove))


def _places(legs: Sequence[Leg], cycle: float) -> Iterator[tuple[Array, NDArray[np.intp], NDArray[np.intp]]]:
    """Instants of each leg, and the moves that meet there; a blend is looked at along its path."""
    first = 0
    busy = [(leg.begins - cycle, leg.ends + cycle) for leg in legs if isinstance(leg.motion, PathMotion)]
    for leg in legs:
        if isinstance(leg.motion, PathMotion):
            path = leg.motion.path
            places = path_places(path, cycle)
            before, after = path.move_at(places - cycle / 2), path.move_at(places)
            yield leg.begins + places, first + before, first + after
            first += len(path.ends)
        else:
            places = np.linspace(leg.begins, leg.ends, ceil(leg.motion.duration / cycle) + 1)
            for begins, ends in busy:
                places = places[(places < begins) | (places > ends)]
            same = np.full(len(places), first)
            yield places, same, same
            first += 1


def _positions(legs: Sequence[Leg], time: Array) -> Array:
    """(t, n) of the whole motion at any instants: legs rest outside of their time, so that they add."""
    q = np.repeat(legs[0].motion.start[None, :], len(time), axis=0)
    for leg in legs:
        q += leg.at(time) - leg.motion.start
    return q


def _within(robot: Robot, q: Array) -> bool:
    """Whether all joints are in their ranges."""
    ranges = [joint.limits.position or (-np.inf, np.inf) for joint in robot.joints]
    lower, upper = np.array(ranges).T
    return bool(((q >= lower - OUTSIDE) & (q <= upper + OUTSIDE)).all())


def _is_singular(leg: Leg) -> bool:
    motion = leg.motion
    if not isinstance(motion, PathMotion):
        return False
    return bool((motion.followed.near_singular(NEAR_SINGULAR) < NEAR_SINGULAR).any())
