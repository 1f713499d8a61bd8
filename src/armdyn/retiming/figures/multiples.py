"""How much of its limits a motion needs at multiples of its speed, and which multiples will do."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from armdyn.report.drawing import frame, style
from armdyn.report.wording import amount
from armdyn.retiming.uniform import Uniform
from armdyn.scalars import Array

HEIGHT = 3.4
"""[inch] Of the panel."""
POINTS = 160
"""Multiples that are looked at."""
WIDER = 1.35
"""How far beyond what matters the panel goes."""
NAMES = {
    "motor_torque": "motor torque",
    "motor_speed": "motor speed",
    "joint_torque": "joint torque",
    "joint_speed": "joint speed",
    "joint_acceleration": "joint acceleration",
    "tool_speed": "tool speed",
}
POSSIBLE = "#d9efe6"


def draw_multiples(figure: Any, found: Uniform, chosen: float) -> None:
    """The largest share of each kind of limit over the multiple of speed."""
    panel = figure.subplots()
    frame(panel)
    end = WIDER * max(chosen, 1.0, *(high for _, high in found.intervals if math.isfinite(high)))
    r = _multiples(found, chosen, end)
    shares = _largest(found, r)
    top = _top(shares)
    for k, (low, high) in enumerate(found.intervals):
        label = "keeps all limits" if k == 0 else None
        panel.axvspan(low, min(high, end), color=POSSIBLE, linewidth=0, zorder=0, label=label)
    for k, (quantity, share) in enumerate(shares.items()):
        panel.plot(r, share, label=NAMES[quantity], linewidth=1.6, **style(k))
    panel.axhline(1.0, color="0.25", linewidth=1.0)
    panel.annotate(
        "limit",
        (1.0, 1.0),
        xycoords=("axes fraction", "data"),
        xytext=(-2, 3),
        textcoords="offset points",
        ha="right",
        fontsize=8,
        color="0.25",
    )
    _mark(panel, 1.0, "as given")
    if not math.isclose(chosen, 1.0):
        _mark(panel, chosen, f"chosen: {amount(chosen, 3)}")
    panel.set(
        xlim=(0.0, end), ylim=(0.0, top), xlabel="multiple of the speed", ylabel="largest share of the limit"
    )
    handles, labels = panel.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels), frameon=False, fontsize=8)


def _multiples(found: Uniform, chosen: float, end: float) -> Array:
    """Where shares are looked at: evenly, and at the ends of what is possible."""
    ends = [x for interval in found.intervals for x in interval if 0 < x < end]
    return np.unique(np.concatenate([np.linspace(end / POINTS, end, POINTS), ends, [chosen, 1.0]]))


def _largest(found: Uniform, r: Array) -> dict[str, Array]:
    """The largest share (m) of each quantity at multiples (m)."""
    shares: dict[str, Array] = {}
    for k, multiple in enumerate(r.tolist()):
        for _, limit, share in found.shares(multiple):
            most = shares.setdefault(limit.quantity, np.zeros(len(r)))
            most[k] = max(most[k], float(np.abs(share).max(initial=0.0)))
    return shares


def _top(shares: dict[str, Array]) -> float:
    """How high the panel is: all shares if they are not many times too large."""
    most = max((float(share.max()) for share in shares.values()), default=1.0)
    return min(max(1.08 * most, 1.25), 3.0)


def _mark(panel: Any, r: float, said: str) -> None:
    """A multiple that matters, named at the top."""
    panel.axvline(r, color="black", linewidth=1.0, linestyle=(0, (5, 2)))
    panel.annotate(
        said,
        (r, 1.0),
        xycoords=("data", "axes fraction"),
        xytext=(3, -10),
        textcoords="offset points",
        fontsize=8,
        backgroundcolor="#ffffffcc",
    )
