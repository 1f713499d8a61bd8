"""Forces and moments between bodies, in the axes of either, or of the base."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from armdyn.mechanics.kinematics import poses
from armdyn.mechanics.newton_euler import LinkLoads
from armdyn.mechanics.placed import placed
from armdyn.mechanics.tree.links import Tree
from armdyn.robot import Robot
from armdyn.spatial import Mat3
from armdyn.spatial.vector import product, transpose

AXES = ("body", "parent", "base")


def body_reactions(
    robot: Robot, whole: Tree, q: Sequence[Any], loads: LinkLoads, axes: str
) -> list[list[Any]]:
    """What each body's parent exerts on it at the origin of the joint's frame: force, then moment.

    `whole` is a tree in which every body is a link (lump=False); axes is one of AXES.
    """
    links = placed(whole, q)
    T_base = poses(links)

    def turn(body: str, parent: str) -> Mat3:
        """From the axes of the body's link into those asked for."""
        link, T_link_body = whole.frames[body]
        match axes:
            case "body":
                return transpose(T_link_body.rotation)
            case "base":
                return T_base[link].rotation
            case _:
                _, T_link_parent = whole.frames[parent]
                return product(transpose(T_link_parent.rotation), links[link].in_parent().rotation)

    result: list[list[Any]] = []
    for body in robot.bodies:
        wrench = loads.links[whole.frames[body.name][0]].seen_from(turn(body.name, body.parent))
        result.append([*wrench.force, *wrench.moment])
    return result
