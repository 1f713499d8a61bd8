"""A robot as a thing to draw."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from armdyn.dynamics import Dynamics
from armdyn.errors import ArmdynError
from armdyn.feasibility.actuators import Actuators
from armdyn.robot import BASE, Body, Drive, Payload, Robot, Tool
from armdyn.robot import Visual as Shape
from armdyn.spatial import Inertia
from armdyn.studio.messages.scene import (
    BodyScene,
    DriveScene,
    EllipsoidScene,
    JointScene,
    PayloadScene,
    RobotScene,
    ToolScene,
    Visual,
)
from armdyn.studio.robots import Ready
from armdyn.studio.scenes.drawn import Drawing
from armdyn.studio.scenes.meshes import Meshes
from armdyn.studio.scenes.shapes import array, columns, matrix_of

ALUMINIUM = 2700.0
"""[kg/m3]"""
Addressed = Callable[[str], str | None]


def scene(ready: Ready, meshes: Meshes) -> RobotScene:
    """A robot with all that a page draws of it."""
    robot, dyn = ready.robot, ready.dyn
    drawing = Drawing(robot)
    visuals, missing = _visuals(robot, drawing, meshes.address)
    place = _places(robot)
    return RobotScene(
        name=robot.name,
        robot=ready.name,
        description=robot.description,
        source=robot.source,
        n=robot.n,
        motors=dyn.motors,
        friction=dyn.friction,
        gravity=array(robot.gravity).tolist(),
        home=list(robot.home),
        notes=[*robot.notes, *(_said(body, mesh) for body, mesh in missing)],
        missing_meshes=list(dict.fromkeys(mesh for _, mesh in missing)),
        joints=[_joint(robot, body) for body in robot.bodies if body.joint.independent],
        bodies=[
            _body(body, place[body.parent], shapes)
            for body, shapes in zip(robot.bodies, visuals, strict=True)
        ],
        base_visuals=drawing.base() if _is_drawn(robot) else [],
        tool=tool_scene(robot, robot.tool),
        payloads=[payload_scene(robot, payload) for payload in robot.payloads],
        drives=[_drive(drive) for drive in robot.drives],
        locked=list(robot.locked_joints),
        total_mass=robot.total_mass,
        size=_size(dyn, drawing),
        can_verify=_can_verify(robot),
    )


def _places(robot: Robot) -> dict[str, int]:
    return {BASE: -1, **{name: k for k, name in enumerate(robot.body_names)}}


def _size(dyn: Dynamics, drawing: Drawing) -> float:
    """How far anything is from the base, at home at least, or stretched out."""
    home = dyn.body_poses(np.array(dyn.robot.home))[:, :3, 3]
    return float(max(np.linalg.norm(home, axis=1).max(), 0.7 * drawing.reach))


def _can_verify(robot: Robot) -> bool:
    try:
        Actuators.of(robot)
    except ArmdynError:
        return False
    return True


# Shapes ---------------------------------------------------------------------------------------


def _is_drawn(robot: Robot) -> bool:
    """Whether the file says nothing of what the robot looks like."""
    return not any(body.visuals for body in robot.bodies)


def _said(body: str, mesh: str) -> str:
    return f'body "{body}": no mesh "{mesh}" below the folder; it is drawn'


def _visuals(
    robot: Robot, drawing: Drawing, address: Addressed
) -> tuple[list[list[Visual]], list[tuple[str, str]]]:
    """Shapes of every body, and bodies with meshes that could not be found; such a body is drawn."""
    if _is_drawn(robot):
        return [drawing.body(body) for body in robot.bodies], []
    found: list[list[Visual]] = []
    missing: list[tuple[str, str]] = []
    for body in robot.bodies:
        lost = [s.mesh or "" for s in body.visuals if s.shape == "mesh" and address(s.mesh or "") is None]
        missing += [(body.name, mesh) for mesh in lost]
        found.append(drawing.body(body) if lost else [_of_file(shape, address) for shape in body.visuals])
    return found, missing


def _of_file(shape: Shape, address: Addressed) -> Visual:
    is_mesh = shape.shape == "mesh"
    return Visual(
        shape=shape.shape,
        size=[] if is_mesh else list(shape.size),
        mesh=address(shape.mesh or "") if is_mesh else None,
        scale=list(shape.size) or [1.0, 1.0, 1.0] if is_mesh else None,
        matrix=columns(matrix_of(shape.placement)),
        color=None if shape.color is None else list(shape.color),
    )


# Parts ----------------------------------------------------------------------------------------


def _body(body: Body, parent: int, shapes: list[Visual]) -> BodyScene:
    return BodyScene(
        name=body.name,
        parent=parent,
        visuals=shapes,
        mass=float(body.inertia.mass),
        com=array(body.inertia.com).tolist(),
        ellipsoid=_ellipsoid(body.inertia),
    )


def _ellipsoid(inertia: Inertia) -> EllipsoidScene | None:
    """The ellipsoid of even density with the same mass and inertia: I_x = m (r_y^2 + r_z^2)/5."""
    tensor = array(inertia.tensor)
    if not inertia.mass or not tensor.any():
        return None
    moments, axes = np.linalg.eigh(tensor)
    squares = 2.5 / inertia.mass * (moments.sum() - 2 * moments)
    place = np.eye(4)
    place[:3, :3] = axes if np.linalg.det(axes) > 0 else axes * [1, 1, -1]
    place[:3, 3] = array(inertia.com)
    return EllipsoidScene(matrix=columns(place), radii=np.sqrt(np.maximum(squares, 0.0)).tolist())


def _joint(robot: Robot, body: Body) -> JointScene:
    joint, limits = body.joint, body.joint.limits
    T_body_joint = matrix_of(joint.frame.inverse())
    lower, upper = limits.position or (None, None)
    assert joint.kind != "fixed"
    return JointScene(
        name=joint.name,
        kind=joint.kind,
        body=robot.bodies.index(body),
        axis=(T_body_joint[:3, :3] @ array(joint.axis)).tolist(),
        at=T_body_joint[:3, 3].tolist(),
        lower=lower,
        upper=upper,
        velocity=limits.velocity,
        acceleration=limits.acceleration,
        effort=limits.effort,
    )


def tool_scene(robot: Robot, tool: Tool) -> ToolScene:
    """A tool's frame."""
    return ToolScene(body=_places(robot)[tool.body], matrix=columns(matrix_of(tool.placement)))


def payload_scene(robot: Robot, payload: Payload) -> PayloadScene:
    """Something held, as a ball."""
    mass = float(payload.inertia.mass)
    return PayloadScene(
        body=_places(robot)[payload.body],
        mass=mass,
        com=array(payload.inertia.com).tolist(),
        radius=float((3 * mass / (4 * np.pi * ALUMINIUM)) ** (1 / 3)),
    )


def _drive(drive: Drive) -> DriveScene:
    motor, weights = drive.motor, drive.coupling.weights
    steady = drive.coupling.law is None and len(weights) == 1
    return DriveScene(
        name=drive.name,
        joint=drive.joint or None,
        torque=motor.peak_torque or motor.stall_torque,
        rated_torque=motor.rated_torque,
        speed=motor.maximum_speed,
        ratio=float(weights[0][1]) if steady else None,
    )
