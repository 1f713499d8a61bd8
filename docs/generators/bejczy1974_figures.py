"""[Bejczy1974] Figs. 3 to 11 as armdyn draws them: docs/figures/bejczy1974_*.svg."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from bejczy1974_constants import printed
from bejczy1974_coupling import LENGTHS, by_constants, printed_constants
from bejczy1974_coupling import ratio as coupling
from bejczy1974_ratios import BENDS, along, short
from bejczy1974_ratios import ratio as against_gravity
from bejczy1974_tables import relative
from mrnea_toy import COLOURS

STYLE: dict[Any, Any] = {"font.size": 8, "axes.titlesize": 9, "path.simplify_threshold": 0.1}
THETA2 = np.radians(np.linspace(0, 180, 181))
DEGREES = np.degrees(THETA2)
PRINT = {"color": "0.45", "linestyle": "--", "linewidth": 0.8}


def write(folder: Path) -> None:
    """Write all three files."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    drawings: dict[str, tuple[Callable[[Any], None], tuple[float, float]]] = {
        "fig3": (_draw_inertia, (7.5, 3.2)),
        "fig4_to_7": (_draw_coupling, (9.0, 6.2)),
        "fig8_to_11": (_draw_gravity, (9.0, 6.2)),
    }
    target = folder / "figures"
    target.mkdir(parents=True, exist_ok=True)
    for name, (draw, size) in drawings.items():
        with mpl.rc_context({**STYLE, "svg.hashsalt": f"bejczy1974_{name}"}):
            figure = Figure(figsize=size, layout="constrained")
            draw(figure)
            figure.savefig(target / f"bejczy1974_{name}.svg", metadata={"Date": None})


def _plain(panel: Any) -> None:
    panel.grid(color="0.92", linewidth=0.5)
    panel.set_axisbelow(True)
    panel.spines[["top", "right"]].set_visible(False)


# Fig. 3 ---------------------------------------------------------------------------------------

WIDTH = 0.36


def _draw_inertia(figure: Any) -> None:
    panel = figure.subplots()
    _plain(panel)
    joints = np.arange(1, 7)
    for k, (label, colour) in enumerate((("no load", COLOURS[0]), ("1.8 kg in the hand", COLOURS[1]))):
        sizes, theirs = relative(k == 1)
        places = joints + (k - 0.5) * WIDTH
        panel.bar(places, sizes, WIDTH, color=colour, label=f"largest, {label}")
        for x, size, printed_size in zip(places, sizes, theirs, strict=True):
            top = max(size, printed_size)
            panel.annotate(
                f"{size:.2f}", (x, top), (0, 4), textcoords="offset points", ha="center", fontsize=7
            )
        panel.plot(places, theirs, "D", color="0.15", markersize=3, label="Table 1" if k else None)
    panel.axhline(1.0, color="0.4", linewidth=0.8)
    panel.set(
        xlabel="inertia at joints 1 to 6",
        ylabel="largest inertia / smallest, no load",
        xticks=joints,
        xticklabels=[f"D{i}{i}" for i in joints],
    )
    panel.set_ylim(top=7.6)
    handles, labels = panel.get_legend_handles_labels()
    panel.legend(handles[1:] + handles[:1], labels[1:] + labels[:1], frameon=False)


# Figs. 4 to 7 ---------------------------------------------------------------------------------


def _over_theta2(panel: Any, title: str, label: str) -> None:
    _plain(panel)
    panel.set(title=title, xlabel="theta2 [deg]", ylabel=label, xlim=(0, 180), xticks=range(0, 181, 30))


def _draw_coupling(figure: Any) -> None:
    rows = (
        ("R1", 1.0, "Fig. 4: R1, theta2'' felt at joint 1", "|D12/D11|"),
        ("R2", 0.01, "Fig. 5: R2, r3'' felt at joint 1", "|D13/D11| [1/cm]"),
        ("R3", 1.0, "Fig. 6: R3, theta1'' felt at joint 2", "|D12/D22|"),
        ("R4", 100.0, "Fig. 7: R4, theta1'' felt at joint 3", "|D13/D33| [cm]"),
    )
    for panel, (name, scale, title, label) in zip(figure.subplots(2, 2).flat, rows, strict=True):
        _over_theta2(panel, title, label)
        for k, r3 in enumerate(LENGTHS if name != "R4" else LENGTHS[:1]):
            ours = scale * np.abs(coupling(name, THETA2, r3))
            text = f"r3 = {100 * r3:.1f} cm" if name != "R4" else "any r3"
            panel.plot(DEGREES, ours, color=COLOURS[k], linewidth=1.1, label=text)
            theirs = scale * np.abs(by_constants(name, printed_constants(), THETA2, r3))
            panel.plot(DEGREES, theirs, **PRINT, label="printed a1 .. a9" if k == len(LENGTHS) - 1 else None)
        if name == "R4":
            a = printed_constants()
            panel.plot(DEGREES, scale * a["a7"] / a["a4"] * np.sin(THETA2), **PRINT, label="(107), a4 for a9")
        panel.set_ylim(bottom=0)
        panel.legend(frameon=False, fontsize=7)


# Figs. 8 to 11 --------------------------------------------------------------------------------


def _draw_gravity(figure: Any) -> None:
    cases = [(f"r3 = {100 * r3:.1f} cm", along(THETA2, r3)) for r3 in LENGTHS]
    bent = [(f"theta5 = {angle:.0f}°", along(THETA2, 0.813, 0.0, angle)) for angle in BENDS]
    rows = (
        ("K1", cases, "Fig. 8: K1, joint 2, theta4 = theta5 = 0", "|D2/D22| [rad/s²]"),
        ("K2", [("any posture", cases[0][1])], "Fig. 9: K2, joint 3", "|D3/D33| [m/s²]"),
        ("K3", bent, "Fig. 10: K3, joint 4, theta4 = 0", "|D4/D44| [rad/s²]"),
        ("K4", [("theta5 = 90°", bent[0][1])], "Fig. 11: K4, joint 5, theta5 = 90°", "|D5/D55| [rad/s²]"),
    )
    for panel, (name, lines, title, label) in zip(figure.subplots(2, 2).flat, rows, strict=True):
        _over_theta2(panel, title, label)
        for k, (text, q) in enumerate(lines):
            panel.plot(DEGREES, np.abs(against_gravity(name, q)), color=COLOURS[k], linewidth=1.1, label=text)
            theirs = np.abs(short(name, q, printed(True)))
            last = k == len(lines) - 1
            panel.plot(DEGREES, theirs, **PRINT, label="(137)-(140), printed b, d" if last else None)
        panel.set_ylim(bottom=0)
        panel.legend(frameon=False, fontsize=7)
