"""Names in a folder of results."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from armdyn.errors import InputError

ROWS, INPUTS, DAMAGED = "rows", "inputs", "damaged"
MANIFEST, STUDY, LOCK = "manifest.json", "study.toml", ".lock"
_NAME = re.compile(r"chunk-(\d{8,})-([0-9a-f]{32})\.parquet")


@dataclass(frozen=True)
class ChunkFile:
    """A file that holds a chunk by its name."""

    path: Path
    number: int
    digest: str


def chunk_name(number: int, digest: str) -> str:
    """The name of a chunk's file."""
    return f"chunk-{number:08d}-{digest}.parquet"


def chunk_file(path: Path) -> ChunkFile | None:
    """What the name of a file says."""
    match = _NAME.fullmatch(path.name)
    return ChunkFile(path, int(match.group(1)), match.group(2)) if match else None


def row_files(folder: Path) -> list[Path]:
    """All that lies among the rows, by name; hidden files are being written."""
    try:
        found = [path for path in (folder / ROWS).iterdir() if not path.name.startswith(".")]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise InputError(f'folder "{folder}" cannot be read, {error.strerror or error}') from error
    return sorted(found)


def chunk_files(folder: Path) -> Iterator[ChunkFile]:
    """The files of chunks, in the order of their numbers."""
    found = (chunk_file(path) for path in row_files(folder))
    return iter(sorted((one for one in found if one), key=lambda one: (one.number, one.digest)))
