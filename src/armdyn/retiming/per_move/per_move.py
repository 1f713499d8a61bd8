"""A program slowed just enough, move by move, and written back.

Every statement that moves has two factors in (0, 1], of its speed and of its acceleration: one that stands in
a loop has the same ones each time. They are looked for so that the program is as short as can be and asks
nothing impossible. Moves that are not possible are slowed by what they ask too much; then time is won back
factor by factor, the largest gain first, until none can be raised, nor be given for a larger gain of another.
"""

from __future__ import annotations

import codecs
import os
from dataclasses import replace
from pathlib import Path

from numpy.typing import ArrayLike

from armdyn.errors import InputError
from armdyn.feasibility import planned
from armdyn.formats.motion_tables import SUFFIXES
from armdyn.mechanics.tree.motors import MotorModel
from armdyn.motion.targets import Status
from armdyn.program import program_file, read_program, run_program
from armdyn.program.gradual_turning import turn_option, turning_gradually
from armdyn.retiming.per_move.conditions import Conditions
from armdyn.retiming.per_move.result import PerMove
from armdyn.retiming.per_move.task import Progress, Task
from armdyn.robot import Robot


def per_move(
    file: str | os.PathLike[str],
    robot: Robot | None = None,
    *,
    start: ArrayLike | None = None,
    cycle: float | None = None,
    jerk: float | None = None,
    status: Status = "ignore",
    turn_acceleration: float | None = None,
    motors: MotorModel | None = None,
    friction: bool | None = None,
    wrench: ArrayLike | None = None,
    at: ArrayLike | None = None,
    margin: float = 0.0,
    progress: Progress | None = None,
) -> PerMove:
    """Speeds and accelerations of a program's moves with which it is feasible, with the least loss of time.

    Args:
        file: a robot program (.lirl), or the name of an example.
        robot: what moves; by default the robot that the program names.
        start: as for `feasibility.planned`.
        cycle: likewise.
        jerk: likewise.
        status: likewise.
        turn_acceleration: likewise; it is written into the program.
        motors: as for `verify`.
        friction: likewise.
        wrench: likewise.
        at: likewise.
        margin: share of every limit that is left free, 0 or more and below 1.
        progress: told the share of the work that is done, 0 to 1, again and again.

    Raises:
        InfeasibleError: a posture is impossible, or the motors cannot hold the arm.
    """
    path = _program(file)
    if not 0 <= margin < 1:
        raise InputError(f"margin is {margin:g}, expected a share of the limits from 0 to below 1")
    work = planned(
        path, robot, start=start, cycle=cycle, jerk=jerk, status=status, turn_acceleration=turn_acceleration
    )
    robot, cycle = work.plan.robot, work.plan.cycle
    conditions = Conditions(robot, start, cycle, jerk, status, motors, friction, wrench, at)
    given = read_program(path)
    parsed = given if turn_acceleration is None else turning_gradually(given, robot, turn_acceleration)
    if parsed is not given:
        work = conditions.work(parsed.source)
    task = Task(parsed, run_program(parsed, robot), conditions, work.plan, margin)
    found = task.done(conditions.verified(work), progress)
    if turn_acceleration is not None and parsed is not given:
        said = f"{turn_option(turn_acceleration)} is written at the first path move: the tool turns gradually"
        found = replace(found, notes=(*found.notes, said))
    if _has_mark(path):
        found = replace(found, text=f"\ufeff{found.text}")
    if progress is not None:
        progress(1.0)
    return found


def _program(file: str | os.PathLike[str]) -> Path:
    path = program_file(file)
    if path.suffix.lower() in SUFFIXES:
        raise InputError(
            f"{path}: joint samples have no moves whose speeds could be changed, expected a program (.lirl)"
        )
    return path


def _has_mark(path: Path) -> bool:
    """Whether a file begins with the mark of UTF-8, which is no part of the program."""
    with path.open("rb") as opened:
        return opened.read(len(codecs.BOM_UTF8)) == codecs.BOM_UTF8
