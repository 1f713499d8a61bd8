"""Logs in .csv and .parquet files: columns in SI or in the units their titles name."""

from __future__ import annotations

from pathlib import Path

from armdyn.formats.motion_columns import columns_of, listed, numbered, strange
from armdyn.formats.motion_tables import open_columns
from armdyn.identification.logs.log import check_drives
from armdyn.identification.logs.quantities import EffortKind, Quantities, taken
from armdyn.identification.logs.recording import Recording
from armdyn.robot import Robot
from armdyn.scalars import Array


def recorded_in_table(file: Path, robot: Robot, effort: EffortKind | None) -> tuple[Recording, Quantities]:
    """What a .csv or .parquet file has of a log, and which quantities those are."""
    table = open_columns(file)
    quantities, notes = taken(numbered(table.titles), effort, str(file))
    check_drives(quantities.effort, robot, str(file))
    if others := strange(table.titles):
        notes.append(f"columns that are left out: {listed(others)}")
    columns = columns_of(quantities.names, table.titles, robot, str(file))
    places = [column.place for mine in columns.values() for column in mine]
    values = table.numbers(places, finite=False)
    values *= [column.factor for mine in columns.values() for column in mine]
    titles = {name: [column.title for column in mine] for name, mine in columns.items()}
    signals: dict[str, Array] = {}
    first = 0
    for name, mine in columns.items():
        signals[name] = values[:, first : first + len(mine)]
        first += len(mine)
    time = signals.pop("time")[:, 0]
    return Recording(str(file), time, signals, titles, table.place, tuple(notes)), quantities
