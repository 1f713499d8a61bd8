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
from armdyn.studies.loads.rows import Field, Picture, Study

WIDTH = 10.0
"""[inch] Of a figure: a page."""
HEIGHT = 3.3
"""[inch] Of a panel."""
LEGEND_LINE = 0.17
"""[inch] That a line of a legend takes."""
NUMBERED = 16
"""Up to so many bars have their values above them."""
MAP_HEIGHT = 1.4
"""Times the height of a panel with lines that one with a map has."""
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
        height = max(_height(picture) for picture in study.pictures)
        figure = new_figure((WIDTH, rows * (height + LEGEND_LINE * lines) + 0.4))
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
        figure = new_figure((width, _height(picture) + LEGEND_LINE * _legend_lines(picture, width)))
        _draw(figure.subplots(), picture, width)
        return svg_element(figure, key)


def _draw(panel: Any, picture: Picture, width: float) -> None:
    frame(panel)
    if picture.kind == "bars":
        _bars(panel, picture)
    elif picture.field is not None:
        _map(panel, picture, picture.field)
    else:
        _lines(panel, picture)
    panel.set_xlabel(picture.x_label)
    panel.set_ylabel(picture.y_label)
    if any(curve.label for curve in picture.curves):
        panel.legend(
            loc="upper left",
            bbox_to_anchor=(0.0, -0.62 / _height(picture)),
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


def _map(panel: Any, picture: Picture, field: Field) -> None:
    """Cells in colours, the curves over them with a star at their ends."""
    panel.grid(visible=False)
    # as shapes, not as an image: a page may fetch none, even from within itself
    cells = panel.pcolormesh(field.x, field.y, field.values, cmap="viridis", edgecolors="face", linewidth=0.2)
    beside = panel.inset_axes((1.03, 0.0, 0.045, 1.0))
    bar = panel.figure.colorbar(cells, cax=beside, label=field.label)
    bar.outline.set_visible(False)
    bar.solids.set(rasterized=False, edgecolor="face")
    for curve in picture.curves:
        panel.plot(curve.x, curve.y, color="white", linewidth=3.6, solid_capstyle="round")
        panel.plot(curve.x, curve.y, "o-", color="#D55E00", linewidth=1.8, markersize=3.2, label=curve.label)
        panel.plot(curve.x[-1:], curve.y[-1:], "*", color="#D55E00", markeredgecolor="white", markersize=11)
    panel.set_aspect("equal", adjustable="box")


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


def _height(picture: Picture) -> float:
    return HEIGHT if picture.field is None else MAP_HEIGHT * HEIGHT


def _legend_lines(picture: Picture, width: float) -> int:
    return math.ceil(len(picture.curves) / _legend_columns(picture, width))
