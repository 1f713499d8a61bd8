"""Panels drawn as SVG: what a printer and a browser without scripts show; page scripts zoom into it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from armdyn.feasibility.findings import Findings
from armdyn.feasibility.report.panels import Curve, Group, Panel
from armdyn.feasibility.report.parts import last_instant
from armdyn.report.decimation import bucket_size, decimated, step_of
from armdyn.report.markup import Markup, element, joined
from armdyn.report.numbers import path_data, round_ticks
from armdyn.report.wording import amount

WIDTH, LEFT, RIGHT, TOP, BOTTOM = 1000.0, 62.0, 10.0, 24.0, 20.0
"""Of a panel and its margins [px]; the page's script uses the same."""
HEIGHT = 150.0
POINTS = 1400
"""Of a curve, as it is first drawn."""


@dataclass(frozen=True)
class Frame:
    """Where time and values are in a panel."""

    end: float
    """The last instant [s]"""
    low: float
    high: float

    def x(self, time: float) -> float:
        """Of an instant."""
        return LEFT + (WIDTH - LEFT - RIGHT) * time / self.end

    def y(self, value: float) -> float:
        """Of a value."""
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value - self.low) / (self.high - self.low)

    def held(self, value: float) -> float:
        """y of a value, inside the frame."""
        return min(max(self.y(value), TOP), HEIGHT - BOTTOM)


def plots(findings: Findings, shown: Sequence[Group]) -> Markup:
    """All groups, one below the other."""
    end = last_instant(findings.verification)
    return joined(_group(findings, group, end) for group in shown)


def _group(findings: Findings, group: Group, end: float) -> Markup:
    exceeded = sum(len(panel.exceeded) for panel in group.panels)
    flag = element("span", f" ✗ {exceeded} beyond limits", class_="bad") if exceeded else ""
    panels = joined(_panel(findings, group, panel, end) for panel in group.panels)
    heading = element("summary", element("h3", group.title, flag))
    return element("details", heading, panels, id=group.anchor, class_="group", open=True)


def _panel(findings: Findings, group: Group, panel: Panel, end: float) -> Markup:
    frame = Frame(end, *panel.range)
    limits = f", {panel.limit_text}" if panel.limit_text else ""
    label = f"{group.title}: {panel.title} in {panel.unit} over time{limits}"
    exceeded = f"; beyond its limit in {len(panel.exceeded)} stretches" if panel.exceeded else ""
    drawing = element(
        "svg",
        _bands(panel, frame),
        _exceeded(panel, frame),
        _grid(frame),
        _boundaries(findings, frame),
        element("g", *(_curve(findings, curve, frame) for curve in panel.curves), class_="curves"),
        _times(frame),
        element("path", class_="cursor"),
        viewBox=f"0 0 {WIDTH:g} {HEIGHT:g}",
        role="img",
        aria_label=label + exceeded,
        class_="panel",
    )
    title = element("figcaption", element("b", panel.title), f" [{panel.unit}] ", _limit_note(panel))
    reading = element("output", class_="reading", aria_live="off")
    return element("figure", element("div", title, reading, class_="over"), drawing, class_="plot")


def _limit_note(panel: Panel) -> Markup:
    """The limits in words, and whether they can be seen."""
    if panel.band is None:
        return element("span")
    hidden = "" if panel.seen_band else ", out of sight"
    return element("span", f"{panel.limit_text}{hidden}", class_="limit")


def _bands(panel: Panel, frame: Frame) -> Markup:
    """What lies beyond the limits, and the limits as lines."""
    band = panel.seen_band
    if band is None:
        return element("g", class_="bands")
    lower, upper = band
    spans = [(TOP, frame.held(upper))] if np.isfinite(upper) else []
    spans += [(frame.held(lower), HEIGHT - BOTTOM)] if np.isfinite(lower) else []
    shades = [
        element(
            "rect",
            class_="beyond wide",
            x=LEFT,
            width=WIDTH - LEFT - RIGHT,
            y=f"{a:.1f}",
            height=f"{b - a:.1f}",
        )
        for a, b in spans
    ]
    lines = [
        element("path", class_="limit wide", d=f"M{LEFT:g} {frame.y(x):.1f}H{WIDTH - RIGHT:g}")
        for x in band
        if np.isfinite(x)
    ]
    return element("g", *shades, *lines, class_="bands")


def _exceeded(panel: Panel, frame: Frame) -> Markup:
    """Stretches as high as the frame, which the style sheet knows."""
    spans = [
        element(
            "rect",
            x=f"{frame.x(begin):.1f}",
            width=f"{max(1.5, frame.x(end) - frame.x(begin)):.1f}",
            data_from=amount(begin, 6),
            data_to=amount(end, 6),
        )
        for begin, end in panel.exceeded
    ]
    return element("g", *spans, class_="exceeded")


def _grid(frame: Frame) -> Markup:
    ticks = round_ticks(frame.low, frame.high, 5)
    lines = "".join(f"M{LEFT:g} {frame.y(value):.1f}H{WIDTH - RIGHT:g}" for value in ticks)
    labels = [
        element("text", amount(value), x=LEFT - 6, y=f"{frame.y(value) + 3.5:.1f}", class_="value")
        for value in ticks
    ]
    zero = frame.y(0.0)
    axis = f"M{LEFT:g} {zero:.1f}H{WIDTH - RIGHT:g}" if TOP < zero < HEIGHT - BOTTOM else None
    return element(
        "g",
        element("path", class_="grid wide", d=lines),
        element("path", class_="zero wide", d=axis),
        *labels,
    )


def _boundaries(findings: Findings, frame: Frame) -> Markup:
    """A line where each move ends, and the program's line above the move where there is room."""
    moves = findings.verification.plan.moves
    lines = "".join(f"M{frame.x(move.end):.1f} {TOP:g}V{HEIGHT - BOTTOM:g}" for move in moves)
    labels: list[Markup] = []
    for k, move in enumerate(moves, 1):
        if frame.x(move.end) - frame.x(move.start) >= 22:
            middle = 0.5 * (frame.x(move.start) + frame.x(move.end))
            labels.append(element("text", str(move.line or k), x=f"{middle:.1f}", y=TOP - 7, class_="line"))
    return element("g", element("path", class_="boundary", d=lines), element("g", *labels, class_="lines"))


def _curve(findings: Findings, curve: Curve, frame: Frame) -> Markup:
    size = bucket_size(len(curve.values), POINTS)
    values = decimated(curve.values, size)
    times = np.arange(len(values)) * step_of(size) * findings.verification.plan.cycle
    kept = np.isfinite(values) & (np.abs(values) < 1e200)
    points = np.stack([_x(times, frame), np.array([frame.held(x) for x in values])], axis=1)
    return element("path", class_=f"curve {curve.role}", d=path_data([points[kept]]))


def _x(times: np.ndarray, frame: Frame) -> np.ndarray:
    return LEFT + (WIDTH - LEFT - RIGHT) * np.minimum(times / frame.end, 1.0)


def _times(frame: Frame) -> Markup:
    labels = [
        element("text", f"{amount(time)} s", x=f"{frame.x(time):.1f}", y=HEIGHT - 5, class_="time")
        for time in round_ticks(0.0, frame.end, 10)
    ]
    return element("g", *labels, class_="times")
