"""The robot that a page shows first, sent with the first answer."""

from __future__ import annotations

import numpy as np

from armdyn.errors import ArmdynError
from armdyn.program import parse_program
from armdyn.studio.answers.programs import named_robot
from armdyn.studio.messages.answers import FirstRobot
from armdyn.studio.messages.settings import Settings
from armdyn.studio.poses import as_rows
from armdyn.studio.scenes.meshes import Meshes
from armdyn.studio.scenes.scene import scene
from armdyn.studio.studio import Studio

DEFAULT = "lola15"
"""Where nothing is opened, or a program names no robot."""


def first_robot(studio: Studio) -> FirstRobot | None:
    """What is drawn at once; None where a run brings its own robot, or none can be read."""
    try:
        name = _name(studio)
        if name is None:
            return None
        ready = studio.robots.ready(name, Settings())
        q = np.array(ready.robot.home)
        poses = as_rows(np.concatenate([ready.dyn.body_poses(q), ready.dyn.pose(q)[None]]))
        meshes = Meshes(ready.file, studio.folder.root, studio.mesh_signature)
        return FirstRobot(robot=scene(ready, meshes), poses=poses.tolist())
    except ArmdynError:  # the page asks for the robot then, and is told what is wrong with it
        return None


def _name(studio: Studio) -> str | None:
    opened = studio.opened
    if opened is None:
        return DEFAULT
    if opened.kind == "robot":
        return opened.name
    return named_robot(parse_program(opened.text or "")) or DEFAULT if opened.kind == "program" else None
