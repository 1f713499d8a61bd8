"""What drives an arm, read from a file: samples in .csv or .parquet, or a schedule in .toml."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast

import numpy as np

from armdyn.errors import InputError
from armdyn.formats.motion_columns import Column, driving
from armdyn.formats.motion_tables import SUFFIXES as SAMPLES
from armdyn.formats.motion_tables import ColumnFile, open_columns
from armdyn.robot import Robot
from armdyn.scalars import Array
from armdyn.simulation.acting import ActingKind
from armdyn.simulation.changes import Change
from armdyn.simulation.files.schedules import read_schedule
from armdyn.simulation.signals import Pieces, sampled

SUFFIXES = (*SAMPLES, ".toml")


@dataclass(frozen=True)
class Input:
    """What drives an arm over time, and what acts on it."""

    kind: ActingKind
    signal: Pieces
    """(n) joint torques, or (drives) of what the motors are given"""
    wrench: Pieces | None = None
    """(6) what the tool exerts, force then moment, in base axes"""
    base: Pieces | None = None
    """(12) velocity, angular velocity, acceleration and angular acceleration of the base, in base axes"""
    changes: tuple[Change, ...] = ()
    """What is taken and let go, in the order of time"""


def read_input(
    path: str | os.PathLike[str],
    robot: Robot,
    *,
    kind: ActingKind | None = None,
    between: Literal["hold", "linear"] = "linear",
) -> Input:
    """What drives a robot, from a .csv or .parquet file of samples or a .toml schedule.

    Args:
        path: samples have columns `time` and `tau1..`, `motor_torque1..`, `current1..` or `voltage1..`, and
            `wrench1..6`, `base1..12` if something acts on the arm; positions need not be there.
        robot: what is driven.
        kind: which of them, where a file has several.
        between: what samples mean between their instants: held, or joined by straight lines.
    """
    file = Path(path)
    if file.suffix.lower() not in SUFFIXES:
        raise InputError(f'input "{file}" ends in "{file.suffix}", expected {", ".join(SUFFIXES)}')
    if between not in ("hold", "linear"):
        raise InputError(f'between is "{between}", expected "hold" or "linear"')
    if file.suffix.lower() == ".toml":
        return _scheduled(file, robot, kind)
    table = open_columns(file)
    found, columns = driving(table.titles, robot, str(file), kind)
    signals = {name: _values(table, mine) for name, mine in columns.items()}
    time = signals.pop("time")[:, 0]
    _check_time(time, table, file)
    pieces = {name: sampled(time, values, between, str(file)) for name, values in signals.items()}
    return Input(cast("ActingKind", found), pieces[found], pieces.get("wrench"), pieces.get("base"))


def _scheduled(file: Path, robot: Robot, kind: ActingKind | None) -> Input:
    schedule = read_schedule(file, robot)
    if kind not in (None, schedule.kind):
        raise InputError(
            f'{file}: kind is "{schedule.kind}", asked for "{kind}"; leave it out, or mend the file'
        )
    return Input(schedule.kind, schedule.signal, schedule.wrench, schedule.base, schedule.changes)


def _values(table: ColumnFile, columns: list[Column]) -> Array:
    """(t, width) the columns in SI."""
    return table.numbers([column.place for column in columns]) * [column.factor for column in columns]


def _check_time(time: Array, table: ColumnFile, file: Path) -> None:
    if len(time) < 2:
        what = "no samples" if len(time) == 0 else "one sample"
        raise InputError(f"{file}: {what} below the names of the columns, expected two or more")
    late = ~(np.diff(time) > 0)
    if late.any():
        k = int(np.argmax(late))
        goes = f"time goes from {time[k]:.9g} to {time[k + 1]:.9g} s"
        raise InputError(f"{table.place(k + 1)}: {goes}, expected increasing instants")
