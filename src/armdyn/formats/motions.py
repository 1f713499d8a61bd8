"""Motions in files: trajectories and logs as .csv or .parquet, in SI or in the units their columns name."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from armdyn.errors import InputError, ShapeError, counted
from armdyn.formats.motion_columns import (
    OF_JOINTS,
    OF_MOTORS,
    OF_SAMPLES,
    Column,
    is_timed,
    listed,
    understood,
)
from armdyn.formats.motion_tables import ColumnFile, open_columns, write_columns
from armdyn.robot import Robot
from armdyn.scalars import Array

REST = 1e-4
"""A derived speed below this share of the joint's largest is the spline's, not the motion's: rest."""
WHOLE = 2.0**63
"""Whole numbers in files lie below this in magnitude."""


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

    A derived velocity below 1e-4 of the joint's largest is 0: a spline rings where a joint stands still.

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
    for name in OF_SAMPLES:
        if name in found and (k := _first_not_whole(found[name])) is not None:
            said = f'column "{name}": {found[name][k]:g} is not a whole number'
            raise InputError(f"{table.place(k)}, {said}, expected one below 2^63")
    qd, qdd, notes = _derived(time, q, found.pop("qd", None), found.pop("qdd", None), str(file))
    if others:
        notes = [*notes, f"columns that are left out: {listed(others)}"]
    return Motion(time, q, qd, qdd, found, tuple(f"{file.name}: {note}" for note in notes))


def has_times(path: str | os.PathLike[str]) -> bool:
    """Whether a .csv or .parquet file has a column of instants."""
    return is_timed(open_columns(Path(path)).titles)


def read_waypoints(path: str | os.PathLike[str], robot: Robot) -> Array:
    """The postures (m, n) in a .csv or .parquet file with columns q1..qn, in its order [rad or m]."""
    file = Path(path)
    table = open_columns(file)
    columns, _ = understood(table.titles, robot, str(file), timed=False)
    chosen = sorted((column for column in columns if column.name == "q"), key=lambda each: each.number or 0)
    return table.numbers([column.place for column in chosen]) * [column.factor for column in chosen]


def sampled_motion(
    robot: Robot,
    time: ArrayLike,
    q: ArrayLike,
    qd: ArrayLike | None = None,
    qdd: ArrayLike | None = None,
    *,
    name: str = "motion",
) -> Motion:
    """A motion of a robot from arrays; velocities and accelerations not given are derived as for a file.

    Args:
        robot: whose motion it is.
        time: (t) increasing instants [s], two or more.
        q: (t, n) joint positions [rad or m].
        qd: (t, n) joint velocities.
        qdd: (t, n) joint accelerations.
        name: what messages and notes call it.
    """
    t = _given_time(time)
    arrays: list[Array | None] = []
    for label, values in (("q", q), ("qd", qd), ("qdd", qdd)):
        array = None if values is None else _numbers(label, values)
        if array is not None and array.shape != (len(t), robot.n):
            has = f'{name} has {len(t)} instants and robot "{robot.name}" {counted(robot.n, "joint")}'
            raise ShapeError(label, array.shape, has, f"({len(t)}, {robot.n})")
        if array is not None and not np.isfinite(array).all():
            raise InputError(f"{name}: {label} has numbers that are not finite, expected finite ones")
        arrays.append(array)
    position, rate, bend = arrays
    assert position is not None
    rate, bend, notes = _derived(t, position, rate, bend, name)
    return Motion(t, position, rate, bend, {}, tuple(f"{name}: {note}" for note in notes))


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
    t = _given_time(time)
    arrays = {name: _numbers(name, columns[name]) for name in known if name in columns}
    _check_widths(arrays)
    written: dict[str, Any] = {"time": t}
    for name, values in arrays.items():
        written |= _titled(name, values, len(t))
    for title, column in written.items():
        if not np.isfinite(column).all():
            k = int(np.argmin(np.isfinite(column)))
            raise InputError(f"{title} has {column[k]} at sample {k + 1}, expected finite numbers")
    for name in OF_SAMPLES:
        if name in written:
            if (k := _first_not_whole(written[name])) is not None:
                has = f"{written[name][k]:g} at sample {k + 1}"
                raise InputError(f"{name} has {has}, expected whole numbers below 2^63")
            written[name] = written[name].astype(np.int64)
    write_columns(Path(path), written)


def _given_time(time: ArrayLike) -> Array:
    """The instants as (t), refused unless they could be read again."""
    t = _numbers("time", time)
    if t.ndim != 1:
        raise ShapeError("time", t.shape, "a motion has one instant for each sample", "(t,)")
    if len(t) < 2:
        raise ShapeError("time", t.shape, "a motion has two or more samples", "(t,) with t of 2 or more")
    if (k := _first_not_later(t)) is not None:
        raise InputError(
            f"time goes from {t[k]:.9g} to {t[k + 1]:.9g} s at sample {k + 2}, expected increasing instants"
        )
    return t


def _numbers(name: str, value: ArrayLike) -> Array:
    try:
        return np.asarray(value, dtype=float)
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"{name} is not an array of numbers, expected one row for each sample") from error


def _check_widths(arrays: Mapping[str, Array]) -> None:
    """What there is of joints is there of all, and so of motors."""
    for kind, names in (("joint", OF_JOINTS), ("motor", OF_MOTORS)):
        wide = {name: arrays[name].shape for name in names if name in arrays and arrays[name].ndim == 2}
        first = next(iter(wide), "")
        for name, (samples, width) in wide.items():
            if width != wide[first][1]:
                has = f"{first} has {counted(wide[first][1], kind)}"
                raise ShapeError(name, (samples, width), has, f"({samples}, {wide[first][1]})")
            if width == 0 and kind == "joint":
                raise ShapeError(name, (samples, 0), "a robot has joints", f"({samples}, n)")


def _titled(name: str, values: Array, samples: int) -> dict[str, Any]:
    """The columns of a quantity, under the titles they have in a file."""
    axes = 1 if name in OF_SAMPLES else 2
    if values.ndim != axes or len(values) != samples:
        expected = f"({samples},)" if axes == 1 else f"({samples}, ..)"
        raise ShapeError(name, values.shape, f"there are {samples} instants", expected)
    if name in OF_SAMPLES:
        return {name: values}
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
    if (k := _first_not_later(time)) is not None:
        raise InputError(
            f"{table.place(k + 1)}: time goes from {time[k]:.9g} to {time[k + 1]:.9g} s, "
            "expected increasing instants"
        )


def _first_not_later(time: Array) -> int | None:
    """The first sample, from 0, after which time does not go on."""
    late = ~(time[1:] > time[:-1])
    return int(np.argmax(late)) if late.any() else None


def _first_not_whole(values: Array) -> int | None:
    """The first sample, from 0, that is no whole number, or too large a one."""
    wrong = (values != np.rint(values)) | (values < -WHOLE) | (values >= WHOLE)
    return int(np.argmax(wrong)) if wrong.any() else None


# What is derived ------------------------------------------------------------------------------


def _derived(
    time: Array, q: Array, qd: Array | None, qdd: Array | None, file: str
) -> tuple[Array, Array, list[str]]:
    """Velocities and accelerations as given, or from cubic splines; and what to say about it."""
    if qd is not None and qdd is not None:
        return qd, qdd, []
    if qd is not None:
        (bend,) = _spline_slopes(time, qd, 1, f"{file}: accelerations")
        return qd, _at_rest(bend, qd), ["qdd derived from a cubic spline through qd"]
    what = "velocities" if qdd is not None else "velocities and accelerations"
    slope, *bends = _spline_slopes(time, q, 1 if qdd is not None else 2, f"{file}: {what}")
    qd = np.where(_small(slope), 0.0, slope)
    resting = f"derived speeds below {REST:g} of a joint's largest count as rest"
    if qdd is not None:
        return qd, qdd, ["qd derived from a cubic spline through q", resting]
    return qd, _at_rest(bends[0], qd), ["qd and qdd derived from a cubic spline through q", resting]


def _at_rest(bend: Array, qd: Array) -> Array:
    """Accelerations, 0 where a joint rests and all that is left is the spline's: it does not start there."""
    return np.where((qd == 0) & _small(bend), 0.0, bend)


def _small(values: Array) -> Any:
    """Which values are next to nothing beside the largest of their joint."""
    sizes = np.abs(values)
    return sizes < REST * sizes.max(axis=0)


def _spline_slopes(time: Array, values: Array, count: int, what: str) -> list[Array]:
    """The first derivatives of a cubic spline at its samples, as many as asked for."""
    interpolate: Any = import_module("scipy.interpolate")  # slow to import: only where something is missing
    sentence = f"{what} cannot be derived, steps of time are too small or values too large; add their columns"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # what is not finite is refused below
            spline: Any = interpolate.CubicSpline(time, values)
            slopes = [spline(time, k + 1) for k in range(count)]
    except ValueError as error:
        raise InputError(sentence) from error
    if not all(np.isfinite(slope).all() for slope in slopes):
        raise InputError(sentence)
    return slopes
