"""A verification as one HTML file: no other files, no network, the same bytes for the same input."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata, resources
from string import Template
from typing import Any

from armdyn.feasibility.findings import Findings
from armdyn.feasibility.report.legends import (
    path_legend,
    picture_buttons,
    plot_legend,
    scatter_legend,
    time_controls,
)
from armdyn.feasibility.report.listing import listing
from armdyn.feasibility.report.method import method
from armdyn.feasibility.report.panels import Group, groups, panels_document
from armdyn.feasibility.report.parts import last_instant
from armdyn.feasibility.report.picture import picture
from armdyn.feasibility.report.plots import plots
from armdyn.feasibility.report.scatter import scatters
from armdyn.feasibility.report.scene import Scene, scene
from armdyn.feasibility.report.summary import summary
from armdyn.feasibility.report.tables import moves_table, reactions_table, violation_tables
from armdyn.feasibility.report.utilisation import utilisation_table
from armdyn.feasibility.verification import Verification
from armdyn.report.markup import Markup, element, joined, text
from armdyn.report.numbers import embedded
from armdyn.report.pages import check_report, policy, style, write_page

SCRIPTS = ("time.js", "plots.js", "picture.js", "page.js")


def write_report(
    verification: Verification, path: str | os.PathLike[str], *, source: str = "", title: str = ""
) -> None:
    """Write the report of a verification, all of the file or nothing.

    Args:
        verification: what `verify` found.
        path: an .html file in a folder that exists.
        source: text of the program, to be listed; by default what was verified, if that was a program.
        title: of the page; by default it names the robot.
    """
    check_report(path)
    write_page(report(verification, source=source, title=title), path)


def report(verification: Verification, *, source: str = "", title: str = "") -> str:
    """The report as text."""
    source = source or verification.source
    robot = verification.plan.robot.name
    name = title or (f"Robot program on {robot}" if source else f"Motion of {robot}")
    findings = Findings(verification)
    figures = Figures(scene(findings), groups(findings))
    script = "".join(_file(script) for script in SCRIPTS)
    sections = list(_sections(findings, figures, source))
    return Template(_file("page.html")).substitute(
        title=text(name),
        kind="a robot program" if source else "a sampled motion",
        style=style() + _file("page.css"),
        policy=policy(script),
        contents=joined(element("li", element("a", heading, href=f"#{key}")) for key, heading, _ in sections),
        summary=summary(findings),
        sections=joined(
            element("section", element("h2", heading), body, id=key, aria_label=heading)
            for key, heading, body in sections
        ),
        data=embedded(_data(verification, figures)),
        script=script,
    )


@dataclass(frozen=True)
class Figures:
    """What is drawn, and drawn again by the page's script."""

    scene: Scene
    groups: list[Group]


def _sections(findings: Findings, figures: Figures, source: str) -> Iterator[tuple[str, str, Markup]]:
    """Anchor, heading and body of each, in their order."""
    verification, listed = findings.verification, bool(source)
    violated = not verification.feasible
    space = [path_legend(violated), picture_buttons(), picture(figures.scene)]
    yield "path", "Path of the tool", element("figure", *space, class_="space")
    yield "moves", "Moves", moves_table(findings, listed)
    yield "violations", "Violations", violation_tables(findings, listed)
    controls = [plot_legend(findings.has_lines), time_controls(last_instant(verification))]
    yield "plots", "Axes over time", joined([*controls, plots(findings, figures.groups)])
    heading = "Motor torque over speed" if findings.geared else "Joint torque over speed"
    yield "envelopes", heading, joined([scatter_legend(), scatters(findings)])
    yield "utilisation", "Utilisation", utilisation_table(findings)
    yield "reactions", "Joint reactions", reactions_table(findings)
    if listed:
        yield "program", "Program", listing(findings, source)
    yield "method", "Notes and method", method(findings, metadata.version("armdyn"))


def _data(verification: Verification, figures: Figures) -> dict[str, Any]:
    """What the page's script needs."""
    cycle, moves = verification.plan.cycle, verification.plan.moves
    return {
        "end": last_instant(verification),
        "cycle": cycle,
        "moves": [
            {"line": move.line, "kind": move.kind, "start": move.start, "end": move.end} for move in moves
        ],
        "panels": panels_document(figures.groups, cycle),
        "scene": figures.scene.document(),
    }


def _file(name: str) -> str:
    """A file that lies beside this module."""
    return (resources.files("armdyn.feasibility.report") / name).read_text(encoding="utf-8")
