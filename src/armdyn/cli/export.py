"""`armdyn export`: the model elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from armdyn.cli.options import FrictionOption, JsonOption, MethodOption, MotorsOption, of_robot
from armdyn.robot import Robot

TARGETS_HELP = (
    "casadi: a function for each quantity; toml: a robot file, nothing lost; urdf: links and joints."
)


@of_robot
def export(
    arm: Robot,
    to: Annotated[str, typer.Option("--to", metavar="TARGET", help=TARGETS_HELP)],
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", help="Folder for the files, made if it is not there.")
    ],
    quantities: Annotated[
        str | None,
        typer.Option(
            "--quantities", metavar="A,B,..", help="What to write [default: the usual ones] (casadi)."
        ),
    ] = None,
    inputs: Annotated[
        str | None,
        typer.Option(
            "--inputs",
            metavar="A,B,..",
            help="Inputs that functions have besides: of wrench, at, base, added, rubbing, ways (casadi).",
        ),
    ] = None,
    motors: MotorsOption = None,
    friction: FrictionOption = None,
    method: MethodOption = None,
    json: JsonOption = False,
) -> None:
    """Write a robot for something else: functions for CasADi, a robot file, a URDF."""
    from armdyn.cli.exported import exported, tell

    asked = {
        "--quantities": ("quantities", quantities),
        "--motors": ("motors", motors),
        "--friction": ("friction", friction),
        "--method": ("method", method),
    }
    tell(arm, to, exported(arm, to, out, asked, inputs), json=json)
