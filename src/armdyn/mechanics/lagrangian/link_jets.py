"""The matrices of all links as functions of q: on their parents, in the base, and on one another.

A link's matrix on its parent depends on q through its joint's coordinate theta:
    dA/dq_j       = A' theta_j
    d2A/dq_j dq_k = A'' theta_j theta_k + A' theta_jk
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations_with_replacement
from typing import Any

from armdyn.mechanics.lagrangian.matrix_jet import CONSTANT, Jet, inverse
from armdyn.mechanics.placed import Placed, placed
from armdyn.mechanics.tree.coordinates import curvature_of
from armdyn.mechanics.tree.links import Tree
from armdyn.spatial.homogeneous import NOTHING, Mat4, homogeneous, scaled, summed
from armdyn.spatial.vector import ZERO, product, vector


def joint_jets(tree: Tree, q: Sequence[Any]) -> list[Jet]:
    """A_i: every link on its parent, in axes that turn with the links."""
    return [_forwards(here, q) for here in placed(tree, q)]


def base_jets(tree: Tree, joints: Sequence[Jet]) -> list[Jet]:
    """T_i = T_(i-1) A_i: every link in the base."""
    result: list[Jet] = []
    for link, A in zip(tree.links, joints, strict=True):
        result.append(A if link.parent < 0 else result[link.parent] @ A)
    return result


def jet_between(tree: Tree, joints: Sequence[Jet], seen_from: int, link: int) -> Jet:
    """T of one link as another sees it (-1 is the base), by the joints between them alone."""
    above = _inwards(tree, seen_from)
    result = CONSTANT
    while link not in above:
        result = joints[link] @ result
        link = tree.links[link].parent
    for i in reversed(above[: above.index(link)]):
        result = inverse(joints[i]) @ result
    return result


def _inwards(tree: Tree, link: int) -> list[int]:
    """A link and all it stands on, down to the base."""
    chain = [link]
    while chain[-1] >= 0:
        chain.append(tree.links[chain[-1]].parent)
    return chain


def _forwards(here: Placed, q: Sequence[Any]) -> Jet:
    """A, A' theta_j and A'' theta_j theta_k + A' theta_jk."""
    slope, bent = _along(here)
    theta = here.coordinate.gradient
    first = {j: scaled(theta_j, slope) for j, theta_j in theta}
    second = {
        (min(j, k), max(j, k)): scaled(theta_j * theta_k, bent)
        for (j, theta_j), (k, theta_k) in combinations_with_replacement(theta, 2)
    }
    for j, k, theta_jk in curvature_of(here.link.coordinate, q):
        if j <= k:
            second[j, k] = summed(second[j, k], scaled(theta_jk, slope))
    at = here.in_parent()
    return Jet(homogeneous(at.rotation, at.translation, 1), first, second)


def _along(here: Placed) -> tuple[Mat4, Mat4]:
    """A' and A'', the derivatives by the joint's own coordinate."""
    R, c, s = here.link.rotation, here.turn.cosine, here.turn.sine
    if here.link.kind == "prismatic":
        return homogeneous((ZERO, ZERO, ZERO), vector(row[2] for row in R), 0), NOTHING
    once = product(R, ((-s, -c, 0), (c, -s, 0), ZERO))
    twice = product(R, ((-c, s, 0), (-s, -c, 0), ZERO))
    return homogeneous(once, ZERO, 0), homogeneous(twice, ZERO, 0)
