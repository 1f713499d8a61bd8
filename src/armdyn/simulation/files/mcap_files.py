"""Runs as MCAP logs, which Foxglove and other robot viewers open: frames, joints, states and events.

Messages are JSON; frames, joints and events follow schemas that viewers know by name. Time counts from the
run's start, in ns.
"""

from __future__ import annotations

import heapq
import json
import os
from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from armdyn.errors import InputError
from armdyn.formats.whole_file import whole_file
from armdyn.robot import BASE
from armdyn.scalars import Array

if TYPE_CHECKING:
    from armdyn.simulation.results import Simulation

INFO, WARNING, ERROR = 2, 3, 4
"""Levels of foxglove.Log."""
STATES = (
    *("q", "qd", "qdd", "tau", "motor_position", "motor_velocity", "motor_torque", "current", "voltage"),
    *(
        "kinetic_energy",
        "potential_energy",
        "work",
        "dissipated",
        "exerted",
        "power_residual",
        "energy_residual",
    ),
    *("wrench", "base"),
)
"""What the channel of states has, as far as it is known."""

Message = tuple[int, str, dict[str, Any]]
"""Instant [ns], topic and content."""


def write_mcap(path: str | os.PathLike[str], simulation: Simulation, *, rate: float | None = None) -> None:
    """Write a run as an .mcap log, all of it or nothing.

    Topics: `/tf` has a frame for every body, as a child of the body that carries it, and for the tool;
    `/joint_states` positions, velocities, accelerations and efforts; `/state` what can be plotted beside
    them, joints and motors as lists; `/log` events, notes and why a run ended early.

    Args:
        path: what is there already is replaced.
        simulation: what was found.
        rate: at most so many samples of it per second; by default all.
    """
    file = Path(path)
    if file.suffix.lower() != ".mcap":
        raise InputError(f'log "{file}" ends in "{file.suffix}", expected .mcap')
    if len(simulation.time) and simulation.time[0] < 0:
        raise InputError(f"{file}: the run starts at {simulation.time[0]:g} s, a log has no time before 0")
    samples = _chosen(simulation.time, rate)
    messages = heapq.merge(
        _of_events(simulation), _of_samples(simulation, samples), key=lambda message: message[0]
    )
    with whole_file(file) as sink:
        _write(sink, simulation, messages)


def _write(sink: Any, simulation: Simulation, messages: Iterator[Message]) -> None:
    mcap: Any = import_module("mcap.writer")
    writer: Any = mcap.Writer(sink)
    writer.start(profile="", library=f"armdyn {version('armdyn')}")
    channels: dict[str, Any] = {}
    for topic, (name, properties) in _schemas(simulation).items():
        text = json.dumps({"title": name, "type": "object", **properties})
        schema: Any = writer.register_schema(name, "jsonschema", text.encode())
        channels[topic] = writer.register_channel(topic, "json", schema)
    for time, topic, content in messages:
        data = json.dumps(content, separators=(",", ":"), allow_nan=False).encode()
        writer.add_message(channels[topic], log_time=time, data=data, publish_time=time)
    writer.add_metadata("armdyn", _about(simulation))
    writer.finish()


def _about(simulation: Simulation) -> dict[str, str]:
    robot = simulation.robot
    return {
        "robot": robot.name,
        "joints": ", ".join(robot.joint_names),
        "drives": ", ".join(drive.name for drive in robot.drives),
        "integrator": simulation.integrator,
        "motors": simulation.dyn.motors,
        "friction": "on" if simulation.dyn.friction else "off",
    }


def _chosen(time: Array, rate: float | None) -> list[int]:
    """Which samples are written: all, or the first in every interval and the last."""
    if rate is None:
        return list(range(len(time)))
    if not 0 < rate < np.inf:
        raise InputError(f"rate is {rate}, expected samples per second, a number above zero")
    # an instant that should begin an interval must not miss it by rounding
    intervals = np.floor((time - time[:1]) * rate + 1e-6)
    first = np.append(True, np.diff(intervals) > 0)[: len(time)]
    first[-1:] = True
    return np.flatnonzero(first).tolist()


# Messages -------------------------------------------------------------------------------------


def _of_samples(simulation: Simulation, samples: list[int]) -> Iterator[Message]:
    """Frames, joints and states at these samples."""
    states = {name: values for name in STATES if (values := getattr(simulation, name)) is not None}
    frames = _frames(simulation, samples)
    for row, k in enumerate(samples):
        time = _nanoseconds(float(simulation.time[k]))
        stamp = _stamp(time)
        yield time, "/tf", {"transforms": [_transform(stamp, *frame, row) for frame in frames]}
        yield time, "/joint_states", {"timestamp": stamp, "joints": _joints(simulation, k)}
        # JSON knows no NaN: what is not known at an instant is left out of it
        known = {name: values[k].tolist() for name, values in states.items() if np.isfinite(values[k]).all()}
        yield time, "/state", {"timestamp": stamp, **known}


def _joints(simulation: Simulation, k: int) -> list[dict[str, Any]]:
    found = {
        "position": simulation.q[k],
        "velocity": simulation.qd[k],
        "acceleration": simulation.qdd[k],
        "effort": simulation.tau[k],
    }
    return [
        {"name": name} | {key: float(row[j]) for key, row in found.items() if np.isfinite(row[j])}
        for j, name in enumerate(simulation.robot.joint_names)
    ]


def _of_events(simulation: Simulation) -> Iterator[Message]:
    """Notes at the start, events when they happen, at the end why it came early."""
    if not len(simulation.time):
        return
    first, last = (_nanoseconds(float(simulation.time[k])) for k in (0, -1))
    yield from (_logged(first, INFO, note, simulation) for note in simulation.notes)
    for event in simulation.events:
        what = _sentence(event.kind, event.joint, event.motor, simulation)
        level = WARNING if event.kind == "limit" else INFO
        yield _logged(max(_nanoseconds(event.time), first), level, what, simulation)
    if simulation.failure is not None:
        yield _logged(last, ERROR, simulation.failure, simulation)


def _sentence(kind: str, joint: int | None, motor: int | None, simulation: Simulation) -> str:
    """What an event says, in words."""
    robot = simulation.robot
    joint_name = "" if joint is None else f'joint {joint} ("{robot.joint_names[joint - 1]}")'
    whose = joint_name if motor is None else f'motor {motor} ("{robot.drives[motor - 1].name}")'
    said = {"limit": "leaves its range", "within": "is back in its range"}.get(kind, kind)
    return f"{whose} {said}".strip()


def _logged(time: int, level: int, message: str, simulation: Simulation) -> Message:
    content = {
        "timestamp": _stamp(time),
        "level": level,
        "message": message,
        "name": simulation.robot.name,
        "file": "",
        "line": 0,
    }
    return time, "/log", content


def _nanoseconds(time: float) -> int:
    return round(time * 1e9)


def _stamp(time: int) -> dict[str, int]:
    return {"sec": time // 10**9, "nsec": time % 10**9}


# Frames ---------------------------------------------------------------------------------------


def _frames(simulation: Simulation, samples: list[int]) -> list[tuple[str, str, Array, Array]]:
    """Parent, child, translations (t, 3) and quaternions (t, 4) of every body's frame and the tool's."""
    transforms: Any = import_module("scipy.spatial.transform")  # slow to import
    robot, dyn = simulation.robot, simulation.dyn
    q = simulation.q[samples]
    poses: dict[str, Array] = {BASE: np.broadcast_to(np.eye(4), (len(q), 4, 4))}
    parents = {body.name: body.parent for body in robot.bodies}
    for body in robot.bodies:
        poses[body.name] = dyn.pose(q, body.name)
    tool = "tool" if "tool" not in poses else f"{robot.name} tool"
    poses[tool], parents[tool] = dyn.pose(q), robot.tool.body
    found: list[tuple[str, str, Array, Array]] = []
    for child, parent in parents.items():
        turned = np.swapaxes(poses[parent][:, :3, :3], 1, 2)
        moved = poses[child][:, :3, 3] - poses[parent][:, :3, 3]
        rotation = turned @ poses[child][:, :3, :3]
        quaternion: Array = transforms.Rotation.from_matrix(rotation).as_quat(canonical=True)
        found.append((parent, child, (turned @ moved[..., None])[..., 0], quaternion))
    return found


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


def _schemas(simulation: Simulation) -> dict[str, tuple[str, dict[str, Any]]]:
    """Name and content of every topic's schema."""
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
    states = {
        name: NUMBER if values.ndim == 1 else NUMBERS
        for name in STATES
        if (values := getattr(simulation, name)) is not None
    }
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
