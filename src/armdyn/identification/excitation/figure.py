"""An excitation as a figure: the motion and its torques in parts of their limits, and what they tell."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from armdyn.identification.excitation.limits import Channels, Limit
from armdyn.report.drawing import COLOURS, check_suffix, drawing, frame, legend, new_figure, save, style
from armdyn.scalars import Array

if TYPE_CHECKING:
    from armdyn.identification.excitation.excitation import Excitation

INSTANTS = 1000
EDGE: dict[str, Any] = {"color": "0.35", "linewidth": 0.8, "linestyle": (0, (4, 3)), "zorder": 1}
"""How limits look."""
ABOVE: dict[str, Any] = {
    "loc": "lower left",
    "bbox_to_anchor": (0.0, 1.0),
    "ncols": 4,
    "fontsize": 7,
    "frameon": False,
    "borderaxespad": 0.1,
}
"""Legends of single panels."""


def draw(excitation: Excitation, path: str | os.PathLike[str]) -> None:
    """Draw positions, speeds, accelerations and torques against their limits, the tool, singular values."""
    file = check_suffix(path)
    time = excitation.trajectory.grid(INSTANTS)
    motion = excitation.trajectory.at(time)
    limits = excitation.limits
    channels = limits.channels(*motion, limits.all)
    with drawing("excitation"):
        figure = new_figure((10.0, 8.2))
        panels: Any = figure.subplots(3, 2)
        names = ("position", "speed", "acceleration")
        places = (panels[0, 0], panels[1, 0], panels[2, 0])
        for panel, limit, name in zip(places, limits.of_joints, names, strict=True):
            _shares(panel, time, 100 * limit.share(channels), excitation)
            panel.set_ylabel(f"{name} [% of its {'range' if name == 'position' else 'limit'}]")
        _torques(panels[0, 1], time, channels, excitation)
        _tool(panels[1, 1], time, motion[0], excitation)
        _singular_values(panels[2, 1], excitation)
        for panel in (*places, panels[0, 1], panels[1, 1]):
            panel.set_xlim(0.0, excitation.duration)
            panel.set_xlabel("time [s]")
        for panel in panels.flat:
            frame(panel)
        figure.suptitle(_title(excitation), fontsize=11)
        legend(figure, [panels[0, 0]])
        save(figure, file)


def _title(excitation: Excitation) -> str:
    best, random = excitation.condition_number, excitation.random_condition_number
    return (
        f"{excitation.robot.name}: condition number {best:.4g}, at random {random:.4g} "
        f"(best of {excitation.found.drawn})"
    )


def _shares(panel: Any, time: Array, values: Array, excitation: Excitation, *, limited: bool = True) -> None:
    """A line for each joint, between its limits where it has some."""
    for k, joint in enumerate(excitation.robot.joints):
        panel.plot(time, values[:, k], label=f"{k + 1}  {joint.name}", linewidth=1.2, **style(k))
    for edge in (-100, 100) if limited else ():
        panel.axhline(edge, **EDGE)
    panel.set_ylim(-112, 112)
    panel.set_yticks([-100, -50, 0, 50, 100])


def _torques(panel: Any, time: Array, channels: Channels, excitation: Excitation) -> None:
    """Torques of the motors, or of the joints, in parts of what they can give or what they usually are."""
    limits = [limit for limit in excitation.limits.others if limit.channel == "motor_torque"]
    known = excitation.experiment.arm.actuators.known
    torque = channels.get("motor_torque")
    if torque is None:
        torque = excitation.experiment.arm.torque(channels["q"], channels["qd"], channels["qdd"])
    usual = 100 * torque / excitation.experiment.scale
    share = np.where(known, 100 * _largest(limits, channels), usual) if limits else usual
    whose = "motor" if excitation.experiment.arm.actuators.geared else "joint"
    _shares(panel, time, share, excitation, limited=all(known))
    if all(known):
        panel.set_ylabel(f"{whose} torque [% of its limit]")
        return
    largest = max(112.0, 1.08 * float(np.abs(share).max()))
    panel.set_ylim(-largest, largest)
    panel.set_yticks([-100, 0, 100])
    panel.set_ylabel(f"{whose} torque [% of its weight]")


def _largest(limits: list[Limit], channels: Channels) -> Array:
    """(t, n) of several bounds of one motor the one that is used most, with its sign."""
    shares = np.stack([limit.share(channels) for limit in limits])
    which = np.abs(shares).argmax(axis=0)
    return np.take_along_axis(shares, which[None], axis=0)[0]


def _tool(panel: Any, time: Array, q: Array, excitation: Excitation) -> None:
    """Where the tool is, and where it may be."""
    place = excitation.experiment.arm.dyn.pose(q)[:, :3, 3]
    for k, axis in enumerate("xyz"):
        panel.plot(time, place[:, k], label=axis, linewidth=1.2, color=COLOURS[k])
        if excitation.limits.box is not None:
            for edge in excitation.limits.box[k]:
                panel.axhline(edge, color=COLOURS[k], linewidth=0.8, linestyle=(0, (4, 3)))
    panel.set_ylabel("tool [m]")
    panel.legend(**ABOVE)


def _singular_values(panel: Any, excitation: Excitation) -> None:
    """What the motion tells about each combination of parameters, beside the best random one."""
    for values, label, marker, colour in (
        (excitation.singular_values, "this motion", "o", COLOURS[0]),
        (excitation.random_singular_values, f"best of {excitation.found.drawn} random ones", "x", COLOURS[1]),
    ):
        drawn = np.where(values > 0, values, np.nan)
        numbers = np.arange(1, len(values) + 1)
        panel.plot(numbers, drawn, marker=marker, markersize=3.0, linewidth=0.7, color=colour, label=label)
    panel.set_yscale("log")
    panel.xaxis.get_major_locator().set_params(integer=True)
    panel.set_ylabel("singular value")
    panel.set_xlabel("number, of the weighted base regressor")
    panel.legend(**ABOVE)
