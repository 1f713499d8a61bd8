"""`armdyn counts`: the operations of every formulation."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from armdyn.cli.options import (
    JsonOption,
    of_robot,
)
from armdyn.cli.output import print_json, print_line
from armdyn.mechanics.methods import METHODS
from armdyn.mechanics.tree.motors import MotorModel
from armdyn.robot import Robot

QUANTITIES = "inverse, forward, mass_matrix, bias, gravity"


@of_robot
def counts(
    arm: Robot,
    motors: Annotated[
        MotorModel, typer.Option("--motors", help="How much of the drives the equations see.")
    ] = "none",
    method: Annotated[
        str | None,
        typer.Option("--method", metavar="NAME,..", help=f"Of {', '.join(METHODS)} [default: all]."),
    ] = None,
    quantity: Annotated[
        str | None,
        typer.Option("--quantity", metavar="NAME,..", help=f"Of {QUANTITIES} [default: all]."),
    ] = None,
    growth: Annotated[
        bool, typer.Option("--growth", help="Show how operations grow with the number of joints.")
    ] = False,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="Draw the growth: .svg, .png or .pdf.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Count the operations of every formulation, as written and optimised; friction is never counted."""
    # what counts takes long to import, and every other command would wait for it
    from armdyn.cli.counted import count, print_counted
    from armdyn.report.drawing import check_figure
    from armdyn.studies.growth_figure import save_growth_figure

    if plot is not None:
        check_figure(plot)
    grown = json or growth or plot is not None
    counted = count(arm, motors, _names(quantity), _names(method), grown=grown)
    if plot is not None:
        save_growth_figure(counted.curves, plot)
    if json:
        print_json(counted.document())
        return
    print_counted(counted, growth=growth)
    if plot is not None:
        print_line(f"figure: {plot}")


def _names(text: str | None) -> list[str] | None:
    return None if text is None else [name.strip() for name in text.split(",")]
