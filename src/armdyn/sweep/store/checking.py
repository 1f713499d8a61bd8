"""Whether a file holds the rows that its name promises."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from armdyn.sweep.inputs import digest
from armdyn.sweep.manifest import Manifest
from armdyn.sweep.row_files import CHUNK_KEY, KEY
from armdyn.sweep.store.layout import ChunkFile


@dataclass(frozen=True)
class Proven:
    """A file of rows that is whole."""

    file: ChunkFile
    data: bytes
    manifest: Manifest
    without_answer: int

    def table(self, columns: list[str] | None = None) -> Any:
        """Its rows, from the bytes that were proven."""
        pa: Any = import_module("pyarrow")
        parquet: Any = import_module("pyarrow.parquet")
        return parquet.read_table(pa.BufferReader(self.data), columns=columns, use_threads=False)


def proven(file: ChunkFile, manifest: Manifest | None) -> Proven | str:
    """The file if it is whole and of this sweep, otherwise what is wrong with it."""
    try:
        data = file.path.read_bytes()
    except OSError as error:
        return f"cannot be read ({error.strerror or error})"
    if digest(data) != file.digest:
        return "is damaged"
    about = _about(data)
    if about is None:
        return "is no file of rows"
    found, chunk = about
    if found is None or (manifest is not None and found.identity != manifest.identity):
        return "is of another study"
    bounds = (manifest or found).chunks[file.number]
    if (chunk["first"], chunk["stop"]) != (bounds.first, bounds.stop):
        return "is of another sweep"
    return Proven(file, data, found, int(chunk["without_answer"]))


def _about(data: bytes) -> tuple[Manifest | None, dict[str, int]] | None:
    """The manifest in a file, and what chunk it holds."""
    pa: Any = import_module("pyarrow")
    parquet: Any = import_module("pyarrow.parquet")
    try:
        said: Any = parquet.read_schema(pa.BufferReader(data)).metadata or {}
        return Manifest.of(json.loads(said[KEY.encode()])), json.loads(said[CHUNK_KEY.encode()])
    except (pa.ArrowException, OSError, KeyError, ValueError):
        return None
