"""Programs as one types: all that is wrong with them, and other speeds written into them."""

from __future__ import annotations

from armdyn.errors import InputError, ProgramError
from armdyn.formats import catalog
from armdyn.program import ParsedProgram, catalog_name, parse_program, problems, run_program
from armdyn.program.gradual_turning import turning_gradually
from armdyn.program.rewriting import rewritten
from armdyn.program.settings import Aspect, move_statements
from armdyn.program.tree import Place
from armdyn.robot import Robot
from armdyn.studio.clients import Client
from armdyn.studio.digests import text_digest
from armdyn.studio.messages.answers import CheckResult, Problem, SlowResult
from armdyn.studio.messages.requests import CheckRequest, ForRobot, SlowRequest
from armdyn.studio.robots import Robots
from armdyn.studio.router import Handler, Part


async def check(client: Client, request: CheckRequest) -> CheckResult:
    """All that is wrong with a program."""
    studio = client.studio
    async with studio.one_check:
        return await studio.in_thread(lambda: checked(studio.robots, request))


def checked(robots: Robots, request: CheckRequest) -> CheckResult:
    """The command line's messages, with their places."""
    try:
        parsed = parse_program(request.text)
    except ProgramError:
        found = [_problem(each) for each in problems(request.text)]
        return CheckResult(problems=found, robot=request.robot)
    name = request.robot
    try:
        name = request.meant(named_robot(parsed))
        if name is not None:
            run_program(parsed, robots.ready(name, request.settings).robot)
    except ProgramError as error:
        return CheckResult(problems=[_problem(error)], robot=name)
    return CheckResult(problems=[], robot=name)


def named_robot(parsed: ParsedProgram) -> str | None:
    """The catalog's robot that a program names."""
    return catalog_name(parsed, catalog())


def _problem(error: ProgramError) -> Problem:
    return Problem(line=error.line, column=error.column, message=error.message)


async def slow(client: Client, request: SlowRequest) -> SlowResult:
    """A program in which some lines run at a share of their speed."""
    studio = client.studio
    async with studio.one_check:
        return SlowResult(text=await studio.in_thread(lambda: slowed(studio.robots, request)))


def slowed(robots: Robots, request: SlowRequest) -> str:
    """Its text: speeds times r, accelerations times r², so that the same postures are passed more slowly.

    A turn acceleration is written into it, too.
    """
    if request.program not in (None, text_digest(request.text)):
        raise InputError("the lines are of another text of the program; verify it again first")
    parsed = parse_program(request.text, request.name)
    robot = program_robot(robots, parsed, request)
    shares = {int(line): share for line, share in request.shares.items()}
    return slower_text(parsed, robot, shares, request.turn_acceleration)


def slower_text(
    parsed: ParsedProgram,
    robot: Robot,
    shares: dict[int, float] | float,
    turn_acceleration: float | None = None,
) -> str:
    """A program whose moves run at a share of their speed, by line or all of them, and turn gradually."""
    if turn_acceleration is not None:
        parsed = turning_gradually(parsed, robot, turn_acceleration)
    places = [statement.at for statement in move_statements(parsed.tree.statements)]
    by_line = shares if isinstance(shares, dict) else {at.line: shares for at in places}
    if unknown := by_line.keys() - {at.line for at in places}:
        raise InputError(f"line {min(unknown)} has no move whose speed could be changed")
    powers: dict[Aspect, int] = {"speed": 1, "acceleration": 2}
    factors: dict[tuple[Place, Aspect], float] = {
        (at, aspect): by_line[at.line] ** power
        for at in places
        if at.line in by_line
        for aspect, power in powers.items()
    }
    return rewritten(parsed, run_program(parsed, robot), factors)


def program_robot(robots: Robots, parsed: ParsedProgram, asked: ForRobot) -> Robot:
    """The robot that is given, or the one that a program names, or the one meant otherwise."""
    found = asked.meant(named_robot(parsed))
    if found is None:
        raise InputError("no act_rob says for which robot the program is; choose a robot")
    return robots.ready(found, asked.settings).robot


PART = Part({"check": Handler(check), "slow": Handler(slow)})
