"""[Kvrgic2020] Figs. 4 to 7 as armdyn draws them: docs/figures/kvrgic2020_*.svg."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from kvrgic2020_program import torques
from kvrgic2020_runs import TURNING, tool_speed, verified, work
from mrnea_toy import COLOURS

PROGRAMMED, ACHIEVED, LIMIT = COLOURS[1], COLOURS[0], "0.4"
STYLE: dict[Any, Any] = {"font.size": 8, "axes.titlesize": 9, "path.simplify_threshold": 0.5}
TIME = "time [s]"


def write(folder: Path) -> None:
    """Write all four, and the use of the motors."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    drawings: dict[str, tuple[Callable[[Any], None], tuple[float, float]]] = {
        "fig4": (_draw_path, (9.5, 3.8)),
        "fig5": (_draw_torques, (9.5, 4.4)),
        "fig6": (_draw_motors, (9.5, 8.5)),
        "fig7": (_draw_joints, (9.5, 8.5)),
        "utilisation": (_draw_utilisation, (9.5, 4.4)),
    }
    target = folder / "figures"
    target.mkdir(parents=True, exist_ok=True)
    for name, (draw, size) in drawings.items():
        with mpl.rc_context({**STYLE, "svg.hashsalt": f"kvrgic2020_{name}"}):
            figure = Figure(figsize=size, layout="constrained")
            draw(figure)
            figure.savefig(target / f"kvrgic2020_{name}.svg", metadata={"Date": None})


# Panels ---------------------------------------------------------------------------------------


def _panels(figure: Any, rows: int, columns: int) -> Any:
    panels = figure.subplots(rows, columns, sharex=True, squeeze=False)
    for panel in panels.flat:
        _plain(panel)
    for panel in panels[-1]:
        panel.set_xlabel(TIME)
    return panels


def _plain(panel: Any) -> None:
    panel.grid(color="0.92", linewidth=0.5)
    panel.spines[["top", "right"]].set_visible(False)


def _move_ends(panel: Any) -> None:
    for move in work().plan.moves:
        panel.axvline(move.end, color="0.85", linewidth=0.6, zorder=0)


def _both(panel: Any, time: np.ndarray, programmed: np.ndarray, achieved: np.ndarray) -> None:
    """With Algorithm 1 over without."""
    panel.plot(time, programmed, color=PROGRAMMED, linewidth=0.9, label="without Algorithm 1")
    panel.plot(time, achieved, color=ACHIEVED, linewidth=0.9, label="with")
    _move_ends(panel)


def _legend(figure: Any, panel: Any) -> None:
    handles, labels = panel.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=len(labels), frameon=False)


# Figures --------------------------------------------------------------------------------------


def _draw_path(figure: Any) -> None:
    run = verified()
    programmed, achieved = run.programmed_tool, run.achieved_tool
    space = figure.add_subplot(1, 2, 1, projection="3d")
    space.plot(*programmed.T, color=PROGRAMMED, linewidth=1.0, label="programmed")
    space.plot(*achieved.T, color=ACHIEVED, linewidth=0.8, linestyle="--", label="achieved")
    space.set(xlabel="x [m]", ylabel="y [m]", zlabel="z [m]", title="(a) path of the tool")
    space.view_init(elev=28, azim=-65)
    for axis in (space.xaxis, space.yaxis, space.zaxis):
        axis.get_major_locator().set_params(nbins=4)
    speed = figure.add_subplot(1, 2, 2)
    _plain(speed)
    _move_ends(speed)
    for points, colour, style in ((programmed, PROGRAMMED, "-"), (achieved, ACHIEVED, "--")):
        v = tool_speed(points, run.plan.cycle)
        speed.plot(run.time[: len(v)], v, style, color=colour, linewidth=0.9)
    speed.set(xlabel=TIME, ylabel="tool speed [m/s]", title="(b) speed of the tool; grey: ends of moves")
    _legend(figure, space)


def _draw_torques(figure: Any) -> None:
    ours, theirs, time = torques("newton_euler"), torques("mrnea"), work().plan.time
    some = slice(None, None, 25)
    for k, panel in enumerate(_panels(figure, 2, 3).flat):
        panel.plot(time, ours[:, k], color=ACHIEVED, linewidth=0.9, label="RNEA")
        panel.plot(
            time[some], theirs[some, k], "o", color=PROGRAMMED, markersize=2.5, label="mRNEA, every 25th"
        )
        panel.set_ylabel(f"u{k + 1} [N m]")
        _move_ends(panel)
    _legend(figure, figure.axes[0])


def _draw_motors(figure: Any) -> None:
    run, demand = verified(), verified().demand
    time, t = work().plan.time, slice(0, len(work().plan.time))
    panels = _panels(figure, 6, 2)
    for k, (torque, acceleration) in enumerate(panels):
        for sign in (-1, 1):
            limit = sign * demand.torque_limit[:, k]
            torque.plot(time, limit, "--", color=LIMIT, linewidth=0.7, label="limit" if sign > 0 else None)
        _both(torque, time, demand.torque[:, k], run.run.torque[t, k])
        _both(acceleration, time, demand.qdd[:, k], run.run.qdd[t, k])
        torque.set_ylabel(f"motor {k + 1} [N m]")
        acceleration.set_ylabel(f"joint {k + 1} [rad/s²]")
    panels[0, 0].set_title("(a) motor torques")
    panels[0, 1].set_title("(b) accelerations")
    _legend(figure, panels[0, 0])


def _draw_joints(figure: Any) -> None:
    run, plan = verified(), work().plan
    time, t = plan.time, slice(0, len(plan.time))
    panels = _panels(figure, 6, 3)
    for k, (velocity, position, late) in enumerate(panels):
        _both(velocity, time, run.demand.qd[:, k], run.run.qd[t, k])
        _both(position, time, plan.q[:, k], run.run.q[t, k])
        late.plot(time, 1e3 * (run.run.q[t, k] - plan.q[:, k]), color=ACHIEVED, linewidth=0.9)
        _move_ends(late)
        velocity.set_ylabel(f"joint {k + 1}")
    for panel, title in zip(
        panels[0], ("(a) velocity [rad/s]", "(b) position [rad]", "(c) lag [mrad]"), strict=True
    ):
        panel.set_title(title)
    _legend(figure, panels[0, 0])


def _draw_utilisation(figure: Any) -> None:
    panels = _panels(figure, 2, 1)
    titles = ("turning jumps between moves", f"turning changes with {TURNING:g} rad/s²")
    for panel, turning, title in zip(panels.flat, (None, TURNING), titles, strict=True):
        share = verified(turning=turning).demand.share
        for k in range(share.shape[1]):
            colour = (*COLOURS, "#E69F00", "#56B4E9")[k]
            panel.plot(work().plan.time, share[:, k], color=colour, linewidth=0.9, label=f"motor {k + 1}")
        panel.axhline(1.0, color=LIMIT, linestyle="--", linewidth=0.8)
        panel.set(title=title, ylabel="torque / limit")
        _move_ends(panel)
    _legend(figure, panels[0, 0])
