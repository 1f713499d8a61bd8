"""Deriving on the command line: what is asked for, its progress, its files, and how it is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from armdyn.cli.options import numbers
from armdyn.cli.output import print_json, print_line, print_table
from armdyn.cli.progress import shown_progress
from armdyn.cli.study_options import joint_ranges
from armdyn.equations import printing
from armdyn.equations.derive import derive
from armdyn.equations.equations import Equations, Form
from armdyn.equations.simplified import SimplifiedEquation, simplified, trade_offs, written_short
from armdyn.equations.trade_off_figure import save_trade_off_figure
from armdyn.errors import InputError
from armdyn.formats.whole_file import whole_file
from armdyn.report.drawing import check_figure
from armdyn.robot import Robot


@dataclass(frozen=True)
class Asked:
    """What to derive."""

    robot: Robot
    quantity: str
    element: str | None
    symbolic: bool
    inertia: Any
    payload: bool
    coordinates: Any
    motors: Any
    tolerance: float | None
    operations: int | None
    measure: Any
    ranges: str | None
    degrees: bool
    effort: int | None
    curve: bool
    form: Form | None
    out: Path | None

    @property
    def short(self) -> bool:
        """Whether short forms are asked for."""
        return self.tolerance is not None or self.operations is not None

    def check(self) -> None:
        """Refuse options that have nothing to do."""
        if self.inertia is not None and not (self.symbolic or self.payload):
            raise InputError("--inertia says how a tensor is written in symbols; add --symbolic")
        if not (self.short or self.curve):
            wanted = (("--range", self.ranges), ("--effort", self.effort), ("--measure", self.measure))
            for option, value in wanted:
                if value is not None:
                    raise InputError(
                        f"{option} is for short forms; add --simplify, --operations or --trade-off"
                    )
        if self.curve:
            for option, value in (("--as", self.form), ("--out", self.out), ("--effort", self.effort)):
                if value is not None:
                    raise InputError(
                        f"{option} is not for a trade-off, which lists short forms without proving bounds; "
                        "choose one with --operations"
                    )
        if self.short and self.curve:
            raise InputError(
                "--simplify and --operations choose one short form, --trade-off lists all: give one"
            )

    def equations(self) -> Equations:
        """The exact equations."""
        return derive(
            self.robot,
            self.quantity,
            _element(self.element),
            motors=self.motors,
            parameters="symbolic" if self.symbolic else "numeric",
            inertia=self.inertia or "gyration",
            payload=self.payload,
            coordinates=self.coordinates,
        )

    def options(self) -> dict[str, Any]:
        """What short forms are made with."""
        ranges = None
        if self.ranges is not None:
            ranges = joint_ranges("--range", self.ranges, self.robot, self.degrees)
        return {"ranges": ranges, "measure": self.measure or "mean"}


def derived(asked: Asked, plot: Path | None, *, json: bool) -> None:
    """Derive, write the files, and show the equations."""
    asked.check()
    if plot is not None:
        check_figure(plot)
    equations = asked.equations()
    if asked.curve:
        _trade_off(asked, equations, plot, json=json)
        return
    if asked.short:
        with shown_progress(f"{asked.quantity} of {asked.robot.name}") as progress:
            found = simplified(
                equations,
                asked.tolerance,
                operations=asked.operations,
                effort=asked.effort,
                progress=progress,
                **asked.options(),
            )
        text = written_short(found, asked.form or "text")
        document = {**equations.document(), "equations": [each.document() for each in found]}
    else:
        found = ()
        _write_down(asked, equations)
        text = equations.written(asked.form or "text")
        document = equations.document()
    files = _written(asked.out, text)
    if json:
        print_json({**document, "files": files})
        return
    print(text)
    if found and asked.form in (None, "text"):  # what compilers and typesetters read stands alone
        _print_errors(found)
    for file in files:
        print_line(f"file: {file}")


def _write_down(asked: Asked, equations: Equations) -> None:
    """Find the readable forms, which takes long for recursions in symbols."""
    with shown_progress(f"{asked.quantity} of {asked.robot.name}") as progress:
        for k, equation in enumerate(equations):
            progress(equation.name, k / len(equations))
            _ = equation.expression


def _element(text: str | None) -> list[int] | None:
    if text is None:
        return None
    values = numbers("--element", text)
    if not all(value.is_integer() for value in values):
        raise InputError(f'--element: "{text}", expected whole numbers counted from 1, as 1,2')
    return [int(value) for value in values]


def _written(out: Path | None, text: str) -> list[str]:
    if out is None:
        return []
    with whole_file(out) as file:
        file.write(f"{text.rstrip()}\n".encode())
    return [str(out)]


# Short forms ----------------------------------------------------------------------------------


def _print_errors(found: Sequence[SimplifiedEquation]) -> None:
    rows = [
        (
            each.equation.name,
            load,
            each.equation.operations.total,
            each.short.operations.total,
            errors.mean,
            errors.p95,
            errors.maximum,
            errors.bound,
            "yes" if errors.certified else "no",
            _percent(errors.relative_mean),
            _percent(errors.relative_range),
        )
        for each in found
        for load, errors in zip(each.loads, each.short.errors, strict=True)
    ]
    print_table(
        "what they miss, joints uniform in their ranges",
        (
            "",
            "load",
            "exact",
            "short",
            "mean",
            "95 %",
            "largest",
            "none above",
            "certified",
            "mean/mean",
            "largest/range",
        ),
        rows,
    )
    for note in dict.fromkeys(each.short.note for each in found if each.short.note):
        print_line(f"note: {note}")


def _trade_off(asked: Asked, equations: Equations, plot: Path | None, *, json: bool) -> None:
    with shown_progress(f"{asked.quantity} of {asked.robot.name}") as progress:
        curves = trade_offs(equations, progress=progress, **asked.options())
    if plot is not None:
        save_trade_off_figure(curves, plot)
    files = [] if plot is None else [str(plot)]
    if json:
        points = [[point.document() for point in curve] for curve in curves]
        print_json({**equations.document(), "trade_off": points, "files": files})
        return
    for curve in curves:
        rows = [
            (
                point.short.operations.total,
                _percent(point.short.relative_mean),
                _percent(point.short.relative_range),
                printing.to_text(point.short.expressions[-1], digits=4),
            )
            for point in curve
        ]
        print_table(
            f"{curve[0].equation.name}: operations against error",
            ("operations", "mean", "largest", "short form"),
            rows,
        )
    for file in files:
        print_line(f"file: {file}")


def _percent(share: float) -> str:
    """Two digits: short forms differ by orders of magnitude."""
    return f"{100 * share:.2g} %" if share < 0.1 else f"{100 * share:.0f} %"
