"""What commands print: one JSON document, or tables for people."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from armdyn.formats.plain_data import plain


def print_json(document: dict[str, Any]) -> None:
    """Print exactly one JSON document; what is not a finite number becomes null."""
    print(json.dumps(plain(document), indent=2, allow_nan=False))


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Print a table; numbers to the right, never broken over lines."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    heading = Text(title, "bold", no_wrap=True)
    table = Table(title=heading, title_justify="left", box=SIMPLE_HEAD, pad_edge=False, min_width=len(title))
    body = [list(row) for row in rows]
    for k, column in enumerate(columns):
        values = [row[k] for row in body]
        numeric = all(value is None or isinstance(value, (int, float)) for value in values)
        longest = 0 if numeric else max((len(word) for v in values for word in shown(v).split()), default=0)
        table.add_column(  # numbers and words are never cut
            Text(printable(column)),
            justify="right" if numeric else "left",
            no_wrap=numeric,
            min_width=max(longest, len(column)),
        )
        for row, value in zip(body, _without_noise(values) if numeric else values, strict=True):
            row[k] = value
    for row in body:
        table.add_row(*(Text(printable(shown(value))) for value in row))
    console = _console()
    needed = table.__rich_measure__(console, console.options).minimum  # numbers are never cut
    console.width = max(console.width, needed)
    console.print(table, crop=False)


def print_line(text: str) -> None:
    """Print one line of text as it is."""
    _console().print(printable(text), markup=False, emoji=False, soft_wrap=True)


def printable(text: str) -> str:
    """Text that cannot command a terminal: names in files may hold escape sequences."""
    return "".join(c if c.isprintable() else "?" for c in text)


def shown(value: Any) -> str:
    """A value as people like to read it."""
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value + 0.0:.5g}" if np.isfinite(value) else "-"
    if isinstance(value, (list, tuple, np.ndarray)):
        return "  ".join(shown(v) for v in _without_noise(list(value)))  # pyright: ignore[reportUnknownArgumentType]
    return str(value)


def _without_noise(values: list[Any]) -> list[Any]:
    """Rounding errors beside real numbers are zero to a reader."""
    sizes = [abs(v) for v in values if isinstance(v, float) and np.isfinite(v)]
    noise = 1e-12 * max(sizes, default=0.0)
    return [0.0 if isinstance(v, float) and abs(v) < noise else v for v in values]


def _console() -> Any:
    """Standard output; wide tables where no terminal says how wide it is."""
    from rich.console import Console

    class Quiet(Console):
        def on_broken_pipe(self) -> None:
            """Leave it to the command line, which knows how to go quietly."""
            raise BrokenPipeError

    console = Quiet(highlight=False)
    return console if console.is_terminal else Quiet(highlight=False, width=140)
