"""`armdyn export`: the model elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from armdyn.cli.options import FrictionOption, JsonOption, MethodOption, MotorsOption, of_robot
from armdyn.robot import Robot

TARGETS_HELP = (
    "c: functions for a controller; fmu: a simulated arm; casadi: a function for each quantity; "
    "toml: a robot file, nothing lost; urdf: links and joints."
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
            "--quantities", metavar="A,B,..", help="What to write [default: the usual ones] (c, casadi)."
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
    single: Annotated[
        bool, typer.Option("--float", help="Single precision throughout [default: double] (c).")
    ] = False,
    prefix: Annotated[
        str | None,
        typer.Option("--prefix", metavar="NAME", help="How names begin [default: as the robot] (c)."),
    ] = None,
    driven_by: Annotated[
        Literal["torque", "motor_torque", "current", "voltage"] | None,
        typer.Option("--driven-by", help="What drives the arm [default: torque] (fmu)."),
    ] = None,
    integrator: Annotated[
        Literal["euler", "semi_implicit", "rk4"] | None,
        typer.Option("--integrator", help="Of the solver [default: rk4] (fmu)."),
    ] = None,
    dt: Annotated[
        float | None, typer.Option("--dt", metavar="T", help="Its step [s] [default: 0.001] (fmu).")
    ] = None,
    no_build: Annotated[
        bool, typer.Option("--no-build", help="Sources only, nothing compiled (fmu).")
    ] = False,
    motors: MotorsOption = None,
    friction: FrictionOption = None,
    method: MethodOption = None,
    json: JsonOption = False,
) -> None:
    """Write a robot for something else: C, an FMU, functions for CasADi, a robot file, a URDF."""
    from armdyn.cli.exported import exported, tell

    asked = {
        "--quantities": ("quantities", quantities),
        "--float": ("single", single or None),
        "--prefix": ("prefix", prefix),
        "--driven-by": ("driven_by", driven_by),
        "--integrator": ("integrator", integrator),
        "--dt": ("dt", dt),
        "--no-build": ("build", False if no_build else None),
        "--motors": ("motors", motors),
        "--friction": ("friction", friction),
        "--method": ("method", method),
    }
    tell(arm, to, exported(arm, to, out, asked, inputs), json=json)
