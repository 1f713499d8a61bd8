"""Meshes of a robot: files beside its file."""

from __future__ import annotations

from armdyn.errors import counted
from armdyn.robot import Robot


def left_behind(robot: Robot) -> tuple[str, ...]:
    """That meshes are named but not copied: nothing but the robot's own file is ever opened."""
    names = {visual.mesh for body in robot.bodies for visual in body.visuals if visual.mesh}
    if not names:
        return ()
    files = counted(len(names), "mesh").replace("meshs", "meshes")
    return (f"{files}: named as in the robot's file, not copied",)
