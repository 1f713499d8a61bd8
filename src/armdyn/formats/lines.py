"""Where in a TOML text a field stands, for messages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

Path = tuple[str | int, ...]

_NAME = r"""(?:[\w-]+|"[^"\n]*"|'[^'\n]*')"""
_NAMES = rf"{_NAME}(?:\s*\.\s*{_NAME})*"
_TABLE = re.compile(rf"\s*(\[\[?)\s*({_NAMES})\s*\]\]?\s*(?:#.*)?")
_KEY = re.compile(rf"\s*({_NAMES})\s*=")
_TOKEN = re.compile(r'''"""|\'\'\'|"(?:\\.|[^"\\])*"|'[^']*'|#.*|[\[\]{}]''')


def line_of(text: str, path: Sequence[str | int]) -> int | None:
    """The line (from 1) of the field at `path`, or of the nearest thing that contains it."""
    lines = _lines(text)
    for length in range(len(path), 0, -1):
        line = lines.get(tuple(path[:length]))
        if line is not None:
            return line
    return None


@lru_cache(maxsize=1)  # one file is asked about many times
def _lines(text: str) -> dict[Path, int]:
    """Line of every table and of every key that starts a line."""
    lines: dict[Path, int] = {}
    counts: dict[Path, int] = {}
    table: Path = ()
    for number, line in _statements(text):
        if header := _TABLE.fullmatch(line):
            *outer, name = _names(header.group(2))
            table = (*_indexed(outer, counts), name)
            if header.group(1) == "[[":
                counts[table] = counts.get(table, -1) + 1
                table = (*table, counts[table])
            lines.setdefault(table, number)
        elif key := _KEY.match(line):
            field = table
            for name in _names(key.group(1)):
                field = (*field, name)
                lines.setdefault(field, number)
    return lines


def _statements(text: str) -> Iterator[tuple[int, str]]:
    """Numbered lines that start a statement: not those inside a long string or a list."""
    depth, quotes = 0, ""
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), start=1):
        if not depth and not quotes:
            yield number, line
            if _TABLE.fullmatch(line):
                continue
        depth, quotes = _after(line, depth, quotes)


def _after(line: str, depth: int, quotes: str) -> tuple[int, str]:
    """How many brackets, and which long string, are open after a line."""
    position = 0
    while position < len(line):
        if quotes:
            end = line.find(quotes, position)
            if end < 0:
                return depth, quotes
            position, quotes = end + 3, ""
            continue
        token = _TOKEN.search(line, position)
        if token is None:
            break
        position = token.end()
        if token.group() in ('"""', "'''"):
            quotes = token.group()
        elif token.group() in "[]{}":
            depth = max(0, depth + (1 if token.group() in "[{" else -1))
    return depth, quotes


def _names(dotted: str) -> list[str]:
    return [name.strip("\"'") for name in re.findall(_NAME, dotted)]


def _indexed(names: Sequence[str], counts: dict[Path, int]) -> Path:
    """The path of nested tables, with the current index wherever a name is a list of tables."""
    path: Path = ()
    for name in names:
        path = (*path, name)
        if path in counts:
            path = (*path, counts[path])
    return path
