"""`armdyn coefficients`: the dynamic coefficients at one state."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from armdyn.cli.motor_models import print_comparison
from armdyn.cli.options import (
    AnyMotorsOption,
    DegreesOption,
    JsonOption,
    MethodOption,
    evaluated,
    joint_vector,
    of_robot,
)
from armdyn.cli.output import print_json, print_line, print_table
from armdyn.robot import Robot


@of_robot
def coefficients(
    arm: Robot,
    q: Annotated[
        str | None, typer.Option("--q", metavar="Q1,..", help="Joint positions [default: home].")
    ] = None,
    motors: AnyMotorsOption = None,
    method: MethodOption = None,
    degrees: DegreesOption = False,
    json: JsonOption = False,
) -> None:
    """Give the dynamic coefficients: gravity D_i, inertia D_ij and velocity D_ijk."""
    dyn = evaluated(arm, motors, "off", method)
    at = joint_vector("--q", q, arm, degrees) or list(arm.home)
    document: dict[str, Any] = {
        "robot": arm.name,
        "motors": dyn.motors,
        "method": dyn.method,
        "methods": {given: dyn.method_of(given) for given in ("inverse", "mass_matrix")},
        "q": at,
        "gravity": dyn.gravity(at),
        "inertia": dyn.mass_matrix(at),
        "velocity": dyn.velocity_coefficients(at),
    }
    if motors == "all":
        from armdyn.studies.motor_models import compare_motor_models

        document["comparison"] = compare_motor_models(arm, at)
    if json:
        print_json(document)
    else:
        _print(arm, document)


def _print(robot: Robot, document: dict[str, Any]) -> None:
    by = document["methods"]
    print_line(f"{document['robot']}: motors {document['motors']}")
    print_line(f"gravity and velocity by {by['inverse']}, inertia by {by['mass_matrix']}")
    rows = zip(robot.joint_names, document["q"], document["gravity"], strict=True)
    print_table("gravity D_i [N m, N]", ("joint", "q [rad, m]", "D_i"), rows)
    named = zip(robot.joint_names, document["inertia"], strict=True)
    print_table(
        "inertia D_ij [kg m2, kg m, kg]", ("", *robot.joint_names), [(name, *row) for name, row in named]
    )
    for name, matrix in zip(robot.joint_names, document["velocity"], strict=True):
        rows = [(other, *row) for other, row in zip(robot.joint_names, matrix, strict=True)]
        print_table(f"velocity D_ijk felt at {name}", ("", *robot.joint_names), rows)
    if "comparison" in document:
        print_comparison(robot, document["comparison"])
