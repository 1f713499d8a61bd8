"""`armdyn show`: the model, checked."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from armdyn.cli.gear_drawing import ASCII, BOXES, gear_drawing
from armdyn.cli.options import (
    JsonOption,
    MotorsOption,
    of_robot,
)
from armdyn.cli.output import print_json, print_line, print_table, shown
from armdyn.cli.state import limit_notes
from armdyn.mechanics.drives import gear_matrix
from armdyn.mechanics.frames import jacobian
from armdyn.mechanics.tree import tree
from armdyn.mechanics.tree.motors import check_motors
from armdyn.robot import Body, Coupling, Drive, Friction, Joint, Robot
from armdyn.spatial import Transform
from armdyn.spatial.inertia import NO_TENSOR


@of_robot
def show(
    arm: Robot,
    motors: MotorsOption = None,
    json: JsonOption = False,
) -> None:
    """Show a robot as armdyn understood it: joints, bodies, drives, and what to know about it."""
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
        "gear_matrix": _gear_matrix(robot),
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
    accepted = [body for body in robot.bodies if body.accept_unphysical and body.inertia.unphysical()]
    found = [
        *robot.notes,
        *(f'body "{b.name}": unphysical inertia accepted, {b.accept_unphysical}' for b in accepted),
    ]
    points = [body.name for body in robot.bodies if body.inertia.mass and body.inertia.tensor == NO_TENSOR]
    if points:
        found.append(f"without a tensor, hence point masses: {', '.join(points)}")
    found += [f"home, {note}" for note in limit_notes(robot, list(robot.home), [0.0] * robot.n)]
    return found


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


def _gear_matrix(robot: Robot) -> dict[str, Any]:
    """K at home, one row per motor, and which motors' rows change with q."""
    nonlinear = [d.name for d in robot.drives if d.coupling.law is not None and d.coupling.weights]
    return {
        "joints": robot.joint_names,
        "motors": [drive.name for drive in robot.drives],
        "K": [[float(ratio) for ratio in row] for row in gear_matrix(robot, robot.home)],
        "constant": not nonlinear,
        "nonlinear": nonlinear,
        "at": robot.home,
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
    _print_surroundings(robot)
    _print_joints(robot)
    _print_bodies(robot)
    if robot.drives:
        _print_drives(robot)
        _print_gears(robot)
    for note in document["notes"]:
        print_line(f"note: {note}")


def _print_surroundings(robot: Robot) -> None:
    """Tool, home, gravity, payloads and base motion, where there is something to say."""
    print_line(f"tool: {_place(robot.tool.placement)} on {robot.tool.body}")
    print_line(f"home: {shown(robot.home)}    gravity: {shown(robot.gravity)} m/s2")
    for payload in robot.payloads:
        inertia = payload.inertia
        print_line(f"payload: {shown(inertia.mass)} kg at {shown(inertia.com)} m on {payload.body}")
    for name, value in vars(robot.base_motion).items():
        if any(value):
            print_line(f"base {name.replace('_', ' ')}: {shown(value)}")


def _place(T: Transform) -> str:
    turned = "" if T.rotation == Transform().rotation else f", axes {shown(sum(T.rotation, ()))} by rows"
    return f"{shown(T.translation)} m{turned}"


def _print_joints(robot: Robot) -> None:
    columns = ("", "name", "kind", "axis", "position", "velocity", "accel.", "effort", "friction")
    built, home = tree(robot, "none"), [0.0] * robot.n
    rows: list[tuple[Any, ...]] = []
    for k, joint in enumerate(robot.joints):
        body = next(b.name for b in robot.bodies if b.joint is joint)
        column = np.array([row[k] for row in jacobian(built, home, built.frames[body])], float)
        axis = column[3:] if joint.kind == "revolute" else column[:3]
        limits, friction = vars(joint.limits).values(), _friction(joint.friction)
        rows.append((k + 1, joint.name, joint.kind, axis, *limits, friction))
    print_table("joints [rad, m, N m, N, s], axes in base at q = 0", columns, rows)


def _print_bodies(robot: Robot) -> None:
    columns = ("name", "on", "by", "mass [kg]", "centre of mass [m]", "Ixx Iyy Izz Ixy Ixz Iyz [kg m2]")
    rows: list[tuple[Any, ...]] = []
    for body in robot.bodies:
        joint, inertia, tensor = body.joint, body.inertia, body.inertia.tensor
        by = joint.name if joint.coupling is None else f"{joint.name} = {_formula(joint.coupling)}"
        products = [tensor[0][1], tensor[0][2], tensor[1][2]]
        moments = [*(tensor[k][k] for k in range(3)), *(products if any(products) else [])]
        rows.append((body.name, body.parent, by, inertia.mass, inertia.com, moments))
    print_table("bodies", columns, rows)


def _print_drives(robot: Robot) -> None:
    columns = ("name", "turns by", "inertia", "torque", "speed", "friction")
    rows: list[tuple[Any, ...]] = []
    for drive in robot.drives:
        inertia = drive.rotor.axial if drive.rotor else drive.joint_inertia
        torque = drive.motor.peak_torque or drive.motor.stall_torque
        speed, friction = drive.motor.maximum_speed, _friction(drive.friction)
        rows.append((drive.name, _formula(drive.coupling), inertia, torque, speed, friction))
    print_table("drives [rad, kg m2, peak or stall N m, rad/s]", columns, rows)


def _print_gears(robot: Robot) -> None:
    """The gear coupling as a picture, in letters where the output knows no lines."""
    glyphs = BOXES if BOXES.drawable_in(sys.stdout.encoding or "ascii") else ASCII
    for line in gear_drawing(robot, glyphs=glyphs):
        print_line(line)
    print_line("")


def _friction(friction: Friction) -> str:
    given: dict[str, Any] = {k: v for k, v in vars(friction).items() if v not in (None, False, 0)}
    return ", ".join(f"{k} {v:.6g}" if not isinstance(v, bool) else k for k, v in given.items()) or "-"
