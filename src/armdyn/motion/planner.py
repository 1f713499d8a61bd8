"""From the steps of a program to its motion in time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np
from numpy.typing import ArrayLike

from armdyn.errors import InputError, ShapeError
from armdyn.motion.assembly import assembled
from armdyn.motion.moves import FARTHEST, PathMove, Step
from armdyn.motion.planned import Plan
from armdyn.motion.targets import Status
from armdyn.motion.walk import Task, Walk
from armdyn.robot import Robot
from armdyn.scalars import Array

CYCLE = 0.01
"""[s] The interpolation cycle, if nothing else is said."""

SHORTEST_JERK = 1e-6
"""[s] A shorter time in which full acceleration is reached is none."""


def plan(
    robot: Robot,
    steps: Sequence[Step],
    start: ArrayLike | None = None,
    cycle: float = CYCLE,
    jerk: float | None = None,
    status: Status = "ignore",
    turn_acceleration: float | None = None,
) -> Plan:
    """The motion that the steps of a program ask for.

    Point-to-point moves keep to the joints' limits; path moves keep to the tool's speed and acceleration,
    whatever that takes of the joints. Where a point-to-point move is blended with a path, the tool leaves its
    path during the blend.

    Args:
        robot: what moves, with the tool and the payloads that it has at the start.
        steps: moves, waits and changes in their order.
        start: (n) joint positions at the start [rad or m]; by default the robot's home.
        cycle: [s] between two samples, above 0, at most 1.
        jerk: [s] in which point-to-point moves reach full acceleration, 1e-6 or more; by default at once.
        status: whether the posture that a target asks for is ignored, the nearest one being taken, or is the
            number from 1 of a branch of the inverse kinematics.
        turn_acceleration: [rad/s2] with which the tool's turning changes where path moves that have none of
            their own run into others; by default at once, every move turning in proportion to its length.

    Raises:
        PlanError: a move cannot be planned; knows its line.
        MissingDataError: the robot does not say how fast its joints may move.
    """
    return assembled(walked(robot, steps, start, cycle, jerk, status, turn_acceleration))


def walked(
    robot: Robot,
    steps: Sequence[Step],
    start: ArrayLike | None = None,
    cycle: float = CYCLE,
    jerk: float | None = None,
    status: Status = "ignore",
    turn_acceleration: float | None = None,
) -> Walk:
    """The legs of the motion that `plan` samples; all as there."""
    q = _start(robot, start)
    check_times(cycle, jerk)
    if status not in ("ignore", "branch"):
        raise InputError(f'status "{status}", expected "ignore" or "branch"')
    if turn_acceleration is not None and not 0 < turn_acceleration < np.inf:
        raise InputError(f"turn acceleration is {turn_acceleration:g} rad/s2, expected a number above 0")
    walk = Walk(robot, q, cycle, jerk, status, turn_acceleration)
    tasks = list(_tasks(steps))
    for k, task in enumerate(tasks):
        walk.take(task, tasks[k + 1] if k + 1 < len(tasks) else None)
    return walk


def _start(robot: Robot, start: ArrayLike | None) -> Array:
    if start is None:
        return np.array(robot.home)
    try:
        q = np.array(start, dtype=float)
    except (TypeError, ValueError) as error:
        raise InputError(f"start is {start!r}, expected {robot.n} numbers") from error
    if q.shape != (robot.n,):
        raise ShapeError("start", q.shape, f'robot "{robot.name}" has {robot.n} joints', f"({robot.n},)")
    if not np.isfinite(q).all():
        k = int(np.argmin(np.isfinite(q)))
        raise InputError(f"start has {q[k]} for joint {k + 1}, expected finite numbers")
    if np.abs(q).max() > FARTHEST:
        k = int(np.argmax(np.abs(q)))
        raise InputError(f"start has {q[k]:g} for joint {k + 1}, expected at most {FARTHEST:g} rad or m")
    return q


def check_times(cycle: float, jerk: float | None) -> None:
    """Refuse times that no controller has."""
    if not 0 < cycle <= 1:
        raise InputError(f"cycle is {cycle:g} s, expected a time above 0 and at most 1 s")
    if jerk is not None and not SHORTEST_JERK <= jerk < np.inf:
        raise InputError(
            f"jerk is {jerk:g} s, expected the time of at least {SHORTEST_JERK:g} s in which full "
            "acceleration is reached; leave it out where that is at once"
        )


def _tasks(steps: Sequence[Step]) -> Iterator[Task]:
    """The steps, path moves in chains."""
    for path, group in groupby(steps, key=lambda step: isinstance(step, PathMove)):
        if path:
            yield tuple(step for step in group if isinstance(step, PathMove))
        else:
            yield from (step for step in group if not isinstance(step, PathMove))
