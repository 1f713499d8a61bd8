"""Where in a TOML text a field stands, for messages."""

from __future__ import annotations

import re
from collections.abc import Sequence

Path = tuple[str | int, ...]
_TABLE = re.compile(r"\s*\[(\[?)\s*([^\]\[]+?)\s*\]\]?\s*(?:#.*)?")
_KEY = re.compile(r"""\s*["']?([A-Za-z0-9_-]+)["']?\s*=""")


def line_of(text: str, path: Sequence[str | int]) -> int | None:
    """The line (from 1) of the field at `path`, or of the nearest thing that contains it."""
    lines = _lines(text)
    for length in range(len(path), 0, -1):
        line = lines.get(tuple(path[:length]))
        if line is not None:
            return line
    return None


def _lines(text: str) -> dict[Path, int]:
    """Line of every table and of every key that starts a line."""
    lines: dict[Path, int] = {}
    counts: dict[Path, int] = {}
    table: Path = ()
    for number, line in enumerate(text.splitlines(), start=1):
        if header := _TABLE.fullmatch(line):
            names = tuple(part.strip(" \"'") for part in header.group(2).split("."))
            table = _indexed(names[:-1], counts)
            table += (names[-1],)
            if header.group(1):
                counts[table] = counts.get(table, -1) + 1
                table += (counts[table],)
            lines.setdefault(table, number)
        elif key := _KEY.match(line):
            lines.setdefault((*table, key.group(1)), number)
    return lines


def _indexed(names: Sequence[str], counts: dict[Path, int]) -> Path:
    """The path of nested tables, with the current index wherever a name is a list of tables."""
    path: Path = ()
    for name in names:
        path += (name,)
        if path in counts:
            path += (counts[path],)
    return path
