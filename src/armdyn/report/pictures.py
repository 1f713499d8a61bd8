"""Pictures that a page and a file show alike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from armdyn.report.drawing import FOR_A_PAGE, drawing, new_figure, svg_element
from armdyn.report.markup import Markup, element

WIDTH = 10.0
"""[inch] Of a figure: a page."""


@dataclass(frozen=True)
class Picture:
    """Something to be drawn on a figure, or on a part of one."""

    key: str
    title: str
    caption: str
    height: float
    """[inch]"""
    draw: Callable[[Any], None]


def shown(picture: Picture, about: str) -> Markup:
    """A picture in a page, its title above and its caption below; `about` is what the page is about."""
    with drawing(f"{about} {picture.key}", FOR_A_PAGE):
        sheet = new_figure((WIDTH, picture.height))
        picture.draw(sheet)
        svg = svg_element(sheet, picture.key)
    below = element("figcaption", picture.caption) if picture.caption else ""
    return element("figure", element("h3", picture.title), Markup(svg), below, class_="drawing")
