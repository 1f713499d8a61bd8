"""`export`: a robot written for something else."""

from __future__ import annotations

import os
from typing import Any

from armdyn.exports.exported import Exported
from armdyn.exports.targets import check_options, target
from armdyn.formats import load
from armdyn.robot import Robot


def export(
    robot: Robot | str | os.PathLike[str], to: str, folder: str | os.PathLike[str], **options: Any
) -> Exported:
    """Write a robot for something else, into a folder.

    Args:
        robot: what is written: a robot, or a catalog name or file.
        to: "c", "casadi", "fmu", "toml" or "urdf" (`exports.targets.TARGETS`).
        folder: where files go; it is made if it is not there, and what has the same name is replaced.
        **options: of the target, as `quantities=`, `motors=`, `friction=`, or `wrench=True` for functions
            that take a wrench. One that does not belong to the target is refused, None is none.

    Returns:
        The files, and a sentence for everything that could not be taken along.
    """
    arm = robot if isinstance(robot, Robot) else load(robot)
    chosen = target(to)
    asked = {name: value for name, value in options.items() if value is not None}
    check_options(to, {name: name for name in asked})
    return chosen.export(arm, folder, **asked)
