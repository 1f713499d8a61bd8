"""An excitation on the command line: what it is asked for, its files, and what it says."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from armdyn.cli.interrupts import Interrupted, stop_requests
from armdyn.cli.options import numbers
from armdyn.cli.output import print_json, print_line, print_table, printable
from armdyn.cli.progress import shown_progress
from armdyn.cli.study_options import parsed
from armdyn.errors import InfeasibleError, InputError
from armdyn.formats.motion_tables import SUFFIXES
from armdyn.identification.excitation import Excitation, excite
from armdyn.identification.excitation.bases import check_duration
from armdyn.identification.excitation.excitation import PROGRAM, check_sampling
from armdyn.report.drawing import check_figure
from armdyn.robot import Robot

COLUMNS = {
    "position": "position [%]",
    "joint_speed": "speed [%]",
    "joint_acceleration": "acceleration [%]",
    "joint_torque": "torque [%]",
    "motor_torque": "motor torque [%]",
    "motor_speed": "motor speed [%]",
}


@dataclass(frozen=True)
class Asked:
    """What to excite, within which limits, and how to search."""

    robot: Robot
    texts: Mapping[str, str | None]
    """Options of joints, as they are written"""
    workspace: str | None
    how: Mapping[str, Any]
    degrees: bool

    def run(self, stopped: Callable[[], bool]) -> Excitation:
        """Search, and show on a terminal how far it is."""
        given = {name: text for name, text in self.texts.items() if text is not None}
        options = parsed(given, self.robot, self.degrees)
        room = None if self.workspace is None else _room(self.workspace)
        with shown_progress(f"excitation of {self.robot.name}") as progress:
            return excite(
                self.robot, **options, workspace=room, **self.how, progress=progress, stopped=stopped
            )


def excited(
    asked: Asked, out: Sequence[Path], plot: Path | None, sampling: tuple[float, int], *, json: bool
) -> None:
    """Search, write the files, and say what was found; asked to stop, the best until then."""
    _check_files(out, plot)
    check_duration(asked.how["duration"])
    check_sampling(asked.how["duration"], *sampling, repeats=asked.how["kind"] == "fourier")
    with stop_requests() as request:
        found = asked.run(lambda: request.number is not None)
        for file in out:
            found.write(file, *sampling)
        if plot is not None:
            found.draw(plot)
        files = [*map(str, out), *([str(plot)] if plot is not None else [])]
        programmed = any(file.suffix.lower() == PROGRAM for file in out)
        if json:
            print_json({**found.document(), **(_program(found) if programmed else {}), "files": files})
        else:
            _print(found, programmed=programmed)
            for file in files:
                print_line(f"file: {file}")
        if not found.finished:
            written = "; the files have it" if files else ""
            raise Interrupted(
                f"stopped before the search was over: the best until then is given{written}", request.code
            )


def _room(text: str) -> list[list[float]]:
    """Of x0:x1,y0:y1,z0:z1."""
    ends = [part.split(":") for part in text.split(",")]
    if len(ends) != 3 or any(len(pair) != 2 for pair in ends):
        raise InputError(f'--workspace "{text}", expected x0:x1,y0:y1,z0:z1 in m')
    return [[numbers("--workspace", end, (1,))[0] for end in pair] for pair in ends]


def _check_files(out: Sequence[Path], plot: Path | None) -> None:
    """Refuse files that cannot be written, before anything is computed for them."""
    known = (*SUFFIXES, PROGRAM)
    for file in out:
        if file.suffix.lower() not in known:
            raise InputError(f'--out "{file}" ends in "{file.suffix}", expected {" or ".join(known)}')
        if not file.parent.is_dir():
            raise InputError(f'--out "{file}": there is no folder "{file.parent}"; make it first')
    names = [file.absolute() for file in out]
    if len(set(names)) < len(names):
        raise InputError("--out names one file twice, expected each once")
    if plot is not None:
        check_figure(plot)


# What is found --------------------------------------------------------------------------------


def tell_infeasible(error: InfeasibleError, *, json: bool) -> None:
    """Say that no motion keeps all limits, and which one is in the way."""
    if json:
        names = ("quantity", "joint", "required", "limit")
        reason = {"sentence": str(error), **{name: getattr(error, name) for name in names}}
        print_json({"feasible": False, "condition_number": None, "reason": reason})
    print(f"armdyn: {printable(str(error))}", file=sys.stderr)


def _program(found: Excitation) -> dict[str, Any]:
    program = found.program
    return {
        "program": {
            "moves": program.moves,
            "condition_number": program.condition_number,
            "share": program.largest_share,
            "duration": program.duration,
            "notes": list(program.notes),
        }
    }


def _print(found: Excitation, *, programmed: bool) -> None:
    dyn = found.experiment.arm.dyn
    friction = "on" if dyn.friction else "off"
    base = len(found.experiment.base)
    print_line(f"{found.robot.name}: motors {dyn.motors}, friction {friction}, {base} base parameters")
    _print_uses(found)
    drawn = found.found.drawn
    print_line(
        f"condition number {found.condition_number:.4g} in {found.duration:g} s; the best of {drawn} random "
        f"motions has {found.random_condition_number:.4g}"
    )
    if found.search.criterion == "d_optimal":
        print_line(
            f"the estimate's confidence ellipsoid is {found.improvement:.3g} times narrower in the mean"
        )
    if programmed:
        program = found.program
        print_line(
            f"as a program of {program.moves} moves: condition number {program.condition_number:.4g} in "
            f"{program.duration:.3g} s, {100 * program.largest_share:.3g} % of a limit at most"
        )
    notes = (*found.notes, *(found.program.notes if programmed else ()))
    for note in notes:
        print_line(f"note: {note}")


def _print_uses(found: Excitation) -> None:
    """Of each limit how much is used at most, a row for each joint."""
    shares = {(use.quantity, use.joint): use.share for use in found.uses if use.joint is not None}
    quantities = [name for name in COLUMNS if any(quantity == name for quantity, _ in shares)]
    rows = [
        (
            f"{j + 1}  {joint.name}",
            *(_percent(shares.get((quantity, j + 1))) for quantity in quantities),
        )
        for j, joint in enumerate(found.robot.joints)
    ]
    print_table("of its limits uses at most", ("joint", *(COLUMNS[name] for name in quantities)), rows)
    room = [use for use in found.uses if use.axis is not None]
    if room:
        said = ", ".join(f"{use.axis} {100 * use.share:.3g} %" for use in room)
        print_line(f"workspace of the tool: {said}")


def _percent(share: float | None) -> float | None:
    return None if share is None else round(100 * share, 1)
