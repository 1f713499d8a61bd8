"""A verification on the command line: what it is asked for, what it writes, and what it says."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from armdyn.cli.options import joint_vector, prepared
from armdyn.cli.output import print_json, print_line, print_table
from armdyn.cli.progress import shown_progress
from armdyn.errors import InputError, counted
from armdyn.feasibility import Verification, planned, verify
from armdyn.feasibility.findings import Findings
from armdyn.feasibility.report import check_report, write_report
from armdyn.feasibility.verify import named_robot, unnamed
from armdyn.formats.motion_tables import check_suffix
from armdyn.formats.motions import write_motion
from armdyn.robot import Robot

if TYPE_CHECKING:
    from armdyn.retiming import Retimed

MOST = 12
"""Violations that are listed; --json and the report have all."""


@dataclass(frozen=True)
class Asked:
    """What to verify, as the options say it."""

    program: Path
    robot: str | None = None
    start: str | None = None
    degrees: bool = False
    planning: Mapping[str, Any] | None = None
    """Options of `planned`"""
    changes: Mapping[str, Any] | None = None
    """What changes the robot: options of `prepared`"""

    def verified(self, **how: Any) -> Verification:
        """Plan it and verify the plan."""
        arm, start = self._prepared()
        with _busy(f"verifying {self.program.name} on {arm.name}"):
            found = verify(planned(self.program, arm, start=start, **(self.planning or {})), **how)
            found.document()  # whatever takes time is found while the terminal shows that something goes on
        return found

    def retimed(self, **how: Any) -> Retimed:
        """Plan it and retime it."""
        from armdyn.retiming import retime

        arm, start = self._prepared()
        with shown_progress(f"retiming {self.program.name} on {arm.name}") as progress:
            found = retime(self.program, arm, start=start, progress=progress, **how)
            found.document()  # as above
        return found

    def _prepared(self) -> tuple[Robot, list[float] | None]:
        """The robot, and where it starts if that is said."""
        name = named_robot(self.program) if self.robot is None else self.robot
        if name is None:
            raise InputError(f"{self.program}: {unnamed(self.program)}; give it with --robot")
        arm = prepared(name, **(self.changes or {}))
        return arm, joint_vector("--start", self.start, arm, self.degrees)


@contextmanager
def _busy(what: str) -> Generator[None]:
    """Show on a terminal that something goes on; nothing elsewhere."""
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        yield
        return
    with console.status(what, spinner="line"):
        yield


def check_files(program: Path, out: Path | None, report: Path | None) -> None:
    """Refuse files that cannot be written, before anything is computed for them."""
    if report is not None:
        check_report(report)
        check_other("--report", report, program)
    if out is not None:
        check_suffix(out)
        if not out.parent.is_dir():
            raise InputError(f'motion "{out}": there is no folder "{out.parent}"; make it first')
        check_other("--out", out, program)
        if report is not None and same(out, report):
            raise InputError(f'--out "{out}" and --report "{report}" are one file, expected two')


def check_other(option: str, file: Path, program: Path) -> None:
    """Refuse to write over what is read."""
    if same(file, program):
        raise InputError(f'{option} "{file}" is what is read, expected another file')


def same(file: Path, other: Path) -> bool:
    """Whether both are one file, under whatever name."""
    return file.exists() and other.exists() and file.samefile(other)


def tell(found: Verification, out: Path | None, report: Path | None, title: str, *, json: bool) -> None:
    """Write the files that are asked for, and print the result."""
    if out is not None:
        write_motion(out, found.time, found.columns())
    if report is not None:
        write_report(found, report, source=found.source, title=title)
    files = [str(path) for path in (out, report) if path is not None]
    if json:
        print_json({**found.document(), "files": files})
    else:
        _print(found)
        for file in files:
            print_line(f"file: {file}")


# For people -----------------------------------------------------------------------------------


def _print(found: Verification) -> None:
    friction = "on" if found.arms[0].dyn.friction else "off"
    print_line(
        f"{found.plan.robot.name}: motors {found.motors}, friction {friction}, cycle {found.plan.cycle:g} s"
    )
    findings = Findings(found)
    _print_moves(findings)
    _print_utilisation(found)
    _print_violations(findings)
    for sentence in (findings.verdict, findings.verdict_details, findings.times, findings.speed_advice):
        if sentence:
            print_line(sentence)
    for note in found.notes:
        print_line(f"note: {note}")


def _print_moves(found: Findings) -> None:
    columns = ("line", "move", "programmed [s]", "achieved [s]", "possible", "largest speed")
    rows = (
        (
            move.line,
            move.kind,
            round(move.programmed, 3),
            None if move.achieved is None else round(move.achieved, 3),
            "yes" if move.feasible else "no",
            found.speed_hint(move),
        )
        for move in found.verification.moves
    )
    print_table("moves, and the share of its speed at which each is possible", columns, rows)


def _print_utilisation(found: Verification) -> None:
    columns = ("motor", "torque [N m]", "of envelope [%]", "rms [N m]", "speed [rad/s]", "of limit [%]")
    rows = (
        (
            use.motor,
            _short(use.peak_torque),
            _percent(use.peak),
            _short(use.rms_torque),
            _short(use.peak_speed),
            _percent(use.speed),
        )
        for use in found.utilisation
    )
    print_table("what the program asks of the motors", columns, rows)


def _print_violations(found: Findings) -> None:
    violations = found.verification.violations
    if not violations:
        return
    worst = sorted(violations, key=found.severity, reverse=True)[:MOST]
    columns = ("line", "of", "quantity", "from [s]", "to [s]", "required", "limit", "unit")
    rows = (
        (
            violation.line,
            found.subject(violation),
            found.quantity(violation),
            round(violation.time[0], 3),
            round(violation.time[1], 3),
            _short(violation.required),
            _short(violation.limit),
            found.unit(violation),
        )
        for violation in sorted(worst, key=lambda violation: violation.time)
    )
    all_of_them = counted(len(violations), "violation")
    title = all_of_them if len(worst) == len(violations) else f"the worst {MOST} of {all_of_them}"
    print_table(title, columns, rows)


def _short(value: float) -> float:
    return float(f"{value:.4g}")


def _percent(share: float | None) -> float | None:
    return None if share is None else round(100 * share, 1)
