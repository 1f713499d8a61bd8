"""Link frames on the common normals of neighbouring joint axes (modified Denavit-Hartenberg frames).

A link's frame may sit anywhere along its joint's axis and be turned about it by any angle. Put
where the axis meets the common normal with the next joint's axis, x along that normal, most
placements become a turn about x by a right angle and one length along x: zeros that tracing drops.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np

from armdyn.mechanics.tree.links import Link, Tree
from armdyn.scalars import Array, exact_cos_sin
from armdyn.spatial import Transform
from armdyn.spatial.rotation import about_z, snap
from armdyn.spatial.vector import Mat3, Vec3, matrix, product, vector

TOLERANCE = 1e-12
"""Below this a direction is a right angle, and a length [m] nothing."""
STEEP = 0.05
"""Axes less inclined than this [rad] meet their common normal too far away for its foot to be known well."""


def on_common_normals(tree: Tree) -> Tree:
    """Every frame where its joint's axis meets the common normal with the next joint's axis."""
    for i in range(len(tree.links) - 1, -1, -1):
        link, child = tree.links[i], _main_child(tree, i)
        if child is not None:
            tree = _reframed(tree, i, *_common_normal(link, tree.links[child]))
            tree = _shortened(tree, child)
    return replace(tree, links=tuple(_plain(link) for link in tree.links))


def _main_child(tree: Tree, i: int) -> int | None:
    """The child that carries most links; of several the first."""
    carried = [1] * len(tree.links)
    for k in range(len(tree.links) - 1, i, -1):
        if tree.links[k].parent >= 0:
            carried[tree.links[k].parent] += carried[k]
    children = [k for k, link in enumerate(tree.links) if link.parent == i]
    return max(children, key=lambda k: carried[k], default=None)


def _common_normal(link: Link, child: Link) -> tuple[float, Array]:
    """(gamma, b): how far to turn the link's frame about z, and where to put its origin.

    x becomes the common normal of z and the child's axis, the origin its foot on z.
    """
    p, z = _array(child.position), _array(child.rotation)[:, 2]
    across = math.hypot(z[0], z[1])
    if across < TOLERANCE:  # parallel: any foot will do, x points to the child's axis
        x, foot = p[:2], p[2]
    elif across < STEEP:
        return 0.0, np.zeros(3)
    else:
        # p + t z - foot e_z is along x = e_z x z; solve for t and foot
        x = np.array([-z[1], z[0]])
        t = -(p[:2] @ z[:2]) / across**2
        foot = p[2] + t * z[2]
    gamma = math.atan2(x[1], x[0]) if math.hypot(*x) > TOLERANCE else 0.0
    if link.kind == "prismatic":  # its origin may be anywhere: put it where the child's is
        return gamma, p
    return gamma, np.array([0.0, 0.0, foot if abs(foot) > TOLERANCE else 0.0])


def _shortened(tree: Tree, i: int) -> Tree:
    """A last link's origin moved along its axis until it stands on the common normal."""
    link = tree.links[i]
    if link.kind == "prismatic" or any(other.parent == i for other in tree.links):
        return tree
    return _reframed(tree, i, 0.0, np.array([0.0, 0.0, -_array(link.rotation)[:, 2] @ _array(link.position)]))


def _reframed(tree: Tree, i: int, gamma: float, b: Array) -> Tree:
    """Link i in a frame turned by gamma about its z and moved by b (its own axes)."""
    A: Mat3 = about_z(*exact_cos_sin(gamma))
    T_new_old = Transform(A, _vector(b)).inverse()
    link = tree.links[i]
    position = _vector(_array(link.position) + _array(link.rotation) @ b)
    coordinate, rotation = link.coordinate, link.rotation
    if link.kind == "revolute":  # R Rz(theta) Rz(gamma) = R Rz(theta + gamma)
        coordinate = replace(coordinate, offset=coordinate.offset + gamma)
    else:
        rotation = product(rotation, A)
    moments = link.inertia.seen_from(T_new_old)
    links = [_moved(child, T_new_old) if child.parent == i else child for child in tree.links]
    links[i] = replace(link, rotation=rotation, position=position, coordinate=coordinate, inertia=moments)
    frames = {body: (k, T_new_old @ T if k == i else T) for body, (k, T) in tree.frames.items()}
    tool = (tree.tool[0], T_new_old @ tree.tool[1]) if tree.tool[0] == i else tree.tool
    return replace(tree, links=tuple(links), frames=frames, tool=tool)


def _moved(link: Link, T_new_old: Transform) -> Link:
    """A link on a parent whose frame was changed."""
    place = T_new_old @ Transform(link.rotation, link.position)
    return replace(
        link, rotation=snap(place.rotation, TOLERANCE), position=_vector(_array(place.translation))
    )


def _plain(link: Link) -> Link:
    """A turning link whose placement R = Rx(alpha) Rz(gamma) is a turn about x only."""
    R = _array(link.rotation)
    if link.kind != "revolute" or abs(R[0, 2]) > TOLERANCE:
        return link
    c, s = R[2, 2], -R[1, 2]
    about_x = snap(matrix(((1.0, 0.0, 0.0), (0.0, c, -s), (0.0, s, c))), TOLERANCE)
    turn = _array(about_x).T @ R
    gamma = math.atan2(turn[1, 0], turn[0, 0])
    coordinate = replace(link.coordinate, offset=link.coordinate.offset + gamma)
    return replace(link, rotation=about_x, coordinate=coordinate)


def _array(x: Vec3 | Mat3) -> Array:
    return np.array(x, dtype=float)


def _vector(x: Array) -> Vec3:
    """As a vector, lengths below the tolerance made zero."""
    return vector(cast("Sequence[Any]", np.where(np.abs(x) < TOLERANCE, 0.0, x).tolist()))
