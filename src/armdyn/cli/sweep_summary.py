"""What `armdyn sweep --summary` prints and draws."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from armdyn.cli.output import print_line, print_table, shown
from armdyn.errors import InputError, counted
from armdyn.sweep.agreement import other_rows
from armdyn.sweep.store.reader import open_results
from armdyn.sweep.study import Study
from armdyn.sweep.summary import Summary, summarised
from armdyn.sweep.summary.numbers import Described, Extreme


def summed_up(study: Study, figures: Path | None, *, json: bool) -> dict[str, Any]:
    """Say what the rows in a study's folder come to, and draw it; returns it as JSON holds it."""
    summary = summarised(study.folder)
    if other := other_rows(open_results(study.folder).manifest, study):
        note = f"these are {other}, not of the study file as it is now"
        summary = replace(summary, notes=(*summary.notes, note))
    drawn = _drawn(summary, figures or study.folder)
    if not json:
        _tell(summary, drawn)
    return {**summary.document(), "figures": [str(file) for file in drawn]}


def _drawn(summary: Summary, folder: Path) -> list[Path]:
    """A figure, if there are numbers to draw, and a page."""
    from armdyn.sweep.summary.figures import pictures, write_figure
    from armdyn.sweep.summary.report import write_report

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f'folder "{folder}" cannot be written, {error.strerror or error}') from error
    page = folder / "summary.html"
    write_report(summary, page)
    if next(pictures(summary), None) is None:
        return [page]
    figure = folder / "summary.svg"
    write_figure(summary, figure)
    return [page, figure]


def _tell(summary: Summary, drawn: list[Path]) -> None:
    missing = f", {summary.missing} missing" if summary.missing else ""
    print_line(f"{summary.study.quantity} of {summary.study.robot}: {counted(summary.rows, 'row')}{missing}")
    found = [one for one in summary.results if one.minimum is not None]
    columns = ("result", "unit", "minimum", "mean", "maximum", "deviation")
    print_table("Results", columns, (_row(one) for one in found))
    ends = [(one.name, end, extreme) for one in found for end, extreme in _ends(one)]
    where = ((name, end, extreme.value, extreme.index, _at(extreme)) for name, end, extreme in ends)
    print_table("Where", ("result", "end", "value", "row", "at"), where)
    if summary.without_answer:
        print_table("Rows without an answer", ("rows", "why"), ((s.rows, s.text) for s in summary.sentences))
    for note in summary.notes:
        print_line(f"note: {note}")
    print_line(f"drawn: {', '.join(map(str, drawn))}")


def _row(one: Described) -> tuple[Any, ...]:
    assert one.minimum is not None
    assert one.maximum is not None
    return one.name, one.unit, one.minimum.value, one.mean, one.maximum.value, one.deviation


def _ends(one: Described) -> list[tuple[str, Extreme]]:
    ends = (("minimum", one.minimum), ("maximum", one.maximum))
    return [(end, extreme) for end, extreme in ends if extreme is not None]


def _at(extreme: Extreme) -> str:
    return ", ".join(f"{name} = {shown(value)}" for name, value in extreme.at.items())
