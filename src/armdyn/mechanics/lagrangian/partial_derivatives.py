"""T_i of every link as a 4x4 matrix, with its derivatives U_ij and U_ijk, and the traces made of them.

A joint turns about, or slides along, the z axis of its own link, so that its operator Q
([Bejczy1974] (5), (6)) stands on the right of the link's matrix, and deriving once more by the same
coordinate puts it there once more ((8), (9) are the squares of Q):
    dA_j/dtheta_j = A_j Q_j
    U_ij  = dT_i/dtheta_j              = T_j Q_j T_j_i
    U_ijk = d2T_i/dtheta_j dtheta_k    = T_j Q_j T_j_k Q_k T_k_i,  j inwards of k   [Bejczy1974] (4), (7)
With the report's frames, whose joints move about the z axis of the frame before, Q stands on the left
of T_(j-1)_j. Both give the same U: Q and the joint's own motion commute.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from armdyn.mechanics.placed import Placed
from armdyn.robot.joint import JointKind
from armdyn.spatial import Transform, Vec3
from armdyn.spatial.homogeneous import (
    NOTHING,
    UNIT,
    Mat4,
    homogeneous,
    multiplied,
    pseudo_inertia,
    summed,
    trace,
    transposed,
)
from armdyn.spatial.vector import Mat3, matrix, transpose, vector

AXES = ((1, 0, 0), (0, 1, 0), (0, 0, 1))

OPERATORS: dict[JointKind, Mat4] = {
    "revolute": ((0, -1, 0, 0), (1, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0)),
    "prismatic": ((0, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 1), (0, 0, 0, 0)),
    "fixed": NOTHING,
}
"""Q of a joint that turns, and of one that slides  [Bejczy1974] (5), (6)."""


@dataclass(frozen=True)
class PartialDerivatives:
    """T_i of the links at a state and its derivatives by the links' coordinates theta.

    Links are counted from 0. Matrices are made when they are first asked for, each from its
    neighbour inwards by one product: U_ijk = U_(i-1)jk A_i. A link that turns in axes that stay has the
    U of axes that turn with it and coincide with those at the moment.
    """

    parents: tuple[int, ...]
    kinds: tuple[JointKind, ...]
    A: tuple[Mat4, ...]
    """T_parent_link"""
    J: tuple[Mat4, ...]
    """Pseudo-inertia matrices [[S, h], [h^T, m]]  [Bejczy1974] (10), [Szkodny1995] (5)"""
    held: tuple[Mat3, ...]
    """How each link stands in its own axes, where those stay while it turns."""
    root: int = -1
    """The link that T_i and U_i.. are seen from; -1 is the base."""
    _made: dict[tuple[int, ...], Mat4] = field(
        default_factory=dict[tuple[int, ...], Mat4], init=False, repr=False, compare=False
    )
    _weighted: dict[tuple[int, ...], Mat4] = field(
        default_factory=dict[tuple[int, ...], Mat4], init=False, repr=False, compare=False
    )

    @classmethod
    def of(cls, links: Sequence[Placed]) -> PartialDerivatives:
        """Those of links at a state, seen from the base."""
        return cls(
            tuple(here.link.parent for here in links),
            tuple(here.link.kind for here in links),
            tuple(_in_parent(here) for here in links),
            tuple(pseudo_inertia(here.link.inertia) for here in links),
            tuple(here.held.matrix for here in links),
        )

    def seen_from(self, root: int) -> PartialDerivatives:
        """The same of what a link carries, with that link held still: T_root is left out of all products."""
        return replace(self, root=root)

    def composite(self) -> PartialDerivatives:
        """The same with P_i in place of J_i, that of a link together with all that it carries.

        P_i = sum_j T_i_j J_j T_i_j^T = J_i + sum_c A_c P_c A_c^T, c the links that stand on link i.
        """
        P = list(self.J)
        for i in range(len(P) - 1, -1, -1):
            parent, A = self.parents[i], self.A[i]
            if parent >= 0:
                P[parent] = summed(P[parent], multiplied(multiplied(A, P[i]), transposed(A)))
        return replace(self, J=tuple(P))

    # Matrices -------------------------------------------------------------------------------

    def U(self, i: int, *joints: int) -> Mat4:
        """T_i, with one joint U_ij, with two U_ijk: zero unless the joints lie on the path to link i."""
        path = self.paths[i] if i >= 0 else ()
        if any(j not in path for j in joints):
            return NOTHING
        return self._U((i, *sorted(joints)))

    def of_frame(self, frame: tuple[int, Transform], *joints: int) -> Mat4:
        """The same of a frame (link, T_link_frame), such as a body's in `Tree.frames`."""
        link, place = frame
        if link >= 0:
            place = Transform(self.held[link]) @ place
        return multiplied(self.U(link, *joints), homogeneous(place.rotation, place.translation, 1))

    def _U(self, key: tuple[int, ...]) -> Mat4:
        """U of a link and of joints on its path, inner ones first."""
        made = self._made.get(key)
        if made is None:
            made = self._made[key] = self._product(key[0], key[1:])
        return made

    def _product(self, i: int, joints: tuple[int, ...]) -> Mat4:
        if joints and joints[0] == self.root:  # T_root is 1: Q stands at the very left
            return multiplied(OPERATORS[self.kinds[self.root]], self._U((i, *joints[1:])))
        if joints and joints[-1] == i:
            return multiplied(self._U((i, *joints[:-1])), OPERATORS[self.kinds[i]])
        if i == self.root:
            return UNIT
        assert i >= 0, "a link is seen from one that does not carry it"
        return multiplied(self._U((self.parents[i], *joints)), self.A[i])

    # Traces ---------------------------------------------------------------------------------

    def trace(self, i: int, joints: tuple[int, ...], others: tuple[int, ...]) -> Any:
        """Tr(U_ij J_i U_ik^T) of the joints (j,) and (k,), Tr(U_ijm J_i U_ik^T) of (j, m) and (k,)."""
        return trace(self.U(i, *joints), self.weighted(i, *others))

    def weighted(self, i: int, *joints: int) -> Mat4:
        """U_ij J_i; J_i is symmetric, so that Tr(X J_i U_ij^T) sums X times it element by element."""
        key = (i, *joints)
        made = self._weighted.get(key)
        if made is None:
            made = self._weighted[key] = multiplied(self.U(*key), self.J[i])
        return made

    def moment(self, i: int, j: int) -> Vec3:
        """m_i U_ij r_i, with m_i r_i the last column of J_i."""
        x, y, z, m = (row[3] for row in self.J[i])
        return vector(u[0] * x + u[1] * y + u[2] * z + u[3] * m for u in self.U(i, j)[:3])

    @cached_property
    def paths(self) -> tuple[tuple[int, ...], ...]:
        """The joints that move each link against the root (its own joint included), inner ones first."""
        paths: list[tuple[int, ...]] = []
        carried = {self.root}
        for i, parent in enumerate(self.parents):
            inner = paths[parent] if parent in carried and parent >= 0 and i != self.root else ()
            if parent in carried:
                carried.add(i)
            moves = i in carried and self.kinds[i] != "fixed"
            paths.append((*inner, i) if moves else inner)
        return tuple(paths)


def _in_parent(here: Placed) -> Mat4:
    """A_i  [Milicevic2007] (2.1), for the frames of the tree."""
    columns = matrix(here.to_parent(axis) for axis in AXES)
    return homogeneous(transpose(columns), here.position, 1)
