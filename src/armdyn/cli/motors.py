"""`armdyn motors`: what a motion asks of the motors."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from armdyn.cli.options import (
    AtOption,
    DegreesOption,
    FrictionOption,
    JsonOption,
    LockOption,
    MotorsOption,
    WrenchOption,
    contact,
    evaluated,
    of_robot,
)
from armdyn.cli.output import print_json
from armdyn.errors import InputError
from armdyn.robot import Robot

BEYOND = 1


@of_robot
def motors(
    arm: Robot,
    motion: Annotated[
        Path,
        typer.Argument(metavar="MOTION", help="A .csv or .parquet file with columns time, q1, q2 and so on."),
    ],
    motors: MotorsOption = None,
    friction: FrictionOption = None,
    wrench: WrenchOption = None,
    at: AtOption = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="Write motion, torques, currents: .csv or .parquet."),
    ] = None,
    figure: Annotated[
        Path | None,
        typer.Option("--figure", metavar="FILE", help="Draw torques over speeds: .svg, .png or .pdf."),
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Exit 1 if a motor is beyond its limits.")] = False,
    lock: LockOption = None,
    degrees: DegreesOption = False,
    json: JsonOption = False,
) -> None:
    """Say what a motion asks of the motors: torque, speed, current, energy, and the share of every limit."""
    # what reads motions takes long to import, and every other command would wait for it
    from armdyn.cli.motors_used import check_files, print_used, used

    if lock is not None:
        raise InputError("--lock is not for a motion from a file: it says how every joint moves")
    if degrees:
        raise InputError("--degrees is not for files: title the columns q1[deg]")
    touching = contact(wrench, at)
    check_files(motion, out, figure)
    result = used(evaluated(arm, motors, friction), motion, *touching)
    files = result.write(out, figure)
    if json:
        print_json(result.document(files))
    else:
        print_used(result, files)
    if strict and not result.use.within:
        raise typer.Exit(BEYOND)
