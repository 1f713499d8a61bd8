"""Composite bodies: the mass matrix H, and accelerations from it.

Going inwards, every link with all that it carries is one rigid body. Accelerating only its
joint by one takes the composite's force; its projection on every joint inwards is a row of H
([Siciliano2009] 7.32 by the structure of the tree; Walker and Orin's third method).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from armdyn.mechanics.joint_space import generalized_mass
from armdyn.mechanics.kinematics import Placed, placed
from armdyn.mechanics.links import Tree
from armdyn.spatial import Moments, Wrench
from armdyn.spatial.vector import ZERO


def mass_matrix(tree: Tree, q: Sequence[Any]) -> list[list[Any]]:
    """H(q), n x n."""
    links = placed(tree, q)
    A: list[list[Any]] = [[0] * len(links) for _ in links]
    composites = [here.link.inertia for here in links]
    for i in range(len(links) - 1, -1, -1):
        here = links[i]
        for j, felt in _felt_inwards(links, i, _unit_force(composites[i], here.link.kind)):
            A[i][j] = felt
        if here.link.parent >= 0:
            composites[here.link.parent] += here.moments_to_parent(composites[i])
    return generalized_mass(tree, links, A, q)


def _unit_force(body: Moments, kind: str) -> Wrench:
    """Force and moment at the origin that accelerate a body's joint by one, all else at rest."""
    m, h, s = body.mass, body.first, body.second
    if kind == "fixed":
        return Wrench(ZERO, ZERO)
    if kind == "prismatic":
        return Wrench((0, 0, m), (h[1], -h[0], 0))
    return Wrench((-h[1], h[0], 0), (-s[0][2], -s[1][2], s[0][0] + s[1][1]))


def _felt_inwards(links: Sequence[Placed], i: int, wrench: Wrench) -> Iterator[tuple[int, Any]]:
    """(j, torque along joint j) of a wrench at link i, for joint i and every joint inwards of it."""
    j = i
    while j >= 0:
        if links[j].link.kind != "fixed":
            yield j, wrench.moment[2] if links[j].link.kind == "revolute" else wrench.force[2]
        if links[j].link.parent >= 0:
            wrench = links[j].wrench_to_parent(wrench)
        j = links[j].link.parent
