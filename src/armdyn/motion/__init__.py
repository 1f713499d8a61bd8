"""Motions: profiles in time, paths in space, inverse kinematics, and plans made of them."""

from armdyn.motion.inverse_kinematics import InverseKinematics
from armdyn.motion.moves import (
    ChangePayload,
    ChangeTool,
    JointTarget,
    Move,
    PathMove,
    PointToPoint,
    Step,
    Target,
    Wait,
)
from armdyn.motion.planned import Phase, Plan, PlannedMove, Problem
from armdyn.motion.planner import plan
from armdyn.motion.sampled import plan_of_motion

__all__ = [
    "ChangePayload",
    "ChangeTool",
    "InverseKinematics",
    "JointTarget",
    "Move",
    "PathMove",
    "Phase",
    "Plan",
    "PlannedMove",
    "PointToPoint",
    "Problem",
    "Step",
    "Target",
    "Wait",
    "plan",
    "plan_of_motion",
]
