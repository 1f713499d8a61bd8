"""The inertia of a body whose own joints are free: a symmetric 6x6 matrix in 3x3 blocks.

    force  = linear a + mixed^T alpha,    moment = mixed a + angular alpha

at the origin of a link in its axes. A rigid body has linear = m 1, mixed = [h]x and angular = I; free
joints make the mass depend on the direction and mixed lose its skew symmetry.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from armdyn.mechanics.placed import Placed
from armdyn.robot.joint import JointKind
from armdyn.spatial import Mat3, Moments, Vec3, Wrench
from armdyn.spatial.symmetric import symmetric
from armdyn.spatial.vector import (
    ZERO,
    add,
    add_matrices,
    cross,
    diagonal,
    matrix,
    scale,
    subtract,
    transpose,
    vector,
)


@dataclass(frozen=True)
class ArticulatedInertia:
    """What accelerations of a link take, with all that it carries."""

    linear: Mat3
    mixed: Mat3
    angular: Mat3

    @classmethod
    def of(cls, body: Moments) -> ArticulatedInertia:
        """That of a rigid body."""
        m, (x, y, z) = body.mass, body.first
        return cls(diagonal(m, m, m), ((0, -z, y), (z, 0, -x), (-y, x, 0)), body.tensor)

    def __add__(self, other: ArticulatedInertia) -> ArticulatedInertia:
        """Both bodies on one link."""
        return ArticulatedInertia(
            add_matrices(self.linear, other.linear),
            add_matrices(self.mixed, other.mixed),
            add_matrices(self.angular, other.angular),
        )

    def of_joint(self, kind: JointKind) -> Wrench:
        """The wrench that accelerates a joint along or about z by one: a column of the matrix."""
        if kind == "revolute":
            return Wrench(self.mixed[2], self.angular[2])
        if kind == "prismatic":
            return Wrench(self.linear[2], vector(row[2] for row in self.mixed))
        return Wrench()

    def less(self, share: Wrench, column: Wrench) -> ArticulatedInertia:
        """The matrix less share column^T, which is known to be symmetric."""

        def left(kept: Mat3, a: Vec3, b: Vec3) -> Mat3:
            return symmetric(lambda i, j: kept[i][j] - a[i] * b[j])

        rows = zip(self.mixed, share.moment, strict=True)
        return ArticulatedInertia(
            left(self.linear, share.force, column.force),
            matrix(subtract(row, scale(s, column.force)) for row, s in rows),
            left(self.angular, share.moment, column.moment),
        )

    def struck(self, kind: JointKind) -> ArticulatedInertia:
        """The matrix with the row and the column of the joint's z struck out."""
        if kind == "revolute":
            return ArticulatedInertia(self.linear, (*self.mixed[:2], ZERO), _corner(self.angular))
        mixed = matrix((*row[:2], 0) for row in self.mixed)
        return ArticulatedInertia(_corner(self.linear), mixed, self.angular)

    def in_parent(self, here: Placed) -> ArticulatedInertia:
        """The same inertia at the parent's origin in the parent's axes.

        mixed'   = mixed + [p]x linear
        angular' = angular + mixed [p]x^T + [p]x mixed'^T
        """
        p = here.position
        linear, angular = (here.symmetric_to_parent(block) for block in (self.linear, self.angular))
        mixed = here.matrix_to_parent(self.mixed)
        shift = transpose(matrix(cross(p, column) for column in linear))
        shifted = matrix(add(row, more) for row, more in zip(mixed, shift, strict=True))

        def element(i: int, j: int) -> Any:
            return angular[i][j] + (_cross(p, mixed[i], j) + _cross(p, shifted[j], i))

        return ArticulatedInertia(linear, shifted, symmetric(element))


NO_INERTIA = ArticulatedInertia(*((ZERO, ZERO, ZERO),) * 3)
"""That of the base: it moves as it is told."""


def _corner(m: Mat3) -> Mat3:
    """A symmetric matrix without its last row and column."""
    return ((*m[0][:2], 0), (*m[1][:2], 0), ZERO)


def _cross(a: Vec3, b: Vec3, i: int) -> Any:
    """Element i of a x b."""
    j, k = (i + 1) % 3, (i + 2) % 3
    return a[j] * b[k] - a[k] * b[j]
