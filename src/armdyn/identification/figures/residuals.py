"""What is left of the torques, against the noise that standard errors were told from."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from armdyn.identification.estimation.covariance import autocorrelation
from armdyn.identification.figures.courses import short
from armdyn.identification.identified import Identified
from armdyn.report.drawing import COLOURS, frame, legend

PANEL, AROUND = 1.55, 0.55
"""[inch] Of a panel, and what stands below all."""
ACROSS = 4
"""Panels side by side."""
WIDEST = 4.5
"""[sigma] To where a histogram goes; what is beyond stands in its last bars."""
BARS = 27


def residuals_height(joints: int) -> float:
    """[inch] Of histograms, or of autocorrelations."""
    return PANEL * math.ceil(joints / ACROSS) + AROUND


def draw_histograms(figure: Any, found: Identified) -> None:
    """How often which residual occurs, beside the normal distribution of the same noise."""
    panels = _panels(figure, found, sharey=False)
    used, noise = found.observations.used, found.estimate.noise.deviation
    edges = np.linspace(-WIDEST, WIDEST, BARS + 1)
    x = np.linspace(-WIDEST, WIDEST, 91)
    for j, panel in enumerate(panels):
        if noise[j] > 0 and used[:, j].any():
            z = np.clip(found.estimate.residuals[used[:, j], j] / noise[j], -WIDEST, WIDEST)
            heights = np.histogram(z, edges, density=True)[0]
            panel.stairs(heights, edges, fill=True, color="#9dc3e3", label="residuals")
            panel.plot(
                x,
                np.exp(-0.5 * x**2) / math.sqrt(math.tau),
                color="black",
                linewidth=1,
                label="normal distribution",
            )
        panel.set_yticks([])
        panel.spines["left"].set_visible(False)
    _finish(figure, panels, "residual [sigma]")


def draw_autocorrelations(figure: Any, found: Identified) -> None:
    """How much residuals resemble those some samples before: seen, and as the standard errors take it."""
    panels = _panels(figure, found, sharey=True)
    seen, pairs = autocorrelation(found.observations, found.estimate.residuals)
    modelled = found.estimate.noise.autocovariance
    lags: NDArray[np.intp] = np.arange(seen.shape[1], dtype=np.intp)
    for j, panel in enumerate(panels):
        band = 2 / np.sqrt(np.maximum(pairs[j], 1.0))
        if pairs[j, 0] > 0 and modelled[j, 0] > 0:
            panel.fill_between(lags, -band, band, color="0.9", linewidth=0, label="white noise, 95 % within")
            panel.vlines(lags, 0, seen[j], color=COLOURS[0], linewidth=1.6, label="seen")
            panel.plot(
                lags,
                modelled[j] / modelled[j, 0],
                color=COLOURS[1],
                linewidth=1.1,
                label="taken for the standard errors",
            )
        panel.axhline(0.0, color="0.4", linewidth=0.6)
        panel.set_ylim(min(-0.35, 1.1 * float(seen[j].min())), 1.05)
    _finish(figure, panels, "lag [samples]")


def _panels(figure: Any, found: Identified, *, sharey: bool) -> list[Any]:
    n = found.prior.n
    across = min(n, ACROSS)
    every: list[Any] = list(figure.subplots(math.ceil(n / across), across, squeeze=False, sharey=sharey).flat)
    for panel in every[n:]:
        panel.set_axis_off()
    for panel, (j, name) in zip(every, enumerate(found.prior.joint_names, 1), strict=False):
        frame(panel)
        panel.set_title(f"{j} {short(name)}", loc="left", fontsize=8)
    return every[:n]


def _finish(figure: Any, panels: list[Any], label: str) -> None:
    for panel in panels[-ACROSS:]:
        panel.set_xlabel(label)
    if any(panel.get_legend_handles_labels()[0] for panel in panels):
        legend(figure, panels)
