"""Writing a robot as TOML: what is written reads back as an equal robot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from armdyn.robot import Body, Coupling, Drive, Friction, Robot, Rotor
from armdyn.spatial import Inertia, Transform


def write_toml(robot: Robot) -> str:
    """The robot as a TOML text that reads back as the same robot."""
    import tomli_w

    return tomli_w.dumps(_compact(_robot_table(robot)))


def _robot_table(robot: Robot) -> dict[str, Any]:
    return {
        "name": robot.name,
        "description": robot.description or None,
        "source": robot.source or None,
        "notes": list(robot.notes),
        "gravity": _numbers(robot.gravity),
        "home": _numbers(robot.home),
        "base": {"motion": {k: _numbers(v) for k, v in vars(robot.base_motion).items() if any(v)}},
        "bodies": [_body_table(body) for body in robot.bodies],
        "drives": [_drive_table(drive) for drive in robot.drives],
        "tool": {"body": robot.tool.body, "placement": _placement_table(robot.tool.placement)},
        "payloads": [{"body": p.body, "inertia": _inertia_table(p.inertia)} for p in robot.payloads],
        "estimates": [vars(estimate) for estimate in robot.estimates],
    }


def _body_table(body: Body) -> dict[str, Any]:
    joint = body.joint
    return {
        "name": body.name,
        "parent": body.parent,
        "accept_unphysical": body.accept_unphysical,
        "joint": {
            "name": joint.name,
            "kind": joint.kind,
            "axis": _numbers(joint.axis),
            "placement": _placement_table(joint.placement),
            "frame": _placement_table(joint.frame),
            "offset": float(joint.offset),
            "coupling": None if joint.coupling is None else _coupling_table(joint.coupling),
            "limits": {k: _plain(v) for k, v in vars(joint.limits).items()},
            "friction": _friction_table(joint.friction),
        },
        "inertia": _inertia_table(body.inertia),
        "visuals": [
            {
                "shape": v.shape,
                "size": _numbers(v.size),
                "mesh": v.mesh,
                "placement": _placement_table(v.placement),
                "color": None if v.color is None else _numbers(v.color),
            }
            for v in body.visuals
        ],
    }


def _drive_table(drive: Drive) -> dict[str, Any]:
    return {
        "name": drive.name,
        "joint": drive.joint,
        "coupling": _coupling_table(drive.coupling),
        "rotor": None if drive.rotor is None else _rotor_table(drive.rotor),
        "stages": [{"rotor": _rotor_table(s.rotor), "ratio": float(s.ratio)} for s in drive.stages],
        "motor": vars(drive.motor),
        "friction": _friction_table(drive.friction),
        "joint_inertia": drive.joint_inertia,
    }


def _rotor_table(rotor: Rotor) -> dict[str, Any]:
    placement = None if rotor.placement is None else _placement_table(rotor.placement, keep=True)
    return {**vars(rotor), "placement": placement}


def _coupling_table(coupling: Coupling) -> dict[str, Any]:
    return {
        "weights": {name: float(w) for name, w in coupling.weights},
        "offset": float(coupling.offset),
        "screw": None if coupling.law is None else {k: float(v) for k, v in vars(coupling.law).items()},
    }


def _friction_table(friction: Friction) -> dict[str, Any]:
    return {k: v for k, v in vars(friction).items() if v or (k == "starting" and v is not None)}


def _inertia_table(inertia: Inertia) -> dict[str, Any]:
    names = ("xx", "yy", "zz", "xy", "xz", "yz")
    places = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
    tensor = {name: float(inertia.tensor[i][j]) for name, (i, j) in zip(names, places, strict=True)}  # pyright: ignore[reportArgumentType]
    return {"mass": float(inertia.mass), "com": _numbers(inertia.com), "tensor": tensor}


def _placement_table(T: Transform, keep: bool = False) -> dict[str, Any] | None:
    if Transform() == T and not keep:
        return None
    table: dict[str, Any] = {"xyz": _numbers(T.translation)}
    if T.rotation != Transform().rotation:
        table["rotation"] = [_numbers(row) for row in T.rotation]
    return table


def _numbers(values: Any) -> list[float]:
    return [float(x) for x in values]


def _plain(value: Any) -> Any:
    return _numbers(value) if isinstance(value, tuple) else value


def _compact(value: Any) -> Any:
    """Leave out what is None or an empty table or list; TOML has no null."""
    if isinstance(value, Mapping):
        items = {str(k): _compact(v) for k, v in value.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        return {k: v for k, v in items.items() if v is not None and v not in ({}, [])}
    if isinstance(value, list):
        return [_compact(v) for v in value]  # pyright: ignore[reportUnknownVariableType]
    return value
