"""Logs from files."""

from __future__ import annotations

import os
from pathlib import Path

from armdyn.errors import InputError
from armdyn.formats.motion_tables import SUFFIXES as TABLES
from armdyn.identification.logs.log import Log, log_of
from armdyn.identification.logs.messages import recorded_in_messages
from armdyn.identification.logs.quantities import EffortKind, checked_effort
from armdyn.identification.logs.tables import recorded_in_table
from armdyn.robot import Robot

SUFFIXES = (*TABLES, ".mcap")


def read_log(
    path: str | os.PathLike[str],
    robot: Robot,
    *,
    effort: EffortKind | None = None,
    topic: str | None = None,
    drop_invalid: bool = False,
) -> Log:
    """What was measured of a robot, from a .csv, .parquet or .mcap file; nothing is derived.

    Args:
        path: columns `time, q1..` and `tau1..`, `motor_torque1..` or `current1..`; as far as they were
            measured `qd1..`, `wrench1..6`, `sensor1..6`; `motor_position1..` stands in for `q1..` where gears
            are linear. In a .mcap file, JSON messages with the joints' names, positions and efforts.
        robot: whose log it is.
        effort: which efforts, where a file has several; by default tau, then motor torques, then currents. In
            messages with efforts of joints, what these are.
        topic: which topic of a .mcap file, where several would do.
        drop_invalid: leave out samples with numbers that are missing or not finite, instead of refusing them.
    """
    file = Path(path)
    suffix = file.suffix.lower()
    if suffix not in SUFFIXES:
        raise InputError(f'log "{file}" ends in "{file.suffix}", expected {", ".join(SUFFIXES)}')
    if effort is not None:
        checked_effort(effort)
    if suffix == ".mcap":
        recording, quantities = recorded_in_messages(file, robot, effort, topic)
    elif topic is not None:
        raise InputError(f'{file}: topic "{topic}" is asked for, only .mcap files have topics; leave it out')
    else:
        recording, quantities = recorded_in_table(file, robot, effort)
    return log_of(recording, quantities, robot, drop_invalid=drop_invalid)
