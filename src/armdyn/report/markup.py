"""HTML and SVG written so that nothing from outside can become markup."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

VOID = frozenset({"br", "col", "input", "meta", "wbr"})
"""Elements that have no end."""
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ufffe\uffff]")
"""Characters that no HTML text may hold."""


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


def text(value: object) -> Markup:
    """Anything as text: what looks like markup is shown, not obeyed."""
    return value if isinstance(value, Markup) else Markup(escape(_CONTROL.sub("\ufffd", str(value))))


def element(tag: str, *children: object, **attributes: object) -> Markup:
    """An element; `class_` is class, `data_t` is data-t; None and False leave an attribute out."""
    written = "".join(_attribute(name, value) for name, value in attributes.items())
    if tag in VOID:
        return Markup(f"<{tag}{written}>")
    return Markup(f"<{tag}{written}>{joined(children)}</{tag}>")


def joined(parts: Iterable[object], between: str = "") -> Markup:
    """Parts one after the other."""
    return Markup(str(text(between)).join(text(part) for part in parts))


def _attribute(name: str, value: object) -> str:
    if value is None or value is False:
        return ""
    spelled = name.rstrip("_").replace("_", "-")
    return f" {spelled}" if value is True else f' {spelled}="{text(value)}"'


def table(caption: str, head: Iterable[object], rows: Iterable[Markup], class_: str | None = None) -> Markup:
    """A table with a caption, in a box that scrolls when the page is narrow."""
    header = element("tr", *(element("th", cell, scope="col") for cell in head))
    body = element("tbody", *rows)
    inner = element("table", element("caption", caption), element("thead", header), body, class_=class_)
    return element("div", inner, class_="scroll", tabindex=0, role="region", aria_label=caption)


def row(first: object, *cells: object, **attributes: object) -> Markup:
    """A row of a table; its first cell says what the row is about."""
    head = element("th", first, scope="row")
    return element("tr", head, *(_cell(cell) for cell in cells), **attributes)


def _cell(cell: object) -> Markup:
    return cell if isinstance(cell, Markup) and cell.startswith("<td") else element("td", cell)
