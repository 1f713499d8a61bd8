"""Base parameters: inertia that a joint does not feel, counted in the link before it.

Torques tau, the mass matrix and forward dynamics stay the same; the forces between links, link
momenta and the constant of the potential do not, and are computed from the tree as it was built.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from armdyn.mechanics.tree.links import Link, Tree
from armdyn.robot.joint import JointKind
from armdyn.scalars import Array
from armdyn.spatial import Moments, Transform
from armdyn.spatial.vector import ZERO, Mat3, matrix, vector

NOTHING: Mat3 = (ZERO, ZERO, ZERO)
ROUNDING = 1e-14
"""Parts of an inertia below this share of what was summed are rounding."""


def with_base_parameters(tree: Tree) -> Tree:
    """The tree with every link's inertia regrouped; what the base would get is felt by nobody."""
    links = list(tree.links)
    for i in range(len(links) - 1, -1, -1):
        link = links[i]
        passed = _unfelt(link)
        links[i] = replace(link, inertia=_tidy(link.inertia - passed, link.inertia))
        if link.parent >= 0:
            place = Transform(link.rotation, link.position)
            parent = links[link.parent]
            links[link.parent] = replace(parent, inertia=parent.inertia + passed.seen_from(place))
    return replace(tree, links=tuple(links))


def _unfelt(link: Link) -> Moments:
    """The part of a link's inertia that its own joint does not feel.

    Turning: mass, first and second moment along the axis. Sliding: the second moment.
    """
    m, h, S = link.inertia.mass, link.inertia.first, link.inertia.second
    if link.kind == "prismatic":
        return Moments(0.0, ZERO, S)
    return Moments(m, (0.0, 0.0, h[2]), matrix((ZERO, ZERO, (0.0, 0.0, S[2][2]))))


def unfelt_parts(kind: JointKind) -> list[Moments]:
    """One by one what joints of a kind do not feel, in the axes of their links; of a fixed joint all."""
    along, across = _second_moment(2, 2), [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2)]
    if kind == "revolute":
        return [Moments(1, ZERO, NOTHING), Moments(0, (0, 0, 1), NOTHING), along]
    second = [*(_second_moment(i, j) for i, j in across), along]
    if kind == "prismatic":
        return second
    first = [Moments(0, vector(int(i == k) for i in range(3)), NOTHING) for k in range(3)]
    return [Moments(1, ZERO, NOTHING), *first, *second]


def _second_moment(i: int, j: int) -> Moments:
    return Moments(0, ZERO, matrix([int({a, b} == {i, j}) for b in range(3)] for a in range(3)))


def _tidy(left: Moments, whole: Moments) -> Moments:
    """What is left without the rounding of sums over the whole arm; round where it is nearly so.

    Rounding is measured across the axis and along it apart: common normals may put the origin far away on the
    axis, and what a thin body has across it is small beside that, but no rounding.
    """
    across, along = _extents(whole)
    size: Array = np.array([across, across, max(across, along)])
    mass = np.sqrt(np.abs(np.array(whole.mass, dtype=float)))
    h: Array = np.array(left.first, dtype=float)
    S: Array = np.array(left.second, dtype=float)
    h[np.abs(h) <= ROUNDING * mass * size] = 0.0
    S[np.abs(S) <= ROUNDING * np.outer(size, size)] = 0.0
    if abs(S[0, 0] - S[1, 1]) <= ROUNDING * across**2:
        S[0, 0] = S[1, 1]
    return Moments(float(left.mass), vector(h.tolist()), matrix(S.tolist()))


def _extents(inertia: Moments) -> tuple[float, float]:
    """Roots of the second moments: the larger one across the axis z, and that along it."""
    x, y, z = np.sqrt(np.abs(np.diag(np.array(inertia.second, dtype=float))))
    return max(x, y), z
