"""A motion in the torque-speed plane of every motor, inside what the motor can do."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from armdyn.mechanics.motor_limits import envelope_share, speed_limit, torque_limits
from armdyn.report.drawing import check_figure, drawing, new_figure, save
from armdyn.robot import Motor
from armdyn.scalars import Array
from armdyn.studies.motor_use import EDGE, MotorLoad, MotorUse, share_text

COLUMNS = 3
MARGIN = 1.12
"""How far beyond limits and motion a panel reaches."""
FAR = 1000.0
"""Limits farther than so many times the motion are out of sight."""
# Colours of Okabe and Ito, which everyone can tell apart.
INSIDE, OUTSIDE, CAPABLE = "#0072B2", "#D55E00", "#56B4E9"
LABELS = (
    "motion, from its start",
    "beyond a limit",
    "what the motor can do",
    "greatest speed",
    "rated torque",
)


def draw_motor_use(use: MotorUse, path: Path) -> None:
    """Write the figure, as .svg, .png or .pdf: a panel for each motor."""
    check_figure(path)
    columns = min(COLUMNS, len(use.motors))
    rows = math.ceil(len(use.motors) / columns)
    size = (3.5 * columns + 0.5, 3.0 * rows + 0.5)
    with drawing("motor use"):
        figure = new_figure(size)
        panels: list[Any] = list(figure.subplots(rows, columns, squeeze=False).flat)
        for k, load in enumerate(use.motors):
            _draw(panels[k], load, use.velocity[:, k], use.torque[:, k])
        for panel in panels[len(use.motors) :]:
            panel.set_axis_off()
        _legend(figure, panels, columns)
        save(figure, path)


def _draw(panel: Any, load: MotorLoad, speed: Array, torque: Array) -> None:
    reach = _speed_reach(load)
    height = _torque_reach(load, reach)
    panel.set(xlim=(-reach, reach), ylim=(-height, height))
    panel.set(xlabel="speed [rad/s]", ylabel="torque [N m]")
    panel.set_title(load.name, loc="left", fontweight="bold", pad=17)
    colour = "0.35" if load.within else OUTSIDE
    panel.text(0, 1.03, summary(load), transform=panel.transAxes, fontsize=8, color=colour)
    panel.axhline(0, color="0.8", linewidth=0.6, zorder=0)
    panel.axvline(0, color="0.8", linewidth=0.6, zorder=0)
    panel.spines[["top", "right"]].set_visible(False)
    _draw_limits(panel, load.motor, reach, height)
    _draw_motion(panel, load.motor, speed, torque)


def summary(load: MotorLoad) -> str:
    """The shares of the limits, as far as they are known."""
    shares = {"envelope": load.torque_share, "speed": load.speed_share, "rms of rated": load.rms_share}
    known = [f"{name} {share_text(share)}" for name, share in shares.items() if share is not None]
    return "   ".join(known) or "no limit is known"


def _draw_limits(panel: Any, motor: Motor, reach: float, height: float) -> None:
    """The envelope, pale beyond the greatest speed, and the rated torque."""
    fastest = speed_limit(motor)
    w = np.linspace(-reach, reach, 1001)
    # where no torque limit is known the shade goes beyond the panel
    lower, upper = (np.clip(limit, -2 * height, 2 * height) for limit in torque_limits(motor, w))
    possible, slow = lower <= upper, np.abs(w) <= fastest
    enveloped = envelope_share(motor, 0.0, 0.0) is not None
    if enveloped or fastest < math.inf:
        shade: dict[str, Any] = {"color": CAPABLE, "linewidth": 0}
        panel.fill_between(w, lower, upper, where=possible & slow, alpha=0.25, label=LABELS[2], **shade)
    if enveloped:
        panel.fill_between(w, lower, upper, where=possible, alpha=0.08, color=CAPABLE, linewidth=0)
        for limit in (lower, upper):
            panel.plot(w, np.where(possible, limit, np.nan), color=CAPABLE, linewidth=1.2)
    if fastest < math.inf:
        panel.axvline(-fastest, color="0.25", linewidth=1.0, linestyle="--")
        panel.axvline(fastest, color="0.25", linewidth=1.0, linestyle="--", label=LABELS[3])
    if motor.rated_torque is not None:
        panel.axhline(-motor.rated_torque, color="0.45", linewidth=0.9, linestyle=":")
        panel.axhline(motor.rated_torque, color="0.45", linewidth=0.9, linestyle=":", label=LABELS[4])


def _draw_motion(panel: Any, motor: Motor, speed: Array, torque: Array) -> None:
    """The motion as a line from a ring, its samples beyond a limit in another colour."""
    line: dict[str, Any] = {"color": INSIDE, "linewidth": 1.3}
    panel.plot(speed, torque, marker="o", markevery=[0], markerfacecolor="white", label=LABELS[0], **line)
    share = envelope_share(motor, speed, torque)
    beyond = np.abs(speed) > speed_limit(motor) * (1 + EDGE)
    if share is not None:
        beyond = beyond | (share > 1 + EDGE)
    if beyond.any():
        parts = (np.where(beyond, x, np.nan) for x in (speed, torque))
        panel.plot(*parts, color=OUTSIDE, linewidth=2.0, marker=".", markersize=3, label=LABELS[1])


def _legend(figure: Any, panels: list[Any], columns: int) -> None:
    """What the panels show, each kind once."""
    drawn: dict[str, Any] = {}
    for panel in panels:
        drawn |= {label: handle for handle, label in zip(*panel.get_legend_handles_labels(), strict=True)}
    labels = [label for label in LABELS if label in drawn]
    figure.legend(
        [drawn[label] for label in labels],
        labels,
        loc="outside lower center",
        ncols=2 * columns - 1,
        frameon=False,
        fontsize=8,
    )


def _speed_reach(load: MotorLoad) -> float:
    """The speed to which a panel reaches: the motion and the greatest speed, or the motion alone."""
    return _reach(load.peak_speed, np.array([speed_limit(load.motor)]))


def _torque_reach(load: MotorLoad, reach: float) -> float:
    """The torque to which a panel reaches: the motion, what the motor can give, and what it is rated for."""
    lower, upper = torque_limits(load.motor, np.linspace(-reach, reach, 101))
    momentary = np.minimum(np.abs(lower), np.abs(upper))  # a motor that brakes at full voltage has no end
    return _reach(load.peak_torque, np.array([*momentary, load.motor.rated_torque or 0.0]))


def _reach(peak: float, limits: Array) -> float:
    """Where a panel ends that shows the motion and the limits in sight."""
    sight = FAR * peak or FAR
    return MARGIN * float(max(peak, limits[limits <= sight].max(initial=0.0))) or 1.0
