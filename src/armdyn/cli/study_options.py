"""The options of `armdyn study`: how their texts become what the studies take."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from armdyn.cli.options import numbers
from armdyn.errors import InputError
from armdyn.robot import Robot

SPELLED = {
    "ranges": "--range",
    "velocity": "--speed",
    "motions": "--motion",
    "measures": "--measure",
    "cut": "--slice",
}
"""Options that are called otherwise than what the library takes."""

JointKey = int | str
Parsed = Callable[[str, str, Robot, bool], Any]


def spelled(name: str) -> str:
    """How an option is written."""
    return SPELLED.get(name, f"--{name.replace('_', '-')}")


def parsed(given: Mapping[str, Any], robot: Robot, degrees: bool) -> dict[str, Any]:
    """The options as the library takes them."""
    found: dict[str, Any] = {}
    for name, value in given.items():
        parse = PARSERS.get(name)
        found[name] = value if parse is None else parse(spelled(name), value, robot, degrees)
    return found


def _joint(option: str, text: str, robot: Robot) -> JointKey:
    """A joint by number or name, refused unless the robot has it."""
    name = text.strip()
    joint: JointKey = int(name) if name.isdecimal() and len(name) < 10 else name
    try:
        robot.joint_index(joint)
    except InputError as error:
        raise InputError(f"{option}: {error}") from error
    return joint


def _joints(option: str, text: str, robot: Robot, _: bool) -> list[JointKey]:
    return [_joint(option, part, robot) for part in text.split(",")]


def _over(option: str, text: str, robot: Robot, _: bool) -> JointKey:
    return _joint(option, text, robot)


def _by_joint(option: str, text: str, robot: Robot, expected: str) -> dict[JointKey, str]:
    """Joint -> text, of J=TEXT,.."""
    found: dict[JointKey, str] = {}
    places: set[int] = set()
    for part in text.split(","):
        name, equals, value = part.partition("=")
        if not equals:
            raise InputError(f'{option}: "{part.strip()}" says no value, expected {expected}')
        joint = _joint(option, name, robot)
        if robot.joint_index(joint) in places:
            raise InputError(f"{option}: joint {joint} is given twice, expected once")
        places.add(robot.joint_index(joint))
        found[joint] = value
    return found


def _si(robot: Robot, joint: JointKey, value: float, degrees: bool) -> float:
    turns = robot.joints[robot.joint_index(joint)].kind == "revolute"
    return math.radians(value) if degrees and turns else value


def joint_ranges(option: str, text: str, robot: Robot, degrees: bool) -> dict[JointKey, tuple[float, float]]:
    """Of 3=0.1:1.1,4=-1:1."""
    found: dict[JointKey, tuple[float, float]] = {}
    for joint, value in _by_joint(option, text, robot, "joint=low:high").items():
        low, colon, high = value.partition(":")
        if not colon:
            raise InputError(f'{option}: "{joint}={value}" is no range, expected joint=low:high')
        ends = [_si(robot, joint, numbers(option, end, (1,))[0], degrees) for end in (low, high)]
        found[joint] = (ends[0], ends[1])
    return found


def _at(option: str, text: str, robot: Robot, degrees: bool) -> dict[JointKey, list[float]]:
    """Of 3=1.118;0.813;0.508,5=0."""
    return {
        joint: [_si(robot, joint, x, degrees) for x in numbers(option, value.replace(";", ","))]
        for joint, value in _by_joint(option, text, robot, "joint=value;value;..").items()
    }


def _posture(option: str, text: str, robot: Robot, degrees: bool) -> dict[JointKey, float]:
    """Of 2=0.5,3=0.8."""
    return {
        joint: _si(robot, joint, numbers(option, value, (1,))[0], degrees)
        for joint, value in _by_joint(option, text, robot, "joint=value").items()
    }


def _per_joint(option: str, text: str, robot: Robot, degrees: bool) -> Any:
    """A number for all joints, one each, or J=V,.. for some."""
    if "=" in text:
        return _posture(option, text, robot, degrees)
    values = numbers(option, text, (1,) if robot.n == 1 else (1, robot.n))
    spread = values * robot.n if len(values) == 1 else values
    return [_si(robot, i + 1, x, degrees) for i, x in enumerate(spread)]


def _gains(option: str, text: str, robot: Robot, _: bool) -> tuple[Any, Any]:
    """Of kp,..;kv,.."""
    position, semicolon, velocity = text.partition(";")
    if not semicolon:
        raise InputError(f'{option}: "{text}" has no ";", expected position gains;velocity gains')
    return _per_joint(option, position, robot, False), _per_joint(option, velocity, robot, False)


def _frequency(option: str, text: str, robot: Robot, _: bool) -> Any:
    return _per_joint(option, text, robot, False)


def _numbers(option: str, text: str, _robot: Robot, _: bool) -> list[float]:
    return numbers(option, text)


def _cut(option: str, texts: Any, _robot: Robot, _: bool) -> dict[str, float]:
    """Of y=0.2, refused where there are several."""
    if len(texts) > 1:
        raise InputError(f"{option} is given {len(texts)} times ({', '.join(texts)}), expected one slice")
    text: str = texts[0]
    axis, equals, value = text.partition("=")
    if not equals:
        raise InputError(f'{option}: "{text}" says no place, expected axis=metres, as y=0')
    return {axis.strip(): numbers(option, value, (1,))[0]}


def _limits(option: str, text: str, robot: Robot, _: bool) -> Any:
    return _per_joint(option, text, robot, False)


def _on(_option: str, text: str, _robot: Robot, _: bool) -> bool:
    return text == "on"


PARSERS: dict[str, Parsed] = {
    "joints": _joints,
    "ranges": joint_ranges,
    "over": _over,
    "at": _at,
    "posture": _posture,
    "velocity": _per_joint,
    "acceleration": _per_joint,
    "natural_frequency": _frequency,
    "noise": _frequency,
    "gains": _gains,
    "gears": _numbers,
    "cut": _cut,
    "limits": _limits,
    "friction": _on,
}
