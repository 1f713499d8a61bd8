"""Study files: TOML that says which robot, which quantity, over which points, into which folder.

[study]
robot = "lola15"
quantity = "gravity"
seed = 7

[design]
kind = "grid"                       # or "random", "sobol" with n = 4096

[axes.q2]
range = ["-90 deg", "90 deg"]
n = 19

[axes."payload.mass"]
values = [0, 5, "15 kg"]

[output]
folder = "loads"
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from pydantic import Field, ValidationError

from armdyn.errors import ArmdynError, InputError
from armdyn.formats.lines import line_of
from armdyn.formats.schema import Table
from armdyn.formats.toml.mistakes import first_mistake
from armdyn.formats.toml.parsing import parsed, text_of
from armdyn.sweep.axes import Axis
from armdyn.sweep.axis_tables import AxisTable, axis_of
from armdyn.sweep.designs import SOBOL_BITS
from armdyn.sweep.study import Design, DesignKind, Study

LARGEST_FILE = 2**20
"""No study needs more bytes than this."""
MOST_ROWS = 10**15


class AboutTable(Table):
    """What is evaluated on what."""

    robot: str = Field(min_length=1)
    quantity: str = Field(min_length=1)
    seed: int = Field(default=0, ge=0, lt=2**63, strict=True)


class DesignTable(Table):
    """How points are chosen."""

    kind: DesignKind
    n: int | None = Field(default=None, ge=1, le=MOST_ROWS, strict=True)


class OutputTable(Table):
    """Where results go."""

    folder: str = Field(min_length=1)


class StudyTable(Table):
    """A study file."""

    study: AboutTable
    design: DesignTable
    axes: dict[str, AxisTable] = Field(min_length=1, max_length=1000)
    output: OutputTable
    options: dict[str, Any] = Field(default_factory=dict[str, Any])


def read_study(path: str | os.PathLike[str]) -> Study:
    """The study of a file; relative names in it start at its folder."""
    file = Path(path)
    try:
        text = text_of(file, LARGEST_FILE, "study")
        base = file.resolve().parent
    except ArmdynError as error:
        raise InputError(str(error)) from error
    return study_of(text, base, str(file))


def study_of(text: str, base: Path, file: str = "study.toml") -> Study:
    """The study that a text describes; messages name `file` and the line."""
    try:
        document = parsed(text, file, "study")
        _check_quotes(document.get("axes"), text, file)
        table = StudyTable.model_validate(document)
    except ValidationError as error:
        raise InputError(str(first_mistake(error, text, file, StudyTable))) from error
    except ArmdynError as error:
        raise InputError(str(error)) from error
    axes = tuple(_axis(name, axis, table.design, text, file) for name, axis in table.axes.items())
    with_n = _design(table.design, axes, text, file)
    about = table.study
    return Study(
        about.robot,
        about.quantity,
        table.options,
        about.seed,
        with_n,
        axes,
        _folder(base, table.output.folder, text, file),
        text,
        base,
        notes=_notes(with_n),
    )


def _check_quotes(axes: Any, text: str, file: str) -> None:
    """Refuse [axes.payload.mass]: without quotes, TOML makes it a table in a table, which no axis has."""
    for name, table in _tables(axes):
        path = [name]
        while inner := next(_tables(table), None):
            path.append(inner[0])
            table = inner[1]  # noqa: PLW2901  ever deeper
        if len(path) > 1:
            message = f'a name with dots needs quotes; write [axes."{".".join(path)}"]'
            raise _mistake(("axes", *path), message, text, file)


def _tables(value: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """The tables in a table, by their names."""
    entries = cast("dict[str, Any]", value).items() if isinstance(value, dict) else ()
    return ((name, cast("dict[str, Any]", inner)) for name, inner in entries if isinstance(inner, dict))


def _axis(name: str, table: AxisTable, design: DesignTable, text: str, file: str) -> Axis:
    try:
        return axis_of(name, table, design.kind, design.n)
    except ValueError as error:
        field, _, message = str(error).partition(": ")
        raise _mistake(("axes", name, field), message, text, file) from error


def _design(table: DesignTable, axes: tuple[Axis, ...], text: str, file: str) -> Design:
    if table.kind == "grid":
        rows = math.prod(axis.size for axis in axes)
        if rows > MOST_ROWS:
            raise _mistake(("design",), f"the grid has {rows} rows, expected at most 1e15", text, file)
        return Design("grid", rows)
    if table.n is None:
        message = f"is missing; a {table.kind} design needs a number of rows"
        raise _mistake(("design", "n"), message, text, file)
    if table.kind == "sobol" and table.n > 2**SOBOL_BITS:
        message = f'{table.n} rows, a Sobol sequence has 2**{SOBOL_BITS}; take kind = "random"'
        raise _mistake(("design", "n"), message, text, file)
    return Design(table.kind, table.n)


def _notes(design: Design) -> tuple[str, ...]:
    if design.kind != "sobol" or design.n & (design.n - 1) == 0:
        return ()
    near = 2 ** round(math.log2(design.n))
    return (f"design.n = {design.n} is not a power of two: Sobol points are balanced best at n = {near}",)


def _folder(base: Path, name: str, text: str, file: str) -> Path:
    try:
        return (base / name).resolve()
    except (OSError, RuntimeError, ValueError) as error:
        raise _mistake(("output", "folder"), "no folder can have this name", text, file) from error


def _mistake(path: tuple[str, ...], message: str, text: str, file: str) -> InputError:
    field = ".".join(path)
    line = line_of(text, path)
    return InputError(f"{file}, line {line}: {field}: {message}" if line else f"{file}: {field}: {message}")
