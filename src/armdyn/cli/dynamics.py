"""`armdyn dynamics`: everything about one state."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
import typer

from armdyn.cli.options import (
    AcceptOption,
    DegreesOption,
    FrictionOption,
    GravityOption,
    JsonOption,
    LiteralOption,
    LockOption,
    MotorsOption,
    PayloadOption,
    RobotArgument,
    evaluated,
    joint_vector,
    numbers,
    prepared,
)
from armdyn.cli.output import print_json, print_line, print_table
from armdyn.dynamics import Dynamics
from armdyn.errors import InputError, MissingDataError
from armdyn.robot import Robot


def dynamics(
    robot: RobotArgument,
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
            "--at", metavar="X,Y,Z", help="Where it acts, in last-link coordinates [default: the tool]."
        ),
    ] = None,
    motors: MotorsOption = None,
    friction: FrictionOption = None,
    gravity: GravityOption = None,
    payload: PayloadOption = None,
    lock: LockOption = None,
    literal: LiteralOption = False,
    accept_unphysical: AcceptOption = None,
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
    arm = prepared(
        robot,
        gravity=gravity,
        payload=payload,
        lock=lock,
        literal=literal,
        accept_unphysical=accept_unphysical,
        degrees=degrees,
    )
    document = at_state(
        evaluated(arm, motors, friction),
        joint_vector("--q", q, arm, degrees) or list(arm.home),
        joint_vector("--qd", qd, arm, degrees) or [0.0] * arm.n,
        joint_vector("--qdd", qdd, arm, degrees),
        None if tau is None else joint_vector("--tau", tau, arm, degrees=False),
        None if wrench is None else numbers("--wrench", wrench, (6,)),
        None if at is None else numbers("--at", at, (3,)),
    )
    if json:
        print_json(document)
    else:
        print_state(arm, document)


def at_state(
    dyn: Dynamics,
    q: list[float],
    qd: list[float],
    qdd: list[float] | None = None,
    tau: list[float] | None = None,
    wrench: list[float] | None = None,
    at: list[float] | None = None,
) -> dict[str, Any]:
    """Everything about one state, as a JSON document."""
    document: dict[str, Any] = {
        "robot": dyn.robot.name,
        "motors": dyn.motors,
        "friction": "on" if dyn.friction else "off",
        "q": q,
        "qd": qd,
        "mass_matrix": dyn.mass_matrix(q),
        "coriolis_matrix": dyn.coriolis_matrix(q, qd),
        "gravity": dyn.gravity(q),
        "bias": dyn.bias(q, qd, wrench, at=at),
        "kinetic_energy": float(dyn.kinetic_energy(q, qd)),
        "potential_energy": float(dyn.potential_energy(q)),
        "pose": dyn.pose(q),
        "notes": _limit_notes(dyn.robot, q, qd),
    }
    torque: Any = tau
    if qdd is not None:
        terms = dyn.terms(q, qd, qdd, wrench, at=at)
        torque = sum(terms.values())
        reactions = dyn.reactions(q, qd, qdd, wrench, at=at)
        document |= {
            "qdd": qdd,
            "torque": torque,
            "terms": terms,
            "reactions": [
                {"body": body, "force": row[:3], "moment": row[3:]}
                for body, row in zip(dyn.robot.body_names, reactions, strict=True)
            ],
        }
    if tau is not None:
        document |= {"tau": tau, "acceleration": dyn.forward(q, qd, tau, wrench, at=at)}
    if dyn.robot.drives:
        document["motor"] = _motor(dyn, q, qd, torque, document["notes"])
    return document


def _motor(dyn: Dynamics, q: list[float], qd: list[float], torque: Any, notes: list[str]) -> dict[str, Any]:
    motor: dict[str, Any] = {
        "torque": None,
        "velocity": dyn.motor_velocity(q, qd),
        "position": dyn.motor_position(q),
    }
    if torque is not None:
        try:
            motor["torque"] = dyn.motor_torque(q, torque)
        except MissingDataError as error:
            notes.append(str(error))
    return motor


def _limit_notes(robot: Robot, q: list[float], qd: list[float]) -> list[str]:
    """What lies outside the joints' limits."""
    notes: list[str] = []
    for k, (joint, position, velocity) in enumerate(zip(robot.joints, q, qd, strict=True), start=1):
        unit = "rad" if joint.kind == "revolute" else "m"
        subject = f'joint {k} ("{joint.name}")'
        if joint.limits.position is not None:
            lower, upper = joint.limits.position
            if not lower <= position <= upper:
                notes.append(f"{subject}: position {position:g} {unit} is outside [{lower:g}, {upper:g}]")
        if joint.limits.velocity is not None and abs(velocity) > joint.limits.velocity:
            notes.append(f"{subject}: velocity {velocity:g} {unit}/s is above {joint.limits.velocity:g}")
    return notes


# For people -----------------------------------------------------------------------------------


def print_state(robot: Robot, document: dict[str, Any]) -> None:
    """Print the state as tables."""
    print_line(f"{document['robot']}: motors {document['motors']}, friction {document['friction']}")
    _print_joints(robot, document)
    _print_square("mass matrix [kg m2, kg m, kg]", robot, document["mass_matrix"])
    if np.any(document["coriolis_matrix"]):
        _print_square("Coriolis matrix", robot, document["coriolis_matrix"])
    print_table(
        "T_base_tool",
        ("x axis", "y axis", "z axis", "position [m]"),
        [list(row) for row in document["pose"][:3]],
    )
    if "motor" in document:
        _print_motors(robot, document["motor"])
    if "reactions" in document:
        print_table(
            "forces on each body from its parent, in body axes",
            ("body", "force [N]", "moment [N m]"),
            [(r["body"], r["force"], r["moment"]) for r in document["reactions"]],
        )
    print_line(
        f"kinetic energy {document['kinetic_energy']:.6g} J, "
        f"potential energy {document['potential_energy']:.6g} J"
    )
    for note in document["notes"]:
        print_line(f"note: {note}")


def _print_joints(robot: Robot, document: dict[str, Any]) -> None:
    state = {
        name: document[name] for name in ("q", "qd", "qdd", "tau", "acceleration", "bias") if name in document
    }
    names = {"": range(1, robot.n + 1), "joint": robot.joint_names}
    print_table("joints", [*names, *state], zip(*names.values(), *state.values(), strict=True))
    terms = (
        {**document["terms"], "torque": document["torque"]}
        if "terms" in document
        else {"gravity": document["gravity"]}
    )
    print_table("torques [N m, N]", [*names, *terms], zip(*names.values(), *terms.values(), strict=True))


def _print_square(title: str, robot: Robot, matrix: Any) -> None:
    rows = [(name, *row) for name, row in zip(robot.joint_names, matrix, strict=True)]
    print_table(title, ("", *robot.joint_names), rows)


def _print_motors(robot: Robot, motor: dict[str, Any]) -> None:
    names = [drive.name for drive in robot.drives]
    torque = [None] * len(names) if motor["torque"] is None else motor["torque"]
    rows = zip(names, torque, motor["velocity"], motor["position"], strict=True)
    print_table("motors", ("drive", "torque [N m]", "velocity [rad/s]", "position [rad]"), rows)
