"""`armdyn show`: the model, checked."""

from __future__ import annotations

from typing import Any

from armdyn.cli.options import (
    AcceptOption,
    JsonOption,
    LiteralOption,
    LockOption,
    MotorsOption,
    PayloadOption,
    RobotArgument,
    prepared,
)
from armdyn.cli.output import print_json, print_line, print_table
from armdyn.mechanics.motors import check_motors
from armdyn.robot import Body, Coupling, Drive, Friction, Joint, Robot


def show(
    robot: RobotArgument,
    motors: MotorsOption = None,
    payload: PayloadOption = None,
    lock: LockOption = None,
    literal: LiteralOption = False,
    accept_unphysical: AcceptOption = None,
    json: JsonOption = False,
) -> None:
    """Show a robot as armdyn understood it: joints, bodies, drives, and what to know about it."""
    arm = prepared(robot, payload=payload, lock=lock, literal=literal, accept_unphysical=accept_unphysical)
    model = check_motors(arm, motors)
    document = described(arm, model)
    if json:
        print_json(document)
        return
    _print(arm, document)


def described(robot: Robot, motors: str) -> dict[str, Any]:
    """The robot as a JSON document."""
    return {
        "name": robot.name,
        "description": robot.description,
        "source": robot.source,
        "joints": [_joint(k + 1, joint) for k, joint in enumerate(robot.joints)],
        "bodies": [_body(body) for body in robot.bodies],
        "drives": [_drive(drive) for drive in robot.drives],
        "payloads": [{"body": p.body, "mass": p.inertia.mass, "com": p.inertia.com} for p in robot.payloads],
        "tool": {
            "body": robot.tool.body,
            "translation": robot.tool.placement.translation,
            "rotation": robot.tool.placement.rotation,
        },
        "home": robot.home,
        "gravity": robot.gravity,
        "total_mass": robot.total_mass,
        "motors": motors,
        "notes": notes(robot),
    }


def notes(robot: Robot) -> list[str]:
    """What a user should know about the model."""
    accepted = [
        f'body "{body.name}": unphysical inertia accepted, {body.accept_unphysical}'
        for body in robot.bodies
        if body.accept_unphysical and body.inertia.unphysical()
    ]
    return [*robot.notes, *accepted]


def _joint(number: int, joint: Joint) -> dict[str, Any]:
    return {
        "number": number,
        "name": joint.name,
        "kind": joint.kind,
        "limits": vars(joint.limits),
        "friction": vars(joint.friction),
    }


def _body(body: Body) -> dict[str, Any]:
    return {
        "name": body.name,
        "parent": body.parent,
        "joint": body.joint.name,
        "kind": body.joint.kind,
        "follows": None if body.joint.coupling is None else _formula(body.joint.coupling),
        "mass": body.inertia.mass,
        "com": body.inertia.com,
        "tensor": body.inertia.tensor,
        "visuals": len(body.visuals),
    }


def _drive(drive: Drive) -> dict[str, Any]:
    rotor = drive.rotor
    return {
        "name": drive.name,
        "joint": drive.joint or None,
        "position": _formula(drive.coupling),
        "weights": dict(drive.coupling.weights),
        "rotor": None
        if rotor is None
        else {
            "axial": rotor.axial,
            "transverse": rotor.transverse,
            "mass": rotor.mass,
            "carrier": rotor.carrier,
        },
        "joint_inertia": drive.joint_inertia,
        "stages": len(drive.stages),
        "motor": vars(drive.motor),
        "friction": vars(drive.friction),
    }


def _formula(coupling: Coupling) -> str:
    """A coupling as people write it: 1.714 joint4 + 219.4 joint5."""
    parts = [f"{weight:.6g} {name}" if weight != 1 else name for name, weight in coupling.weights]
    if coupling.offset or not parts:
        parts.append(f"{coupling.offset:.6g}")
    inner = " + ".join(parts).replace("+ -", "- ")
    return inner if coupling.law is None else f"screw({inner})"


def _print(robot: Robot, document: dict[str, Any]) -> None:
    print_line(f"{robot.name}: {robot.description}".rstrip(": "))
    print_line(f"source: {robot.source or 'not given'}")
    print_line(
        f"{robot.n} joints, {len(robot.bodies)} bodies, {len(robot.drives)} drives, "
        f"{robot.total_mass:.6g} kg, motors: {document['motors']}"
    )
    _print_joints(robot)
    _print_bodies(robot)
    if robot.drives:
        _print_drives(robot)
    for note in document["notes"]:
        print_line(f"note: {note}")


def _print_joints(robot: Robot) -> None:
    columns = ("", "name", "kind", "position", "velocity", "acceleration", "effort", "friction")
    rows = [
        (k, joint.name, joint.kind, *vars(joint.limits).values(), _friction(joint.friction))
        for k, joint in enumerate(robot.joints, start=1)
    ]
    print_table("joints [rad, m, N m, N, s]", columns, rows)


def _print_bodies(robot: Robot) -> None:
    columns = ("name", "on", "by", "mass [kg]", "centre of mass [m]", "Ixx, Iyy, Izz [kg m2]")
    rows: list[tuple[Any, ...]] = []
    for body in robot.bodies:
        joint, inertia = body.joint, body.inertia
        by = joint.name if joint.coupling is None else f"{joint.name} = {_formula(joint.coupling)}"
        moments = [inertia.tensor[k][k] for k in range(3)]
        rows.append((body.name, body.parent, by, inertia.mass, inertia.com, moments))
    print_table("bodies", columns, rows)


def _print_drives(robot: Robot) -> None:
    columns = (
        "name",
        "turns by",
        "inertia [kg m2]",
        "peak or stall torque [N m]",
        "speed [rad/s]",
        "friction",
    )
    rows: list[tuple[Any, ...]] = []
    for drive in robot.drives:
        inertia = drive.rotor.axial if drive.rotor else drive.joint_inertia
        torque = drive.motor.peak_torque or drive.motor.stall_torque
        friction = _friction(drive.friction)
        rows.append(
            (drive.name, _formula(drive.coupling), inertia, torque, drive.motor.maximum_speed, friction)
        )
    print_table("drives", columns, rows)


def _friction(friction: Friction) -> str:
    given: dict[str, Any] = {k: v for k, v in vars(friction).items() if v not in (None, False, 0)}
    return ", ".join(f"{k} {v:.6g}" if not isinstance(v, bool) else k for k, v in given.items()) or "-"
