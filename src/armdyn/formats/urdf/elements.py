"""XML elements: finding and adding them, their numbers, and the mistake in one, which knows its line."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Generator, Iterable, Sequence
from contextlib import contextmanager
from typing import Any

from lxml import etree

from armdyn.errors import ArmdynError, FormatError, InertiaError, counted, suggestion

Element = etree._Element  # pyright: ignore[reportPrivateUsage]  # lxml has no public name for it

_DECIMAL = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_LONGEST = 100
_MOST_LISTED = 8


# Finding and adding ---------------------------------------------------------------------------


def local(element: Element) -> str:
    """The element's name without its namespace; nothing for a comment."""
    tag: Any = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def children(element: Element, name: str) -> list[Element]:
    """The children of a name, in the namespace of their parent."""
    tag = element.tag.removesuffix(local(element)) + name
    return [child for child in element if child.tag == tag]


def child(element: Element, name: str) -> Element | None:
    """The first child of a name."""
    return next(iter(children(element, name)), None)


def needed(element: Element, name: str, example: str) -> Element:
    """The first child of a name, which must be there."""
    found = child(element, name)
    if found is None:
        raise mistake(element, f"<{name}> is missing, expected for example {example}")
    return found


def attribute(element: Element, name: str) -> str:
    """An attribute that must say something."""
    value = (element.get(name) or "").strip()
    if not value:
        raise mistake(element, f'{name} is missing, expected {name}="..."')
    return value


def add(parent: Element, tag: str, **attributes: str) -> Element:
    """A new element at the end of its parent."""
    return etree.SubElement(parent, tag, attributes)


# Numbers: plain finite decimals in, the digits that give exactly them back out ----------------


def read_numbers(
    element: Element, name: str, count: int, default: Sequence[float] | None = None
) -> tuple[float, ...]:
    """The numbers of an attribute; without a default it must be there."""
    text = element.get(name)
    if text is None and default is not None:
        return tuple(default)
    words = attribute(element, name).split()
    if len(words) != count:
        expected = "a number" if count == 1 else f"{count} numbers"
        values = counted(len(words), "value")
        raise mistake(element, f'{name}="{short(text or "")}" has {values}, expected {expected}')
    return tuple(_number(element, name, word) for word in words)


def read_number(element: Element, name: str, default: float | None = None) -> float:
    """The one number of an attribute; without a default it must be there."""
    return read_numbers(element, name, 1, None if default is None else (default,))[0]


def _number(element: Element, name: str, word: str) -> float:
    if len(word) > _LONGEST or not _DECIMAL.fullmatch(word):
        hint = "; run xacro first" if "${" in word else ""
        raise mistake(element, f'{name} has "{short(word)}", expected a finite number such as 0.25{hint}')
    value = float(word)
    if math.isinf(value):
        raise mistake(element, f'{name} has "{short(word)}", which is too large, expected a finite number')
    return value


def number_text(value: Any) -> str:
    """A number in the digits that give exactly it back."""
    return repr(float(value) + 0.0)  # + 0.0: no minus zero


def numbers_text(values: Iterable[Any]) -> str:
    """Numbers with spaces between them."""
    return " ".join(number_text(value) for value in values)


# Mistakes -------------------------------------------------------------------------------------


class MistakeError(FormatError):
    """What is wrong with a file, and in which line; the reader knows which file."""

    def __init__(self, message: str, line: int | None = None) -> None:
        """Keep the line beside the message."""
        super().__init__(message)
        self.line = line


def mistake(element: Element, message: str) -> MistakeError:
    """What is wrong with an element; the subject is found by looking outwards from it."""
    subject = _subject(element)
    return MistakeError(f"{subject}: {message}" if subject else message, element.sourceline)


def _subject(element: Element) -> str:
    """For example `joint "elbow", origin`: the named part, and the element in it."""
    inner: list[str] = []
    here: Element | None = element
    while here is not None and local(here) not in ("link", "joint", "robot"):
        inner.insert(0, local(here))
        here = here.getparent()
    if here is None or local(here) == "robot":
        return " ".join(inner)
    name = here.get("name")
    outer = f"{local(here)} {quoted(name)}" if name else local(here)
    return ", ".join([outer, " ".join(inner)] if inner else [outer])


@contextmanager
def blaming(element: Element) -> Generator[None]:
    """Give a complaint of the robot's parts the file's place; a mistake's and an inertia's have theirs."""
    try:
        yield
    except (MistakeError, InertiaError):
        raise
    except ArmdynError as error:
        raise mistake(element, short(str(error), 400)) from error


# Words: what a file says is cut short, quoted, listed and counted -----------------------------


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


def unknown(what: str, name: str, known: Collection[str]) -> str:
    """The complaint about a name that nothing has, with the nearest known one, or all."""
    hint = suggestion(name, known).rstrip() or f"known: {listed(known)}"
    return f"no {what} {quoted(name)}; {hint}"
