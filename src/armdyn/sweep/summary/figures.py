"""A summary drawn: histograms, curves over one axis, maps over two."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from armdyn.errors import InputError
from armdyn.report.drawing import COLOURS, PLAIN, check_figure, drawing, frame, new_figure, save
from armdyn.report.pictures import WIDTH, Picture
from armdyn.scalars import Array
from armdyn.sweep.summary.cells import Cells
from armdyn.sweep.summary.gathered import Gathered
from armdyn.sweep.summary.numbers import Described
from armdyn.sweep.summary.summary import Summary

PANEL, MAP = 2.6, 3.2
"""[inch] Heights of panels."""
ACROSS = 3
"""Panels side by side."""
MANY = 12
"""Labels of an axis of texts that fit."""


def pictures(summary: Summary) -> Iterator[Picture]:
    """For each result that is drawn its histogram, curves and maps."""
    curves = _by_result(summary.curves)
    maps = _by_result(summary.maps)
    for name in dict.fromkeys([*curves, *maps]):
        result = summary.result(name)
        if result.minimum is None:
            continue
        yield _histogram_and_curves(result, curves.get(name, []))
        if name in maps:
            yield _maps(result, maps[name])


def write_figure(summary: Summary, path: str | os.PathLike[str]) -> None:
    """Write all pictures as one figure: .svg, .png or .pdf."""
    check_figure(path)
    found = list(pictures(summary))
    if not found:
        raise InputError(f'figure "{path}": no row has a number to draw')
    with drawing(f"sweep {summary.study.quantity}", PLAIN):
        sheet = new_figure((WIDTH, sum(one.height for one in found) + 0.4))
        sheet.suptitle(title_of(summary), fontsize=10, x=0.01, ha="left", fontweight="bold")
        parts: Any = sheet.subfigures(len(found), 1, height_ratios=[one.height for one in found])
        for part, picture in zip(np.atleast_1d(parts).tolist(), found, strict=True):
            picture.draw(part)
        save(sheet, Path(path))


def title_of(summary: Summary) -> str:
    """What was swept."""
    return f"{summary.study.robot}: {summary.study.quantity} over {summary.rows} rows"


def _by_result(found: tuple[Gathered, ...]) -> dict[str, list[Gathered]]:
    grouped: dict[str, list[Gathered]] = {}
    for one in found:
        grouped.setdefault(one.result, []).append(one)
    return grouped


def labelled(name: str, unit: str) -> str:
    """A name with its unit."""
    return f"{name} [{unit}]" if unit not in ("", "1") else name


# Panels ---------------------------------------------------------------------------------------


def _histogram_and_curves(result: Described, curves: list[Gathered]) -> Picture:
    count = 1 + len(curves)
    lines = -(-count // ACROSS)

    def draw(sheet: Any) -> None:
        panels: list[Any] = list(sheet.subplots(lines, ACROSS, squeeze=False).flat)
        _histogram(panels[0], result)
        for panel, curve in zip(panels[1:], curves, strict=False):
            _curve(panel, result, curve)
        for panel in panels[count:]:
            panel.set_axis_off()

    said = (
        "How many rows have which value"
        if not curves
        else f"How many rows have which value; over each axis {_gathered_words(result)} of all rows there"
    )
    return Picture(f"curves-{result.name}", result.name, f"{said}.", PANEL * lines, draw)


def _gathered_words(result: Described) -> str:
    return "the share of yes" if result.is_truth else "smallest, mean and largest"


def _histogram(panel: Any, result: Described) -> None:
    frame(panel)
    edges, counts = result.histogram
    if result.is_truth:
        yes = round((result.mean or 0.0) * result.count)
        drawn = panel.bar([0, 1], [result.count - yes, yes], 0.6, color=[COLOURS[1], COLOURS[0]])
        panel.bar_label(drawn, fontsize=7, padding=1.5)
        panel.set_xticks([0, 1], ["no", "yes"])
        panel.margins(y=0.12)
    elif len(counts) == 1:
        panel.bar(edges[:1], counts, max(abs(edges[0]), 1.0) * 0.1, color=COLOURS[0])
    else:
        apart = {"align": "edge", "edgecolor": "white", "linewidth": 0.3}
        panel.bar(edges[:-1], counts, np.diff(edges), color=COLOURS[0], **apart)
        panel.margins(x=0)
    panel.set_xlabel(labelled(result.name, result.unit))
    panel.set_ylabel("rows")


def _curve(panel: Any, result: Described, curve: Gathered) -> None:
    frame(panel)
    (cells,) = curve.over
    x = cells.middles
    if result.is_truth:
        panel.plot(x, curve.mean, color=COLOURS[0], marker="." if len(x) <= 40 else None)
        panel.set_ylim(-0.03, 1.03)
        panel.set_ylabel(f"share of {result.name}")
    else:
        panel.fill_between(x, curve.smallest, curve.largest, color=COLOURS[0], alpha=0.18, linewidth=0)
        panel.plot(x, curve.largest, color=COLOURS[0], linewidth=0.8)
        panel.plot(x, curve.smallest, color=COLOURS[0], linewidth=0.8)
        panel.plot(x, curve.mean, color=COLOURS[1], linewidth=1.5)
        panel.set_ylabel(labelled(result.name, result.unit))
    _ticks(panel.xaxis, panel.set_xlabel, cells)
    panel.margins(x=0.02 if cells.labels is None else 0.1)


def _maps(result: Described, maps: list[Gathered]) -> Picture:
    def draw(sheet: Any) -> None:
        panels: list[Any] = list(sheet.subplots(1, ACROSS, squeeze=False).flat)
        for panel, found in zip(panels, maps, strict=False):
            _map(panel, result, found)
        for panel in panels[len(maps) :]:
            panel.set_axis_off()

    shown = "the share of yes" if result.is_truth else f"the largest {result.name}"
    said = f"In every cell {shown} over all rows there; white cells have none."
    return Picture(f"maps-{result.name}", f"{result.name} over two axes", said, MAP, draw)


def mapped(result: Described, found: Gathered) -> Array:
    """What a map shows: the share of yes, or the largest value."""
    return found.mean if result.is_truth else found.largest


def _map(panel: Any, result: Described, found: Gathered) -> None:
    across, up = found.over
    values = mapped(result, found).T
    limits = {"vmin": 0.0, "vmax": 1.0} if result.is_truth else {}
    # as shapes, not as an image: a page may fetch none, even from within itself
    drawn = panel.pcolormesh(
        across.edges, up.edges, np.ma.masked_invalid(values), cmap="viridis", linewidth=0, **limits
    )
    label = f"share of {result.name}" if result.is_truth else labelled(result.name, result.unit)
    bar = panel.figure.colorbar(drawn, ax=panel, label=label)
    bar.outline.set_visible(False)
    bar.solids.set(rasterized=False, edgecolor="face")
    drawn.set_edgecolor("face")
    _ticks(panel.xaxis, panel.set_xlabel, across)
    _ticks(panel.yaxis, panel.set_ylabel, up)
    if across.unit == up.unit == "m":
        panel.set_aspect("equal", adjustable="box")


def _ticks(axis: Any, label: Any, cells: Cells) -> None:
    label(labelled(cells.axis, cells.unit))
    if cells.labels is not None and len(cells.labels) <= MANY:
        axis.set_ticks(cells.middles, [Path(name).stem for name in cells.labels])
