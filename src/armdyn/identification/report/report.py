"""An identification as one HTML page: no other files, no network, the same bytes for the same input."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib import resources

from armdyn.identification.figures import joint_pictures, pictures
from armdyn.identification.figures.correlations import alike
from armdyn.identification.identified import Identified
from armdyn.identification.report.method import method
from armdyn.identification.report.payload_tables import payload_tables
from armdyn.identification.report.settings import facts
from armdyn.identification.report.summary import summary
from armdyn.identification.report.tables import base_table, fit_table, parameter_table
from armdyn.identification.report.words import ALIKE, alike_text, validation_text
from armdyn.report.markup import Markup, element, joined
from armdyn.report.pages import check_report, fact_list, page, write_page
from armdyn.report.pictures import shown

ASKED = "What are the robot's parameters, how sure are they, and how well do they predict its torques?"
ABOUT = "identification"


def write_report(found: Identified, path: str | os.PathLike[str], *, title: str = "") -> None:
    """Write the report of an identification, all of the file or nothing.

    Args:
        found: what `identify` found.
        path: an .html file in a folder that exists.
        title: of the page; by default it names the robot.
    """
    check_report(path)
    write_page(report(found, title=title), path)


def report(found: Identified, *, title: str = "") -> str:
    """The report as text."""
    return page(
        title or f"Identified parameters of {found.prior.name}",
        ASKED,
        ("verdict", "Verdict", summary(found)),
        _sections(found),
        (resources.files("armdyn.identification.report") / "page.css").read_text(encoding="utf-8"),
    )


def _sections(found: Identified) -> Iterator[tuple[str, str, Markup]]:
    """Anchor, heading and body of each, in their order."""
    drawn = {key: shown(picture, ABOUT) for key, picture in pictures(found).items()}
    yield "settings", "Settings", fact_list(facts(found))
    courses = [shown(picture, ABOUT) for picture in joint_pictures(found)]
    yield "torques", "Torques", joined([fit_table(found), *courses])
    yield "base", "Base parameters", joined([drawn["parameters"], base_table(found)])
    if "correlations" in drawn:
        pairs = element("p", alike_text(alike(found, ALIKE)))
        yield (
            "apart",
            "What is told apart",
            joined([pairs, _folded("Map of correlations", drawn["correlations"])]),
        )
    yield "parameters", "All parameters", _folded("Of every body, rotor and joint", parameter_table(found))
    if found.payload is not None:
        yield "payload", "Payload", payload_tables(found.payload)
    yield "validation", "Validation", element("p", validation_text(found))
    yield "residuals", "Residuals", joined([drawn["histograms"], drawn["autocorrelations"]])
    yield "notes", "Notes and method", _notes(found)


def _folded(name: str, body: Markup) -> Markup:
    """Something long that opens when asked for."""
    return element("details", element("summary", name), body)


def _notes(found: Identified) -> Markup:
    notes = [element("li", note) for note in found.notes]
    return joined(
        [
            element("h3", "Notes"),
            element("ul", *notes) if notes else element("p", "None."),
            element("h3", "How it was found"),
            element("ul", *(element("li", sentence) for sentence in method(found))),
        ]
    )
