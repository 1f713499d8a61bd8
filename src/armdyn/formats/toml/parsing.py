"""TOML texts as tables, whatever they hold: one sentence where they are none."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from armdyn.errors import FormatError

_DEEP = re.compile(r"""^[ \t]*\[{0,2}[ \t]*(?:[\w"'-]+[ \t]*\.[ \t]*){20}""", re.MULTILINE)
"""A key or table of more than twenty dotted names: tomllib takes quadratic time and memory for it."""


def parsed(text: str, file: str, what: str = "robot file") -> dict[str, Any]:
    """The tables of a text; `what` it should be is said where it cannot be that."""
    if _DEEP.search(text):
        raise FormatError(f"nested too deeply to be a {what}", file=file)
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise FormatError(f"nested too deeply to be a {what}", file=file) from error
    except ValueError as error:  # TOMLDecodeError, or a whole number of thousands of digits
        raise FormatError(f"not valid TOML, {error}", file=file) from error


def text_of(file: Path, largest: int, what: str) -> str:
    """The text of a file that is no larger than any such file."""
    try:
        with file.open("rb") as source:
            data = source.read(largest + 1)
    except FileNotFoundError as error:
        raise FormatError("no such file", file=str(file)) from error
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise FormatError(f"cannot be read, {why or error}", file=str(file)) from error
    if len(data) > largest:
        raise FormatError(f"larger than {largest // 2**10} KiB, no {what} is", file=str(file))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError(f"not UTF-8 text (byte {error.start}), expected TOML", file=str(file)) from error
