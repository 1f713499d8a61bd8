"""TOML texts as tables, whatever they hold: one sentence where they are none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from armdyn.errors import FormatError, InputError
from armdyn.formats.reading import parsed_toml, read_text


def parsed(text: str, file: str, what: str = "robot file") -> dict[str, Any]:
    """The tables of a text; `what` it should be is said where it cannot be that."""
    try:
        return parsed_toml(text, f"a {what}")
    except InputError as error:
        raise FormatError(str(error), file=file) from error


def text_of(file: Path, largest: int, what: str) -> str:
    """The text of a file that is no larger than any such file."""
    try:
        return read_text(file, largest, f"a {what}")
    except InputError as error:
        raise FormatError(str(error)) from error
