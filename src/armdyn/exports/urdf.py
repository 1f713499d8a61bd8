"""A robot as a URDF."""

from __future__ import annotations

import os

from armdyn.dynamics.result_names import identifier
from armdyn.errors import InputError
from armdyn.exports.exported import Exported
from armdyn.exports.folder import made_folder, write
from armdyn.exports.meshes import left_behind
from armdyn.formats.urdf import write_urdf
from armdyn.mechanics.tree.motors import MotorModel
from armdyn.robot import Robot


def export_urdf(
    robot: Robot, folder: str | os.PathLike[str], *, motors: MotorModel | None = None
) -> Exported:
    """Write the robot as `NAME.urdf`: the same motion and dynamics, less what `lost` names.

    Args:
        robot: what is written.
        folder: where the file goes; it is made if it is not there.
        motors: "none" leaves the masses of rotors out; by default they ride on their carriers.
    """
    if motors not in (None, "none"):
        raise InputError(f'motors "{motors}": URDF knows no motors, expected "none" or nothing')
    text, lost = write_urdf(robot, rotors=motors is None)
    file = made_folder(folder) / f"{identifier(robot.name)}.urdf"
    return Exported((write(file, text.encode()),), (*lost, *left_behind(robot)))
