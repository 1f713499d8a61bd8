"""`armdyn demo`: the main job on the built-in example."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from armdyn.cli.options import JsonOption

FORCE = [100.0, 100.0, -150.0, 0.0, 0.0, 0.0]
"""[Kvrgic2020] sec. 8: f_e [N], with the sign of the Serbian text."""


def demo(
    report: Annotated[
        Path, typer.Option("--report", metavar="FILE", help="Where the report goes: .html.")
    ] = Path("lola15-report.html"),
    json: JsonOption = False,
) -> None:
    """Verify the Lola 15 program of the documents, pressing with 100, 100, -150 N, and write its report."""
    from armdyn.cli.verified import Asked, check_files, tell
    from armdyn.program import example_program

    program = example_program("lola15")
    check_files(program, None, report)
    tell(Asked(program).verified(wrench=FORCE), None, report, program.name, json=json)
