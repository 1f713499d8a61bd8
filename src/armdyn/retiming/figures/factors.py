"""What became of each move of a program: factors of its speed and acceleration, and how long it takes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from armdyn.motion.planned import Plan
from armdyn.report.drawing import COLOURS, frame
from armdyn.retiming.per_move.result import MoveFactors

HEIGHT = 2.5
"""[inch] Of a panel."""
NUMBERED = 30
"""Up to so many bars have names of their own; of more only some."""
FEW = 8
"""Bars that are fewer are no wider."""
SPEED, ACCELERATION, BEFORE, AFTER = COLOURS[0], COLOURS[4], "0.7", "0.15"


def draw_factors(figure: Any, moves: Sequence[MoveFactors], before: Plan | None, after: Plan) -> None:
    """Factors by line, and durations by move."""
    above, below = figure.subplots(2, 1)
    _draw_factors(above, moves)
    _draw_durations(below, before, after)


def _draw_factors(panel: Any, moves: Sequence[MoveFactors]) -> None:
    _bars(
        panel,
        [f"{move.line}\n{move.kind}" for move in moves],
        {
            "speed": ([move.speed_factor for move in moves], SPEED),
            "acceleration": ([move.acceleration_factor for move in moves], ACCELERATION),
        },
    )
    panel.axhline(1.0, color="0.25", linewidth=1.0)
    panel.set(ylabel="factor", ylim=(0.0, 1.12), xlabel="line of the program")
    panel.set_title(
        "Speed and acceleration of each move, relative to what was programmed", loc="left", fontsize=9
    )


def _draw_durations(panel: Any, before: Plan | None, after: Plan) -> None:
    bars = {"retimed": ([move.end - move.start for move in after.moves], AFTER)}
    if before is not None and len(before.moves) == len(after.moves):
        bars = {"as given": ([move.end - move.start for move in before.moves], BEFORE), **bars}
    names = [f"{move.line or k}\n{move.kind}" for k, move in enumerate(after.moves, 1)]
    _bars(panel, names, bars)
    panel.set(ylabel="duration [s]", xlabel="line of the program, in the order of execution")
    panel.set_title("Durations of the moves", loc="left", fontsize=9)


def _bars(panel: Any, names: Sequence[str], bars: dict[str, tuple[list[float], str]]) -> None:
    """Bars side by side for each name."""
    frame(panel)
    panel.grid(visible=False, axis="x")
    width = 0.8 * min(len(names) / FEW, 1.0) / len(bars)
    at = np.arange(len(names))
    for k, (label, (values, colour)) in enumerate(bars.items()):
        shift = width * (k - 0.5 * (len(bars) - 1))
        panel.bar(at + shift, values, 0.94 * width, label=label, color=colour, linewidth=0)
    every = max(-(-len(names) // NUMBERED), 1)
    panel.set_xticks(at[::every], list(names)[::every], fontsize=7)
    panel.tick_params(axis="x", length=0)
    panel.set_xlim(-0.6, max(len(names), 1) - 0.4)
    panel.legend(
        loc="lower right",
        bbox_to_anchor=(1.0, 1.0),
        ncols=len(bars),
        frameon=False,
        fontsize=8,
        borderaxespad=0.2,
    )
