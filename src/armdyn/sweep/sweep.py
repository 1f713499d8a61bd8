"""`sweep`: the rows of a study computed, all of them or those that are missing."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from time import monotonic

from armdyn.errors import InputError
from armdyn.studies.speed.machine import cores
from armdyn.sweep.agreement import agreed
from armdyn.sweep.axes import Axis
from armdyn.sweep.chunks import rows_of_chunk
from armdyn.sweep.crew.choice import crew_for
from armdyn.sweep.crew.local import timed
from armdyn.sweep.crew.outcomes import CrewLostError
from armdyn.sweep.inputs import contents, digests, with_copies
from armdyn.sweep.kept import Kept
from armdyn.sweep.manifest import Manifest, identity_of
from armdyn.sweep.progress import Pace, Progress
from armdyn.sweep.quantities import ERROR, axis_units, evaluator
from armdyn.sweep.results import FailedRows, Sweep
from armdyn.sweep.row_files import INDEX
from armdyn.sweep.running import Run
from armdyn.sweep.store.writer import opened
from armdyn.sweep.study import Study
from armdyn.sweep.study_file import read_study, study_of
from armdyn.sweep.versions import processor, versions

Told = Callable[[Progress], None]
BYTES_PER_VALUE = 16
"""Of a column in memory, with what evaluating it takes."""
ASKED_TO_STOP = "it was asked to stop"


def sweep(
    study: Study | str | os.PathLike[str],
    *,
    workers: int | None = None,
    dask: str | None = None,
    resume: bool = False,
    progress: Told | None = None,
    chunk_rows: int | None = None,
    stopping: Callable[[], bool] | None = None,
) -> Sweep:
    """Compute the rows of a study into its folder.

    Args:
        study: a study file, or what `read_study` made of one.
        workers: processes on this machine [default: as many as cores].
        dask: address of a Dask scheduler, or "local" for a cluster on this machine.
        resume: go on in a folder that holds rows already, and compute only what is missing.
        progress: called with a `Progress` now and then.
        chunk_rows: rows in a file [default: some seconds of work].
        stopping: asked now and then whether to stop; what is done stays.
    """
    _at_least_one(workers=workers, chunk_rows=chunk_rows)
    sweeping = _Sweeping(_whole(study), workers or cores(), dask, progress or (lambda _: None))
    return sweeping.run(resume, chunk_rows, stopping or (lambda: False))


class _Sweeping:
    """One call of `sweep`."""

    def __init__(self, study: Study, workers: int, dask: str | None, told: Told) -> None:
        self._study, self._workers, self._dask, self._told = study, workers, dask, told
        self._began = monotonic()
        self._files = contents(study)
        self._asked = uncut(study, digests(self._files))

    def run(self, resume: bool, chunk_rows: int | None, stopping: Callable[[], bool]) -> Sweep:
        with opened(self._study.folder) as store:
            before, notes = agreed(store, self._asked, resume)
            study = with_copies(self._study, self._files, store.inputs)
            manifest, rate = (before, None) if before else self._cut(study, chunk_rows)
            store.begin(manifest)
            found = store.checked(manifest, lambda k, files: self._told(Progress("checking", k, files)))
            kept = Kept(store, manifest, found)
            failed, stopped = self._computed(study, manifest, kept, rate, stopping)
        return Sweep(
            kept.done,
            manifest.total,
            self._study.folder,
            kept.computed,
            kept.without_answer,
            manifest.chunks.count,
            monotonic() - self._began,
            failed,
            (*study.notes, *notes, *found.notes, *kept.notes),
            stopped,
        )

    def _cut(self, study: Study, chunk_rows: int | None) -> tuple[Manifest, float | None]:
        """How many rows a chunk has, and how many rows a second to expect."""
        if chunk_rows is not None:
            return replace(self._asked, rows=chunk_rows), None
        self._told(Progress("starting", 0, study.total))
        seconds = timed(study, self._asked)
        bytes_per_row = BYTES_PER_VALUE * (2 + len(self._asked.columns))
        rows = rows_of_chunk(study.total, self._workers, seconds, bytes_per_row)
        return replace(self._asked, rows=rows), self._workers / max(seconds, 1e-12)

    def _computed(
        self, study: Study, manifest: Manifest, kept: Kept, rate: float | None, stopping: Callable[[], bool]
    ) -> tuple[tuple[FailedRows, ...], str | None]:
        """What is missing; which rows failed, and why it stopped early, if it did."""
        if kept.done == manifest.total:
            return (), None
        pace = Pace(kept.done, manifest.total, rate)
        there = frozenset(kept.numbers)
        in_order = manifest.chunks.in_order(scattered=study.design.kind == "grid")
        failed: list[FailedRows] = []
        try:
            with crew_for(study, manifest, self._workers, self._dask) as crew:
                run = Run(crew, (chunk for chunk in in_order if chunk.number not in there), kept.take, failed)
                if not run.until_done(stopping, lambda: self._told(pace.at(kept.done))):
                    return tuple(failed), ASKED_TO_STOP
        except CrewLostError as error:
            return tuple(failed), str(error)
        return tuple(failed), None


def _at_least_one(**numbers: int | None) -> None:
    for name, value in numbers.items():
        if value is not None and value < 1:
            raise InputError(f"{name} is {value}, expected at least 1")


def _whole(study: Study | str | os.PathLike[str]) -> Study:
    """A study as its text says: workers read that."""
    if not isinstance(study, Study):
        return read_study(study)
    if identity_of(study_of(study.text, study.base), {}) != identity_of(study, {}):
        raise InputError("the study differs from its text; change the text, and read it with study_of")
    return study


def uncut(study: Study, inputs: dict[str, str]) -> Manifest:
    """What will be computed, not yet cut into chunks; a study that means nothing is refused."""
    found = evaluator(study)
    units = axis_units(study)
    columns = [
        {"name": axis.name, "unit": units.get(axis.name, ""), "kind": _kind(axis), "role": "axis"}
        for axis in study.axes
    ]
    columns += [{"name": c.name, "unit": c.unit, "kind": c.kind, "role": "result"} for c in found.columns]
    names = [INDEX, ERROR, *(column["name"] for column in columns)]
    if twice := {name for name in names if names.count(name) > 1}:
        raise InputError(f'column "{min(twice)}" would be there twice; leave the axis or the result out')
    identity = identity_of(study, inputs)
    return Manifest(study.text, identity, inputs, study.total, 0, tuple(columns), versions(), processor())


def _kind(axis: Axis) -> str:
    return "text" if axis.text else "float"
