"""Motions in files: trajectories and logs as .csv or .parquet, in SI or in the units their columns name."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from armdyn.errors import InputError, ShapeError
from armdyn.formats.motion_columns import OF_JOINTS, OF_MOTORS, OF_SAMPLES, Column, listed, understood
from armdyn.formats.motion_tables import ColumnFile, open_columns, write_columns
from armdyn.robot import Robot
from armdyn.scalars import Array


@dataclass(frozen=True)
class Motion:
    """A sampled motion of a robot."""

    time: Array
    """(t) increasing instants [s], two or more"""
    q: Array
    """(t, n) joint positions [rad or m]"""
    qd: Array
    """(t, n) joint velocities"""
    qdd: Array
    """(t, n) joint accelerations"""
    columns: Mapping[str, Array]
    """What else the file has, by name: `tau`, `q_programmed` (t, n); `motor_position`, `motor_torque`,
    `current`, `voltage` (t, drives), NaN for a motor of which it has none; `line`, `move` (t)"""
    notes: tuple[str, ...] = ()
    """What was derived or left out"""


def read_motion(path: str | os.PathLike[str], robot: Robot) -> Motion:
    """The motion of a robot in a .csv or .parquet file; velocities and accelerations it lacks are derived.

    Args:
        path: columns `time, q1..qn`; `qd1.., qdd1.., tau1.., current1..` and so on as far as known.
        robot: whose motion it is; its joints say which positions are angles.
    """
    file = Path(path)
    table = open_columns(file)
    columns, others = understood(table.titles, robot, str(file))
    values = table.numbers([column.place for column in columns])
    values *= [column.factor for column in columns]
    found = _by_name(columns, values, robot)
    time, q = found.pop("time"), found.pop("q")
    _check_time(time, table, file)
    qd, qdd, notes = _derived(time, q, found.pop("qd", None), found.pop("qdd", None))
    if others:
        notes = [*notes, f"columns that are left out: {listed(others)}"]
    return Motion(time, q, qd, qdd, found, tuple(f"{file.name}: {note}" for note in notes))


def write_motion(path: str | os.PathLike[str], time: ArrayLike, columns: Mapping[str, ArrayLike]) -> None:
    """Write a motion to a .csv or .parquet file in SI, all of it or nothing.

    Args:
        path: what is there already is replaced.
        time: (t) instants [s].
        columns: by name, as in `Motion`, with `q`, `qd` and `qdd`; a motor's column of NaN is left out.
    """
    known = (*OF_JOINTS, *OF_MOTORS, *OF_SAMPLES)
    for name in columns:
        if name not in known:
            raise InputError(f'a motion has no column "{name}", expected one of {", ".join(known)}')
    t = np.asarray(time, dtype=float)
    if t.ndim != 1:
        raise ShapeError("time", t.shape, "a motion has one instant for each sample", "(t,)")
    written: dict[str, Any] = {"time": t}
    for name in known:
        if name in columns:
            written |= _titled(name, np.asarray(columns[name], dtype=float), len(t))
    for title, column in written.items():
        if not np.isfinite(column).all():
            k = int(np.argmin(np.isfinite(column)))
            raise InputError(f"{title} has {column[k]} at sample {k + 1}, expected finite numbers")
    write_columns(Path(path), written)


def _titled(name: str, values: Array, samples: int) -> dict[str, Any]:
    """The columns of a quantity, under the titles they have in a file."""
    axes = 1 if name in OF_SAMPLES else 2
    if values.ndim != axes or len(values) != samples:
        expected = f"({samples},)" if axes == 1 else f"({samples}, ..)"
        raise ShapeError(name, values.shape, f"there are {samples} instants", expected)
    if name in OF_SAMPLES:
        return {name: values.astype(np.int64) if np.array_equal(values, np.rint(values)) else values}
    titled = {f"{name}{k + 1}": values[:, k] for k in range(values.shape[1])}
    unknown = [title for title in titled if name in OF_MOTORS and np.isnan(titled[title]).all()]
    return {title: column for title, column in titled.items() if title not in unknown}


def _by_name(columns: Sequence[Column], values: Array, robot: Robot) -> dict[str, Array]:
    """The values of every quantity, joints or motors side by side."""
    found: dict[str, Array] = {}
    for name in dict.fromkeys(column.name for column in columns):
        mine = [(column.number, k) for k, column in enumerate(columns) if column.name == name]
        width = len(robot.drives) if name in OF_MOTORS else robot.n
        if name not in OF_JOINTS and name not in OF_MOTORS:
            found[name] = values[:, mine[0][1]].copy()
            continue
        found[name] = np.full((len(values), width), np.nan)
        for number, k in mine:
            assert number is not None
            found[name][:, number - 1] = values[:, k]
    return found


def _check_time(time: Array, table: ColumnFile, file: Path) -> None:
    if len(time) < 2:
        what = "no samples" if len(time) == 0 else "one sample"
        raise InputError(f"{file}: {what} below the names of the columns, expected two or more")
    late = np.diff(time) <= 0
    if late.any():
        k = int(np.argmax(late))
        raise InputError(
            f"{table.place(k + 1)}: time goes from {time[k]:.9g} to {time[k + 1]:.9g} s, "
            "expected increasing instants"
        )


def _derived(time: Array, q: Array, qd: Array | None, qdd: Array | None) -> tuple[Array, Array, list[str]]:
    """Velocities and accelerations as given, or from cubic splines; and what to say about it."""
    if qd is not None and qdd is not None:
        return qd, qdd, []
    interpolate: Any = import_module("scipy.interpolate")  # slow to import: only where something is missing
    if qd is not None:
        return qd, interpolate.CubicSpline(time, qd)(time, 1), ["qdd derived from a cubic spline through qd"]
    spline: Any = interpolate.CubicSpline(time, q)
    if qdd is not None:
        return spline(time, 1), qdd, ["qd derived from a cubic spline through q"]
    return spline(time, 1), spline(time, 2), ["qd and qdd derived from a cubic spline through q"]
