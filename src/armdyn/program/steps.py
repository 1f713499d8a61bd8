"""From values in mm and degrees to steps in SI, for one robot."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from armdyn.errors import InertiaError, counted
from armdyn.motion.moves import JointTarget, OrientationRule, PathMove, PointToPoint, Target
from armdyn.program.operations import fault
from armdyn.program.tree import Place
from armdyn.program.values import Joints, RobTarg, Triple
from armdyn.robot import Payload, Robot
from armdyn.spatial import Inertia, Mat3, Transform, Vec3
from armdyn.spatial.rotation import from_rpy
from armdyn.spatial.vector import diagonal

_RULES: dict[str, OrientationRule] = {"o_var": "var", "o_pco": "pco", "o_pvo": "pvo"}


def metres(position: Triple) -> Vec3:
    """A position [mm] in m."""
    x, y, z = position
    return x / 1e3, y / 1e3, z / 1e3


def rotation(orientation: Triple) -> Mat3:
    """R = Rz(A) Ry(B) Rx(C) of A, B, C [deg]."""
    a, b, c = map(math.radians, orientation)
    return from_rpy(c, b, a)


def target(value: RobTarg | Triple, name: str) -> Target:
    """Where the tool shall be; a position alone keeps the orientation."""
    if not isinstance(value, RobTarg):
        return Target(metres(value), name=name)
    turned = None if value.orientation is None else rotation(value.orientation)
    return Target(metres(value.position), turned, value.status, name)


def joint_target(value: Joints, name: str, robot: Robot, at: Place) -> JointTarget:
    """Where the joints shall be: those that turn in rad, those that slide in m."""
    if len(value.values) > robot.n:
        given = counted(len(value.values), "joint value")
        raise fault(f'{given}, robot "{robot.name}" has {counted(robot.n, "joint")}', at)
    pairs = zip(value.values, robot.joints, strict=False)
    q = (x / 1e3 if joint.kind == "prismatic" else math.radians(x) for x, joint in pairs)
    return JointTarget(tuple(q), name)


def point_to_point(line: int, goal: Target | JointTarget, options: Mapping[str, Any]) -> PointToPoint:
    """A point-to-point move with its options."""
    return PointToPoint(line, goal, options["speed_ptp"], options["acc_ptp"], "c_ptp" in options)


def path_move(line: int, end: Target, via: Target | None, options: Mapping[str, Any]) -> PathMove:
    """A move along a line or a circle with its options."""
    corner, turning = options.get("c_cp", 0.0), options.get("acc_ori")
    return PathMove(
        line,
        end,
        options["speed"] / 1e3,
        options["acc"] / 1e3,
        via,
        _RULES[options.get("c_ori", "o_var")],
        corner / 1e3 if corner else None,
        "c_speed" in options,
        "c_ptp" in options,
        None if turning is None else math.radians(turning),
    )


def placement(position: Triple, orientation: Triple = (0.0, 0.0, 0.0)) -> Transform:
    """T_body_tool of a tool frame."""
    return Transform(rotation(orientation), metres(position))


def payload(robot: Robot, at: Place, mass: float, com: Triple, tensor: tuple[float, ...]) -> Payload:
    """What the body that carries the tool holds; refused if no body has this inertia."""
    xx, yy, zz, xy, xz, yz = (float(x) for x in (*tensor, 0.0, 0.0, 0.0)[:6])
    full: Mat3 = ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz)) if any(tensor) else diagonal(0.0, 0.0, 0.0)
    try:
        return Payload(robot.tool.body, Inertia(float(mass), metres(com), full))
    except InertiaError as error:
        raise fault(f"inertia is not physical, {error.reason}; mend it", at) from error
