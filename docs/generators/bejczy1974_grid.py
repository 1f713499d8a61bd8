"""Tables of the page that have columns of their own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def grid(header: str, rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; the header's cells are separated by |."""
    cells = [cell.strip() for cell in header.split("|")]
    lines = [cells, ["---"] * len(cells), *(list(row) for row in rows)]
    if any(len(line) != len(cells) for line in lines):
        raise AssertionError(f"a row of the table {header!r} has not its {len(cells)} cells")
    head, rule, *body = (" | ".join(line) for line in lines)
    return "\n".join((f"| {head} |", f"|{rule.replace(' ', '')}|", *(f"| {line} |" for line in body))) + "\n"


def sure(certified: bool) -> str:
    """Whether an extreme is certified."""
    return "yes" if certified else "no"
