"""Operations against error as a figure: what a shorter equation costs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from armdyn.equations.simplified import SimplifiedEquation
from armdyn.report.drawing import check_figure, drawing, frame, legend, new_figure, save, style


def save_trade_off_figure(curves: Sequence[Sequence[SimplifiedEquation]], path: Path) -> None:
    """A line for each equation that is no constant: mean error over mean value against operations."""
    check_figure(path)
    with drawing("trade-off"):
        figure = new_figure((6.5, 4.2))
        panel = figure.add_subplot()
        for k, curve in enumerate(curve for curve in curves if len(curve) > 1):
            inexact = [point for point in curve if not point.short.exact]
            operations = [point.short.operations.total for point in inexact]
            errors = [100 * point.short.relative_mean for point in inexact]
            panel.plot(operations, errors, marker="o", markersize=3, label=_label(curve), **style(k))
        panel.set_yscale("log")
        panel.set_xlabel("operations, sines and cosines given")
        panel.set_ylabel("mean error / mean value [%]")
        frame(panel)
        legend(figure, [panel])
        save(figure, path)


def _label(curve: Sequence[SimplifiedEquation]) -> str:
    """The element, and what it takes exactly: a point at zero has no place on a logarithmic axis."""
    exact = [point.short.operations.total for point in curve if point.short.exact]
    return curve[0].equation.name + (f", exact with {min(exact)}" if exact else "")
