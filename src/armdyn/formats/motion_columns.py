"""The columns of a motion file: names, units, and whose they are.

`q1` is of joint 1, `current2` of motor 2, `time`, `line` and `move` of the sample; `q1[deg]` says its unit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from armdyn.errors import InputError, suggestion
from armdyn.formats.units import SI, to_si
from armdyn.robot import Robot

OF_JOINTS = {
    "q": ("angle", "length"),
    "qd": ("angular velocity", "velocity"),
    "qdd": ("angular acceleration", "acceleration"),
    "tau": ("torque", "force"),
    "q_programmed": ("angle", "length"),
}
"""What there is of every joint, as it is measured for one that turns and for one that slides."""
OF_MOTORS = {
    "motor_position": "angle",
    "motor_torque": "torque",
    "current": "current",
    "voltage": "voltage",
}
"""What there may be of a motor."""
OF_SAMPLES = ("line", "move")
"""Where in a program a sample belongs: plain numbers."""
TIMES = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "ns": 1e-9, "min": 60.0, "h": 3600.0}
"""Units of time [s]."""

_TITLE = re.compile(r"\s*([A-Za-z_]+)(\d{0,4})\s*(?:\[\s*([^\[\]]*?)\s*\])?\s*")


@dataclass(frozen=True)
class Column:
    """A column that armdyn understands."""

    title: str
    """As it stands in the file."""
    place: int
    """Which column of the file it is, from 0."""
    name: str
    number: int | None
    """Which joint's or motor's, from 1; None for those of the sample."""
    factor: float
    """SI units in one of the file's."""


def understood(titles: Sequence[str], robot: Robot, file: str) -> tuple[list[Column], list[str]]:
    """The columns that make a motion of the robot, and the titles of those that say nothing about it."""
    columns: list[Column] = []
    others: list[str] = []
    for place, title in enumerate(titles):
        column = _column(title, place, robot, file)
        if column is None:
            others.append(title)
        else:
            columns.append(column)
    _check_once(columns, file)
    _check_complete(columns, titles, robot, file)
    return columns, others


def _column(title: str, place: int, robot: Robot, file: str) -> Column | None:
    match = _TITLE.fullmatch(title) if len(title) < 100 else None
    if match is None:
        return None
    name, digits, unit = match.groups()
    number = int(digits) if digits else None
    if name in OF_JOINTS and number is not None:
        if not 1 <= number <= robot.n:
            raise InputError(
                f'{file}: column "{title}" is of no joint; robot "{robot.name}" has {robot.n}, '
                f"expected {_all_of(name, robot.n)}"
            )
        turns = robot.joints[number - 1].kind == "revolute"
        factor = _factor(unit, OF_JOINTS[name][0 if turns else 1], title, file)
    elif name in OF_MOTORS and number is not None and 1 <= number <= len(robot.drives):
        factor = _factor(unit, OF_MOTORS[name], title, file)
    elif name == "time" and number is None:
        factor = _factor(unit, "time", title, file)
    elif name in OF_SAMPLES and number is None and unit is None:
        factor = 1.0
    else:
        return None
    return Column(title, place, name, number, factor)


def _factor(unit: str | None, quantity: str, title: str, file: str) -> float:
    """How many SI units one of the column's is."""
    si = "s" if quantity == "time" else SI[quantity]
    if unit is None or unit == si:
        return 1.0
    try:
        return TIMES[unit] if quantity == "time" else to_si(f"1 {unit}", quantity)
    except (KeyError, InputError) as error:
        article = "an" if quantity[0] in "aeiou" else "a"
        raise InputError(
            f'{file}: column "{title}": "{unit}" is no known unit of {article} {quantity}, '
            f"expected {si} or one that converts to it"
        ) from error


def _check_once(columns: Iterable[Column], file: str) -> None:
    seen: dict[tuple[str, int | None], str] = {}
    for column in columns:
        first = seen.get((column.name, column.number))
        if first is not None:
            raise InputError(f'{file}: columns "{first}" and "{column.title}" say the same, expected one')
        seen[column.name, column.number] = column.title


def _check_complete(columns: Sequence[Column], titles: Sequence[str], robot: Robot, file: str) -> None:
    """Time and positions are there, and what is there of a joint is there of all."""
    if not any(column.name == "time" for column in columns):
        hint = next((hint for title in titles if (hint := suggestion(title, ["time"]))), "")
        raise InputError(f'{file}: no column "time" among {listed(titles)}; {hint}it has the instants in s')
    for name in OF_JOINTS:
        found = {column.number for column in columns if column.name == name}
        missing = [f"{name}{k}" for k in range(1, robot.n + 1) if k not in found]
        if missing and (found or name == "q"):
            raise InputError(
                f'{file}: no column "{missing[0]}" among {listed(titles)}; '
                f'robot "{robot.name}" needs {_all_of(name, robot.n)}'
            )


def _all_of(name: str, n: int) -> str:
    return f"{name}1" if n == 1 else f"{name}1 to {name}{n}"


def listed(titles: Sequence[str]) -> str:
    """The first of the titles, for a message, shortened: a file may hold anything."""
    some = [title if len(title) <= 20 else f"{title[:17]}..." for title in titles[:8]]
    return ", ".join(f'"{title}"' for title in some) + (", .." if len(titles) > len(some) else "")
