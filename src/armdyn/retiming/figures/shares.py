"""How much of every limit a motion needs over time, as a map: a row for each limit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from armdyn.feasibility.demand import Demand
from armdyn.feasibility.violations import exceeds
from armdyn.retiming.active import runs
from armdyn.retiming.held_back import limit_name
from armdyn.scalars import Array

ROW, AROUND = 0.14, 0.6
"""[inch] Of a row, and what stands above and below a map."""
COLUMNS = 600
"""Stretches of time that are told apart."""
FAR = 2.5
"""Motions that last so many times as long have a scale of time of their own."""
LEVELS = (0.0, 0.2, 0.4, 0.6, 0.8, 0.95)
SHADES = ("#f2f5f9", "#cfdff0", "#9dc3e3", "#5f9fd0", "#2a6fae", "#0b3d73")
"""From pale to dark: also those who see no colours, and printers, tell them apart."""
BEYOND = "#D55E00"


@dataclass(frozen=True, eq=False)
class ShareMap:
    """Shares of limits over time."""

    names: tuple[str, ...]
    cycle: float
    """[s]"""
    shares: Array
    """(t, rows)"""
    beyond: NDArray[np.bool_]
    """(t, rows) whether the limit is exceeded"""

    @property
    def duration(self) -> float:
        """[s]."""
        return self.cycle * max(len(self.shares) - 1, 1)


def share_map(demand: Demand) -> ShareMap:
    """The shares of all limits that are known."""
    actuators = demand.arms[0].actuators
    order = np.argsort(actuators.joints)
    names, columns, beyond = list[str](), list[Array](), list[NDArray[np.bool_]]()
    for quantity, required, limit in demand.limited():
        over = exceeds(quantity, required, limit)
        for j in np.flatnonzero(np.isfinite(limit).all(axis=0)).tolist():
            names.append(limit_name(actuators, quantity, j + 1))
            share = np.abs(required[:, j]) / limit[:, j]
            columns.append(demand.share[:, order[j]] if quantity == "motor_torque" else share)
            beyond.append(over[:, j])
    none = np.zeros((len(demand.samples), 0))
    shares = np.stack(columns, axis=1) if columns else none
    return ShareMap(
        tuple(names), demand.plan.cycle, shares, np.stack(beyond, axis=1) if beyond else none.astype(bool)
    )


def map_height(drawn: Sequence[ShareMap]) -> float:
    """[inch] Of maps one below the other."""
    return sum(ROW * max(len(each.names), 1) + AROUND for each in drawn) + 0.35


def draw_shares(figure: Any, drawn: Sequence[ShareMap], titles: Sequence[str]) -> None:
    """Maps one below the other, over the same time where they last about as long."""
    heights = [max(len(each.names), 1) for each in drawn]
    panels: Any = figure.subplots(len(drawn), 1, squeeze=False, height_ratios=heights)[:, 0]
    longest = max(each.duration for each in drawn)
    for panel, each, title in zip(panels, drawn, titles, strict=True):
        _draw(panel, each)
        panel.set_title(title, loc="left", fontsize=9)
        panel.set_xlim(0.0, longest if longest < FAR * each.duration else each.duration)
    panels[-1].set_xlabel("time [s]")
    _legend(figure)


def _draw(panel: Any, drawn: ShareMap) -> None:
    panel.spines[["top", "right", "left"]].set_visible(False)
    levels, step = _levels(drawn)
    collections: Any = import_module("matplotlib.collections")
    for level, colour in enumerate((*SHADES, BEYOND)):
        tall = 1.0 if level == len(LEVELS) else 0.86
        boxes = [
            _box(begin, min(end, drawn.duration), row, tall)
            for row in range(len(drawn.names))
            for begin, end in _spans(levels[:, row] == level, step)
            if begin < drawn.duration
        ]
        panel.add_collection(collections.PolyCollection(boxes, facecolor=colour, linewidth=0))
    groups = [name.split()[-1] for name in drawn.names]
    for row in range(1, len(groups)):
        if groups[row] != groups[row - 1] or drawn.names[row].split()[0] != drawn.names[row - 1].split()[0]:
            panel.axhline(row - 0.5, color="0.4", linewidth=0.6)
    panel.set_yticks(range(len(drawn.names)), drawn.names, fontsize=7)
    panel.tick_params(axis="y", length=0)
    panel.set_ylim(max(len(drawn.names), 1) - 0.5, -0.5)


def _levels(drawn: ShareMap) -> tuple[Array, float]:
    """(columns, rows) the largest level in each stretch of time, and how long a stretch is [s]."""
    size = max(-(-len(drawn.shares) // COLUMNS), 1)
    starts = np.arange(0, len(drawn.shares), size)
    level = np.searchsorted(LEVELS, drawn.shares, side="right") - 1
    level = np.where(drawn.beyond & (drawn.shares > 1), len(LEVELS), level)
    return np.maximum.reduceat(level, starts, axis=0), size * drawn.cycle


def _spans(there: NDArray[np.bool_], step: float) -> Iterator[tuple[float, float]]:
    """When something begins and ends, again and again [s]."""
    yield from ((first * step, behind * step) for first, behind in runs(there))


def _box(begin: float, end: float, row: int, tall: float) -> list[tuple[float, float]]:
    low, high = row - 0.5 * tall, row + 0.5 * tall
    return [(begin, low), (end, low), (end, high), (begin, high)]


def _legend(figure: Any) -> None:
    """What the shades mean."""
    patches: Any = import_module("matplotlib.patches")
    ends = [*LEVELS[1:], 1.0]
    named = [f"{100 * low:.0f} to {100 * high:.0f} %" for low, high in zip(LEVELS, ends, strict=True)]
    handles = [patches.Patch(facecolor=c, edgecolor="0.6", linewidth=0.4) for c in (*SHADES, BEYOND)]
    figure.legend(
        handles,
        [*named, "too much"],
        loc="outside lower center",
        ncols=len(handles),
        frameon=False,
        fontsize=8,
    )
