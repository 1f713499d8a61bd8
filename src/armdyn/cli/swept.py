"""What `armdyn sweep` does and prints."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import typer

from armdyn.cli.interrupts import Interrupted, StopRequest, stop_requests
from armdyn.cli.output import print_json, print_line
from armdyn.cli.progress import shown_rows
from armdyn.errors import counted
from armdyn.sweep.results import FailedRows, Sweep
from armdyn.sweep.store.layout import row_files
from armdyn.sweep.study import Study
from armdyn.sweep.study_file import read_study
from armdyn.sweep.sweep import sweep

MOST_SHOWN = 3
"""Failures that are told one by one; JSON has all."""


@dataclass(frozen=True)
class Asked:
    """How a study is to be computed."""

    study: Path
    workers: int | None
    dask: str | None
    resume: bool
    chunk_rows: int | None


def swept(asked: Asked, *, summary: bool, figures: Path | None, json: bool) -> None:
    """Compute a study and say what it has come to."""
    study = read_study(asked.study)
    if summary and not asked.resume and row_files(study.folder):
        from armdyn.cli.sweep_summary import summed_up

        document = summed_up(study, figures, json=json)
        if json:
            rows = document["rows"]
            head = {"done": rows["done"], "total": rows["total"], "output": str(study.folder)}
            print_json({**head, "summary": document})
        return
    with stop_requests() as request:
        result = _computed(study, asked, request)
        document = result.document()
        if not json:
            _tell(result)
        if summary and result.done and request.number is None:
            from armdyn.cli.sweep_summary import summed_up

            document["summary"] = summed_up(study, figures, json=json)
        if json:
            print_json(document)
    if request.number is not None and not result.complete:
        raise Interrupted(f"stopped; {_how_far(result)}, {_go_on(asked)} goes on", request.code)
    if not result.complete:
        _say_incomplete(result, asked)
        raise typer.Exit(1)


def _computed(study: Study, asked: Asked, request: StopRequest) -> Sweep:
    with shown_rows(study.quantity) as told:
        return sweep(
            study,
            workers=asked.workers,
            dask=asked.dask,
            resume=asked.resume,
            chunk_rows=asked.chunk_rows,
            progress=told,
            stopping=lambda: request.number is not None,
        )


def _tell(result: Sweep) -> None:
    """For people."""
    before = result.done - result.computed
    there = f", {before} were there" if before else ""
    print_line(f"{_how_far(result)} in {result.output}{there}; {result.seconds:.1f} s")
    if result.without_answer:
        rows = counted(result.without_answer, "row")
        print_line(f"{rows} without an answer: column error says why")
    for note in result.notes:
        print_line(f"note: {note}")


def _how_far(result: Sweep) -> str:
    return f"{result.done} of {counted(result.total, 'row')} done"


def _go_on(asked: Asked) -> str:
    return f"`armdyn sweep {asked.study} --resume`"


def _say_incomplete(result: Sweep, asked: Asked) -> None:
    """Why rows are missing, and what to do: one sentence on standard error."""
    reasons = [result.stopped] if result.stopped else []
    reasons += [_of(one) for one in result.failed[:MOST_SHOWN]]
    if len(result.failed) > MOST_SHOWN:
        reasons.append(f"{len(result.failed) - MOST_SHOWN} more failures")
    sentence = f"{_how_far(result)}: {'; '.join(reasons)}; {_go_on(asked)} tries the rest again"
    typer.echo(f"armdyn: {' '.join(sentence.split())}", err=True)


def _of(failed: FailedRows) -> str:
    return f"rows {failed.first} to {failed.last}, {failed.why}"
