"""Where a programmed motion leaves the joints' ranges or comes too near a singular posture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from armdyn.motion.planned import PlannedMove, Problem, Whole
from armdyn.robot import Robot
from armdyn.scalars import Array

OUTSIDE = 1e-9
"""[rad or m] Beyond a position limit by less than this is rounding."""
NEAR_SINGULAR = 1e-3
"""Smallest over largest singular value of the Jacobian: some motion of the tool takes a thousand times the
joint speeds of another one just as fast. Joints at 3 rad/s leave the tool some millimetres a second."""


def position_problems(
    robot: Robot, cycle: float, q: Array, move: Whole, moves: Sequence[PlannedMove]
) -> list[Problem]:
    """Stretches in which a joint is outside of its range, each within one move."""
    found: list[Problem] = []
    for j, joint in enumerate(robot.joints):
        if joint.limits.position is None:
            continue
        lower, upper = joint.limits.position
        for limit, inside in ((lower, q[:, j] - lower), (upper, upper - q[:, j])):
            for first, last in _runs(inside < -OUTSIDE, move):
                k = first + int(np.argmin(inside[first:last]))
                number = int(move[k])
                found.append(
                    Problem(
                        _line(moves, number),
                        number,
                        j + 1,
                        (first * cycle, last * cycle),
                        "position",
                        float(q[k, j]),
                        limit,
                        float(inside[k]),
                        k * cycle,
                    )
                )
    return found


def singularity_problems(
    cycle: float, singularity: Array, move: Whole, moves: Sequence[PlannedMove]
) -> list[Problem]:
    """Stretches in which the arm is nearer to a singular posture than it should be, each within one move."""
    found: list[Problem] = []
    for first, last in _runs(singularity < NEAR_SINGULAR, move):
        k = first + int(np.argmin(singularity[first:last]))
        worst, number = float(singularity[k]), int(move[k])
        found.append(
            Problem(
                _line(moves, number),
                number,
                None,
                (first * cycle, last * cycle),
                "singularity",
                worst,
                NEAR_SINGULAR,
                worst - NEAR_SINGULAR,
                k * cycle,
            )
        )
    return found


def _line(moves: Sequence[PlannedMove], number: int) -> int:
    return moves[number - 1].line if number else 0


def _runs(marked: NDArray[np.bool_], move: Whole) -> Iterator[tuple[int, int]]:
    """Half-open stretches of marked samples, each within one move."""
    if not marked.any():
        return
    labels = np.where(marked, move, -1)
    bounds = np.concatenate([[0], np.flatnonzero(np.diff(labels)) + 1, [len(labels)]])
    for first, last in pairwise(bounds.tolist()):
        if marked[first]:
            yield first, last
