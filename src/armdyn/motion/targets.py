"""Targets of point-to-point moves as joint values."""

from __future__ import annotations

from typing import Literal

import numpy as np

from armdyn.errors import InputError, PlanError, counted
from armdyn.motion.arm import inverse_kinematics, tool_poses
from armdyn.motion.inverse_kinematics import InverseKinematics
from armdyn.motion.moves import FARTHEST, JointTarget, PointToPoint, Target
from armdyn.robot import Robot
from armdyn.scalars import Array

Status = Literal["ignore", "branch"]
"""What the posture that a target asks for means: nothing, or a branch of the inverse kinematics."""
IGNORED = "the status of targets is ignored: point-to-point moves take the posture nearest to the one before"


def joint_values(move: PointToPoint, robot: Robot, q: Array, status: Status) -> tuple[Array, tuple[str, ...]]:
    """The joint positions (n) at the end of a move that begins at q, and what to say about them."""
    if isinstance(move.target, JointTarget):
        return _given(move.target, move.line, robot, q), ()
    kinematics = inverse_kinematics(robot)
    pose = _pose(move.target, move.line, robot, q)
    branch, notes = _branch(move.target, kinematics, status)
    try:
        return kinematics.nearest(pose, q, branch), notes
    except InputError as error:
        name = f'target "{move.target.name}": ' if move.target.name else ""
        raise PlanError(f"{name}{error}", line=move.line) from error


def _given(target: JointTarget, line: int, robot: Robot, q: Array) -> Array:
    """Joint values as they stand in a program; those that are missing stay."""
    name = f' "{target.name}"' if target.name else ""
    if len(target.q) > robot.n:
        has = counted(len(target.q), "joint value")
        raise PlanError(
            f'target{name} has {has}; robot "{robot.name}" has {robot.n} joints, leave out the others',
            line=line,
        )
    end = q.copy()
    for k, value in enumerate(target.q):
        if value is not None:
            end[k] = value
    if not np.isfinite(end).all():
        k = int(np.argmin(np.isfinite(end)))
        raise PlanError(f"target{name} has {end[k]} for joint {k + 1}, expected a finite number", line=line)
    return end


def _pose(target: Target, line: int, robot: Robot, q: Array) -> Array:
    """T_base_tool that a target asks for; without a rotation the tool keeps the one that it has."""
    pose = tool_poses(robot, q)
    if target.rotation is not None:
        pose[:3, :3] = np.array(target.rotation, dtype=float)
    pose[:3, 3] = np.array(target.position, dtype=float)
    if not np.abs(pose).max() <= FARTHEST:
        name = f' "{target.name}"' if target.name else ""
        raise PlanError(
            f"target{name} is at {target.position}, expected numbers up to {FARTHEST:g} m", line=line
        )
    return pose


def _branch(
    target: Target, kinematics: InverseKinematics, status: Status
) -> tuple[int | None, tuple[str, ...]]:
    """The branch to take, from 1, if the target asks for one and there is such a one; and what to say."""
    if target.branch is None:
        return None, ()
    if status == "ignore":
        return None, (IGNORED,)
    count, name = len(kinematics.branch_names), kinematics.robot.name
    if 1 <= target.branch <= count:
        return target.branch, ()
    has = f"has branches 1 to {count}" if count else "is solved numerically and has no branches"
    return None, (f'status {target.branch} of targets is ignored: robot "{name}" {has}',)
