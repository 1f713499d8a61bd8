"""Runs as figures: what the joints do, and in the manner of [Szkodny1995] Figs. 3 and 4 the motors."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from armdyn.errors import InputError, MissingDataError
from armdyn.report.drawing import check_suffix, drawing, frame, legend, new_figure, save, style
from armdyn.robot import Robot
from armdyn.scalars import Array

if TYPE_CHECKING:
    from armdyn.simulation.results import Simulation

MARKS = {
    "sticks": {"marker": "s", "markersize": 4.0},
    "slips": {"marker": "o", "markersize": 4.5, "markerfacecolor": "white"},
    "reverses": {"marker": "x", "markersize": 4.5},
    "limit": {"marker": "^", "markersize": 6.0},
    "within": {"marker": "v", "markersize": 6.0, "markerfacecolor": "white"},
}
"""How the events of a joint look on its line."""
SAID = {"limit": "leaves its range", "within": "back in its range"}
ABOVE: dict[str, Any] = {
    "loc": "lower left",
    "bbox_to_anchor": (0.0, 1.0),
    "ncols": 4,
    "fontsize": 7,
    "frameon": False,
    "borderaxespad": 0.1,
    "columnspacing": 1.0,
    "handlelength": 1.4,
}
"""Legends of single panels."""


def write_figure(path: str | os.PathLike[str], simulation: Simulation) -> None:
    """Write a run as a figure, .png, .svg or .pdf: motion, torques, currents, energies, balances.

    Events stand on the line of their joint; a grasp or a release goes through all panels.
    """
    file = _checked(path, simulation)
    with drawing("run"):
        figure = new_figure((10.0, 8.2))
        panels: Any = figure.subplots(3, 2, sharex=True)
        robot = simulation.robot
        whose = _joint_labels(robot)
        for panel, name, title in zip(
            panels[:, 0], ("q", "qd", "tau"), ("position", "velocity", "torque"), strict=True
        ):
            _lines(panel, simulation.time, getattr(simulation, name), whose)
            panel.set_ylabel(f"{_noun(title, robot)} [{_unit(name, robot)}]")
        _draw_motors(panels[0, 1], simulation, whose)
        _draw_energies(panels[1, 1], simulation)
        _draw_residuals(panels[2, 1], simulation)
        _mark_events(panels[0, 0], simulation)
        _finish(figure, list(panels.flat), simulation)
        legend(figure, [panels[0, 0]])
        save(figure, file)


def motor_figure(path: str | os.PathLike[str], simulation: Simulation) -> None:
    """Write what the motors take and what they do: currents (or torques) above, positions below.

    In the manner of [Szkodny1995] Figs. 3 and 4, a line for each motor; .png, .svg or .pdf.
    """
    file = _checked(path, simulation)
    name, values = _given(simulation)
    position = simulation.motor_position
    if values is None or position is None or not position.shape[1]:
        raise MissingDataError(
            f'robot "{simulation.robot.name}" has no drives, a figure of motors needs some'
        )
    with drawing("motors"):
        figure = new_figure((7.5, 7.0))
        upper, lower = panels = figure.subplots(2, 1, sharex=True)
        whose = [f"{k + 1}  {drive.name}" for k, drive in enumerate(simulation.robot.drives)]
        _lines(upper, simulation.time, values, whose)
        upper.set_ylabel(name)
        _lines(lower, simulation.time, position, whose)
        lower.set_ylabel("motor position [rad]")
        _finish(figure, list(panels), simulation)
        _name_ends(lower, simulation.time, position)
        legend(figure, [upper])
        save(figure, file)


# Panels ---------------------------------------------------------------------------------------


def _lines(panel: Any, time: Array, values: Array, labels: Sequence[str]) -> None:
    """A line each; the first are the widest, so that lines over one another are all seen."""
    for k, label in enumerate(labels):
        width = 1.1 + 1.2 * (len(labels) - 1 - k) / len(labels)
        panel.plot(time, values[:, k], label=label, linewidth=width, **style(k))


def _draw_motors(panel: Any, simulation: Simulation, joints: Sequence[str]) -> None:
    """What the motors take; accelerations of the joints where there are none."""
    name, values = _given(simulation)
    if values is None:
        _lines(panel, simulation.time, simulation.qdd, joints)
        panel.set_ylabel(f"acceleration [{_unit('qdd', simulation.robot)}]")
        return
    _lines(panel, simulation.time, values, [f"motor {k + 1}" for k in range(values.shape[1])])
    panel.set_ylabel(name)


def _given(simulation: Simulation) -> tuple[str, Array | None]:
    """Currents, or torques where those are unknown, and what to call them."""
    if simulation.current is not None and np.isfinite(simulation.current).any():
        return "motor current [A]", simulation.current
    return "motor torque [N m]", simulation.motor_torque


def _draw_energies(panel: Any, simulation: Simulation) -> None:
    """Energies from where they start: the drives' work goes into motion, height and friction."""
    time, start = simulation.time, simulation.potential_energy[:1]
    for values, label, colour, dashes in (
        (simulation.kinetic_energy, "kinetic", "#0072B2", "-"),
        (simulation.potential_energy - start, "potential, change", "#009E73", "-"),
        (simulation.work, "work of drives", "#D55E00", "-"),
        (simulation.dissipated, "friction", "0.4", "--"),
    ):
        panel.plot(time, values, label=label, color=colour, linestyle=dashes, linewidth=1.2)
    panel.set_ylabel("energy [J]")
    panel.legend(**ABOVE)


def _draw_residuals(panel: Any, simulation: Simulation) -> None:
    """How far the balances are from zero, on a logarithmic scale; exact zeros have no place on it."""
    drawn = False
    for values, label, colour in (
        (simulation.power_residual, "power [W]", "#CC79A7"),
        (simulation.energy_residual, "energy [J]", "#000000"),
    ):
        sizes = np.abs(values)
        drawn = drawn or bool((sizes > 0).any())
        panel.plot(
            simulation.time, np.where(sizes > 0, sizes, np.nan), label=label, color=colour, linewidth=0.8
        )
    panel.set_ylabel("size of the residual")
    if drawn:
        panel.set_yscale("log")
        panel.legend(**ABOVE)
    else:
        panel.set_yticks([])
        panel.text(0.5, 0.5, "the balances are exact", transform=panel.transAxes, ha="center", color="0.35")


def _mark_events(panel: Any, simulation: Simulation) -> None:
    """The events of joints, on the lines of their positions."""
    named: set[str] = set()
    for kind, mark in MARKS.items():
        for joint in range(simulation.robot.n):
            times = [
                event.time for event in simulation.events if (event.kind, event.joint) == (kind, joint + 1)
            ]
            if not times:
                continue
            marked: dict[str, Any] = {"color": style(joint)["color"], "linestyle": "none", **mark}
            panel.plot(times, np.interp(times, simulation.time, simulation.q[:, joint]), **marked)
            named.add(kind)
    for kind, mark in MARKS.items():
        if kind in named:
            marked = {"color": "0.3", "linestyle": "none", **mark}
            panel.plot([], [], label=SAID.get(kind, kind), **marked)


def _mark_changes(panels: Sequence[Any], simulation: Simulation) -> None:
    """Grasps and releases through all panels, and where a run ended early."""
    for event in simulation.events:
        if event.kind in ("grasp", "release"):
            for panel in panels:
                panel.axvline(event.time, color="0.45", linewidth=0.9, linestyle="--", zorder=0)
            _note(panels[0], event.time, event.kind, "0.3")
    if simulation.failure is not None and len(simulation.time):
        for panel in panels:
            panel.axvline(simulation.time[-1], color="#D55E00", linewidth=1.2, zorder=0)
        _note(panels[0], float(simulation.time[-1]), "ended early", "#D55E00", align="right")


def _note(panel: Any, time: float, text: str, colour: str, align: str = "left") -> None:
    """A word above a panel."""
    where: Any = panel.get_xaxis_transform()
    panel.text(time, 1.02, text, transform=where, fontsize=7, color=colour, ha=align)


def _name_ends(panel: Any, time: Array, values: Array) -> None:
    """Where each line ends, beside it, those at one place together."""
    if not len(time):
        return
    low, high = panel.get_ylim()
    ends = sorted((float(values[-1, k]), k) for k in range(values.shape[1]) if np.isfinite(values[-1, k]))
    groups: list[list[tuple[float, int]]] = []
    for end in ends:
        if groups and end[0] - groups[-1][-1][0] < 0.045 * (high - low):
            groups[-1].append(end)
        else:
            groups.append([end])
    for group in groups:
        height = sum(value for value, _ in group) / len(group)
        for place, (value, k) in enumerate(reversed(group)):
            shift = (len(group) - 1) / 2 - place
            panel.annotate(
                f"{value:.1f}".replace("-", "\N{MINUS SIGN}"),
                (1.0, height),
                xycoords=("axes fraction", "data"),
                xytext=(4, 9 * shift),
                textcoords="offset points",
                va="center",
                fontsize=7,
                color=style(k)["color"],
                annotation_clip=False,
            )


# Words ----------------------------------------------------------------------------------------


def _joint_labels(robot: Robot) -> list[str]:
    return [f"{k + 1}  {name}" for k, name in enumerate(robot.joint_names)]


def _unit(name: str, robot: Robot) -> str:
    """The units of a quantity of joints: of those that turn, of those that slide."""
    turning = {"q": "rad", "qd": "rad/s", "qdd": "rad/s²", "tau": "N m"}[name]
    sliding = {"q": "m", "qd": "m/s", "qdd": "m/s²", "tau": "N"}[name]
    kinds = {joint.kind for joint in robot.joints}
    return " or ".join(
        unit for kind, unit in (("revolute", turning), ("prismatic", sliding)) if kind in kinds
    )


def _noun(title: str, robot: Robot) -> str:
    slides = any(joint.kind == "prismatic" for joint in robot.joints)
    return "torque or force" if title == "torque" and slides else title


# Drawing and writing --------------------------------------------------------------------------


def _checked(path: str | os.PathLike[str], simulation: Simulation) -> Path:
    """The file, refused if no figure can be written to it."""
    file = check_suffix(path)
    if not len(simulation.time):
        raise InputError(f'figure "{file}": the run has no samples, nothing can be drawn')
    return file


def _finish(figure: Any, panels: Sequence[Any], simulation: Simulation) -> None:
    """What all panels have, and a title that says what was simulated."""
    time, dyn = simulation.time, simulation.dyn
    for panel in panels:
        frame(panel)
        panel.margins(x=0)
        if panel.get_subplotspec().is_last_row():
            panel.set_xlabel("time [s]")
    if time[-1] > time[0]:
        panels[0].set_xlim(time[0], time[-1])
    _mark_changes(panels, simulation)
    how = f"{simulation.integrator}, motors {dyn.motors}, friction {'on' if dyn.friction else 'off'}"
    figure.suptitle(f"{simulation.robot.name}: {how}", fontsize=10, x=0.01, ha="left", fontweight="bold")
