"""A retimed motion as one HTML page: no other files, no network, the same bytes for the same input."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from importlib import resources

from armdyn.feasibility.findings import Findings
from armdyn.feasibility.report.tables import violation_tables
from armdyn.feasibility.report.utilisation import utilisation_table
from armdyn.report.markup import Markup, element, joined
from armdyn.report.pages import check_report, page, write_page
from armdyn.report.pictures import shown
from armdyn.retiming.figures.figures import pictures
from armdyn.retiming.held_back import Held, held_back
from armdyn.retiming.optimal.optimal import Optimal
from armdyn.retiming.per_move import PerMove
from armdyn.retiming.report.listing import changed_listing
from armdyn.retiming.report.summary import summary
from armdyn.retiming.report.tables import factors_table, held_table, stops_table
from armdyn.retiming.report.words import ASKED, checked, ways
from armdyn.retiming.retime import Retimed


def write_report(retimed: Retimed, path: str | os.PathLike[str], *, title: str = "") -> None:
    """Write the report of a retimed motion, all of the file or nothing.

    Args:
        retimed: what `retime` found.
        path: an .html file in a folder that exists.
        title: of the page; by default it names the robot.
    """
    check_report(path)
    write_page(report(retimed, title=title), path)


def report(retimed: Retimed, *, title: str = "") -> str:
    """The report as text."""
    held = held_back(retimed)
    return page(
        title or f"Retimed motion of {retimed.plan.robot.name}",
        ASKED[retimed.mode],
        ("verdict", "Verdict", summary(retimed, held)),
        _sections(retimed, held),
        _file("armdyn.feasibility.report", "page.css") + _file("armdyn.retiming.report", "page.css"),
    )


def _sections(retimed: Retimed, held: Sequence[Held]) -> Iterator[tuple[str, str, Markup]]:
    """Anchor, heading and body of each, in their order."""
    found = retimed.found
    yield "held", "What holds it back", held_table(retimed, held)
    drawn = [shown(picture, "retiming") for picture in pictures(retimed)]
    yield "figures", "Figures", joined(drawn)
    if isinstance(found, Optimal):
        yield "stops", "Stops", stops_table(found.stops)
    if isinstance(found, PerMove):
        yield "moves", "Moves", factors_table(found.moves)
        yield "program", "Program", changed_listing(found.text, found.moves)
    findings = Findings(retimed.verification)
    told = [element("p", checked(retimed)), utilisation_table(findings)]
    listed = isinstance(found, PerMove)
    violated = [violation_tables(findings, listed)] if retimed.verification.violations else []
    yield "check", "Feasibility check of the samples", joined([*told, *violated])
    yield "notes", "Notes and method", _notes(retimed)


def _notes(retimed: Retimed) -> Markup:
    notes = [element("li", note) for note in retimed.notes]
    return joined(
        [
            element("h3", "Notes and assumptions"),
            element("ul", *notes) if notes else element("p", "None."),
            element("h3", "How it was found"),
            element("ul", *(element("li", sentence) for sentence in ways(retimed))),
        ]
    )


def _file(package: str, name: str) -> str:
    return (resources.files(package) / name).read_text(encoding="utf-8")
