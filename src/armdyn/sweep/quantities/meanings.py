"""What the axes of a study mean to a robot and a quantity: `q2`, `payload.mass`, `robot.drives.1.gear`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from armdyn.errors import InputError, counted, suggestion
from armdyn.formats.units import SI
from armdyn.robot import Robot
from armdyn.sweep.axes import Axis
from armdyn.sweep.quantities.robot_paths import found_path, number_at

Of = Literal[
    "input", "payload", "wrench", "gravity", "friction", "mass", "robot", "tool", "program", "speed", "seed"
]
VARYING: tuple[Of, ...] = ("payload", "gravity", "friction", "mass", "robot")
"""Axes that change the robot."""
WRENCH = ("fx", "fy", "fz", "mx", "my", "mz")
FRICTION = ("viscous", "dry", "load")
PLACE, TURNS = ("x", "y", "z"), ("roll", "pitch", "yaw")
_NUMBERED = re.compile(r"([a-z_]*[a-z])([1-9]\d{0,3})")
_PER_SECOND = {"qd": ("angular velocity", "velocity"), "qdd": ("angular acceleration", "acceleration")}
_BY_KIND = {"q": ("angle", "length"), **_PER_SECOND, "tau": ("torque", "force")}
_OF_DRIVES = {"current": "current", "voltage": "voltage", "motor_torque": "torque"}


@dataclass(frozen=True)
class Takes:
    """What a quantity may be varied by, besides what changes the robot."""

    inputs: tuple[str, ...] = ()
    """Of q, qd, qdd, tau, lower, upper, current, voltage, motor_torque"""
    wrench: bool = False
    tool: bool = False
    """Whether it is about places of the tool"""
    programs: bool = False
    """Whether it is about programs, and their speed"""
    seed: bool = False
    varying: tuple[Of, ...] = VARYING


@dataclass(frozen=True)
class Meaning:
    """One axis, understood."""

    axis: str
    of: Of
    part: str = ""
    """Which input, which component, which body"""
    place: int = 0
    """Of the joint, drive or component, from 0"""
    path: tuple[str | int, ...] = ()
    """In the tables of the robot file"""
    factor: bool = False
    """Whether it multiplies what is there"""
    measures: str = field(default="", compare=False)
    """As `formats.units.SI` has it, where that is known"""

    @property
    def unit(self) -> str:
        """As figures write it."""
        return SI.get(self.measures, "").replace("*", " ").replace("^", "")


def understood(
    axes: Sequence[Axis], robot: Robot, document: Mapping[str, Any], quantity: str, takes: Takes
) -> tuple[Meaning, ...]:
    """What all axes mean; refused where one means nothing, is in a wrong unit, or is there twice."""
    found: dict[Any, str] = {}
    meanings: list[Meaning] = []
    for axis in axes:
        one = _meaning(axis.name, robot, document, quantity, takes)
        _check_values(axis, one)
        key = (one.of, one.part, one.place, one.path)
        if key in found:
            raise InputError(f'axes "{found[key]}" and "{axis.name}" are the same, expected one of them')
        found[key] = axis.name
        meanings.append(one)
    return tuple(meanings)


def _meaning(name: str, robot: Robot, document: Mapping[str, Any], quantity: str, takes: Takes) -> Meaning:
    head, _, rest = name.partition(".")
    if head in ("robot", "factor") and rest:
        path = found_path(document, rest)
        if head == "factor" and number_at(document, path) is None:
            raise InputError(
                f'axis "{name}": the robot file has no number there to multiply; use robot.{rest}'
            )
        return _taken(Meaning(name, "robot", rest, path=path, factor=head == "factor"), quantity, takes)
    simple = _simple(name, robot, takes)
    if simple is not None:
        return _taken(simple, quantity, takes)
    one = _of_input(name, robot)
    if one is not None:
        if one.part not in takes.inputs:
            listed = ", ".join(takes.inputs) or "no state"
            raise InputError(f'axis "{name}": {quantity} takes {listed}; name an axis of those')
        return one
    raise _unknown(name, robot, quantity, takes)


def _simple(name: str, robot: Robot, takes: Takes) -> Meaning | None:
    """Axes with fixed names, and factors of bodies."""
    head, _, part = name.partition(".")
    match head, part:
        case "payload", "mass":
            return Meaning(name, "payload", "mass", measures="mass")
        case "payload", ("x" | "y" | "z"):
            return Meaning(name, "payload", "com", PLACE.index(part), measures="length")
        case "gravity", ("x" | "y" | "z"):
            return Meaning(name, "gravity", "", PLACE.index(part), measures="acceleration")
        case "wrench", _ if part in WRENCH:
            place = WRENCH.index(part)
            return Meaning(name, "wrench", "", place, measures="force" if place < 3 else "torque")
        case "friction", _ if part in ("", *FRICTION):
            _check_friction(name, robot)
            return Meaning(name, "friction", part or "scale", measures="ratio")
        case "mass", _:
            if part and part not in robot.body_names:
                near, known = suggestion(part, robot.body_names), ", ".join(robot.body_names)
                raise InputError(f'axis "{name}": no body "{part}"; {near}expected one of {known}')
            return Meaning(name, "mass", part, measures="ratio")
        case (("x" | "y" | "z"), "") if takes.tool:
            return Meaning(name, "tool", "place", PLACE.index(head), measures="length")
        case (("roll" | "pitch" | "yaw"), "") if takes.tool:
            return Meaning(name, "tool", "turn", TURNS.index(head), measures="angle")
        case (("program" | "speed" | "seed"), ""):
            return Meaning(name, head, measures="" if head == "program" else "ratio")
        case _:
            return None


def _check_friction(name: str, robot: Robot) -> None:
    rubbing = [*(joint.friction for joint in robot.joints), *(drive.friction for drive in robot.drives)]
    if not any(rubbing):
        raise InputError(
            f'axis "{name}": robot "{robot.name}" has no friction to vary; describe it in its file'
        )


def _of_input(name: str, robot: Robot) -> Meaning | None:
    """An element of an input, by number or by the name of its joint or drive."""
    head, dot, which = name.partition(".")
    numbered = _NUMBERED.fullmatch(name)
    if numbered is not None:
        head, which = numbered.groups()
    elif not dot:
        return None
    if head in _OF_DRIVES:
        names, noun = tuple(drive.name for drive in robot.drives), "drive"
    elif head in (*_BY_KIND, "lower", "upper"):
        names, noun = robot.joint_names, "joint"
    else:
        return None
    place = _position(name, which, names, robot, noun, by_name=numbered is None)
    return Meaning(name, "input", head, place, measures=_measured(head, place, robot))


def _position(axis: str, which: str, names: Sequence[str], robot: Robot, noun: str, *, by_name: bool) -> int:
    if by_name and which in names:
        return names.index(which)
    if which.isdecimal() and 1 <= int(which) <= len(names):
        return int(which) - 1
    has = f'robot "{robot.name}" has {counted(len(names), noun)}'
    head = axis.removesuffix(which).rstrip(".")
    if by_name:
        near = suggestion(which, names)
        raise InputError(f'axis "{axis}": {has}, {near}expected one of {", ".join(names)}')
    raise InputError(f'axis "{axis}": {has}, expected {head}1 to {head}{len(names)}')


def _measured(head: str, place: int, robot: Robot) -> str:
    if head in _OF_DRIVES:
        return _OF_DRIVES[head]
    if head not in _BY_KIND:  # limits of motors, or of joints where there are none
        return ""
    angular, linear = _BY_KIND[head]
    return linear if robot.joints[place].kind == "prismatic" else angular


# What is wrong --------------------------------------------------------------------------------


def _taken(one: Meaning, quantity: str, takes: Takes) -> Meaning:
    allowed = {
        "wrench": takes.wrench,
        "tool": takes.tool,
        "program": takes.programs,
        "speed": takes.programs,
        "seed": takes.seed,
    }
    if not allowed.get(one.of, one.of in takes.varying):
        raise InputError(f'axis "{one.axis}" does not go with {quantity}; it takes {_said(takes)}')
    return one


def _check_values(axis: Axis, one: Meaning) -> None:
    """Refuse texts where numbers are meant, numbers where texts are, and units of something else."""
    if axis.text != (one.of == "program"):
        expected = "names of programs" if one.of == "program" else "numbers"
        raise InputError(f'axis "{axis.name}" has {"texts" if axis.text else "numbers"}, expected {expected}')
    known = one.measures
    if not axis.measures or not known or known in axis.measures:
        return
    expected = f"{SI[known]}" if SI[known] else "plain numbers"
    raise InputError(f'axis "{axis.name}" is in {SI[axis.measures[0]]}, expected {expected}')


def _unknown(name: str, robot: Robot, quantity: str, takes: Takes) -> InputError:
    known = [f"{head}{k + 1}" for head in takes.inputs for k in range(robot.n)]
    known += [f"{head}.{joint}" for head in takes.inputs for joint in robot.joint_names]
    known += ["payload.mass", *(f"payload.{x}" for x in PLACE), *(f"gravity.{x}" for x in PLACE)]
    known += ["friction", *(f"friction.{term}" for term in FRICTION), "mass"]
    known += [f"mass.{body}" for body in robot.body_names]
    known += [f"wrench.{part}" for part in WRENCH] if takes.wrench else []
    known += [*PLACE, *TURNS] if takes.tool else []
    known += ["program", "speed"] if takes.programs else []
    known += ["seed"] if takes.seed else []
    return InputError(f'no axis "{name}"; {suggestion(name, known)}{quantity} takes {_said(takes)}')


def _said(takes: Takes) -> str:
    """The axes of a quantity in words."""
    parts = [f"{head}1, .." for head in takes.inputs]
    parts += ["wrench.fx, .."] if takes.wrench else []
    parts += ["x, y, z, roll, pitch, yaw"] if takes.tool else []
    parts += ["program, speed"] if takes.programs else []
    parts += ["seed"] if takes.seed else []
    words = {
        "payload": "payload.mass, payload.x, ..",
        "gravity": "gravity.x, ..",
        "friction": "friction, friction.dry, ..",
        "mass": "mass, mass.BODY",
        "robot": "robot.PATH, factor.PATH",
    }
    return ", ".join([*parts, *(words[of] for of in takes.varying)])
