"""The parts of a tree: links whose joint axes are z, spins, and the coordinates they follow."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from armdyn.mechanics.tree.motors import MotorModel
from armdyn.robot import ScrewTriangle
from armdyn.robot.joint import JointKind
from armdyn.spatial import Moments, Transform, Vec3
from armdyn.spatial.vector import ZERO, Mat3, matrix, vector


@dataclass(frozen=True)
class Coordinate:
    """theta = scale f(sum weights[i] q[i] + inner) + offset, with f the law or the identity.

    What is driven from outside (the base) has no weights but a prescribed rate and acceleration.
    """

    weights: tuple[tuple[int, Any], ...]
    inner: Any = 0.0
    law: ScrewTriangle | None = None
    offset: float = 0.0
    scale: Any = 1
    rate: Any = 0
    acceleration: Any = 0


Axes = Literal["turning", "still", "round"]


@dataclass(frozen=True)
class Link:
    """One moving link: its joint turns about, or slides along, its own z.

    rotation and position place it in its parent at coordinate zero; its inertia is in its own axes.
    """

    name: str
    parent: int
    kind: JointKind
    rotation: Mat3
    position: Vec3
    coordinate: Coordinate
    inertia: Moments
    driven: bool = True
    """Whether it loads its joint; a rotor loads its drive instead."""
    axes: Axes = "turning"
    """Whether its axes turn with it, or stay while it turns in them; a round one looks the same then."""


@dataclass(frozen=True)
class Spin:
    """A rotor seen only as 1/2 I thetadot^2.

    With `own` set, only the element of d theta/d q at that position of q counts, and its
    change along the motion does not: the k^2 I on the diagonal of other tools.
    """

    name: str
    inertia: Any
    coordinate: Coordinate
    own: int | None = None


@dataclass(frozen=True)
class BaseState:
    """How the base frame moves, in base axes."""

    velocity: Vec3 = ZERO
    angular_velocity: Vec3 = ZERO
    acceleration: Vec3 = ZERO
    angular_acceleration: Vec3 = ZERO


@dataclass(frozen=True)
class Tree:
    """Links (parents before children, -1 is the base), spins, and where the bodies' frames are."""

    n: int
    links: tuple[Link, ...]
    spins: tuple[Spin, ...]
    frames: Mapping[str, tuple[int, Transform]]
    """body -> (link, T_link_body)"""
    tool: tuple[int, Transform]
    gravity: Vec3
    base: BaseState
    motors: MotorModel

    def at_rest(self) -> Tree:
        """The tree on a base that does not move."""
        return replace(self, base=BaseState())

    def path(self, link: int) -> Iterator[int]:
        """A link and the links that carry it, inwards to the base; none for the base itself."""
        while link >= 0:
            yield link
            link = self.links[link].parent

    def with_numbers(self, number: Callable[[float], Any]) -> Tree:
        """The tree with its inertial parameters and geometry turned into another kind of scalar."""

        def lift(x: Any) -> Any:
            return number(x) if isinstance(x, float) else x

        def row(v: Any) -> Any:
            return vector(lift(x) for x in v)

        def lifted(coordinate: Coordinate) -> Coordinate:
            return replace(coordinate, weights=tuple((i, lift(w)) for i, w in coordinate.weights))

        def lifted_inertia(body: Moments) -> Moments:
            """A link without mass is structure: no kind of scalar may divide by its mass."""
            if not (isinstance(body.mass, float) and body.mass == 0.0):
                return body.map(lift)
            first = ZERO if body.first == ZERO else row(body.first)
            return replace(body.map(lift), mass=0, first=first)

        links = tuple(
            replace(
                link,
                rotation=matrix(row(r) for r in link.rotation),
                position=row(link.position),
                coordinate=lifted(link.coordinate),
                inertia=lifted_inertia(link.inertia),
            )
            for link in self.links
        )
        spins = tuple(
            replace(spin, inertia=lift(spin.inertia), coordinate=lifted(spin.coordinate))
            for spin in self.spins
        )
        return replace(self, links=links, spins=spins, gravity=row(self.gravity))
