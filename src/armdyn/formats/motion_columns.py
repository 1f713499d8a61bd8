"""The columns of a motion file: names, units, and whose they are.

`q1` is of joint 1, `current2` of motor 2, `time`, `line` and `move` of the sample; `q1[deg]` says its unit.
A file that drives a robot needs no positions; it may have `wrench1` to `wrench6` and `base1` to `base12`.
A log may have `sensor1` to `sensor6` of a force sensor at the wrist.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from armdyn.errors import InputError, MissingDataError, suggestion
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
    "motor_velocity": "angular velocity",
    "motor_torque": "torque",
    "current": "current",
    "voltage": "voltage",
}
"""What there may be of a motor."""
OF_SAMPLES = ("line", "move")
"""Where in a program a sample belongs: plain numbers."""
OF_SURROUNDINGS = {
    "wrench": ("force", "force", "force", "torque", "torque", "torque"),
    "base": (
        *("velocity", "velocity", "velocity"),
        *("angular velocity", "angular velocity", "angular velocity"),
        *("acceleration", "acceleration", "acceleration"),
        *("angular acceleration", "angular acceleration", "angular acceleration"),
    ),
}
"""What the tool exerts, and how the base moves, both in base axes."""
OF_SENSORS = {"sensor": ("force", "force", "force", "torque", "torque", "torque")}
"""What the arm exerts on what is behind a sensor at its wrist: in the frame of the body that carries the
tool, about its origin."""
DRIVING = ("tau", "motor_torque", "current", "voltage")
"""What may drive a robot."""
TIMES = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "ns": 1e-9, "min": 60.0, "h": 3600.0}
"""Units of time [s]."""

_FOUND = re.compile(
    r"reaction_[fm][xyz]\d+|state\d+|work|dissipated|exerted"
    r"|(?:kinetic|potential)_energy|(?:power|energy)_residual"
)
"""What the file of a run has beside its motion, which is no news to a reader of motions."""
_COMPONENTS = OF_SURROUNDINGS | OF_SENSORS
"""What has as many columns for every robot."""
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


def understood(
    titles: Sequence[str], robot: Robot, file: str, *, timed: bool = True
) -> tuple[list[Column], list[str]]:
    """The columns that make a motion of the robot, and the titles of those that say nothing about it.

    Unless it is `timed` it needs no instants.
    """
    columns: list[Column] = []
    others: list[str] = []
    for place, title in enumerate(titles):
        column = _column(title, place, robot, file)
        if column is None:
            others.append(title)
        else:
            columns.append(column)
    _check_once(columns, file)
    if timed:
        _check_time(columns, titles, file)
    for name in OF_JOINTS:
        if name == "q" or any(column.name == name for column in columns):
            _all_in_order(name, robot.n, columns, titles, robot, file)
    return columns, [title for title in others if not _FOUND.fullmatch(title)]


def is_timed(titles: Iterable[str]) -> bool:
    """Whether a column says when; without it a file has postures, but no motion."""
    return any(_parts(title)[0] == "time" for title in titles)


def driving(
    titles: Sequence[str], robot: Robot, file: str, kind: str | None = None
) -> tuple[str, dict[str, list[Column]]]:
    """What drives the robot, of a kind among DRIVING, and the columns: time, its own, wrench and base if any.

    Positions need not be there; other columns are passed over. A file with several kinds needs `kind`.
    """
    kind = _chosen(titles, file, kind)
    if not width_of(kind, robot):
        raise MissingDataError(f'{file}: robot "{robot.name}" has no drives, {kind} needs some; give tau')
    given = numbered(titles)
    wanted = [kind, *(name for name in OF_SURROUNDINGS if name in given)]
    return kind, columns_of(wanted, titles, robot, file)


def columns_of(
    names: Collection[str], titles: Sequence[str], robot: Robot, file: str
) -> dict[str, list[Column]]:
    """The column of instants, and of each of the named quantities all columns, first to last."""
    columns: list[Column] = []
    for place, title in enumerate(titles):
        name, number, _ = _parts(title)
        if name == "time" or (name in names and number is not None):
            column = _component(title, place, file) or _column(title, place, robot, file)
            if column is None and name in names:
                expected = _all_of(name, width_of(name, robot))
                raise InputError(f'{file}: column "{title}" is one too many, expected {expected}')
            columns += [] if column is None else [column]
    _check_once(columns, file)
    found = {"time": [_check_time(columns, titles, file)]}
    for name in names:
        found[name] = _all_in_order(name, width_of(name, robot), columns, titles, robot, file)
    return found


def numbered(titles: Iterable[str]) -> set[str]:
    """The names that stand above numbered columns."""
    return {name for name, number, _ in map(_parts, titles) if name and number is not None}


def strange(titles: Iterable[str]) -> list[str]:
    """The titles that armdyn has no name for."""
    known = {"time", *OF_JOINTS, *OF_MOTORS, *OF_SAMPLES, *_COMPONENTS}
    return [title for title in titles if _parts(title)[0] not in known and not _FOUND.fullmatch(title)]


def width_of(name: str, robot: Robot) -> int:
    """How many columns a robot has of a quantity of joints, motors, surroundings or sensors."""
    if name in _COMPONENTS:
        return len(_COMPONENTS[name])
    return len(robot.drives) if name in OF_MOTORS else robot.n


def quantity_of(name: str, number: int, robot: Robot) -> str:
    """What a numbered column measures, as `units.SI` has it."""
    if name in _COMPONENTS:
        return _COMPONENTS[name][number - 1]
    if name in OF_MOTORS:
        return OF_MOTORS[name]
    return OF_JOINTS[name][0 if robot.joints[number - 1].kind == "revolute" else 1]


def _chosen(titles: Sequence[str], file: str, kind: str | None) -> str:
    """The kind that is asked for, or the one that is there."""
    if kind is not None and kind not in DRIVING:
        hint = suggestion(kind, DRIVING)
        raise InputError(f'nothing is driven by "{kind}"; {hint}expected one of {", ".join(DRIVING)}')
    given = numbered(titles)
    there = [name for name in DRIVING if name in given]
    if kind is not None or len(there) == 1:
        return kind or there[0]
    if not there:
        needed = ", ".join(f"{name}1" for name in DRIVING)
        raise InputError(
            f"{file}: nothing among {listed(titles)} drives a robot, expected one of {needed}, .."
        )
    choice = f'choose one: kind="{there[0]}" in Python, --kind {there[0]} on the command line'
    raise InputError(f"{file}: columns of {' and of '.join(there)}, expected one kind; {choice}")


def _parts(title: str) -> tuple[str, int | None, str | None]:
    """Name, number and unit in a title; no name for one that armdyn would not write."""
    match = _TITLE.fullmatch(title) if len(title) < 100 else None
    if match is None:
        return "", None, None
    name, digits, unit = match.groups()
    return name, int(digits) if digits else None, unit


def _component(title: str, place: int, file: str) -> Column | None:
    name, number, unit = _parts(title)
    quantities = _COMPONENTS.get(name, ())
    if number is None or not 1 <= number <= len(quantities):
        return None
    return Column(title, place, name, number, _factor(unit, quantities[number - 1], title, file))


def _column(title: str, place: int, robot: Robot, file: str) -> Column | None:
    name, number, unit = _parts(title)
    if name in OF_JOINTS and number is not None:
        if not 1 <= number <= robot.n:
            raise InputError(
                f'{file}: column "{title}" is of no joint; robot "{robot.name}" has {robot.n}, '
                f"expected {_all_of(name, robot.n)}"
            )
        factor = _factor(unit, quantity_of(name, number, robot), title, file)
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


def _check_time(columns: Sequence[Column], titles: Sequence[str], file: str) -> Column:
    """The column of instants, which must be there."""
    time = next((column for column in columns if column.name == "time"), None)
    if time is None:
        hint = next((hint for title in titles if (hint := suggestion(title, ["time"]))), "")
        raise InputError(f'{file}: no column "time" among {listed(titles)}; {hint}it has the instants in s')
    return time


def _all_in_order(
    name: str, width: int, columns: Sequence[Column], titles: Sequence[str], robot: Robot, file: str
) -> list[Column]:
    """The columns of a quantity, first to last: what is there of one is there of all."""
    found = {column.number: column for column in columns if column.name == name}
    missing = [f"{name}{k}" for k in range(1, width + 1) if k not in found]
    if missing:
        whose = f'robot "{robot.name}"' if name not in _COMPONENTS else f"a {name}"
        raise InputError(
            f'{file}: no column "{missing[0]}" among {listed(titles)}; {whose} needs {_all_of(name, width)}'
        )
    return [found[k] for k in range(1, width + 1)]


def _all_of(name: str, n: int) -> str:
    return f"{name}1" if n == 1 else f"{name}1 to {name}{n}"


def listed(titles: Sequence[str]) -> str:
    """The first of the titles, for a message, shortened: a file may hold anything."""
    some = [title if len(title) <= 20 else f"{title[:17]}..." for title in titles[:8]]
    return ", ".join(f'"{title}"' for title in some) + (", .." if len(titles) > len(some) else "")
