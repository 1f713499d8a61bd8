"""A program that says how gradually its tool turns from one path move into the next."""

from __future__ import annotations

import math

from armdyn.motion.moves import PathMove
from armdyn.program.edits import edited, moves_at
from armdyn.program.programs import ParsedProgram, parse_program, run_program
from armdyn.program.settings import number_text
from armdyn.robot import Robot

AT_ONCE = 1e9
"""[deg/s2] More than this is written as this: no cycle shows the difference."""


def turning_gradually(parsed: ParsedProgram, robot: Robot, acceleration: float) -> ParsedProgram:
    """The program whose path moves have a turn acceleration unless they say another one.

    It is written at the first path move that is executed, behind the `acc` that must stand there, and holds
    from then on; in a loop in all turns. Where that move says one already, or there is none, nothing changes.

    Args:
        parsed: the program.
        robot: for which it runs, so that it is known which moves are executed.
        acceleration: with which the tool's turning changes [rad/s2], above 0.
    """
    program = run_program(parsed, robot)
    moves = zip(program.steps, program.places, strict=True)
    first = next(((step, place) for step, place in moves if isinstance(step, PathMove)), None)
    if first is None or first[0].turn_acceleration is not None:
        return parsed
    (move,) = moves_at(parsed, {first[1]})
    place = move.behind("acc")
    text = edited(parsed.source, [(place, place, f" {turn_option(acceleration)}")])
    return parse_program(text, parsed.file)


def turn_option(acceleration: float) -> str:
    """How a move says a turn acceleration [rad/s2], in deg/s2, rounded down."""
    return f"acc_ori={number_text(min(math.degrees(acceleration), AT_ONCE))}"
