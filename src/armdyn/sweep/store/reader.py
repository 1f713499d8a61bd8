"""The side of the store that reads: a chunk at a time, each proven before it is used, none twice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

from armdyn.errors import InputError
from armdyn.sweep.manifest import Manifest
from armdyn.sweep.store.aside import set_aside
from armdyn.sweep.store.checking import Proven, proven
from armdyn.sweep.store.layout import INPUTS, ChunkFile, chunk_files
from armdyn.sweep.store.lock import locked
from armdyn.sweep.store.manifest_file import read_manifest
from armdyn.sweep.study import Study
from armdyn.sweep.study_file import study_of


class Results:
    """The rows of a sweep, finished or not."""

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        """Of a folder that holds results."""
        self.folder, self.manifest = folder, manifest
        self.notes: list[str] = []
        """What was found damaged while tables were read"""
        self._damaged: set[Path] = set()

    @property
    def study(self) -> Study:
        """What was computed; its files are the copies in the folder."""
        study = study_of(self.manifest.text, self.folder, "study.toml")
        copies = {name: self._copy(name, mark) for name, mark in self.manifest.inputs.items()}
        return replace(study, folder=self.folder, files=copies)

    @property
    def total(self) -> int:
        """Rows of the study."""
        return self.manifest.total

    @property
    def done(self) -> int:
        """Rows that are there, as names of files say; those found damaged are not."""
        chunks = self.manifest.chunks
        numbers = {file.number for file in self._files() if file.number < chunks.count}
        return sum(chunks[k].stop - chunks[k].first for k in numbers)

    def tables(self, columns: Sequence[str] | None = None) -> Iterator[Any]:
        """Arrow tables of the rows, one chunk each, in the order of rows; `index` is the number of a row."""
        wanted = None if columns is None else list(columns)
        last = -1
        for file in self._files():
            if file.number == last:
                continue
            whole = proven(file, self.manifest)
            if isinstance(whole, Proven):
                last = file.number
                yield whole.table(wanted)
            else:
                self._put_aside(file, whole)

    def table(self, columns: Sequence[str] | None = None) -> Any:
        """All rows that are there as one Arrow table."""
        from importlib import import_module

        pa: Any = import_module("pyarrow")
        found = list(self.tables(columns))
        if not found:
            raise InputError(f'folder "{self.folder}" has no rows yet; run the sweep first')
        return pa.concat_tables(found)

    def _files(self) -> Iterator[ChunkFile]:
        return (file for file in chunk_files(self.folder) if file.path not in self._damaged)

    def _copy(self, name: str, mark: str) -> Path:
        return self.folder / INPUTS / f"{mark}-{Path(name).name}"

    def _put_aside(self, file: ChunkFile, why: str) -> None:
        """Unless a sweep is writing, or nobody may: then the file stays where it is, unread."""
        self._damaged.add(file.path)
        with ExitStack() as held:
            try:
                held.enter_context(locked(self.folder))
                self.notes.append(set_aside(self.folder, file.path, why))
            except (InputError, OSError):
                self.notes.append(f'file "{file.path.name}" {why}; its rows are left out, --resume mends it')


def open_results(folder: Path) -> Results:
    """The results in a folder."""
    manifest = read_manifest(folder)
    if manifest is None:
        raise InputError(f'folder "{folder}" holds no results of a sweep; run it first')
    return Results(folder, manifest)
