"""Schedules: TOML files of steps and ramps, of contact, of a base that moves, of grasps and releases.

    kind = "current"                    # or "tau", "motor_torque", "voltage"

    [[steps]]
    time = 0.0
    values = [0, 3.2, "-700 mA", 0, 0]  # held from here on

    [[steps]]
    time = "200 ms"
    values = [1, 3.2, -0.7, 0, 0]
    ramp = true                         # reached in a straight line from the step before

    [[grasp]]
    time = 1.0
    mass = "1.8 kg"
    com = [0, 0, "5 cm"]

    [[release]]
    time = 2.0

`[[wrench]]` (6 values) and `[[base]]` (12) are steps as well. Before its first step everything is zero; the
last one holds for ever. Numbers are SI, or strings with units.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, get_args

import numpy as np
from pydantic import BeforeValidator, Field, ValidationError

from armdyn.errors import ArmdynError, InputError, MissingDataError, counted, suggestion
from armdyn.formats.lines import line_of
from armdyn.formats.motion_columns import TIMES, quantity_of, width_of
from armdyn.formats.reading import parsed_toml, read_text
from armdyn.formats.schema import SHORT, Coordinate, Mass, MomentOfInertia, Table, Vector, at_most
from armdyn.formats.toml.mistakes import first_mistake
from armdyn.formats.units import to_si
from armdyn.robot import Robot
from armdyn.scalars import Array
from armdyn.simulation.acting import ActingKind
from armdyn.simulation.changes import Change, Grasp, Release
from armdyn.simulation.signals import Pieces, slopes_between

LARGEST_FILE = 2 * 2**20
"""No schedule needs more bytes than this."""
MOST_STEPS = 100_000
"""Nor more steps."""


@dataclass(frozen=True)
class Schedule:
    """What a schedule says: what drives the robot, what acts on it, what it takes and lets go."""

    kind: ActingKind
    signal: Pieces
    wrench: Pieces | None
    base: Pieces | None
    changes: tuple[Change, ...]
    """In the order of time; at one instant a release comes first."""


def read_schedule(file: Path, robot: Robot) -> Schedule:
    """The schedule for a robot in a TOML file; messages name the file, the line and the key."""
    text = read_text(file, LARGEST_FILE, "a schedule", "write it as .parquet")
    try:
        table = ScheduleTable.model_validate(_parsed(text, file))
    except ValidationError as error:
        raise _mistake(error, text, file) from error
    return _Reader(table, text, file, robot).schedule()


# The file as pydantic sees it -----------------------------------------------------------------

_TIME = re.compile(r"\s*(\+?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?)\s*([a-zµ]{1,3})\s*")


def _seconds(value: Any) -> float:
    """A plain number [s] or a string with a unit of time, zero or more."""
    match = _TIME.fullmatch(value) if isinstance(value, str) and len(value) < 100 else None
    expected = 'expected 0 or more in s, or a string with a unit as "200 ms"'
    try:
        if match is not None and match[2] in TIMES:
            value = float(match[1]) * TIMES[match[2]]
        seconds = to_si(value, "ratio")
    except InputError as error:
        shown = str(value) if len(str(value)) <= 60 else f"{str(value)[:57]}..."
        raise ValueError(f"{shown} is not a time, {expected}") from error
    if seconds < 0:
        raise ValueError(f"{value} is before the start, {expected}")
    return seconds


Time = Annotated[float, BeforeValidator(_seconds)]


class StepTable(Table):
    """Values from an instant on."""

    time: Time
    values: Annotated[tuple[Coordinate, ...], SHORT]
    ramp: bool = Field(
        default=False, strict=True, description="reached in a straight line from the step before"
    )


class GraspTable(Table):
    """Something that is taken."""

    time: Time
    mass: Mass
    com: Vector = (0.0, 0.0, 0.0)
    inertia: (
        tuple[
            MomentOfInertia,
            MomentOfInertia,
            MomentOfInertia,
            MomentOfInertia,
            MomentOfInertia,
            MomentOfInertia,
        ]
        | None
    ) = None


class ReleaseTable(Table):
    """All that is held is let go."""

    time: Time


class ScheduleTable(Table):
    """A schedule."""

    kind: ActingKind
    steps: Annotated[tuple[StepTable, ...], at_most(MOST_STEPS)] = ()
    wrench: Annotated[tuple[StepTable, ...], at_most(MOST_STEPS)] = ()
    base: Annotated[tuple[StepTable, ...], at_most(MOST_STEPS)] = ()
    grasp: Annotated[tuple[GraspTable, ...], at_most(MOST_STEPS)] = ()
    release: Annotated[tuple[ReleaseTable, ...], at_most(MOST_STEPS)] = ()


# From tables to signals -----------------------------------------------------------------------


class _Reader:
    """Turns the checked tables into a schedule; knows the file for messages."""

    def __init__(self, table: ScheduleTable, text: str, file: Path, robot: Robot) -> None:
        self.table, self.text, self.file, self.robot = table, text, file, robot

    def schedule(self) -> Schedule:
        table = self.table
        if not width_of(table.kind, self.robot):
            raise MissingDataError(
                f'{self.file}: robot "{self.robot.name}" has no drives, {table.kind} needs some; give tau'
            )
        return Schedule(
            table.kind,
            self._pieces("steps", table.kind, table.steps),
            self._pieces("wrench", "wrench", table.wrench) if table.wrench else None,
            self._pieces("base", "base", table.base) if table.base else None,
            self._changes(),
        )

    def _pieces(self, key: str, name: str, steps: Sequence[StepTable]) -> Pieces:
        """Steps as pieces, from zero at the start."""
        width = width_of(name, self.robot)
        times, rows, ramps = [0.0], [np.zeros(width)], [False]
        for k, step in enumerate(steps):
            with self._at(key, k, "time"):
                self._check_later(f"{key}[{k + 1}].time", step, times[-1] if k else None)
            with self._at(key, k, "values"):
                row = self._row(f"{key}[{k + 1}].values", step.values, name, width)
            if step.time == 0.0:  # the first one: nothing comes before it
                times, rows, ramps = [0.0], [row], [False]
            else:
                times.append(step.time)
                rows.append(row)
                ramps.append(step.ramp)
        return _joined(np.array(times), np.array(rows), ramps, str(self.file))

    def _check_later(self, key: str, step: StepTable, before: float | None) -> None:
        if before is not None and step.time <= before:
            raise InputError(f"{key}: time goes from {before:.9g} to {step.time:.9g} s, expected a later one")
        if step.ramp and step.time == 0.0:
            raise InputError(f"{key}: a ramp that ends at 0 s has no beginning, expected a later time")

    def _row(self, key: str, values: Sequence[float | str], name: str, width: int) -> Array:
        if len(values) != width:
            whose = f'robot "{self.robot.name}"' if key.startswith("steps") else f"a {name}"
            raise InputError(f"{key} has {counted(len(values), 'value')}; {whose} needs {width} of them")
        row = np.empty(width)
        for k, value in enumerate(values):
            try:
                row[k] = to_si(value, quantity_of(name, k + 1, self.robot))
            except InputError as error:
                raise InputError(f"{key}[{k + 1}]: {error}") from error
        return row

    def _changes(self) -> tuple[Change, ...]:
        """What is taken and let go, each tried on the robot."""
        given: list[tuple[str, int, Change]] = [
            ("release", k, Release(table.time)) for k, table in enumerate(self.table.release)
        ]
        given += [("grasp", k, Grasp(**table.model_dump())) for k, table in enumerate(self.table.grasp)]
        given.sort(key=lambda one: one[2].time)  # keeps releases before grasps
        held = False
        for key, k, change in given:
            with self._at(key, k):
                if isinstance(change, Grasp):
                    self.robot.with_payload(change.mass, change.com, change.inertia)
                elif not held:
                    raise InputError(
                        f"release[{k + 1}]: nothing is held at {change.time:g} s, expected a grasp"
                    )
                held = isinstance(change, Grasp)
        return tuple(change for _, _, change in given)

    @contextmanager
    def _at(self, *path: str | int) -> Generator[None]:
        """Put the file and the line in front of a message."""
        try:
            yield
        except ArmdynError as error:
            raise _placed(str(error), self.text, self.file, path) from error


def _joined(times: Array, rows: Array, ramps: Sequence[bool], source: str) -> Pieces:
    """Pieces (k) that hold their values, or go in a straight line to those of the next if that is a ramp."""
    slopes = np.zeros_like(rows)
    for k, ramp in enumerate(ramps):
        if ramp:
            slopes[k - 1] = slopes_between(times[k - 1 : k + 1], rows[k - 1 : k + 1], source)[0]
    return Pieces(times, rows, slopes, source=source)


# Reading, and what is wrong -------------------------------------------------------------------


def _parsed(text: str, file: Path) -> dict[str, Any]:
    try:
        return parsed_toml(text, "a schedule")
    except InputError as error:
        raise InputError(f"{file}: {error}") from error


def _mistake(error: ValidationError, text: str, file: Path) -> InputError:
    """One clear sentence for the first thing pydantic found."""
    for found in error.errors(include_url=False):
        known = _fields(found["loc"])
        key = _key(found["loc"])
        if found["type"] == "extra_forbidden":
            hint = suggestion(str(found["loc"][-1]), known)
            return _placed(f"{key}: unknown field; {hint}known: {', '.join(known)}", text, file, found["loc"])
    first = error.errors(include_url=False)[0]
    known = ", ".join(_fields((*first["loc"], "")))
    if first["type"] == "model_type":
        return _placed(f"{_key(first['loc'])}: expected a table with {known}", text, file, first["loc"])
    if first["type"] == "tuple_type":
        return _placed(f"{_key(first['loc'])}: expected a list", text, file, first["loc"])
    return InputError(str(first_mistake(error, text, str(file))))


def _fields(path: Sequence[str | int]) -> list[str]:
    """The fields of the table that holds the one at a path."""
    if len(path) < 2:
        return list(ScheduleTable.model_fields)
    annotation = ScheduleTable.model_fields[str(path[0])].annotation
    return list(next((t.model_fields for t in get_args(annotation) if hasattr(t, "model_fields")), ()))


def _key(path: Sequence[str | int]) -> str:
    return "".join(f"[{p + 1}]" if isinstance(p, int) else f".{p}" for p in path).lstrip(".")


def _placed(message: str, text: str, file: Path, path: Sequence[str | int]) -> InputError:
    line = line_of(text, path)
    return InputError(f"{file}, line {line}: {message}" if line else f"{file}: {message}")
