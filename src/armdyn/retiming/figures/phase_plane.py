"""Speed over the way: a motion below the limit curve of its path, and which limit holds it back where."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from armdyn.report.drawing import COLOURS, frame
from armdyn.retiming.figures.tracks import Track, Tracks
from armdyn.retiming.held_back import Held
from armdyn.retiming.retime import Retimed
from armdyn.robot import Robot
from armdyn.scalars import Array

HEIGHT, ROW = 2.9, 0.17
"""[inch] Of a plane, and of a row for a limit below it."""
MOVES = 30
"""So many have room beside one another; of more the way is cut into several planes."""
PLANES = 6
"""At most."""
NAMED = len(COLOURS) - 1
"""Limits that have colours of their own; black is the motion."""
OTHERS = "0.6"
LEAST = 0.003
"""Width of a mark, as a share of the way: what lasts for an instant is seen."""
LETTER = 0.075
"""[inch] Of a line's number, which stands where there is room for it."""


def plane_count(retimed: Retimed) -> int:
    """How many planes the way is cut into."""
    return min(max(math.ceil(len(retimed.plan.moves) / MOVES), 1), PLANES)


def plane_height(retimed: Retimed, held: Sequence[Held]) -> float:
    """[inch] Of all planes with their rows."""
    rows = min(len(held), NAMED + 1)
    return plane_count(retimed) * (HEIGHT + ROW * rows + 0.25) + 0.55


def draw_phase_plane(figure: Any, retimed: Retimed, tracks: Tracks, held: Sequence[Held]) -> None:
    """Planes one below the other, each with rows for the limits that the motion reaches."""
    count, rows = plane_count(retimed), min(len(held), NAMED + 1)
    heights = [HEIGHT, max(ROW * rows, 0.01)] * count
    axes: Any = figure.subplots(2 * count, 1, squeeze=False, height_ratios=heights)[:, 0]
    edges = np.linspace(0.0, max(float(tracks.after.way[-1]), 1e-9), count + 1)
    for k in range(count):
        plane, bars = axes[2 * k], axes[2 * k + 1]
        for panel in (plane, bars):
            panel.set_xlim(edges[k], edges[k + 1])
        _draw_speeds(plane, tracks, held)
        _draw_moves((plane, bars) if rows else (plane,), retimed, tracks.after)
        _draw_rows(bars, tracks.after, held)
        plane.set_ylabel(f"joint speed |qd| [{_unit(retimed.plan.robot, '/s')}]")
        plane.tick_params(labelbottom=not rows)
    axes[-1 if rows else -2].set_xlabel(f"way of the joints [{_unit(retimed.plan.robot)}]")
    _legend(figure, axes[0])


def _unit(robot: Robot, per: str = "") -> str:
    """Of a joint, or what it does in a time; arms that turn and slide have both."""
    kinds = {("m" if joint.kind == "prismatic" else "rad") + per for joint in robot.joints}
    return " or ".join(sorted(kinds, reverse=True))


# The plane ------------------------------------------------------------------------------------


def _draw_speeds(plane: Any, tracks: Tracks, held: Sequence[Held]) -> None:
    frame(plane)
    top = _top(tracks)
    limit = np.minimum(tracks.limit.speed, 2 * top)
    plane.fill_between(
        tracks.limit.way,
        limit,
        2 * top,
        color="#f3dccd",
        linewidth=0,
        label="no acceleration keeps the limits",
    )
    plane.plot(tracks.limit.way, limit, color="#B04A00", linewidth=1.0, label="limit curve")
    if tracks.before is not None:
        plane.plot(
            tracks.before.way,
            tracks.before.speed,
            color="0.45",
            linewidth=1.1,
            linestyle=(0, (4, 2)),
            label="as given",
        )
    for k, each in enumerate(held):
        for stretch in each.stretches:
            way, speed = _cut(tracks.after, stretch.time, stretch.until)
            plane.plot(way, speed, color=_colour(k), linewidth=4.2, solid_capstyle="butt", alpha=0.85)
    plane.plot(tracks.after.way, tracks.after.speed, color="black", linewidth=1.2, label="retimed")
    plane.set_ylim(0.0, top)


def _top(tracks: Tracks) -> float:
    """How high the plane is: the motions are all in it, and most of the limit curve."""
    known = tracks.limit.speed[np.isfinite(tracks.limit.speed)]
    usual = float(np.percentile(known, 90)) if len(known) else 0.0
    most = max(float(each.speed.max()) for each in (tracks.after, tracks.before or tracks.after))
    return 1.1 * max(most, min(usual, 3 * most), 1e-9)


def _cut(track: Track, begin: float, end: float) -> tuple[Array, Array]:
    """Way and speed between two instants."""
    inside = (track.time > begin) & (track.time < end)
    at = np.concatenate([[begin], track.time[inside], [end]])
    return np.interp(at, track.time, track.way), np.interp(at, track.time, track.speed)


def _colour(k: int) -> str:
    return COLOURS[k] if k < NAMED else OTHERS


# Rows and moves -------------------------------------------------------------------------------


def _draw_rows(bars: Any, track: Track, held: Sequence[Held]) -> None:
    """One row for each limit, bars where the motion reaches it; the last row is for all others."""
    bars.spines[["top", "right", "left"]].set_visible(False)
    least = LEAST * float(np.diff(bars.get_xlim())[0])
    for k, each in enumerate(held):
        spans = [(track.way_at(stretch.time), track.way_at(stretch.until)) for stretch in each.stretches]
        wide = [(a - 0.5 * max(least - (b - a), 0.0), max(b - a, least)) for a, b in spans]
        bars.broken_barh(wide, (min(k, NAMED) - 0.38, 0.76), color=_colour(k), linewidth=0)
    names = [each.name for each in held[:NAMED]] + (["others"] if len(held) > NAMED else [])
    bars.set_yticks(range(len(names)), names, fontsize=7.5)
    bars.tick_params(axis="y", length=0)
    bars.set_ylim(max(len(names), 1) - 0.4, -0.6)
    if not held:
        bars.set_axis_off()


def _draw_moves(panels: Sequence[Any], retimed: Retimed, track: Track) -> None:
    """Where moves end, their lines above, and where the arm rests."""
    plane = panels[0]
    low, high = plane.get_xlim()
    scale = 0.88 * plane.get_figure(root=True).get_figwidth() / (high - low)
    last = -math.inf
    for k, move in enumerate(retimed.plan.moves):
        begin, end = float(track.marks[k]), float(track.marks[k + 1])
        for panel in panels:
            panel.axvline(end, color="0.75", linewidth=0.6, linestyle=(0, (2, 2)), zorder=0)
        name = str(move.line or k + 1)
        middle = 0.5 * (max(begin, low) + min(end, high))
        if end > low and begin < high and (middle - last) * scale > LETTER * (len(name) + 1):
            plane.text(
                middle,
                1.015,
                name,
                transform=plane.get_xaxis_transform(),
                ha="center",
                fontsize=7.5,
                color="0.35",
            )
            last = middle
    ends = zip(track.marks[1:].tolist(), retimed.plan.moves, strict=True)
    rests = [way for way, move in ends if move.stops and low <= way <= high]
    if rests:
        plane.plot(
            rests,
            np.zeros(len(rests)),
            "v",
            color="black",
            markersize=5,
            clip_on=False,
            zorder=5,
            label="stop",
            linestyle="none",
        )


def _legend(figure: Any, plane: Any) -> None:
    handles, labels = plane.get_legend_handles_labels()
    order = [labels.index(name) for name in dict.fromkeys(labels)]
    figure.legend(
        [handles[k] for k in order],
        [labels[k] for k in order],
        loc="outside lower center",
        ncols=len(order),
        frameon=False,
        fontsize=8,
    )
