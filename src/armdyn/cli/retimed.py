"""A retimed motion on the command line: what it writes, and what it says."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import get_args

from armdyn.cli.options import numbers
from armdyn.cli.output import print_json, print_line, print_table, printable
from armdyn.cli.verified import check_other, same
from armdyn.errors import InfeasibleError, InputError
from armdyn.feasibility.report import check_report
from armdyn.formats.motion_c import SUFFIX, write_motion_header
from armdyn.formats.motion_tables import SUFFIXES
from armdyn.formats.motions import write_motion
from armdyn.report.drawing import check_figure
from armdyn.report.wording import seconds_text
from armdyn.retiming.figures import write_figure
from armdyn.retiming.held_back import Held, held_back
from armdyn.retiming.optimal.optimal import End, Optimal
from armdyn.retiming.per_move import PerMove
from armdyn.retiming.report import write_report
from armdyn.retiming.report.words import checked, verdict
from armdyn.retiming.retime import Mode, Retimed

PROGRAM = ".lirl"
# What is asked for ----------------------------------------------------------------------------


def end_of(option: str, text: str | None) -> End | None:
    """How a motion begins or ends, as an option says it."""
    words = get_args(get_args(End)[0])
    if text is None or text in words:
        return text  # pyright: ignore[reportReturnType]  one of the words
    try:
        return float(text)
    except ValueError as error:
        raise InputError(f'{option} "{text}", expected {", ".join(words)} or a speed') from error


def jerks(text: str | None) -> float | list[float] | None:
    """Jerk limits: one for all joints, or one each."""
    if text is None:
        return None
    found = numbers("--jerk", text)
    return found[0] if len(found) == 1 else found


def check_files(program: Path, out: Path | None, report: Path | None, plot: Path | None, mode: Mode) -> None:
    """Refuse files that cannot be written, before anything is computed for them."""
    if report is not None:
        check_report(report)
    if plot is not None:
        check_figure(plot)
    if out is not None:
        known = (*SUFFIXES, SUFFIX, *((PROGRAM,) if mode == "per-move" else ()))
        if out.suffix.lower() not in known:
            raise InputError(f'--out "{out}" ends in "{out.suffix}", expected {" or ".join(known)}')
    files = {"--out": out, "--report": report, "--plot": plot}
    given = {option: file for option, file in files.items() if file is not None}
    for option, file in given.items():
        check_other(option, file, program)
        if not file.parent.is_dir():
            raise InputError(f'{option} "{file}": there is no folder "{file.parent}"; make it first')
    for option, file in given.items():
        for other, another in given.items():
            if option < other and (same(file, another) or file.absolute() == another.absolute()):
                raise InputError(f'{option} and {other} are one file "{file}", expected two')


# What is found --------------------------------------------------------------------------------


def tell(
    found: Retimed, out: Path | None, report: Path | None, plot: Path | None, title: str, *, json: bool
) -> None:
    """Write the files that are asked for, and print the result."""
    if out is not None:
        _write(found, out, title)
    if report is not None:
        write_report(found, report, title=title)
    if plot is not None:
        write_figure(found, plot)
    files = [str(path) for path in (out, report, plot) if path is not None]
    if json:
        print_json({**found.document(), "files": files})
        return
    _print(found)
    for file in files:
        print_line(f"file: {file}")


def tell_infeasible(error: InfeasibleError, mode: Mode, *, json: bool) -> None:
    """Say that there is no such motion, and why."""
    if json:
        reason = {
            "sentence": str(error),
            "quantity": error.quantity,
            "joint": error.joint,
            "line": error.line,
            "time": error.time,
            "required": error.required,
            "limit": error.limit,
        }
        print_json({"mode": mode, "feasible": False, "duration": None, "factor": None, "reason": reason})
    print(f"armdyn: {printable(str(error))}", file=sys.stderr)


def _write(found: Retimed, out: Path, title: str) -> None:
    if out.suffix.lower() == PROGRAM:
        assert isinstance(found.found, PerMove)
        found.found.write(out)
    elif out.suffix.lower() == SUFFIX:
        about = f"{title} on {found.plan.robot.name}, retimed ({found.mode})"
        write_motion_header(out, found.plan.time, found.columns(), about)
    else:
        write_motion(out, found.plan.time, found.columns())


def _print(found: Retimed) -> None:
    friction = "on" if found.verification.arms[0].dyn.friction else "off"
    cycle = f"cycle {found.plan.cycle:.6g} s"
    print_line(f"{found.plan.robot.name}: motors {found.verification.motors}, friction {friction}, {cycle}")
    match found.found:
        case PerMove():
            _print_factors(found.found)
        case Optimal():
            _print_stops(found.found)
        case _:
            pass
    held = held_back(found)
    _print_held(found, held)
    print_line(verdict(found, held))
    if more := _how(found):
        print_line(more)
    print_line(checked(found))
    for note in found.notes:
        print_line(f"note: {note}")


def _how(found: Retimed) -> str:
    """How short it could be, and how much is left free."""
    if not isinstance(found.found, Optimal):
        return ""
    margin, bound = found.found.margin, found.found.lower_bound
    cycle = f"samples every {found.plan.cycle:g} s keep them"
    said = [] if bound is None else [f"On this grid no motion is shorter than {seconds_text(bound)}."]
    if margin:
        said.append(f"Up to {100 * margin:.2g} % of the limits is left free, so that {cycle}.")
    return " ".join(said)


def _print_factors(found: PerMove) -> None:
    columns = ("line", "move", "speed", "becomes", "acceleration", "becomes")
    rows = (
        (
            move.line,
            move.kind,
            float(f"{move.speed_before:.5g}"),
            float(f"{move.speed_after:.5g}"),
            float(f"{move.acceleration_before:.5g}"),
            float(f"{move.acceleration_after:.5g}"),
        )
        for move in found.moves
    )
    print_table("speeds and accelerations: ptp shares, others mm/s and mm/s2", columns, rows)


def _print_stops(found: Optimal) -> None:
    columns = ("at [s]", "line", "why", "wait [s]")
    rows = [
        (round(stop.time, 3), stop.line or None, stop.reason, round(stop.wait, 3)) for stop in found.stops
    ]
    if len(rows) > 1:
        print_table("where the arm rests", columns, rows)


def _print_held(found: Retimed, held: Sequence[Held]) -> None:
    """What holds the motion back, for how long."""
    if not held:
        return
    columns = ("limit", "times", "first [s]", "lasting [s]", "of all [%]")
    rows = (
        (
            each.name,
            len(each.stretches),
            round(each.stretches[0].time, 3),
            round(each.time, 3),
            round(100 * each.time / found.duration, 1) if found.duration else None,
        )
        for each in held
    )
    print_table("what holds the motion back", columns, rows)
