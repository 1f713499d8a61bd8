"""The files that a study names: read once when a sweep starts, and taken along to who evaluates rows.

So the rows of a study are those of the files as they were, on every machine, whatever is done to them since.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from armdyn.errors import InputError
from armdyn.formats.whole_file import whole_file
from armdyn.sweep.study import Study, names_file

LARGEST = 256 * 2**20
"""Bytes of all files that a study names."""


def named_files(study: Study) -> tuple[str, ...]:
    """The names in a study that are those of files."""
    return tuple(sorted({text for text in _texts(study) if names_file(study.base, text)}))


def contents(study: Study) -> dict[str, bytes]:
    """What stands in the files that a study names."""
    found: dict[str, bytes] = {}
    for name in named_files(study):
        try:
            found[name] = (study.base / name).read_bytes()
        except OSError as error:
            why = error.strerror or str(error)
            raise InputError(f'file "{name}" of the study cannot be read, {why}') from error
        if sum(map(len, found.values())) > LARGEST:
            raise InputError(f'file "{name}": the files of a study are larger than {LARGEST // 2**20} MiB')
    return found


def digest(data: bytes) -> str:
    """What tells bytes from all others."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def digests(files: Mapping[str, bytes]) -> dict[str, str]:
    """Of the contents of files, by their names."""
    return {name: digest(data) for name, data in files.items()}


def with_copies(study: Study, files: Mapping[str, bytes], folder: Path) -> Study:
    """The study that looks at copies of its files in a folder; those that are there already are kept."""
    places = {name: folder / f"{digest(data)}-{Path(name).name}" for name, data in files.items()}
    if places:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            why = error.strerror or str(error)
            raise InputError(
                f'folder "{folder}" cannot be made, {why}; name another output folder'
            ) from error
    for name, place in places.items():
        if not place.exists() or place.read_bytes() != files[name]:
            with whole_file(place) as file:
                file.write(files[name])
    return replace(study, files=places)


def _texts(study: Study) -> Iterator[str]:
    yield study.robot
    for axis in study.axes:
        yield from (value for value in axis.values or () if isinstance(value, str))
    yield from _inside(dict(study.options))


def _inside(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in cast("dict[str, Any]", value).values():
            yield from _inside(inner)
    elif isinstance(value, list):
        for inner in cast("list[Any]", value):
            yield from _inside(inner)
