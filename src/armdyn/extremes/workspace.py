"""Where a study looks: ranges of the joints, the joints that are asked for, loads in the hand."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from armdyn.errors import InputError, MissingDataError
from armdyn.robot import Robot
from armdyn.scalars import Array

JointKey = int | str
SMALLEST, LARGEST = 1e-30, 1e12
"""No speed, acceleration or gain but 0 is beyond: squares of these still have digits to spare."""
NARROWEST = 1e-12
"""[rad or m] A range that is narrower is rounding, unless it is one point."""
FARTHEST = 1e6
"""[rad or m] No joint is studied beyond: angles there have lost six digits."""
Ranges = Mapping[JointKey, tuple[float, float]]


@dataclass(frozen=True)
class Workspace:
    """The box of joint positions over which extremes are looked for."""

    robot: Robot
    box: Array
    """(n, 2) lower and upper ends [rad or m]"""
    notes: tuple[str, ...]
    """What a reader must know about the ranges."""

    def document(self) -> dict[str, list[float]]:
        """Joint name -> range, as JSON has it."""
        return {
            name: [float(x) for x in row] for name, row in zip(self.robot.joint_names, self.box, strict=True)
        }


def workspace(robot: Robot, ranges: Ranges | None = None) -> Workspace:
    """The given ranges, and for other joints their limits; a turning joint without limits turns fully."""
    check_gravity(robot)
    given = by_joint(robot, "ranges", ranges)
    rows: list[tuple[float, float]] = []
    notes: list[str] = []
    endless: list[str] = []
    for i, joint in enumerate(robot.joints):
        limits = joint.limits.position
        if i in given:
            row = _range(f'range of joint {i + 1} ("{joint.name}")', given[i])
            if limits is not None and (row[0] < limits[0] or row[1] > limits[1]):
                notes.append(
                    f"joint {i + 1}: the range {_text(row)} reaches beyond its limits {_text(limits)}"
                )
        elif limits is not None:
            row = limits
        elif joint.kind == "revolute":
            row = (-math.pi, math.pi)
            endless.append(str(i + 1))
        else:
            raise MissingDataError(
                f'robot "{robot.name}": joint {i + 1} ("{joint.name}") slides without position limits, '
                f"give the range of joint {i + 1}"
            )
        rows.append(row)
    if robot.locked_joints:
        counted = ", ".join(f"{i + 1} {name}" for i, name in enumerate(robot.joint_names))
        notes.append(f"locked joints ({', '.join(robot.locked_joints)}) are not counted: joints {counted}")
    if endless:
        notes.append(f"no position limits, a full turn is taken: joint {', '.join(endless)}")
    return Workspace(robot, np.array(rows, dtype=float), tuple(notes))


def chosen(robot: Robot, joints: Iterable[JointKey] | JointKey | None) -> tuple[int, ...]:
    """The joints asked for as positions in q, all of them by default."""
    if joints is None:
        return tuple(range(robot.n))
    asked = tuple(joints) if isinstance(joints, Iterable) and not isinstance(joints, str) else (joints,)
    if not asked:
        raise InputError("joints is empty, expected one joint at least (leave it out for all)")
    return tuple(dict.fromkeys(robot.joint_index(joint) for joint in asked))


def loads(robot: Robot) -> tuple[tuple[str, Robot], ...]:
    """The robot with empty hands, and with its payload if it holds one."""
    empty = ("none", robot.without_payload())
    return (empty, ("payload", robot)) if robot.payloads else (empty,)


def by_joint(robot: Robot, name: str, values: Mapping[JointKey, Any] | None) -> dict[int, Any]:
    """What is given for joints (number or name), by position in q."""
    if values is None:
        return {}
    if not isinstance(values, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError(f"{name} is a {type(values).__name__}, expected a mapping from joints")
    found: dict[int, Any] = {}
    for joint, value in values.items():
        i = robot.joint_index(joint)
        if i in found:
            raise InputError(f"{name}: joint {i + 1} is given twice, by number and by name, expected once")
        found[i] = value
    return found


def per_joint(robot: Robot, name: str, values: Any, *, positive: bool = False) -> Array:
    """(n) a number for every joint: one for all, one each, or a mapping with 0 for the others."""
    if isinstance(values, Mapping):
        found: Array = np.zeros(robot.n)
        given: Mapping[JointKey, Any] = values  # pyright: ignore[reportUnknownVariableType]
        for i, value in by_joint(robot, name, given).items():
            found[i] = number(f"{name} of joint {i + 1}", value)
    else:
        found = _numbers(robot, name, values)
    size = np.abs(found)
    wrong = ~(size <= LARGEST) | ((size > 0) & (size < SMALLEST)) | (found <= 0 if positive else False)
    if wrong.any():
        i = int(np.argmax(wrong))
        least = f", and {SMALLEST:g} or more" if 0 < size[i] < SMALLEST else ""
        expected = f"a finite number{' above 0' if positive else ''}, {LARGEST:g} at most{least}"
        raise InputError(f"{name} of joint {i + 1} is {found[i]:g}, expected {expected}")
    return found


def posture(robot: Robot, values: Mapping[JointKey, float] | None) -> Array:
    """(n) home, with some joints elsewhere."""
    q: Array = np.array(robot.home, dtype=float)
    for i, value in by_joint(robot, "posture", values).items():
        q[i] = number(f"posture of joint {i + 1}", value)
    return q


def number(subject: str, value: Any) -> float:
    """A finite number."""
    try:
        x = float(value)
    except (TypeError, ValueError) as error:
        raise InputError(f"{subject} is {value!r}, expected a number") from error
    if not math.isfinite(x):
        raise InputError(f"{subject} is {x:g}, expected a finite number")
    return x


def _numbers(robot: Robot, name: str, values: Any) -> Array:
    try:
        array: Array = np.asarray(values, dtype=float)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} is {values!r}, expected a number or {robot.n} numbers") from error
    if array.shape not in ((), (robot.n,)):
        raise InputError(
            f'{name} has shape {array.shape}; robot "{robot.name}" has {robot.n} joints, '
            f"expected a number or {robot.n} numbers"
        )
    return np.broadcast_to(array, (robot.n,)).copy()


def _range(subject: str, value: Any) -> tuple[float, float]:
    try:
        low, high = value
    except (TypeError, ValueError) as error:
        raise InputError(f"{subject} is {value!r}, expected (lower, upper)") from error
    low, high = number(f"{subject}, lower end", low), number(f"{subject}, upper end", high)
    if low > high:
        raise InputError(f"{subject}: lower end {low:g} is above the upper {high:g}, expected lower first")
    if 0 < high - low < NARROWEST:
        raise InputError(
            f"{subject} is {high - low:g} wide, expected {NARROWEST:g} or more; give one point, or lock it"
        )
    if max(-low, high) > FARTHEST:
        raise InputError(
            f"{subject}: [{low:g}, {high:g}] is farther than {FARTHEST:g} from 0; give nearer ends"
        )
    return low, high


def check_gravity(robot: Robot) -> None:
    """Refuse gravity with which no load is a number that can be squared."""
    gravity: Any = robot.gravity
    largest = max(abs(float(x)) for x in gravity)
    if largest > LARGEST:
        raise InputError(
            f'robot "{robot.name}": gravity is {largest:g} m/s2, expected {LARGEST:g} at most; give another'
        )


def _text(row: tuple[float, float]) -> str:
    return f"[{row[0]:.4g}, {row[1]:.4g}]"
