"""A retimed motion on the command line: what it writes, and what it says."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, get_args

from armdyn.cli.options import numbers
from armdyn.cli.output import print_json, print_line, print_table, printable
from armdyn.cli.verified import check_other, same
from armdyn.errors import InfeasibleError, InputError
from armdyn.feasibility.findings import Findings
from armdyn.feasibility.report import check_report
from armdyn.formats.motion_c import SUFFIX, write_motion_header
from armdyn.formats.motion_tables import SUFFIXES
from armdyn.formats.motions import write_motion
from armdyn.report.drawing import check_figure
from armdyn.report.wording import seconds_text
from armdyn.retiming.active import ActiveLimit
from armdyn.retiming.figures import write_figure
from armdyn.retiming.optimal.optimal import End, Optimal
from armdyn.retiming.per_move import PerMove
from armdyn.retiming.report import write_report
from armdyn.retiming.retime import Mode, Retimed
from armdyn.retiming.uniform import Uniform

PROGRAM = ".lirl"
NAMES = {
    "motor_torque": "motor torque",
    "motor_speed": "motor speed",
    "joint_torque": "joint torque",
    "joint_speed": "joint speed",
    "joint_acceleration": "joint acceleration",
    "joint_jerk": "joint jerk",
    "tool_speed": "tool speed",
}


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
    _print_active(found)
    print_line(verdict(found))
    if more := _how(found):
        print_line(more)
    print_line(
        Findings(found.verification).verdict.replace(" as programmed", " when checked sample by sample")
    )
    for note in found.notes:
        print_line(f"note: {note}")


def verdict(found: Retimed) -> str:
    """Durations before and after."""
    after = seconds_text(found.duration)
    if found.factor is None:
        return f"The path takes {after}."
    if found.duration == found.before:
        return f"{after}, as programmed: nothing needs to be slower."
    return f"{seconds_text(found.before or 0.0)} becomes {after}, {found.factor:.4g} times as long."


def _how(found: Retimed) -> str:
    match found.found:
        case Optimal(margin=margin, lower_bound=bound):
            said = f"On this grid no motion is shorter than {seconds_text(bound)}"
            cycle = f"samples every {found.plan.cycle:g} s keep it"
            free = f"; {100 * margin:.2g} % of every limit is left free, so that {cycle}" if margin else ""
            return f"{said}{free}."
        case Uniform():
            r = found.plan.duration and (found.before or 0.0) / found.duration
            return f"All of it runs at {r:.6g} times its speed."
        case _:
            return ""


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


def _print_active(found: Retimed) -> None:
    """What holds the motion back, for how long."""
    of: dict[tuple[str, int | None], list[ActiveLimit]] = {}
    for limit in found.active_limits:
        of.setdefault((limit.quantity, limit.joint), []).append(limit)
    rows: list[tuple[Any, ...]] = []
    for (quantity, joint), limits in of.items():
        lasting = sum(limit.until - limit.time for limit in limits)
        share = round(100 * lasting / found.duration, 1) if found.duration else None
        rows.append((NAMES[quantity], joint, len(limits), round(limits[0].time, 3), round(lasting, 3), share))
    rows.sort(key=lambda row: -row[4])
    if rows:
        columns = ("limit", "joint", "times", "first [s]", "lasting [s]", "of all [%]")
        print_table("what holds the motion back", columns, rows)
