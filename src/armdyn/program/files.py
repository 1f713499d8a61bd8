"""Program files: read as text, and those that come with armdyn."""

from __future__ import annotations

import os
from collections.abc import Iterable
from importlib import resources
from pathlib import Path

from armdyn.errors import InputError, suggestion
from armdyn.formats.reading import opened

LARGEST_FILE = 2**20
"""No program needs more bytes than this."""


def example_program(name: str) -> Path:
    """The file of a program that comes with armdyn: lola15, lola15_as_printed, ur5_palletising, panda."""
    known = _examples()
    if name not in known:
        raise InputError(_no_example(name, known))
    return known[name]


def example_names() -> tuple[str, ...]:
    """The programs that come with armdyn."""
    return tuple(_examples())


def program_file(path: str | os.PathLike[str]) -> Path:
    """The file itself or, where there is none of that name, the example of that name if there is one."""
    file = Path(path)
    example = _examples().get(str(file)) if not file.suffix else None
    return example if example is not None and not _exists(file) else file


def existing_program(path: str | os.PathLike[str]) -> Path:
    """As `program_file`; a file that is not there is refused before anybody reads it."""
    file = program_file(path)
    if not _exists(file):
        raise InputError(f"{file}: {_missing(file)}")
    return file


def _examples() -> dict[str, Path]:
    folder = Path(str(resources.files("armdyn.program") / "examples"))
    return {file.stem: file for file in sorted(folder.glob("*.lirl"))}


def _missing(file: Path) -> str:
    """What to say where there is no file of a name, which could have been meant as that of an example."""
    known = _examples()
    if file.suffix or len(file.parts) != 1 or str(file) in known:
        return "no such file"
    return f"no such file, and {_no_example(str(file), known)}"


def _no_example(name: str, known: Iterable[str]) -> str:
    return f'no example program "{name}"; {suggestion(name, known)}expected one of {", ".join(known)}'


def _exists(file: Path) -> bool:
    try:
        return file.exists()
    except (OSError, ValueError):  # a name that no file can have
        return False


def read_text(path: str | os.PathLike[str]) -> str:
    """The text of a program file."""
    file = Path(path)
    try:
        with opened(file) as source:
            data = source.read(LARGEST_FILE + 1)
    except FileNotFoundError as error:
        raise InputError(f"{file}: {_missing(file)}") from error
    except OSError as error:
        raise InputError(f"{file}: cannot be read, {error.strerror or error}") from error
    except ValueError as error:  # a null byte in the name
        raise InputError(f"no file can have the name {str(file)!r}") from error
    if len(data) > LARGEST_FILE:
        raise InputError(f"{file}: larger than {LARGEST_FILE // 2**20} MiB, no program is")
    if b"\0" in data:
        raise InputError(f"{file}: not a text file (null byte {data.index(0)}), expected a program in UTF-8")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        said = f"not UTF-8 text (byte {error.start}), expected a program; save it so"
        raise InputError(f"{file}: {said}") from error
