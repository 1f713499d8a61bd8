"""Links split at their centres of mass, in base axes: masses that move, tensors that turn.

The kinetic energy of a link is 1/2 m v_C . v_C + 1/2 omega . I_C omega; formulations that keep the two
apart sum over the point masses and the tensors of this module.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from armdyn.mechanics.kinematics import poses, unit_motion
from armdyn.mechanics.placed import Placed, placed
from armdyn.mechanics.tree.links import Tree
from armdyn.spatial import Mat3, Moments, Transform, Vec3
from armdyn.spatial.symmetric import symmetric, turned
from armdyn.spatial.vector import ZERO, add, scale, times, vector

Value = TypeVar("Value")


@dataclass(frozen=True)
class PointMass:
    """A link's mass at its centre."""

    link: int
    offset: Vec3
    """c_s, from the link's origin."""
    motions: list[tuple[int, Vec3, Vec3]]
    """(i, b_is, m_s b_is) of every joint i that carries it, from its own inwards."""


@dataclass(frozen=True)
class Arm:
    """All links at a state."""

    tree: Tree
    links: list[Placed]
    T_base: list[Transform]
    masses: list[PointMass]
    tensors: list[Mat3]
    """I_s of every link, about its centre of mass."""

    @classmethod
    def at(
        cls, tree: Tree, q: Sequence[Any], qd: Sequence[Any] | None = None, qdd: Sequence[Any] | None = None
    ) -> Arm:
        """The tree at the state q, moving with qd and qdd (at rest where they are not given)."""
        links = placed(tree, q, qd, qdd)
        T_base = poses(links)
        split = [_split(here.link.inertia) for here in links]
        masses = [
            _point_mass(tree, links, T_base, s, mass, times(T_base[s].rotation, at))
            for s, (points, _) in enumerate(split)
            for mass, at in points
        ]
        tensors = [
            turned(T.rotation, spinning.tensor) for T, (_, spinning) in zip(T_base, split, strict=True)
        ]
        return cls(tree, links, T_base, masses, tensors)

    @property
    def accelerations(self) -> list[Any]:
        """thetadd of every joint."""
        return [here.coordinate.acceleration for here in self.links]

    def axis(self, i: int, kind: str) -> Vec3:
        """z_i of a joint of that kind, nothing of another."""
        z = vector(row[2] for row in self.T_base[i].rotation)
        return z if self.links[i].link.kind == kind else ZERO

    def carried(self, own: Sequence[Value], plus: Callable[[Value, Value], Value]) -> list[Value]:
        """Sums over each link and all that it carries."""
        total = list(own)
        for s in range(len(total) - 1, -1, -1):
            parent = self.links[s].link.parent
            if parent >= 0:
                total[parent] = plus(total[parent], total[s])
        return total


def _split(body: Moments) -> tuple[list[tuple[Any, Vec3]], Moments]:
    """A link's mass at its centre (mass, c), and the moments about it, whose tensor rotates.

    The first moment that base parameters leave without a mass is that of 1 kg at h and -1 kg at the origin.
    """
    h, S = body.first, body.second
    if not body.massless:
        c, spinning = body.about_centre()
        return [(body.mass, c)], spinning
    if h == ZERO:
        return [], body
    return [(1, h), (-1, ZERO)], Moments(0, ZERO, symmetric(lambda i, j: S[i][j] - h[i] * h[j]))


def _point_mass(
    tree: Tree, links: Sequence[Placed], T_base: Sequence[Transform], s: int, mass: Any, offset: Vec3
) -> PointMass:
    r = add(T_base[s].translation, offset)
    motions = [(i, unit_motion(links[i], T_base[i], r)[0]) for i in tree.path(s)]
    return PointMass(s, offset, [(i, b, scale(mass, b)) for i, b in motions])
