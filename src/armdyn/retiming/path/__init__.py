"""Paths in joint space: what a motion passes, whatever its timing.

curve        smooth curves over a parameter of their own
joint_path   pieces one behind the other, and where the arm must rest between them
of_program   from the steps of a program: along_tool, least_motion, tracks and blended lead there
of_samples   from a recorded motion or a plan: nodes and corners lead there
waypoints    through given postures
of_work      from what `planned` gives, whatever that was made of
"""

from armdyn.retiming.path.curve import Curve
from armdyn.retiming.path.joint_path import JointPath, PathMove, Piece
from armdyn.retiming.path.of_program import path_of_program, path_of_walk
from armdyn.retiming.path.of_samples import path_of_motion, path_of_plan
from armdyn.retiming.path.of_work import path_of_work
from armdyn.retiming.path.waypoints import path_through

__all__ = [
    "Curve",
    "JointPath",
    "PathMove",
    "Piece",
    "path_of_motion",
    "path_of_plan",
    "path_of_program",
    "path_of_walk",
    "path_of_work",
    "path_through",
]
