"""The growth of operations as a figure: a line for each formulation, printed counts beside them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from armdyn.report.drawing import check_figure, drawing, new_figure, save
from armdyn.studies.counts import Quantity
from armdyn.studies.growth import Growth
from armdyn.studies.published import PublishedCount, published_beside

PANELS: dict[Quantity, str] = {"inverse": "Inverse dynamics", "forward": "Forward dynamics"}
# Colours of Okabe and Ito, which everyone can tell apart; markers do it without colours.
STYLES: dict[str, tuple[str, str]] = {
    "newton_euler": ("#0072B2", "o"),
    "newton_euler_base": ("#56B4E9", "s"),
    "dalembert": ("#E69F00", "D"),
    "mrnea": ("#D55E00", "^"),
    "lagrange_euler": ("#000000", "v"),
    "articulated_body": ("#6A3D9A", "p"),
    "composite_body": ("#009E73", "P"),
    "walker_orin1": ("#CC79A7", "X"),
    "walker_orin2": ("#8C564B", "h"),
}
LINE: dict[str, Any] = {"linestyle": ":", "linewidth": 1.2}
RING: dict[str, Any] = {"linestyle": "none", "marker": "o", "markersize": 9, "markerfacecolor": "none"}
LABELS = 20
"""How many labels one above the other fill a panel."""


def save_growth_figure(curves: Sequence[Growth], path: Path) -> None:
    """Write the figure; what is written depends on the curves alone, not on the hour or the machine."""
    check_figure(path)
    with drawing("growth"):
        figure = new_figure((10.5, 4.8))
        _draw(figure, curves)
        where = "Subject" if path.suffix.lower() == ".pdf" else "Description"
        save(figure, path, {where: drawn_text(curves)})


def drawn_text(curves: Sequence[Growth]) -> str:
    """The numbers that are drawn, curve by curve: what a figure says of itself.

    Whether a figure is current can be read from it, whatever version of matplotlib drew it.
    """
    return "; ".join(
        f"{_name(curve)}, {curve.quantity}: "
        + " ".join(f"{n}:{count}" for n, count in zip(curve.sizes, curve.operations, strict=True))
        + "".join(f" ({count.n}:{_total(count)})" for count in _printed(curve))
        for curve in curves
    )


def _draw(figure: Any, curves: Sequence[Growth]) -> None:
    groups = [(title, [c for c in curves if c.quantity == quantity]) for quantity, title in PANELS.items()]
    groups = [(title, mine) for title, mine in groups if mine]
    panels: Any = figure.subplots(1, len(groups), squeeze=False)[0]
    for panel, (title, mine) in zip(panels, groups, strict=True):
        _prepare(panel, title, sorted({n for curve in mine for n in curve.sizes}))
        for curve in mine:
            _draw_curve(panel, curve)
        _label(panel, mine)
    panels[0].set_ylabel("multiplications, divisions and additions")


def _prepare(panel: Any, title: str, sizes: Sequence[int]) -> None:
    panel.set(title=title, xlabel="joints n", xscale="log", yscale="log")
    panel.set_xticks(sizes, [str(n) for n in sizes])
    panel.minorticks_off()
    panel.set_xlim(sizes[0] / 1.04, sizes[-1] * 1.04)
    panel.grid(color="0.9", linewidth=0.6)
    panel.spines[["top", "right"]].set_visible(False)
    says = "lines: as written\ndotted, rings: as printed"
    panel.text(0.03, 0.97, says, transform=panel.transAxes, va="top", color="0.35")


def _draw_curve(panel: Any, curve: Growth) -> None:
    """The counts of armdyn; those printed as a polynomial in n dotted, single ones as rings."""
    colour, marker = STYLES[curve.formulation]
    face = "white" if curve.variant else colour
    markers: dict[str, Any] = {"marker": marker, "markersize": 4.5, "markerfacecolor": face}
    panel.plot(curve.sizes, curve.operations, color=colour, linewidth=1.3, **markers)
    for style, single in ((LINE, False), (RING, True)):
        points = [
            (count.n, _total(count)) for count in _printed(curve) if (count.polynomial is None) == single
        ]
        if points:
            panel.plot(*zip(*points, strict=True), color=colour, **style)


def _printed(curve: Growth) -> list[PublishedCount]:
    """The counts that documents print for it; they know no variants."""
    if curve.variant:
        return []
    found = [published_beside(curve.formulation, curve.quantity, n) for n in curve.sizes]
    return [count for count in found if count is not None]


def _total(count: PublishedCount) -> int:
    return count.multiplications + count.additions


# Labels ---------------------------------------------------------------------------------------


def _label(panel: Any, curves: Sequence[Growth]) -> None:
    """Names and exponents at the ends of the lines, moved apart where they would overlap."""
    ordered = sorted(curves, key=lambda curve: curve.operations[-1])
    low, high = panel.get_ylim()
    ends = [float(np.log(curve.operations[-1])) for curve in ordered]
    heights = _apart(ends, float(np.log(high / low)) / LABELS)
    for curve, height in zip(ordered, heights, strict=True):
        leader = {"arrowstyle": "-", "color": STYLES[curve.formulation][0], "linewidth": 0.8}
        panel.annotate(
            f"{_name(curve)}  $n^{{{curve.exponent:.2f}}}$",
            (curve.sizes[-1], curve.operations[-1]),
            (curve.sizes[-1] * 1.12, float(np.exp(height))),
            color="0.1",
            va="center",
            annotation_clip=False,
            arrowprops={**leader, "shrinkA": 0, "shrinkB": 3, "relpos": (0, 0.5)},
        )


def _name(curve: Growth) -> str:
    return curve.formulation + (f", {curve.variant}" if curve.variant else "")


def _apart(heights: Sequence[float], gap: float) -> list[float]:
    """The heights, in order, at least a gap apart: those too close are spread about their middle."""
    groups: list[list[float]] = []
    for height in heights:
        groups.append([height])
        while len(groups) > 1 and _spread(groups[-1], gap)[0] - _spread(groups[-2], gap)[-1] < gap:
            last = groups.pop()
            groups[-1] += last
    return [height for group in groups for height in _spread(group, gap)]


def _spread(group: Sequence[float], gap: float) -> list[float]:
    middle, last = sum(group) / len(group), len(group) - 1
    return [middle + gap * (k - last / 2) for k in range(len(group))]
