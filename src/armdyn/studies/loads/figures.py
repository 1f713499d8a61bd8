"""Studies as figures: the curves and bars of their pictures, one panel each."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import Any

from armdyn.errors import InputError
from armdyn.report.drawing import (
    COLOURS,
    FOR_A_PAGE,
    PLAIN,
    check_figure,
    drawing,
    frame,
    new_figure,
    save,
    style,
    svg_element,
)
from armdyn.report.wording import amount
from armdyn.studies.loads.rows import Picture, Study

WIDTH = 10.0
"""[inch] Of a figure: a page."""
HEIGHT = 3.3
"""[inch] Of a panel."""
LEGEND_LINE = 0.17
"""[inch] That a line of a legend takes."""
NUMBERED = 16
"""Up to so many bars have their values above them."""
TALL = 200.0
"""Bars that differ by more than so many times are drawn on a logarithmic scale."""


def draw(study: Study, path: str | os.PathLike[str]) -> None:
    """Write the pictures of a study as one figure: .svg, .png or .pdf."""
    check_figure(path)
    if not study.pictures:
        raise InputError(f'figure "{path}": study {study.kind} has nothing to draw')
    columns = min(2, len(study.pictures))
    rows = math.ceil(len(study.pictures) / columns)
    lines = max(_legend_lines(picture, WIDTH / columns) for picture in study.pictures)
    with drawing(f"study {study.kind}", PLAIN):
        figure = new_figure((WIDTH, rows * (HEIGHT + LEGEND_LINE * lines) + 0.4))
        panels: list[Any] = list(figure.subplots(rows, columns, squeeze=False).flat)
        for panel, picture in zip(panels, study.pictures, strict=False):
            _draw(panel, picture, WIDTH / columns)
            panel.set_title(picture.title, loc="left")
        for panel in panels[len(study.pictures) :]:
            panel.set_axis_off()
        title = f"{study.robot.name}: study of {study.kind}"
        figure.suptitle(title, fontsize=10, x=0.01, ha="left", fontweight="bold")
        save(figure, Path(path))


def svg(picture: Picture, key: str, width: float = WIDTH) -> str:
    """One picture as an SVG element for a page; `key` makes its names its own there."""
    with drawing(f"study {key}", FOR_A_PAGE):
        figure = new_figure((width, HEIGHT + LEGEND_LINE * _legend_lines(picture, width)))
        _draw(figure.subplots(), picture, width)
        return svg_element(figure, key)


def _draw(panel: Any, picture: Picture, width: float) -> None:
    frame(panel)
    if picture.kind == "bars":
        _bars(panel, picture)
    else:
        _lines(panel, picture)
    panel.set_xlabel(picture.x_label)
    panel.set_ylabel(picture.y_label)
    if any(curve.label for curve in picture.curves):
        panel.legend(
            loc="upper left",
            bbox_to_anchor=(0.0, -0.62 / HEIGHT),
            ncols=_legend_columns(picture, width),
            fontsize=7.5,
            frameon=False,
            borderaxespad=0.0,
            columnspacing=1.2,
            handlelength=1.8,
        )


def _lines(panel: Any, picture: Picture) -> None:
    """A line each; the first are the widest, so that lines over one another are all seen."""
    many = len(picture.curves)
    for k, curve in enumerate(picture.curves):
        width = 1.1 + 1.2 * (many - 1 - k) / many
        panel.plot(curve.x, curve.y, label=curve.label, linewidth=width, **style(k))
    panel.margins(x=0)


def _bars(panel: Any, picture: Picture) -> None:
    """The bars of every curve side by side at its points."""
    many = len(picture.curves)
    width = 0.8 / many
    ticks = sorted({x for curve in picture.curves for x in curve.x})
    for k, curve in enumerate(picture.curves):
        places = [ticks.index(x) + width * (k - (many - 1) / 2) for x in curve.x]
        hatch = ("", "///", "...", "xxx")[k // len(COLOURS) % 4]
        colour = COLOURS[k % len(COLOURS)]
        heights = [y if math.isfinite(y) else 0.0 for y in curve.y]
        drawn = panel.bar(
            places, heights, 0.92 * width, label=curve.label, color=colour, hatch=hatch, edgecolor="white"
        )
        if many * len(ticks) <= NUMBERED:
            said = [amount(y, 3) if math.isfinite(y) else "none" for y in curve.y]
            panel.bar_label(drawn, labels=said, fontsize=6.5, padding=1.5)
    panel.set_xticks(range(len(ticks)), [f"{x:g}" for x in ticks])
    panel.grid(visible=False, axis="x")
    panel.margins(y=0.1)
    if _spread(picture) > TALL:
        panel.set_yscale("log")
        panel.yaxis.set_major_formatter("{x:g}")
        panel.yaxis.set_minor_formatter("")


def _spread(picture: Picture) -> float:
    """Largest over smallest bar, where all are above zero."""
    sizes = [y for curve in picture.curves for y in curve.y if math.isfinite(y) and y]
    top = max(map(abs, sizes), default=0.0)
    seen = [y for y in sizes if abs(y) > 1e-9 * top]  # rounding has no height
    return max(seen) / min(seen) if seen and min(seen) > 0 else 1.0


# Legends --------------------------------------------------------------------------------------


def _legend_columns(picture: Picture, width: float) -> int:
    """How many names stand side by side below a panel."""
    longest = max(len(curve.label) for curve in picture.curves)
    return max(1, min(len(picture.curves), int((width - 0.8) / (0.058 * longest + 0.5))))


def _legend_lines(picture: Picture, width: float) -> int:
    return math.ceil(len(picture.curves) / _legend_columns(picture, width))
