"""How the figures of the simulation examples are written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

STYLE: dict[Any, Any] = {"font.size": 8, "axes.titlesize": 9, "path.simplify_threshold": 0.3}


def written(folder: Path, name: str, draw: Callable[[Any], None], size: tuple[float, float]) -> None:
    """Write figures/NAME.svg below the folder, without a date."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    target = folder / "figures"
    target.mkdir(parents=True, exist_ok=True)
    with mpl.rc_context({**STYLE, "svg.hashsalt": name}):
        figure = Figure(figsize=size, layout="constrained")
        draw(figure)
        for panel in figure.axes:
            panel.grid(color="0.92", linewidth=0.5)
            panel.set_axisbelow(True)
            panel.spines[["top", "right"]].set_visible(False)
        figure.savefig(target / f"{name}.svg", metadata={"Date": None})
