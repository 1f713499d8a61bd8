"""A moving base as six driven joints below the tree.

Formulations that sum over joints need no other word about the base: three slides carry its
origin, three turns its axes, and their rates and accelerations are prescribed.
"""

from __future__ import annotations

from dataclasses import replace

from armdyn.mechanics.loads import Contact
from armdyn.mechanics.tree.links import BaseState, Coordinate, Link, Tree
from armdyn.robot.joint import JointKind
from armdyn.spatial import Transform, Vec3
from armdyn.spatial.moments import NO_MOMENTS
from armdyn.spatial.rotation import along_z
from armdyn.spatial.vector import ZERO, Mat3, product, transpose

AXES = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
BASE_JOINTS = 2 * len(AXES)


def with_driven_base(tree: Tree, contact: Contact | None = None) -> tuple[Tree, Contact | None]:
    """The tree (and a contact on it) on a base at rest that carries the base's motion as joints.

    At the moment the turns stand at zero: omega = (t1, t2, t3)', and
    alpha = (t1, t2, t3)'' + (t2' t3', -t1' t3', t1' t2').
    """
    if tree.base == BaseState():
        return tree, contact
    base = tree.base
    x, y, z = base.angular_velocity
    alpha = base.angular_acceleration
    turning = (alpha[0] - y * z, alpha[1] + x * z, alpha[2] - x * y)
    carriers = [
        *_joints("prismatic", base.velocity, base.acceleration, -1),
        *_joints("revolute", base.angular_velocity, turning, len(AXES) - 1),
    ]
    links = tuple(replace(link, parent=link.parent + BASE_JOINTS) for link in tree.links)
    frames = {body: (link + BASE_JOINTS, T) for body, (link, T) in tree.frames.items()}
    tool = (tree.tool[0] + BASE_JOINTS, tree.tool[1])
    standing = replace(tree, links=(*carriers, *links), frames=frames, tool=tool, base=BaseState())
    if contact is None:
        return standing, None
    link, T_link_point = contact.frame
    return standing, replace(contact, frame=(link + BASE_JOINTS, T_link_point))


def _joints(kind: JointKind, rates: Vec3, accelerations: Vec3, parent: int) -> list[Link]:
    """Massless links that move along, or about, x, y and z of the base."""
    before: Mat3 = Transform().rotation
    links: list[Link] = []
    for k, axis in enumerate(AXES):
        axes = along_z(axis)
        coordinate = Coordinate((), rate=rates[k], acceleration=accelerations[k])
        rotation = product(transpose(before), axes)
        links.append(
            Link(f"base {kind} {'xyz'[k]}", parent + k, kind, rotation, ZERO, coordinate, NO_MOMENTS)
        )
        before = axes
    return links
