"""A study on the command line: what it is asked for, its progress, and its files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from armdyn.cli.output import print_json, print_line
from armdyn.cli.progress import shown_progress
from armdyn.cli.studied_tables import print_study
from armdyn.cli.study_options import parsed, spelled
from armdyn.report.drawing import check_figure
from armdyn.report.pages import check_report
from armdyn.robot import Robot
from armdyn.studies.loads.figures import draw
from armdyn.studies.loads.report import write_study_report
from armdyn.studies.loads.rows import Study
from armdyn.studies.loads.study import check_options, options_of, study


@dataclass(frozen=True)
class Asked:
    """What to study, with the options that were given."""

    robot: Robot
    kind: str
    given: Mapping[str, Any]
    degrees: bool

    def run(self) -> Study:
        """Study it, and show on a terminal how far it is."""
        check_options(self.kind, dict(self.given), spelled)
        options = parsed(self.given, self.robot, self.degrees)
        with shown_progress(f"{self.kind} of {self.robot.name}") as progress:
            if "progress" in options_of(self.kind):
                options["progress"] = progress
            return study(self.robot, self.kind, **options)


def studied(asked: Asked, plot: Path | None, report: Path | None, *, json: bool, postures: bool) -> None:
    """Study, write the files, and say what was found."""
    if plot is not None:
        check_figure(plot)
    if report is not None:
        check_report(report)
    found = asked.run()
    if plot is not None:
        draw(found, plot)
    if report is not None:
        write_study_report(found, report)
    files = [str(file) for file in (plot, report) if file is not None]
    if json:
        print_json({**found.document(), "files": files})
        return
    print_study(found, postures=postures)
    for file in files:
        print_line(f"file: {file}")
