"""Base parameters with 95 % intervals beside what the robot file says, all brought to one size."""

from __future__ import annotations

from typing import Any

import numpy as np

from armdyn.identification.figures.courses import short
from armdyn.identification.identified import Identified
from armdyn.identification.quality import prior_parameters, told
from armdyn.report.drawing import COLOURS, frame
from armdyn.scalars import Array

ROW, AROUND = 0.17, 0.75
"""[inch] Of a parameter, and what stands above and below all."""
ONE_COLUMN = 16
"""Up to so many parameters stand in one column."""
NORMAL = 1.96
"""Standard errors on either side that 95 % are within."""
ESTIMATE, PRIOR, PALE = COLOURS[0], COLOURS[1], "0.62"


def columns_of(count: int) -> int:
    """Columns of so many parameters."""
    return 1 if count <= ONE_COLUMN else 2


def parameters_height(count: int) -> float:
    """[inch]."""
    return ROW * -(-count // columns_of(count)) + AROUND


def draw_parameters(figure: Any, found: Identified) -> None:
    """A row each: the estimate with its interval, and a mark where the robot file has it."""
    value, half, prior = sized(found)
    shown, important = told(found), np.zeros(len(value), dtype=bool)
    important[found.essential] = True
    columns = columns_of(len(value))
    rows = -(-len(value) // columns)
    panels: Any = figure.subplots(1, columns, squeeze=False)[0]
    for c, panel in enumerate(panels):
        mine = np.arange(c * rows, min((c + 1) * rows, len(value)))
        frame(panel)
        panel.grid(visible=False, axis="y")
        panel.axvline(0.0, color="0.55", linewidth=0.8)
        place = np.arange(len(mine))
        for which, colour, name in (
            (shown[mine] & important[mine], ESTIMATE, "essential"),
            (shown[mine] & ~important[mine], PALE, "not essential"),
        ):
            panel.errorbar(
                value[mine][which],
                place[which],
                xerr=half[mine][which],
                fmt="o",
                markersize=3.2,
                color=colour,
                elinewidth=1.4,
                capsize=1.8,
                label=f"estimate with 95 % interval, {name}",
            )
        hidden = ~shown[mine]
        if hidden.any():
            panel.barh(place[hidden], 2.3, 0.6, -1.15, color="0.93", label="not told by the data")
        panel.plot(
            prior[mine],
            place,
            linestyle="none",
            marker="|",
            markersize=8,
            markeredgewidth=1.6,
            color=PRIOR,
            label="robot file",
        )
        names = [short(found.base.short_names[k]) for k in mine.tolist()]
        panel.set_yticks(place, names, fontsize=6.5)
        for tick, k in zip(panel.get_yticklabels(), mine.tolist(), strict=True):
            tick.set_fontweight("bold" if important[k] else "normal")
        panel.tick_params(axis="y", length=0)
        panel.set_ylim(rows - 0.4, -0.6)
        panel.set_xlim(-1.15, 2.15)
        panel.set_xlabel("value, brought to size 1")
    _legend(figure, list(panels))


def sized(found: Identified) -> tuple[Array, Array, Array]:
    """Estimates, half their intervals and the robot file's values, each (b), by the largest of the three.

    Signs are turned so that no estimate is negative.
    """
    prior = found.base.values(prior_parameters(found))
    half = np.where(told(found), NORMAL * np.where(told(found), found.standard_error, 0.0), 0.0)
    size = np.maximum.reduce([np.abs(found.beta), half, np.abs(prior)])
    by = np.where(size > 0, size, 1.0) * np.where(found.beta < 0, -1.0, 1.0)
    return found.beta / by, half / np.abs(by), prior / by


def _legend(figure: Any, panels: list[Any]) -> None:
    drawn: dict[str, Any] = {}
    for panel in panels:
        drawn |= {label: handle for handle, label in zip(*panel.get_legend_handles_labels(), strict=True)}
    place: dict[str, Any] = {"loc": "outside lower center", "ncols": len(drawn), "frameon": False}
    figure.legend(list(drawn.values()), list(drawn), fontsize=7.5, columnspacing=1.2, **place)
