"""When each coordinate's acceleration can be eliminated, going inwards over a tree.

A joint that alone follows its coordinate is settled where it stands. A coordinate that several joints
or spins follow (couplings, gears, rotors) stays open until all of them have come together: at the
innermost of its joints, or on the link where their branches meet.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from armdyn.mechanics.spins import felt_by
from armdyn.mechanics.tree.links import Spin, Tree
from armdyn.scalars import is_literal

BASE = -1
INNER, OUTER = 0, 1

Place = tuple[int, int]
"""(link, INNER): inwards of a link's joint; (link, OUTER): on the link; (BASE, OUTER): on the base."""


@dataclass(frozen=True)
class Closing:
    """A coordinate about to be eliminated."""

    coordinate: int
    spins: tuple[Spin, ...]
    """What spins with it and has not been counted yet."""
    free: bool
    """Whether nothing but one joint, at the slope 1 or -1, follows it."""


def elimination_order(tree: Tree) -> Mapping[Place, Sequence[Closing]]:
    """The coordinates to eliminate at each place, in turn."""
    parents = [link.parent for link in tree.links]
    homes = _homes(tree, parents)
    pending = list(tree.spins)
    order: dict[Place, list[Closing]] = {}
    while homes:
        k = max(homes, key=lambda k: (homes[k], k))  # the outermost next
        place = homes.pop(k)
        spins = tuple(spin for spin in pending if k in felt_by(spin))
        pending = [spin for spin in pending if spin not in spins]
        for spin in spins:
            for other in felt_by(spin) & homes.keys():  # it opens what it shares here
                homes[other] = _meeting(homes[other], place, parents)
        order.setdefault(place, []).append(Closing(k, spins, _free(tree, k)))
    return order


def _homes(tree: Tree, parents: Sequence[int]) -> dict[int, Place]:
    """Where all links that follow a coordinate have come together; the base for what none follows."""
    homes: dict[int, Place] = {}
    for i, link in enumerate(tree.links):
        for k, _ in link.coordinate.weights:
            homes[k] = _meeting(homes[k], (i, INNER), parents) if k in homes else (i, INNER)
    return {k: homes.get(k, (BASE, OUTER)) for k in range(tree.n)}


def _meeting(a: Place, b: Place, parents: Sequence[int]) -> Place:
    """The outermost place that has both inside or outwards of it (parents come before children)."""
    while a[0] != b[0]:
        if a[0] < b[0]:
            a, b = b, a
        a = (parents[a[0]], OUTER)
    return min(a, b)


def _free(tree: Tree, k: int) -> bool:
    """Whether one joint alone follows the coordinate, and it no other, at a slope that is structure."""
    followers = [link.coordinate for link in tree.links if k in dict(link.coordinate.weights)]
    if len(followers) != 1 or any(k in felt_by(spin) for spin in tree.spins):
        return False
    (joint,) = followers
    if len(joint.weights) != 1 or joint.law is not None:
        return False
    ((_, weight),) = joint.weights
    return is_literal(joint.scale * weight, 1, -1)
