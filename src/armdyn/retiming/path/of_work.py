"""The path of what has been planned."""

from __future__ import annotations

from armdyn.feasibility import Work
from armdyn.retiming.path.joint_path import JointPath
from armdyn.retiming.path.of_program import path_of_walk
from armdyn.retiming.path.of_samples import path_of_motion, path_of_plan


def path_of_work(work: Work) -> JointPath:
    """The path of a program or of joint samples, from as near to what was given as there is."""
    if work.walk is not None:
        return path_of_walk(work.walk)
    if work.motion is not None:
        return path_of_motion(work.plan.robot, work.motion, work.plan.cycle)
    return path_of_plan(work.plan)
