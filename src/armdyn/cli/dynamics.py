"""`armdyn dynamics`: everything about one state."""

from __future__ import annotations

from typing import Annotated

import typer

from armdyn.cli.options import (
    AnyMethodOption,
    AnyMotorsOption,
    AtOption,
    DegreesOption,
    FrictionOption,
    JsonOption,
    WrenchOption,
    contact,
    evaluated,
    joint_vector,
    numbers,
    of_robot,
)
from armdyn.cli.output import print_json
from armdyn.cli.state import at_state, print_state
from armdyn.errors import InputError, MissingDataError, counted
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
    motor_torque: Annotated[
        str | None,
        typer.Option("--motor-torque", metavar="T1,..", help="Motor torques in place of --tau."),
    ] = None,
    current: Annotated[
        str | None,
        typer.Option("--current", metavar="I1,..", help="Motor currents [A] in place of --tau."),
    ] = None,
    wrench: WrenchOption = None,
    at: AtOption = None,
    motors: AnyMotorsOption = None,
    method: AnyMethodOption = None,
    friction: FrictionOption = None,
    degrees: DegreesOption = False,
    json: JsonOption = False,
) -> None:
    """Evaluate a robot at one state: mass matrix, bias, energies, torques or accelerations."""
    _check_one(**{"--qdd": qdd, "--tau": tau, "--motor-torque": motor_torque, "--current": current})
    touching = contact(wrench, at)
    positions = joint_vector("--q", q, arm, degrees) or list(arm.home)
    velocities = joint_vector("--qd", qd, arm, degrees) or [0.0] * arm.n
    dyn = evaluated(arm, motors, friction, method)
    torques = None if tau is None else joint_vector("--tau", tau, arm, degrees=False)
    if motor_torque is not None:
        torques = dyn.torque_of_motors(positions, _of_drives("--motor-torque", motor_torque, arm)).tolist()
    if current is not None:
        torques = dyn.torque_of_currents(positions, _of_drives("--current", current, arm)).tolist()
    document = at_state(
        dyn,
        positions,
        velocities,
        joint_vector("--qdd", qdd, arm, degrees),
        torques,
        *touching,
    )
    if motors == "all":
        from armdyn.studies.motor_models import compare_motor_models

        document["comparison"] = compare_motor_models(arm, positions, None if qd is None else velocities)
        if arm.drives:
            from armdyn.studies.drive_forms import drive_forms

            accelerations = document.get("qdd", document.get("acceleration", [0.0] * arm.n))
            motion = (positions, velocities, accelerations, document["wrench"], document["at"])
            try:
                document["drive_forms"] = drive_forms(arm, *motion, friction=dyn.friction).document()
            except MissingDataError as error:
                document["notes"].append(str(error))
    if method == "all":
        from armdyn.studies.formulations import compare_formulations

        accelerations = document.get("qdd", [0.0] * arm.n)
        model = document["motors"]
        document |= compare_formulations(arm, positions, velocities, accelerations, model)
    if json:
        print_json(document)
    else:
        print_state(arm, document)


def _check_one(**given: str | None) -> None:
    """Refuse accelerations beside torques, and torques given twice."""
    first, *others = [option for option, text in given.items() if text is not None] or [""]
    if others:
        raise InputError(
            f"{first} and {others[0]} are both given, expected one: "
            "accelerations give torques, torques accelerations"
        )


def _of_drives(option: str, text: str, robot: Robot) -> list[float]:
    """One number per drive."""
    values, count = numbers(option, text), len(robot.drives)
    if len(values) != count:
        has = f'robot "{robot.name}" has {counted(count, "drive")}'
        raise InputError(f"{option} has {counted(len(values), 'value')}; {has}, expected {count}")
    return values
