"""`armdyn sweep`: a large study, on many processes or machines."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from armdyn.cli.options import JsonOption


def sweep(
    study: Annotated[Path, typer.Argument(metavar="STUDY", help="A study file: .toml.")],
    workers: Annotated[
        int | None, typer.Option("--workers", metavar="N", help="Processes here [default: as many as cores].")
    ] = None,
    dask: Annotated[
        str | None,
        typer.Option(
            "--dask", metavar="ADDRESS", help="A Dask scheduler, or local: a cluster on this machine."
        ),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on in a folder with rows: compute only what is missing.")
    ] = False,
    summary: Annotated[
        bool,
        typer.Option(
            "--summary", help="Say what the rows come to; where there are some, compute only with --resume."
        ),
    ] = False,
    figures: Annotated[
        Path | None,
        typer.Option(
            "--figures", metavar="DIR", help="Where the summary is drawn [default: into the output folder]."
        ),
    ] = None,
    chunk_rows: Annotated[
        int | None,
        typer.Option("--chunk-rows", metavar="N", help="Rows in a file [default: some seconds of work]."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Compute a quantity over thousands to billions of points: on all cores or a cluster, resumable."""
    from armdyn.cli.swept import Asked, swept

    asked = Asked(study, workers, dask, resume, chunk_rows)
    swept(asked, summary=summary or figures is not None, figures=figures, json=json)
