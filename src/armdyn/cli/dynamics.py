"""`armdyn dynamics`: everything about one state."""

from __future__ import annotations

from typing import Annotated

import typer

from armdyn.cli.options import (
    AnyMethodOption,
    AnyMotorsOption,
    DegreesOption,
    FrictionOption,
    JsonOption,
    evaluated,
    joint_vector,
    numbers,
    of_robot,
)
from armdyn.cli.output import print_json
from armdyn.cli.state import at_state, print_state
from armdyn.errors import InputError
from armdyn.robot import Robot


@of_robot
def dynamics(
    arm: Robot,
    q: Annotated[
        str | None, typer.Option("--q", metavar="Q1,..", help="Joint positions [default: home].")
    ] = None,
    qd: Annotated[
        str | None, typer.Option("--qd", metavar="V1,..", help="Joint velocities [default: 0].")
    ] = None,
    qdd: Annotated[
        str | None, typer.Option("--qdd", metavar="A1,..", help="Accelerations: gives torques.")
    ] = None,
    tau: Annotated[
        str | None, typer.Option("--tau", metavar="T1,..", help="Torques: gives accelerations.")
    ] = None,
    wrench: Annotated[
        str | None,
        typer.Option(
            "--wrench",
            metavar="FX,FY,FZ,MX,MY,MZ",
            help="What the tool exerts on its surroundings, base axes.",
        ),
    ] = None,
    at: Annotated[
        str | None,
        typer.Option(
            "--at",
            metavar="X,Y,Z",
            help="Where it acts, in coordinates of the body that carries the tool [default: the tool].",
        ),
    ] = None,
    motors: AnyMotorsOption = None,
    method: AnyMethodOption = None,
    friction: FrictionOption = None,
    degrees: DegreesOption = False,
    json: JsonOption = False,
) -> None:
    """Evaluate a robot at one state: mass matrix, bias, energies, torques or accelerations."""
    if qdd is not None and tau is not None:
        raise InputError(
            "--qdd and --tau are both given, expected one: accelerations give torques, torques accelerations"
        )
    if at is not None and wrench is None:
        raise InputError("--at says where a wrench acts, but there is none; add --wrench")
    positions = joint_vector("--q", q, arm, degrees) or list(arm.home)
    velocities = joint_vector("--qd", qd, arm, degrees) or [0.0] * arm.n
    document = at_state(
        evaluated(arm, motors, friction, method),
        positions,
        velocities,
        joint_vector("--qdd", qdd, arm, degrees),
        None if tau is None else joint_vector("--tau", tau, arm, degrees=False),
        None if wrench is None else numbers("--wrench", wrench, (6,)),
        None if at is None else numbers("--at", at, (3,)),
    )
    if motors == "all":
        from armdyn.studies.motor_models import compare_motor_models

        document["comparison"] = compare_motor_models(arm, positions, None if qd is None else velocities)
    if method == "all":
        from armdyn.studies.formulations import compare_formulations

        accelerations = document.get("qdd", [0.0] * arm.n)
        model = document["motors"]
        document |= compare_formulations(arm, positions, velocities, accelerations, model)
    if json:
        print_json(document)
    else:
        print_state(arm, document)
