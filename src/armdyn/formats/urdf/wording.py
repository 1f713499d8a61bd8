"""Words for messages: what a file says is cut short, quoted, listed and counted."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from armdyn.errors import suggestion

_MOST_LISTED = 8


def short(text: str, most: int = 60) -> str:
    """Text that is fit for a message: one line, not long."""
    text = " ".join(text.split())
    return text if len(text) <= most else f"{text[: most - 3]}..."


def quoted(name: str) -> str:
    """A name, short and in quotation marks."""
    return f'"{short(name)}"'


def listed(names: Iterable[str]) -> str:
    """Names for a sentence, not more than a reader takes in."""
    words = [quoted(name) for name in names]
    more = f" and {len(words) - _MOST_LISTED} more" if len(words) > _MOST_LISTED else ""
    return ", ".join(words[:_MOST_LISTED]) + more


def counted(count: int, noun: str) -> str:
    """A number of things: 1 visual, 2 visuals."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def unknown(what: str, name: str, known: Collection[str]) -> str:
    """The complaint about a name that nothing has, with the nearest known one, or all."""
    hint = suggestion(name, known).rstrip() or f"known: {listed(known)}"
    return f"no {what} {quoted(name)}; {hint}"
