"""A study as one HTML page: no other files, no network, the same bytes for the same study."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib import resources

from armdyn.report.markup import Markup, element, joined
from armdyn.report.pages import fact_list, page, write_page
from armdyn.studies.loads.figures import svg
from armdyn.studies.loads.report_settings import facts
from armdyn.studies.loads.report_tables import best_tables, candidate_tables, tables
from armdyn.studies.loads.rows import Picture, Study

ASKED = {
    "inertia": "How much inertia does every joint and motor feel over the workspace?",
    "gravity": "What does gravity ask of every joint and motor over the workspace?",
    "coupling": "How much of a joint's load comes from other joints, from gravity, and from speed?",
    "servo": "How do position servos behave as the inertia that they move changes?",
    "reactions": "What do the bearings of every joint carry?",
    "sizing": "What do motions ask of the motors, and which ones can do it?",
    "manipulability": "Where can the arm move and accelerate its tool well, and in which posture?",
}
NUMBERS = (
    "Every smallest and largest value is attained in the posture beside it. Certified: nothing in the ranges "
    "is more extreme by over 0.1 % of the span between the two, proved by branch and bound. Elsewhere the "
    "proved bound is shown; where none is known the value is the most extreme one found."
)
OVER_TIME = "Smallest and largest are those of the motions' samples, in the posture beside them."


def write_study_report(study: Study, path: str | os.PathLike[str], *, title: str = "") -> None:
    """Write the report of a study, all of the file or nothing.

    Args:
        study: what `armdyn.study` found.
        path: an .html file in a folder that exists.
        title: of the page; by default it names the kind and the robot.
    """
    write_page(study_report(study, title=title), path)


def study_report(study: Study, *, title: str = "") -> str:
    """The report as text."""
    return page(
        title or f"Study of {study.kind}: {study.robot.name}",
        ASKED[study.kind],
        ("settings", "Settings", fact_list(facts(study))),
        _sections(study),
        (resources.files("armdyn.studies.loads") / "report.css").read_text(encoding="utf-8"),
    )


def _sections(study: Study) -> Iterator[tuple[str, str, Markup]]:
    """Anchor, heading and body of each, in their order."""
    said = OVER_TIME if study.kind == "sizing" else NUMBERS
    yield "rows", "Extremes", joined([element("p", said), tables(study)])
    if best := best_tables(study):
        yield "best", "Best postures", best
    if chosen := candidate_tables(study):
        yield "candidates", "Candidates", chosen
    if study.pictures:
        drawn = [_figure(picture, f"p{k}") for k, picture in enumerate(study.pictures, 1)]
        yield "figures", "Figures", element("div", *drawn, class_="drawings")
    notes = [element("li", note) for note in study.notes]
    yield "notes", "Notes", element("ul", *notes) if notes else element("p", "None.")


def _figure(picture: Picture, key: str) -> Markup:
    """A picture with its title above and its caption below."""
    return element(
        "figure",
        element("h3", picture.title),
        Markup(svg(picture, key, width=6.4)),
        element("figcaption", picture.caption) if picture.caption else "",
        class_="drawing",
    )
