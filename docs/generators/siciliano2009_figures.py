"""[Siciliano2009] Figs. 7.5 to 7.11 as armdyn draws them: docs/figures/siciliano2009_*.svg."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from mrnea_toy import COLOURS
from siciliano2009_motions import (
    FROM,
    Motion,
    different_duration,
    equal_duration,
    line,
    straight_line,
)
from simulation_drawing import written

TIME = "time [s]"
PARTS: tuple[tuple[str, tuple[tuple[str, ...], tuple[str, ...]]], ...] = (
    ("inertia, own\nacceleration [N m]", (("inertia 11",), ("inertia 22",))),
    ("inertia, other's\nacceleration [N m]", (("inertia 12",), ("inertia 21",))),
    ("centrifugal,\nCoriolis [N m]", (("centrifugal 1", "Coriolis 1"), ("centrifugal 2", "Coriolis 2"))),
    ("gravity [N m]", (("gravity 1",), ("gravity 2",))),
)
"""What is drawn for joints 1 and 2, row by row."""


def write(folder: Path) -> None:
    """Write all seven."""
    of_motion: dict[str, Callable[[], Motion]] = {
        "5": equal_duration,
        "7": different_duration,
        "10": straight_line,
    }
    for number, motion in of_motion.items():
        written(
            folder, f"siciliano2009_fig{number}", _finely(partial(_draw_motion, motion=motion())), (8.5, 7.0)
        )
        name = f"siciliano2009_fig{int(number) + 1}"
        written(folder, name, _finely(partial(_draw_contributions, motion=motion())), (8.5, 7.0))
    written(folder, "siciliano2009_fig9", _finely(_draw_tip), (8.5, 2.6))


def _finely(draw: Callable[[Any], None]) -> Callable[[Any], None]:
    """Drawn with curves that stay smooth, and constants that stay constant."""

    def drawn(figure: Any) -> None:
        import matplotlib as mpl

        mpl.rcParams["path.simplify_threshold"] = 0.03  # `written` sets it back
        draw(figure)

    return drawn


def _panels(figure: Any, rows: int) -> Any:
    panels = figure.subplots(rows, 2, sharex=True, sharey="row")
    for j in range(2):
        panels[0, j].set_title(f"joint {j + 1}")
        panels[-1, j].set_xlabel(TIME)
    return panels


def _curves(panel: Any, time: Any, curves: Sequence[tuple[str, Any]]) -> None:
    panel.axhline(0.0, color="0.6", linewidth=0.6)
    for (name, values), colour, style in zip(curves, COLOURS, ("-", "--"), strict=False):
        panel.plot(time, values, style, color=colour, linewidth=1.2, label=name)
    panel.margins(x=0.01)


def _draw_motion(figure: Any, motion: Motion) -> None:
    rows = {
        "position [rad]": motion.q,
        "velocity [rad/s]": motion.qd,
        "acceleration [rad/s²]": motion.qdd,
        "torque [N m]": motion.torque,
    }
    for panels, (name, values) in zip(_panels(figure, len(rows)), rows.items(), strict=True):
        panels[0].set_ylabel(name)
        for j, panel in enumerate(panels):
            _curves(panel, motion.time, [(name, values[:, j])])


def _draw_contributions(figure: Any, motion: Motion) -> None:
    for panels, (title, names) in zip(_panels(figure, len(PARTS)), PARTS, strict=True):
        panels[0].set_ylabel(title)
        for panel, of_joint in zip(panels, names, strict=True):
            _curves(panel, motion.time, [(n.split()[0], motion.contributions[n]) for n in of_joint])
            if len(of_joint) > 1:
                panel.legend(frameon=False, loc="best")


def _draw_tip(figure: Any) -> None:
    time = straight_line().time
    s, sd, sdd = line().at(time)
    rows = {"position x [m]": FROM + s, "velocity [m/s]": sd, "acceleration [m/s²]": sdd}
    for panel, (name, values) in zip(figure.subplots(1, 3, sharex=True), rows.items(), strict=True):
        _curves(panel, time, [(name, values)])
        panel.set(xlabel=TIME, ylabel=name)
