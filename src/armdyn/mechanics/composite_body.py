"""Composite bodies: the mass matrix H, and accelerations from it.

Going inwards, every link with all that it carries is one rigid body. Accelerating only its
joint by one takes the composite's force; its projection on every joint inwards is a row of H
([Siciliano2009] 7.32 by the structure of the tree; Walker and Orin's third method).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from armdyn.mechanics.coordinates import state_of
from armdyn.mechanics.kinematics import Placed, placed
from armdyn.mechanics.links import Tree
from armdyn.scalars import reciprocal
from armdyn.spatial import Moments, Wrench
from armdyn.spatial.vector import Mat3, add, dot, matrix, scale, times


def mass_matrix(tree: Tree, q: Sequence[Any]) -> list[list[Any]]:
    """H(q), n x n."""
    links = placed(tree, q)
    H: list[list[Any]] = [[0] * tree.n for _ in range(tree.n)]
    composites = [link.inertia for link in tree.links]
    for i in range(len(links) - 1, -1, -1):
        here = links[i]
        if here.link.kind != "fixed":
            _add_row(H, links, i, _unit_force(composites[i], here.link.kind))
        if here.link.parent >= 0:
            composites[here.link.parent] += _in_parent(composites[i], here)
    _add_spins(H, tree, q)
    return H


def _in_parent(body: Moments, here: Placed) -> Moments:
    """A body on a link, about the parent's origin in the parent's axes.

    h' = R h + m p, S' = R S R^T + u p^T + p u^T with u = R h + m p/2.
    """
    p, h = here.position, here.to_parent(body.first)
    u = add(h, scale(0.5 * body.mass, p))
    turned = _turned(here.link.rotation, _turned_about_z(here.cosine, here.sine, body.second))

    def shifted(i: int, j: int) -> Any:
        return turned[i][j] + (u[i] * p[j] + p[i] * u[j])

    return Moments(body.mass, add(h, scale(body.mass, p)), _symmetric(shifted))


def _unit_force(body: Moments, kind: str) -> Wrench:
    """Force and moment at the origin that accelerate a body's joint by one, all else at rest."""
    m, h, s = body.mass, body.first, body.second
    if kind == "prismatic":
        return Wrench((0, 0, m), (h[1], -h[0], 0))
    return Wrench((-h[1], h[0], 0), (-s[0][2], -s[1][2], s[0][0] + s[1][1]))


def _add_row(H: list[list[Any]], links: Sequence[Placed], i: int, wrench: Wrench) -> None:
    """Add the force of joint i, felt at joint i and at every joint inwards of it, to H."""
    moving = links[i].coordinate.gradient
    j = i
    while True:
        felt = wrench.moment[2] if links[j].link.kind == "revolute" else wrench.force[2]
        for a, slope in moving if links[j].link.kind != "fixed" else ():
            for b, other in links[j].coordinate.gradient:
                _add_pair(H, a, b, slope * other * felt, once=i == j)
        parent = links[j].link.parent
        if parent < 0:
            return
        wrench = links[j].wrench_to_parent(wrench)
        j = parent


def _add_pair(H: list[list[Any]], a: int, b: int, value: Any, *, once: bool) -> None:
    """H_ab += value, and H_ba too unless the pair (a, b) comes by itself the other way round."""
    H[a][b] = H[a][b] + value
    if not once:
        H[b][a] = H[b][a] + value


def _add_spins(H: list[list[Any]], tree: Tree, q: Sequence[Any]) -> None:
    """Add I theta'_a theta'_b of every spin (only its own joint's square where it is reflected)."""
    for spin in tree.spins:
        gradient = state_of(spin.coordinate, q).gradient
        for a, slope in gradient:
            for b, other in gradient:
                if spin.own is None or a == b == spin.own:
                    H[a][b] = H[a][b] + spin.inertia * (slope * other)


def solve(H: Sequence[Sequence[Any]], b: Sequence[Any]) -> list[Any]:
    """x of H x = b by H = L^T D L, eliminating from the tip inwards so that branches stay apart."""
    n = len(b)
    A = [list(row) for row in H]
    x = list(b)
    inverse: list[Any] = [0] * n
    for k in range(n - 1, -1, -1):
        inverse[k] = reciprocal(A[k][k])
        for i in range(k):
            factor = A[k][i] * inverse[k]
            for j in range(i + 1):
                A[i][j] = A[i][j] - factor * A[k][j]
            x[i] = x[i] - factor * x[k]
            A[i][k] = factor
    for k in range(n):
        x[k] = x[k] * inverse[k]
        for i in range(k):
            x[k] = x[k] - A[i][k] * x[i]
    return x


# Second moments under rotation ----------------------------------------------------------------


def _symmetric(element: Callable[[int, int], Any]) -> Mat3:
    xx, yy, zz = (element(k, k) for k in range(3))
    xy, xz, yz = element(0, 1), element(0, 2), element(1, 2)
    return ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))


def _turned_about_z(c: Any, s: Any, m: Mat3) -> Mat3:
    """Rz m Rz^T of a symmetric m, with t = s (mxx - myy) + 2 c mxy shared by three elements."""
    if type(s) is int:  # a joint that does not turn
        return m
    t = s * (m[0][0] - m[1][1]) + c * (m[0][1] + m[0][1])
    st, xy = s * t, c * t - m[0][1]
    xz, yz = c * m[0][2] - s * m[1][2], s * m[0][2] + c * m[1][2]
    return ((m[0][0] - st, xy, xz), (xy, m[1][1] + st, yz), (xz, yz, m[2][2]))


def _turned(r: Mat3, m: Mat3) -> Mat3:
    """r m r^T of a symmetric m."""
    rows = matrix(times(m, row) for row in r)  # column j of m r^T

    def element(i: int, j: int) -> Any:
        return dot(r[i], rows[j])

    return _symmetric(element)
