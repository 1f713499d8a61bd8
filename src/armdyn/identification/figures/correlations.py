"""Which base parameters are told apart: correlations of their errors, as a map."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from armdyn.identification.figures.courses import short
from armdyn.identification.identified import Identified
from armdyn.identification.quality import told
from armdyn.scalars import Array

CELL, AROUND = 0.125, 1.9
"""[inch] Of a row, and what stands around the map."""
LEVELS = (0.3, 0.5, 0.7, 0.9, 0.97)
POSITIVE = ("#d9e6f2", "#a9c8e4", "#6ba3d1", "#2a6fae", "#0b3d73")
NEGATIVE = ("#fbe3d3", "#f5bf99", "#ea8d50", "#D55E00", "#7f3500")
"""Pale to dark: those who see no colours, and printers, tell sizes apart."""


def correlations(found: Identified) -> tuple[NDArray[np.intp], Array]:
    """Base parameters whose errors are correlated with those of any other, and their correlations."""
    sure = np.flatnonzero(told(found) & (found.standard_error > 0))
    error = found.standard_error[sure]
    rho = found.estimate.covariance[np.ix_(sure, sure)] / np.outer(error, error)
    shown = np.max(np.abs(rho - np.diag(np.diag(rho))), axis=0, initial=0.0) >= LEVELS[0]
    return sure[shown], rho[np.ix_(shown, shown)]


def alike(found: Identified, least: float) -> list[tuple[str, str, float]]:
    """Pairs of base parameters whose errors have at least this correlation, the strongest first."""
    shown, rho = correlations(found)
    names = [found.base.short_names[int(k)] for k in shown]
    pairs = [(names[i], names[j], float(rho[i, j])) for i in range(len(names)) for j in range(i)]
    return sorted((pair for pair in pairs if abs(pair[2]) >= least), key=lambda pair: -abs(pair[2]))


def map_height(count: int) -> float:
    """[inch] Of a map of so many parameters."""
    return CELL * count + AROUND


def draw_correlations(figure: Any, found: Identified) -> None:
    """A cell for each pair below the diagonal that is correlated at all, the darker the more."""
    shown, rho = correlations(found)
    names = [short(found.base.short_names[int(k)]) for k in shown]
    panel = figure.subplots()
    panel.set_aspect("equal")
    panel.spines[:].set_visible(False)
    panel.grid(color="0.94", linewidth=0.5)
    panel.set_axisbelow(True)
    lower = np.tril(rho, -1)
    level = np.searchsorted(LEVELS, np.abs(lower), side="right") - 1
    patches: Any = import_module("matplotlib.patches")
    handles: list[Any] = []
    for colours, there, sign in ((POSITIVE, lower > 0, 1), (NEGATIVE, lower < 0, -1)):
        for k, colour in enumerate(colours):
            _draw_cells(panel, np.argwhere((level == k) & there), colour)
            handles.append(patches.Patch(facecolor=colour, label=_range(k, sign)))
    place = np.arange(len(names))
    panel.plot(place, place, linestyle="none", marker=".", markersize=2, color="0.5")
    panel.set_yticks(place, names, fontsize=6)
    panel.set_xticks(place, names, fontsize=6, rotation=90)
    panel.tick_params(length=0)
    panel.set_xlim(-0.5, len(names) - 0.5)
    panel.set_ylim(len(names) - 0.5, -0.5)
    panel.legend(
        handles=handles, loc="upper right", ncols=2, fontsize=7, frameon=False, title="correlation"
    ).get_title().set_fontsize(7.5)


def _range(k: int, sign: int) -> str:
    ends = [*LEVELS, 1.0]
    return f"{sign * ends[k]:g} to {sign * ends[k + 1]:g}"


def _draw_cells(panel: Any, cells: NDArray[np.intp], colour: str) -> None:
    """All cells of one colour as one path: a map of hundreds stays small."""
    if not len(cells):
        return
    paths, patches = import_module("matplotlib.path"), import_module("matplotlib.patches")
    corners = np.array([(-0.46, -0.46), (0.46, -0.46), (0.46, 0.46), (-0.46, 0.46), (-0.46, -0.46)])
    boxes = cells[:, None, ::-1] + corners  # rows go down
    codes = np.tile([1, 2, 2, 2, 79], len(cells))  # move, three lines, close
    panel.add_patch(patches.PathPatch(paths.Path(boxes.reshape(-1, 2), codes), color=colour, linewidth=0))
