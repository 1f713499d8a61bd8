"""XML elements: finding and adding them, and the mistake in one, which knows its line."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from lxml import etree

from armdyn.errors import ArmdynError, InertiaError
from armdyn.formats.urdf.wording import quoted, short

Element = etree._Element  # pyright: ignore[reportPrivateUsage]  # lxml has no public name for it


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


# Mistakes -------------------------------------------------------------------------------------


class MistakeError(Exception):
    """What is wrong with a file, and in which line."""

    def __init__(self, message: str, line: int | None = None) -> None:
        """Keep the line beside the message."""
        self.line = line
        super().__init__(message)


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
    """Give a complaint of the robot's parts the file's place; an inertia's has its own."""
    try:
        yield
    except InertiaError:
        raise
    except ArmdynError as error:
        raise mistake(element, short(str(error), 400)) from error
