"""A robot as a TOML file of armdyn."""

from __future__ import annotations

import os

from armdyn.dynamics.result_names import identifier
from armdyn.exports.exported import Exported
from armdyn.exports.folder import made_folder, write
from armdyn.exports.meshes import left_behind
from armdyn.formats.toml import write_toml
from armdyn.robot import Robot


def export_toml(robot: Robot, folder: str | os.PathLike[str]) -> Exported:
    """Write the robot as `NAME.toml`, which reads back as an equal robot.

    Comments and units of a file that it came from are not part of a robot; numbers are SI, and DH rows are
    written as the placements they stand for.
    """
    file = made_folder(folder) / f"{identifier(robot.name)}.toml"
    return Exported((write(file, write_toml(robot).encode()),), left_behind(robot))
