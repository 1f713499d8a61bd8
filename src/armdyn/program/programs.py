"""Reading a program, finding all that is wrong with it, and running it for a robot."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass

from armdyn.errors import ProgramError, suggestion
from armdyn.motion.moves import Step
from armdyn.program.checks import check, plain
from armdyn.program.files import LARGEST_FILE, read_text
from armdyn.program.interpreter import Interpreter
from armdyn.program.lexer import MOST_PROBLEMS, short
from armdyn.program.syntax import syntax
from armdyn.program.tree import Name, Place, Tree
from armdyn.robot import Robot

_START = Place(1, 1)


@dataclass(frozen=True)
class ParsedProgram:
    """A program that makes sense, for whatever robot it may run."""

    tree: Tree
    source: str
    file: str | None = None
    robot_name: str | None = None
    """What `act_rob` says"""
    robot_place: Place = _START
    """Where it says so first"""

    @property
    def name(self) -> str:
        """What the program calls itself."""
        return self.tree.name


@dataclass(frozen=True)
class Program:
    """What a program asks of one robot, step by step."""

    name: str
    steps: tuple[Step, ...]
    robot: str | None
    """What `act_rob` says"""
    source: str
    file: str | None = None
    notes: tuple[str, ...] = ()
    places: tuple[Place, ...] = ()
    """Where the statement of each step stands"""


def read_program(path: str | os.PathLike[str]) -> ParsedProgram:
    """A program from a .lirl file in UTF-8."""
    return parse_program(read_text(path), os.fspath(path))


def parse_program(text: str, file: str | None = None) -> ParsedProgram:
    """A program from its text; raises the first of its problems."""
    tree, robot, wrong = _analysed(text, file)
    if wrong or tree is None:
        raise wrong[0]
    if robot is None:
        return ParsedProgram(tree, text, file)
    return ParsedProgram(tree, text, file, robot.written, robot.at)


def problems(text: str, robot: Robot | None = None, file: str | None = None) -> list[ProgramError]:
    """All that is wrong with a program, in the order of the text, at most 100 problems.

    With a robot the program is run as well, if nothing else is wrong: the first value that a statement
    cannot take is a problem, too.
    """
    tree, named, wrong = _analysed(text, file)
    if wrong or tree is None or robot is None:
        return wrong
    parsed = ParsedProgram(tree, text, file, named.written if named else None)
    try:
        run_program(parsed, robot)
    except ProgramError as error:
        return [error]
    return []


def run_program(parsed: ParsedProgram, robot: Robot) -> Program:
    """The steps of a program for a robot: loops unrolled, choices made, units SI."""
    try:
        interpreter = Interpreter(parsed.tree, robot)
        interpreter.run(parsed.tree.statements)
    except ProgramError as error:
        raise _in_file(error, parsed.file) from error
    notes = list(interpreter.notes)
    if parsed.robot_name is not None and plain(parsed.robot_name) != plain(robot.name):
        named = f'act_rob names robot "{parsed.robot_name}"'
        notes.insert(0, f'line {parsed.robot_place.line}: {named}, the program runs on "{robot.name}"')
    steps, file = tuple(interpreter.steps), parsed.file
    places = tuple(interpreter.places)
    return Program(parsed.name, steps, parsed.robot_name, parsed.source, file, tuple(notes), places)


def catalog_name(parsed: ParsedProgram, known: Iterable[str]) -> str | None:
    """The robot that a program names, as the catalog calls it: case, underscores and spaces do not count.

    None where the program names none.
    """
    if parsed.robot_name is None:
        return None
    names = {plain(name): name for name in known}
    found = names.get(plain(parsed.robot_name))
    if found is None:
        near = suggestion(parsed.robot_name, names.values())
        said = f'no robot "{short(parsed.robot_name)}" in the catalog; {near}`armdyn robots` lists all'
        line, column = parsed.robot_place
        raise ProgramError(said, line=line, column=column, file=parsed.file)
    return found


def _analysed(text: str, file: str | None) -> tuple[Tree | None, Name | None, list[ProgramError]]:
    """The tree, the robot it names, and all that is wrong."""
    if len(text) > LARGEST_FILE:
        said = f"the program has {len(text):,} characters, expected at most {LARGEST_FILE:,}"
        return None, None, [ProgramError(said, line=1, column=1, file=file)]
    understood = syntax(text, file)
    wrong, robot = list(understood.problems), None
    if understood.tree is not None:
        found, robot = check(understood.tree, understood.damaged)
        wrong += [_in_file(problem, file) for problem in found if problem.line not in understood.garbled]
    wrong.sort(key=lambda problem: (problem.line, problem.column))
    return understood.tree, robot, wrong[:MOST_PROBLEMS]


def _in_file(error: ProgramError, file: str | None) -> ProgramError:
    return ProgramError(error.message, line=error.line, column=error.column, file=file)
