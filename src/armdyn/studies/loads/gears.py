"""What torques and inertia of the joints are at the motors' shafts."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from armdyn.extremes.workspace import Workspace
from armdyn.mechanics.drives import gear_matrix
from armdyn.robot import Drive, Robot
from armdyn.scalars import Array

SINGULAR = 1e12
"""Condition number from which on gears are none."""
POINTS = 721
"""At which a gear that changes is looked at."""
NEGLIGIBLE = 1e-15
"""What rounding leaves of a gear that is not there."""


@dataclass(frozen=True)
class Geared:
    """A motor that turns by theta = K q.

    Where K is constant, its torque is weights . tau, and the inertia that it feels weights^T H weights, with
    the weights of its column of K^-1.
    """

    drive: Drive
    place: int
    """Of the drive among the robot's."""
    joint: int
    """Position in q of the joint it serves."""
    ratio: float
    """Turns of the motor for one of that joint [rad/rad or rad/m]; at home where it changes."""
    weights: Array | None
    """(n), or None for a gear that changes with the posture."""

    @property
    def alone(self) -> bool:
        """Whether it drives its joint alone by a constant gear, and its joint alone drives it."""
        one = self.weights is not None and np.count_nonzero(self.weights) == 1
        return bool(one and len(self.drive.coupling.weights) == 1)


def geared(space: Workspace) -> tuple[tuple[Geared, ...], tuple[str, ...]]:
    """The motors in the order of their joints, and notes about those that are left out.

    theta = f(W q): joints and drives that move one another belong together, and such a group is solved for
    where there are as many motors as joints: K^-1 = W^-1 diag(1/f'). A gear f that changes with the posture
    is left to the robot's dynamics, which take as many drives as joints.
    """
    robot = space.robot
    W: Array = np.zeros((len(robot.drives), robot.n))
    for row, drive in zip(W, robot.drives, strict=True):
        for name, weight in drive.coupling.weights:
            row[robot.positions[name]] = weight
    found: list[Geared] = []
    notes: list[str] = []
    for members, joints in _groups(W):
        block = W[np.ix_(members, joints)]
        if len(members) != len(joints) or np.linalg.cond(block) > SINGULAR:
            names = ", ".join(robot.drives[k].name for k in members)
            notes.append(f"no motor side, torques do not follow from the joints': {names}")
            continue
        inverse = np.linalg.inv(block)
        for column, k in zip(inverse.T, members, strict=True):
            if (why := _left_out(space, robot.drives[k])) is not None:
                notes.append(f"no motor side, {why}: {robot.drives[k].name}")
                continue
            weights: Array = np.zeros(robot.n)
            weights[joints] = np.where(np.abs(column) > NEGLIGIBLE, column, 0.0)
            found.append(_geared(robot, k, weights))
    return tuple(sorted(found, key=lambda motor: motor.joint)), tuple(notes)


def _left_out(space: Workspace, drive: Drive) -> str | None:
    """Why a gear that changes has no motor side, or None."""
    if drive.coupling.law is None:
        return None
    if _stands_still(space, drive):
        return "the gear stands still within the ranges"
    return None if len(space.robot.drives) == space.robot.n else "not as many drives as joints"


def _stands_still(space: Workspace, drive: Drive) -> bool:
    """Whether a gear's ratio passes zero within the ranges: there no torque of its motor is enough."""
    law, ranges = drive.coupling.law, dict(zip(space.robot.joint_names, space.box.tolist(), strict=True))
    if law is None:
        return False
    ends = [sorted(weight * x for x in ranges[name]) for name, weight in drive.coupling.weights]
    low, high = (drive.coupling.offset + sum(side) for side in zip(*ends, strict=True))
    slopes = [float(law.evaluate(x)[1]) for x in np.linspace(low, high, POINTS).tolist()]
    return min(slopes) <= 0 <= max(slopes)


def _groups(W: Array) -> list[tuple[list[int], list[int]]]:
    """(drives, joints) that move one another; drives of locked joints move none."""
    m, n = W.shape
    moves: Array = np.zeros((m + n, m + n))
    moves[:m, m:] = W != 0
    graphs: Any = import_module("scipy.sparse.csgraph")  # slow to import: only where it is needed
    labels: list[int] = graphs.connected_components(moves, directed=False)[1].tolist()
    return [
        (
            [k for k in range(m) if labels[k] == label],
            [i for i in range(n) if labels[m + i] == label],
        )
        for label in dict.fromkeys(labels[k] for k in range(m) if moves[k].any())
    ]


def _geared(robot: Robot, place: int, weights: Array) -> Geared:
    drive = robot.drives[place]
    turns: Array = np.array(gear_matrix(robot, robot.home)[place], dtype=float)
    own = drive.joint in dict(drive.coupling.weights)
    joint = robot.positions[drive.joint] if own else int(np.argmax(np.abs(turns)))
    constant = drive.coupling.law is None
    return Geared(drive, place, joint, float(turns[joint]), weights if constant else None)
