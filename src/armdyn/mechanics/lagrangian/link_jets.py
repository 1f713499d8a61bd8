"""The matrices of all links as functions of q: on their parents, in the base, and on one another.

A link's matrix A on its parent depends on q through its joint's coordinate theta, its derivatives by
theta are A' = A Q and A'' = A Q Q with the joint's operator Q (`partial_derivatives`):
    dA/dq_j       = A' theta_j
    d2A/dq_j dq_k = A'' theta_j theta_k + A' theta_jk
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations_with_replacement
from typing import Any

from armdyn.mechanics.lagrangian.matrix_jet import CONSTANT, Jet, inverse
from armdyn.mechanics.lagrangian.partial_derivatives import OPERATORS, PartialDerivatives
from armdyn.mechanics.placed import Placed, placed
from armdyn.mechanics.tree.coordinates import curvature_of
from armdyn.mechanics.tree.links import Tree
from armdyn.spatial.homogeneous import Mat4, multiplied, scaled, summed


def joint_jets(tree: Tree, q: Sequence[Any]) -> list[Jet]:
    """A_i: every link on its parent, in axes that turn with the links."""
    links = placed(tree, q)
    return [_over_q(A, here, q) for A, here in zip(PartialDerivatives.of(links).A, links, strict=True)]


def base_jets(tree: Tree, joints: Sequence[Jet]) -> list[Jet]:
    """T_i = T_(i-1) A_i: every link in the base."""
    result: list[Jet] = []
    for link, A in zip(tree.links, joints, strict=True):
        result.append(A if link.parent < 0 else result[link.parent] @ A)
    return result


def jet_between(tree: Tree, joints: Sequence[Jet], seen_from: int, link: int) -> Jet:
    """T of one link as another sees it (-1 is the base), by the joints between them alone."""
    above = [*tree.path(seen_from), -1]
    result = CONSTANT
    while link not in above:
        result = joints[link] @ result
        link = tree.links[link].parent
    for i in reversed(above[: above.index(link)]):
        result = inverse(joints[i]) @ result
    return result


def _over_q(A: Mat4, here: Placed, q: Sequence[Any]) -> Jet:
    """A, A' theta_j and A'' theta_j theta_k + A' theta_jk."""
    Q = OPERATORS[here.link.kind]
    slope = multiplied(A, Q)
    bend = multiplied(slope, Q)
    theta = here.coordinate.gradient
    first = {j: scaled(theta_j, slope) for j, theta_j in theta}
    second = {
        (min(j, k), max(j, k)): scaled(theta_j * theta_k, bend)
        for (j, theta_j), (k, theta_k) in combinations_with_replacement(theta, 2)
    }
    for j, k, theta_jk in curvature_of(here.link.coordinate, q):
        if j <= k:
            second[j, k] = summed(second[j, k], scaled(theta_jk, slope))
    return Jet(A, first, second)
