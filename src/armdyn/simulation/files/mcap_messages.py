"""Messages of MCAP logs that robot viewers know by name, as plain data, and their schemas.

`/tf` foxglove.FrameTransforms, `/joint_states` foxglove.JointStates, `/log` foxglove.Log, and `/state`
armdyn.State for what can be plotted beside them. Simulations and recordings of running robots write the same.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib import import_module
from typing import Any

import numpy as np

from armdyn.dynamics import Dynamics
from armdyn.robot import BASE
from armdyn.scalars import Array

INFO, WARNING, ERROR = 2, 3, 4
"""Levels of foxglove.Log."""

_JSON = json.JSONEncoder(separators=(",", ":"), allow_nan=False)  # made once: logs have many messages

Frame = tuple[str, str, Array, Array]
"""Parent, child, translations (t, 3) and quaternions (t, 4)."""


def nanoseconds(time: float) -> int:
    """An instant [s] as logs count it."""
    return round(time * 1e9)


def stamp(time: int) -> dict[str, int]:
    """An instant [ns] as messages say it."""
    return {"sec": time // 10**9, "nsec": time % 10**9}


def registered(writer: Any, schemas: Mapping[str, tuple[str, dict[str, Any]]]) -> dict[str, int]:
    """The channel of every topic, each with the name and content of its schema, in an MCAP writer."""
    channels: dict[str, int] = {}
    for topic, (name, properties) in schemas.items():
        text = json.dumps({"title": name, "type": "object", **properties})
        schema = writer.register_schema(name, "jsonschema", text.encode())
        channels[topic] = writer.register_channel(topic, "json", schema)
    return channels


def written(content: Mapping[str, Any]) -> bytes:
    """A message as JSON, which knows no NaN."""
    return _JSON.encode(content).encode()


def joints_message(time: int, names: tuple[str, ...], **found: Array | None) -> dict[str, Any]:
    """What joints do: position, velocity, acceleration, effort (n), as far as they are known."""
    known = {key: row for key, row in found.items() if row is not None}
    joints = [
        {"name": name} | {key: float(row[j]) for key, row in known.items() if np.isfinite(row[j])}
        for j, name in enumerate(names)
    ]
    return {"timestamp": stamp(time), "joints": joints}


def log_message(time: int, level: int, message: str, name: str) -> dict[str, Any]:
    """A sentence that a robot says."""
    return {
        "timestamp": stamp(time),
        "level": level,
        "message": message,
        "name": name,
        "file": "",
        "line": 0,
    }


# Frames ---------------------------------------------------------------------------------------


def frames(dyn: Dynamics, q: Array) -> list[Frame]:
    """Every body's frame and the tool's, at positions q (t, n)."""
    transforms: Any = import_module("scipy.spatial.transform")  # slow to import
    robot = dyn.robot
    names = [BASE, *robot.body_names]
    tool = "tool" if "tool" not in names else f"{robot.name} tool"
    children = [*robot.body_names, tool]
    parents = [*(body.parent for body in robot.bodies), robot.tool.body]
    base = np.broadcast_to(np.eye(4), (len(q), 1, 4, 4))
    placed = np.concatenate([base, dyn.body_poses(q), dyn.pose(q)[:, None]], axis=1)
    carried, carriers = placed[:, 1:], placed[:, [names.index(name) for name in parents]]
    turned = np.swapaxes(carriers[..., :3, :3], -1, -2)
    moved = (turned @ (carried[..., :3, 3] - carriers[..., :3, 3])[..., None])[..., 0]
    rotations = (turned @ carried[..., :3, :3]).reshape(-1, 3, 3)  # all at once: one by one takes long
    found: Array = transforms.Rotation.from_matrix(rotations).as_quat(canonical=True)
    quaternions = found.reshape(len(q), len(children), 4)
    return [
        (parent, child, moved[:, k], quaternions[:, k])
        for k, (parent, child) in enumerate(zip(parents, children, strict=True))
    ]


def frames_message(time: int, frames: list[Frame], row: int) -> dict[str, Any]:
    """The frames at one of their instants."""
    return {"transforms": [_transform(stamp(time), *frame, row) for frame in frames]}


def _transform(
    stamp: Mapping[str, int], parent: str, child: str, translations: Array, quaternions: Array, row: int
) -> dict[str, Any]:
    return {
        "timestamp": stamp,
        "parent_frame_id": parent,
        "child_frame_id": child,
        "translation": dict(zip("xyz", translations[row].tolist(), strict=True)),
        "rotation": dict(zip("xyzw", quaternions[row].tolist(), strict=True)),
    }


# Schemas --------------------------------------------------------------------------------------

NUMBER = {"type": "number"}
NUMBERS = {"type": "array", "items": NUMBER}
TEXT = {"type": "string"}
TIME = {
    "type": "object",
    "title": "time",
    "properties": {
        "sec": {"type": "integer", "minimum": 0},
        "nsec": {"type": "integer", "minimum": 0, "maximum": 999999999},
    },
}


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    """A schema of an object, all of whose properties are needed."""
    return {"type": "object", "properties": properties, "required": list(properties)}


def _list(item: dict[str, Any], title: str) -> dict[str, Any]:
    return {"type": "array", "items": {"title": title, **item}}


def schemas(states: Mapping[str, dict[str, Any]]) -> dict[str, tuple[str, dict[str, Any]]]:
    """Name and content of every topic's schema, with what `/state` has: NUMBER or NUMBERS by name."""
    transform = _object(
        {
            "timestamp": TIME,
            "parent_frame_id": TEXT,
            "child_frame_id": TEXT,
            "translation": {"title": "foxglove.Vector3", **_object(dict.fromkeys("xyz", NUMBER))},
            "rotation": {"title": "foxglove.Quaternion", **_object(dict.fromkeys("xyzw", NUMBER))},
        }
    )
    numbers = dict.fromkeys(("position", "velocity", "acceleration", "effort"), NUMBER)
    joint = {**_object({"name": TEXT, **numbers}), "required": ["name"]}
    log = {"timestamp": TIME, "level": {"type": "integer"}, "message": TEXT, "name": TEXT, "file": TEXT}
    return {
        "/tf": (
            "foxglove.FrameTransforms",
            _object({"transforms": _list(transform, "foxglove.FrameTransform")}),
        ),
        "/joint_states": (
            "foxglove.JointStates",
            _object({"timestamp": TIME, "joints": _list(joint, "foxglove.JointState")}),
        ),
        "/state": ("armdyn.State", {**_object({"timestamp": TIME, **states}), "required": ["timestamp"]}),
        "/log": ("foxglove.Log", _object({**log, "line": {"type": "integer", "minimum": 0}})),
    }
