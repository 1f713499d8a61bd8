"""Stretches outside of the joints' ranges and near singular postures, by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from armdyn.formats import load
from armdyn.motion import PlannedMove, Problem
from armdyn.motion.problems import NEAR_SINGULAR, position_problems, singularity_problems
from armdyn.robot import Robot

CYCLE = 0.5
MOVES = tuple(
    PlannedMove(line, "ptp", start, start + 1.5, np.zeros(2), stops=True)
    for line, start in ((7, 0.0), (8, 1.5))
)
MOVE = np.array([1, 1, 1, 2, 2, 2], dtype=np.int64)


def within(low: float, high: float) -> Robot:
    """An arm of two joints with one range."""
    robot = load("planar2")
    bodies = tuple(
        replace(body, joint=replace(body.joint, limits=replace(body.joint.limits, position=(low, high))))
        for body in robot.bodies
    )
    return replace(robot, bodies=bodies)


def test_positions() -> None:
    q = np.zeros((6, 2))
    q[:, 1] = [0, 1.2, 1.5, 1.25, 0, -2]
    found = position_problems(within(-1.0, 1.0), CYCLE, q, MOVE, MOVES)
    assert sorted(found, key=lambda problem: problem.time) == [
        Problem(7, 1, 2, (0.5, 1.5), "position", 1.5, 1.0, -0.5, 1.0),
        Problem(8, 2, 2, (1.5, 2.0), "position", 1.25, 1.0, -0.25, 1.5),
        Problem(8, 2, 2, (2.5, 3.0), "position", -2.0, -1.0, -1.0, 2.5),
    ]


def test_rounding_is_inside() -> None:
    q = np.full((6, 2), 1.0 + 5e-10)
    assert position_problems(within(-1.0, 1.0), CYCLE, q, MOVE, MOVES) == []


def test_without_moves() -> None:
    (found,) = position_problems(within(-1.0, 1.0), CYCLE, np.array([[0.0, 3.0]]), MOVE[:1] * 0, ())
    assert (found.line, found.move, found.time, found.worst_time) == (0, 0, (0.0, CYCLE), 0.0)


def test_singular_postures() -> None:
    far = 10 * NEAR_SINGULAR
    near = np.array([far, 5e-4, 2e-4, 3e-4, far, far])
    worst = -NEAR_SINGULAR
    assert singularity_problems(CYCLE, near, MOVE, MOVES) == [
        Problem(7, 1, None, (0.5, 1.5), "singularity", 2e-4, NEAR_SINGULAR, 2e-4 + worst, 1.0),
        Problem(8, 2, None, (1.5, 2.0), "singularity", 3e-4, NEAR_SINGULAR, 3e-4 + worst, 1.5),
    ]
