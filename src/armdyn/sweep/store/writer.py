"""The side of the store that writes; one process at a time."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from armdyn.errors import InputError
from armdyn.formats.whole_file import sync_folder, whole_file
from armdyn.sweep.manifest import Manifest
from armdyn.sweep.store.aside import set_aside
from armdyn.sweep.store.checking import Proven, proven
from armdyn.sweep.store.layout import INPUTS, MANIFEST, ROWS, STUDY, chunk_file, chunk_name, row_files
from armdyn.sweep.store.lock import locked
from armdyn.sweep.store.manifest_file import read_manifest
from armdyn.sweep.workbench import Computed


@dataclass
class Found:
    """What is in a folder already."""

    numbers: set[int] = field(default_factory=set[int])
    """Chunks that are whole"""
    without_answer: int = 0
    notes: list[str] = field(default_factory=list[str])


class Store:
    """A folder of results to write into."""

    def __init__(self, folder: Path) -> None:
        """As `opened` gives it: locked."""
        self.folder = folder

    @property
    def inputs(self) -> Path:
        """Where copies of files go."""
        return self.folder / INPUTS

    def holds_rows(self) -> bool:
        """Whether there are results, whole or not."""
        return bool(row_files(self.folder))

    def manifest(self) -> Manifest | None:
        """What the folder says that it is of."""
        return read_manifest(self.folder)

    def foreign(self, text: str) -> str | None:
        """A study or manifest in the folder that is not of a sweep, and would be overwritten.

        Without rows only a manifest tells that a folder is ours; a sweep that was ended before it wrote one
        has left the same text at most.
        """
        if self.manifest() is not None:
            return None
        if (self.folder / MANIFEST).exists():
            return MANIFEST
        with _sentences(self.folder):
            study = self.folder / STUDY
            return STUDY if study.exists() and study.read_bytes() != text.encode() else None

    def begin(self, manifest: Manifest) -> None:
        """Write down what will be computed."""
        with _sentences(self.folder):
            (self.folder / ROWS).mkdir(exist_ok=True)
            sync_folder(self.folder)
        with whole_file(self.folder / STUDY, durable=True) as file:
            file.write(manifest.text.encode())
        with whole_file(self.folder / MANIFEST, durable=True) as file:
            file.write(json.dumps(manifest.document(), indent=2).encode())

    def checked(self, manifest: Manifest, told: Callable[[int, int], None]) -> Found:
        """The chunks that are whole; what is not is set aside. `told` is called with how many of how many."""
        found = Found()
        paths = row_files(self.folder)
        for k, path in enumerate(paths):
            told(k, len(paths))
            file = chunk_file(path)
            whole = proven(file, manifest) if file else "is no file of rows"
            if isinstance(whole, Proven) and whole.file.number not in found.numbers:
                found.numbers.add(whole.file.number)
                found.without_answer += whole.without_answer
                continue
            why = whole if isinstance(whole, str) else "is there twice"
            with _sentences(self.folder):
                found.notes.append(set_aside(self.folder, path, why))
        return found

    def write(self, computed: Computed) -> None:
        """Put a chunk's file in its place, all of it or nothing, to stay."""
        name = chunk_name(computed.chunk.number, computed.digest)
        with whole_file(self.folder / ROWS / name, durable=True) as file:
            file.write(computed.data)

    def tidy(self) -> None:
        """Remove what a sweep that was ended while writing has left."""
        with _sentences(self.folder):
            for pattern in (f".{MANIFEST}.*", f".{STUDY}.*", f"{ROWS}/.chunk-*", f"{INPUTS}/.*"):
                for left in self.folder.glob(pattern):
                    left.unlink()


@contextmanager
def opened(folder: Path) -> Generator[Store]:
    """A folder to write into, made if it is not there, for one sweep at a time."""
    if folder.exists() and not folder.is_dir():
        raise InputError(f'output folder "{folder}" is a file, expected a folder; name another')
    with locked(folder):
        store = Store(folder)
        store.tidy()
        yield store


@contextmanager
def _sentences(folder: Path) -> Generator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(f'folder "{folder}" cannot be written, {error.strerror or error}') from error
