"""Files that were named, opened with distrust: only such as have an end, and only so much of them."""

from __future__ import annotations

import errno
import os
import re
import stat
import tomllib
from io import BufferedReader
from pathlib import Path
from typing import Any

from armdyn.errors import InputError

_NAME = r"""(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')"""
_DEEP = re.compile(
    rf"""(?:^[ \t]*+\[{{0,2}}[ \t]*+|[{{,][ \t\r\n]*+)(?:{_NAME}[ \t]*+\.[ \t]*+){{20}}""", re.MULTILINE
)
"""A key or table of more than twenty dotted names: tomllib takes quadratic time and memory for it."""


def opened(file: Path) -> BufferedReader:
    """A file to be read; what is none, but a pipe or a device, raises `OSError`: it may never end."""
    # not blocking: to open a pipe would wait for somebody who writes into it
    handle = os.open(file, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    kind = os.fstat(handle).st_mode
    if stat.S_ISREG(kind):
        return os.fdopen(handle, "rb")
    os.close(handle)
    if stat.S_ISDIR(kind):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(file))
    raise OSError(errno.EINVAL, "it is a pipe or a device, expected a file; save it as one first", str(file))


def read_text(file: Path, largest: int, what: str, instead: str = "") -> str:
    """The text of a file that is `what` ("a schedule"), at most so many bytes of UTF-8."""
    try:
        with opened(file) as source:
            data = source.read(largest + 1)
    except FileNotFoundError as error:
        raise InputError(f"{file}: no such file") from error
    except OSError as error:
        raise InputError(f"{file}: cannot be read, {error.strerror or error}") from error
    except ValueError as error:  # a null byte in the name
        raise InputError(f"no file can have the name {str(file)!r}, expected {what}") from error
    if len(data) > largest:
        advice = f"; {instead}" if instead else f", expected {what}"
        raise InputError(f"{file}: larger than {largest // 2**20} MiB{advice}")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{file}: not UTF-8 text (byte {error.start}), expected {what}; save it so"
        ) from error


def parsed_toml(text: str, what: str) -> dict[str, Any]:
    """The tables of a TOML text that is `what`; says what is wrong, not in which file."""
    if not text.strip():
        raise InputError(f"the file is empty, expected {what}")
    deep = f"nested too deeply to be {what}"
    if _DEEP.search(text):
        raise InputError(deep)
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise InputError(deep) from error
    except ValueError as error:  # TOMLDecodeError, or a whole number of thousands of digits
        raise InputError(f"not valid TOML, {_plainly(error)}") from error


def _plainly(error: ValueError) -> str:
    """What the parser says, as it would be said in a sentence."""
    text = str(error)
    if text.startswith("Exceeds the limit"):
        return "it has a whole number of more than 4300 digits, expected numbers that robots have"
    return f"{text[:1].lower()}{text[1:]}; mend it there"
