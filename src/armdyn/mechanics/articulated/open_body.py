"""A link with all that it carries as one body, some of whose coordinates are still open.

Under the acceleration delta of the link and the accelerations qdd of the open coordinates it takes
    the wrench          A delta + sum_j P_j qdd_j
    the torque on q_i   P_i . delta + sum_j D_ij qdd_j
where CONSTANT is one of the j: a coordinate whose acceleration is one, for what no acceleration changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from armdyn.mechanics.articulated.inertia import NO_INERTIA, ArticulatedInertia
from armdyn.mechanics.placed import Placed, along
from armdyn.robot.joint import JointKind
from armdyn.scalars import reciprocal
from armdyn.spatial import Wrench
from armdyn.spatial.vector import scale

CONSTANT = -1

Masses = Mapping[tuple[int, int], Any]
"""(i, j) -> D_ij for i >= j, i an open coordinate."""


@dataclass(frozen=True)
class Row:
    """An eliminated coordinate: qdd_k = -(share . delta + sum_j ratios[j] qdd_j)."""

    coordinate: int
    share: Wrench
    ratios: Mapping[int, Any]


@dataclass(frozen=True)
class OpenBody:
    """The articulated inertia A, the columns P of what is open, the masses D."""

    inertia: ArticulatedInertia
    columns: Mapping[int, Wrench]
    masses: Masses

    def column(self, j: int) -> Wrench:
        """P_j."""
        return self.columns.get(j, Wrench())

    def mass(self, i: int, j: int) -> Any:
        """D_ij."""
        return self.masses.get((max(i, j), min(i, j)), 0)

    def __add__(self, other: OpenBody) -> OpenBody:
        """Both bodies on one link."""
        columns = {j: self.column(j) + other.column(j) for j in {**self.columns, **other.columns}}
        return OpenBody(self.inertia + other.inertia, columns, self.masses).with_masses(other.masses)

    def with_masses(self, more: Masses) -> OpenBody:
        """The body with masses added that feel accelerations of the coordinates only, not of the link."""
        opened = {j: self.column(j) for pair in more for j in pair}
        masses = {pair: self.mass(*pair) + more.get(pair, 0) for pair in {**self.masses, **more}}
        return OpenBody(self.inertia, {**self.columns, **opened}, masses)

    def in_parent(self, here: Placed) -> OpenBody:
        """The same body at the parent's origin in the parent's axes."""
        columns = {j: here.wrench_to_parent(column) for j, column in self.columns.items()}
        return replace(self, inertia=self.inertia.in_parent(here), columns=columns)

    def on_base(self) -> OpenBody:
        """What is left of the body on a base that does not move: its open coordinates."""
        return OpenBody(NO_INERTIA, dict.fromkeys(self.columns, Wrench()), self.masses)

    def inwards_of(self, here: Placed) -> OpenBody:
        """The body seen from inwards of its joint: delta = delta' + z sum_j g_j qdd_j.

        P_j' = P_j + g_j A z,  D_ij' = D_ij + g_i z.P_j + g_j z.P_i',  g_j = d theta/d q_j
        """
        if not here.coordinate.gradient:
            return self
        g: dict[int, Any] = dict(here.coordinate.gradient)
        unit, kind = self.inertia.of_joint(here.link.kind), here.link.kind
        open_ = sorted({*self.columns, *g})
        columns = {j: _plus(self.column(j), g.get(j, 0), unit) for j in open_}
        masses = {
            (i, j): self.mass(i, j)
            + g.get(i, 0) * along(kind, self.column(j))
            + g.get(j, 0) * along(kind, columns[i])
            for i, j in _pairs(open_)
        }
        return OpenBody(self.inertia, columns, masses)

    def without(self, k: int) -> tuple[OpenBody, Row]:
        """The body with the coordinate k eliminated.

        A' = A - P_k P_k^T/D_kk,  P_j' = P_j - P_k D_kj/D_kk,  D_ij' = D_ij - D_ik D_kj/D_kk
        """
        column, inverse = self.column(k), reciprocal(self.mass(k, k))
        share = Wrench(scale(inverse, column.force), scale(inverse, column.moment))
        others = [j for j in self.columns if j != k]
        ratios = {j: self.mass(k, j) * inverse for j in others}
        columns = {j: _plus(self.column(j), -ratios[j], column) for j in others}
        masses = {(i, j): self.mass(i, j) - ratios[i] * self.mass(k, j) for i, j in _pairs(others)}
        return OpenBody(self.inertia.less(share, column), columns, masses), Row(k, share, ratios)

    def released(self, here: Placed, torque: Any) -> tuple[OpenBody, Row]:
        """The same where the joint alone follows its coordinate: along z it passes on its torque only."""
        ((k, slope),) = here.coordinate.gradient
        kind = here.link.kind
        struck = {j: _with_along(kind, column, 0) for j, column in self.columns.items()}
        left, row = OpenBody(self.inertia.struck(kind), struck, self.masses).without(k)
        passed = _with_along(kind, left.column(CONSTANT), slope * torque)
        row = replace(row, share=_with_along(kind, row.share, slope))
        return replace(left, columns={**left.columns, CONSTANT: passed}), row


def _with_along(kind: JointKind, wrench: Wrench, value: Any) -> Wrench:
    (x, y, z), (u, v, w) = wrench.force, wrench.moment
    return Wrench((x, y, z), (u, v, value)) if kind == "revolute" else Wrench((x, y, value), (u, v, w))


def _plus(wrench: Wrench, factor: Any, other: Wrench) -> Wrench:
    """wrench + factor other."""
    return wrench + Wrench(scale(factor, other.force), scale(factor, other.moment))


def _pairs(coordinates: list[int]) -> list[tuple[int, int]]:
    """Every pair (i, j), i >= j, whose mass counts: the constant accelerates nothing by itself."""
    return [(i, j) for i in coordinates for j in coordinates if i >= j and i != CONSTANT]
