"""Measured against predicted torques, joint by joint, and below each what is left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from armdyn.identification.figures.courses import Course, short
from armdyn.identification.identified import Identified
from armdyn.identification.quality import JointFit, joint_fits
from armdyn.report.drawing import COLOURS, frame, legend
from armdyn.report.wording import amount

UPPER, STRIP = 1.25, 0.55
"""[inch] Of a joint's torques, and of what is left of them."""
AROUND, ABOVE = 0.55, 0.42
"""[inch] What stands below and above all panels, and above those of a joint."""
NARROW = 0.35
"""Share of the width that a short log has at least."""
SIGMAS = 2.0
MEASURED, PREDICTED, LEFT = COLOURS[5], "black", COLOURS[1]
BAND, REST = "#cfe3f2", "0.93"


def courses(found: Identified) -> list[Course]:
    """What the estimate comes from, and the second log if there is one."""
    second = [Course((found.validation,), True)] if found.validation is not None else []
    return [Course(found.compared), *second]


def torques_height(joints: int) -> float:
    """[inch] Of so many joints one below the other."""
    return joints * (UPPER + STRIP + ABOVE) + AROUND


def draw_joints(figure: Any, found: Identified, joints: Sequence[int]) -> None:
    """Panels of joints, counted from 0, one below the other, a column for each course."""
    drawn, fits = courses(found), joint_fits(found)
    grid: Any = figure.subplots(
        2 * len(joints),
        len(drawn),
        squeeze=False,
        sharex="col",
        sharey="row",
        height_ratios=[UPPER, STRIP] * len(joints),
        width_ratios=_widths(drawn),
    )
    for row, j in enumerate(joints):
        for column, course in enumerate(drawn):
            upper, strip = grid[2 * row, column], grid[2 * row + 1, column]
            _draw_torque(upper, course, j)
            _draw_left(strip, course, j, fits[j].noise)
            upper.set_title(_title(course, fits[j]), loc="left", fontsize=8)
        _set_scales(grid[2 * row, 0], grid[2 * row + 1, 0], drawn, fits[j])
    for panel, course in zip(grid[-1], drawn, strict=True):
        panel.set_xlim(course.starts[0], course.end)
        panel.set_xlabel("time [s]")
    figure.align_ylabels(grid[:, 0])
    legend(figure, list(grid.flat))


def _widths(drawn: Sequence[Course]) -> list[float]:
    """As long as they last, but none too narrow."""
    whole = sum(course.duration for course in drawn)
    return [max(course.duration / whole, NARROW) for course in drawn]


def _draw_torque(panel: Any, course: Course, j: int) -> None:
    frame(panel)
    panel.plot(*course.measured(j), color=MEASURED, linewidth=2.6, label="measured")
    panel.plot(*course.predicted(j), color=PREDICTED, linewidth=0.8, label="predicted")
    _shade_rest(panel, course, j)
    _part_logs(panel, course, named=True)
    panel.tick_params(labelbottom=False)


def _draw_left(panel: Any, course: Course, j: int, noise: float) -> None:
    frame(panel)
    if noise > 0:
        panel.axhspan(
            -SIGMAS * noise, SIGMAS * noise, color=BAND, linewidth=0, label=f"± {SIGMAS:g} sigma of noise"
        )
    panel.plot(*course.residual(j, counting=False), color="0.7", linewidth=0.5)
    panel.plot(*course.residual(j, counting=True), color=LEFT, linewidth=0.8, label="measured - predicted")
    _shade_rest(panel, course, j)
    _part_logs(panel, course, named=False)


def _shade_rest(panel: Any, course: Course, j: int) -> None:
    """Where a joint nearly rests: its friction is not known there, and its rows do not count."""
    time, rests = course.resting(j)
    if rests.any():
        panel.fill_between(
            time,
            0,
            1,
            where=rests,
            step="mid",
            transform=panel.get_xaxis_transform(),
            color=REST,
            linewidth=0,
            zorder=0.5,
            label="nearly at rest",
        )


def _part_logs(panel: Any, course: Course, *, named: bool) -> None:
    """A line before each log but the first, and their names."""
    if len(course.logs) == 1:
        return
    for log, start in zip(course.logs, course.starts, strict=True):
        if start > course.starts[0]:
            panel.axvline(start, color="0.5", linewidth=0.7, linestyle=(0, (2, 2)))
        if named:
            place = {"transform": panel.get_xaxis_transform(), "va": "top", "fontsize": 6.5}
            panel.text(start + 0.004 * course.duration, 0.99, short(log.name), color="0.35", **place)


def _title(course: Course, fit: JointFit) -> str:
    rms, share = (fit.validation_rms, fit.validation_share) if course.is_validation else (fit.rms, fit.share)
    whose = (
        f"validation, {course.name}" if course.is_validation else f"joint {fit.number} ({short(fit.name)})"
    )
    if rms is None or not np.isfinite(rms):
        return f"{whose}\ndoes not move"
    return f"{whose}\nrms {amount(rms, 3)} {fit.unit}, {amount(100 * share, 2)} % of the largest"


def _set_scales(upper: Any, strip: Any, drawn: Sequence[Course], fit: JointFit) -> None:
    """Of what is left only what counts sets the scale."""
    most = max([1.15 * course.largest_residual(fit.number - 1) for course in drawn] + [2.6 * fit.noise])
    if most > 0:
        strip.set_ylim(-most, most)
    if len(drawn[0].logs) > 1:
        low, high = upper.get_ylim()
        upper.set_ylim(low, high + 0.15 * (high - low))  # room for the names of the logs
    upper.set_ylabel(fit.unit)
    strip.set_ylabel(fit.unit)
