"""JSON messages that say what joints do, in the forms that are about.

foxglove.JointStates     {"joints": [{"name": .., "position": .., "velocity": .., "effort": ..}, ..]}
sensor_msgs/JointState   {"name": [..], "position": [..], "velocity": [..], "effort": [..]}
armdyn.State             {"q": [..], "qd": [..], "tau": [..], "current": [..], ..}, in the robot's order
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from armdyn.errors import InputError
from armdyn.formats.motion_columns import listed, width_of
from armdyn.identification.logs.quantities import BESIDE, EFFORTS, EffortKind
from armdyn.robot import Robot

STATES = ("q", "motor_position", "qd", "motor_velocity", *EFFORTS, *BESIDE, "base")
"""What a message in the robot's own order may have."""

Content = Mapping[str, Any]


@dataclass(frozen=True)
class Form:
    """How the messages of a topic are to be read."""

    given: frozenset[str]
    """What they have, by the names of columns"""
    row: Callable[[Content, Sequence[str]], list[float] | None]
    """The numbers of some of these in a message, one after another, NaN where it has none; None for a message
    that is not about the robot: several senders may share a topic"""


def form_of(content: Content, robot: Robot, effort: EffortKind | None, place: str) -> Form | None:
    """The form of messages like this one, None if it says nothing about the robot's joints.

    What efforts of named joints are, `effort` says; by default torques.
    """
    if isinstance(content.get("q"), list) or isinstance(content.get("motor_position"), list):
        return _of_states(content, robot, place)
    joints = dict(_joints(content))
    if not any(name in joints for name in robot.joint_names):
        return None
    missing = [name for name in robot.joint_names if name not in joints]
    if missing:
        known = listed([str(name) for name in joints])
        raise InputError(
            f'{place}: no joint "{missing[0]}" among {known}, expected all joints of robot "{robot.name}"'
        )
    return _of_named_joints(joints, robot, effort or "tau", place)


# In the robot's order -------------------------------------------------------------------------


def _of_states(content: Content, robot: Robot, place: str) -> Form:
    given = [name for name in STATES if isinstance(content.get(name), list)]
    for name in given:
        expected = width_of(name, robot)
        if len(content[name]) != expected:
            has = f"{name} has {len(content[name])} elements"
            raise InputError(f'{place}: {has}, expected {expected} as robot "{robot.name}" has')

    def row(message: Content, names: Sequence[str]) -> list[float] | None:
        if not any(name in message for name in names):
            return None
        found = {name: _list(message.get(name)) for name in names}
        return [x for name in names for x in _numbers(found[name], width_of(name, robot))]

    return Form(frozenset(given), row)


# By names of joints ---------------------------------------------------------------------------


def _of_named_joints(joints: Mapping[str, Content], robot: Robot, effort: EffortKind, place: str) -> Form:
    keys = {"q": "position", "qd": "velocity", effort: "effort"}
    whose = {name: list(robot.joint_names) for name in keys}
    if effort != "tau":
        whose[effort] = [drive.joint for drive in robot.drives]
        if len(set(whose[effort])) != len(whose[effort]) or "" in whose[effort]:
            raise InputError(
                f'{place}: efforts are of joints, and drives of robot "{robot.name}" are not one for each; '
                "expected tau"
            )

    def row(message: Content, names: Sequence[str]) -> list[float] | None:
        said = dict(_joints(message))
        if robot.positions.keys().isdisjoint(said):
            return None
        return [_number(said.get(joint, {}).get(keys[name])) for name in names for joint in whose[name]]

    given = [name for name, key in keys.items() if all(key in joints[joint] for joint in whose[name])]
    return Form(frozenset(given), row)


def _joints(content: Content) -> Iterator[tuple[str, Content]]:
    """Every joint that a message names, with what it says about it."""
    listed_joints: Any = content.get("joints")
    names: Any = content.get("name")
    if isinstance(listed_joints, list):
        for joint in cast("list[Any]", listed_joints):
            if isinstance(joint, dict) and "name" in joint:
                yield str(cast("Any", joint["name"])), cast("Content", joint)
    elif isinstance(names, list):
        # those that were not measured are empty
        lists = {key: _list(content.get(key)) for key in ("position", "velocity", "effort")}
        for k, name in enumerate(cast("list[Any]", names)):
            yield str(name), {key: found[k] for key, found in lists.items() if len(found) > k}


def _list(value: Any) -> list[Any]:
    """A list; what is none is an empty one."""
    return cast("list[Any]", value) if isinstance(value, list) else []


def _numbers(values: list[Any], width: int) -> list[float]:
    return [_number(x) for x in values] if len(values) == width else [math.nan] * width


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return math.nan
    try:
        return float(value)
    except OverflowError:
        return math.inf


# Instants -------------------------------------------------------------------------------------


def stamp_of(content: Content) -> int | None:
    """When a message says that it was measured [ns]."""
    header: Any = content.get("header")
    found: Any = content.get(
        "timestamp", cast("Content", header).get("stamp") if isinstance(header, dict) else None
    )
    if not isinstance(found, dict):
        return None
    stamp = cast("Content", found)
    seconds: Any = stamp.get("sec", stamp.get("secs"))
    rest: Any = stamp.get("nsec", stamp.get("nanosec", stamp.get("nsecs")))
    whole = all(isinstance(x, int) and 0 <= x < 2**33 for x in (seconds, rest))
    return seconds * 10**9 + rest if whole else None
