"""The path of a robot program, or of joint samples, in a file."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

from numpy.typing import ArrayLike

from armdyn.errors import InputError, PlanError
from armdyn.feasibility.verify import named_robot, unnamed
from armdyn.formats import load
from armdyn.formats.motion_tables import SUFFIXES
from armdyn.formats.motions import read_motion
from armdyn.motion.planner import CYCLE
from armdyn.program import program_file, read_program, run_program
from armdyn.retiming.path.joint_path import JointPath
from armdyn.retiming.path.of_program import path_of_program
from armdyn.retiming.path.of_samples import path_of_motion
from armdyn.robot import Robot


def path_of_file(
    file: str | os.PathLike[str],
    robot: Robot | None = None,
    *,
    start: ArrayLike | None = None,
    cycle: float | None = None,
    **planning: Any,
) -> JointPath:
    """The path of a robot program (.lirl), or of joint samples (.csv, .parquet).

    Args:
        file: what to read; or the name of an example, as "lola15".
        robot: what moves; by default the catalog's robot that the program's act_rob names.
        start: (n) joint positions at the start; by default the robot's home. Samples say it themselves.
        cycle: [s] between two samples of the programmed motion; by default 0.01, or that of the file.
        **planning: `jerk`, `status` and `turn_acceleration` of a program, as for `motion.planner.plan`.
    """
    path = program_file(file)
    if robot is None:
        name = named_robot(path)
        if name is None:
            raise InputError(f"{path}: {unnamed(path)}; give the robot")
        robot = load(name)
    if path.suffix.lower() in SUFFIXES:
        if start is not None:
            raise InputError(
                f"{path}: joint samples say themselves where the arm starts; leave the start out"
            )
        return path_of_motion(robot, read_motion(path, robot), cycle)
    program = run_program(read_program(path), robot)
    try:
        step = CYCLE if cycle is None else cycle
        found = path_of_program(robot, program.steps, start, step, **planning)
    except PlanError as error:
        raise PlanError(error.message, line=error.line, file=str(path)) from error
    return replace(found, notes=(*program.notes, *found.notes))
