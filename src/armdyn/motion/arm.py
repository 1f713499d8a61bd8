"""The arm of a robot as planning sees it: poses forth and back, kept for the next plan."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from armdyn.dynamics import Dynamics
from armdyn.motion.inverse_kinematics import InverseKinematics
from armdyn.robot import Robot
from armdyn.scalars import Array

KEPT = 32
"""Robots whose kinematics are kept: one for every tool of a few programs."""


def tool_poses(robot: Robot, q: Array) -> Array:
    """T_base_tool at postures (..., n): (..., 4, 4)."""
    return _dynamics(_bare(robot)).pose(q)


def inverse_kinematics(robot: Robot) -> InverseKinematics:
    """The inverse kinematics of a robot's tool."""
    return _inverse_kinematics(_bare(robot))


def _bare(robot: Robot) -> Robot:
    """The robot without what it holds: poses do not depend on it."""
    return replace(robot, payloads=()) if robot.payloads else robot


@lru_cache(KEPT)
def _dynamics(robot: Robot) -> Dynamics:
    return Dynamics(robot, motors="none")


@lru_cache(KEPT)
def _inverse_kinematics(robot: Robot) -> InverseKinematics:
    return InverseKinematics(robot)
