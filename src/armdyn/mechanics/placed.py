"""Links at a state: how the axes of each stand on its parent's, and how its joint moves.

The frames are those of the tree: a joint turns about, or slides along, the z axis of its own link.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, SupportsIndex, overload

from armdyn.mechanics.tree.coordinates import CoordinateState, state_of
from armdyn.mechanics.tree.links import Link, Tree
from armdyn.robot.joint import JointKind
from armdyn.scalars import cos_sin
from armdyn.scalars.origin import note
from armdyn.spatial import Acceleration, Moments, Transform, Vec3, Wrench
from armdyn.spatial.rotation import IDENTITY, about_z
from armdyn.spatial.symmetric import any_turned, any_turned_about_z, turned, turned_about_z
from armdyn.spatial.vector import Mat3, add, cross, product, scale, times, transpose, vector


@dataclass(frozen=True)
class Turn:
    """A turn about z: an angle (variable + offset), its cosine and sine."""

    variable: Any
    offset: float
    cosine: Any
    sine: Any

    @classmethod
    def by(cls, variable: Any, offset: float) -> Turn:
        """The turn by an angle."""
        return cls(variable, offset, *cos_sin(variable, offset))

    def __call__(self, v: Vec3) -> Vec3:
        """Rz v."""
        c, s = self.cosine, self.sine
        return (c * v[0] - s * v[1], s * v[0] + c * v[1], v[2])

    def back(self, v: Vec3) -> Vec3:
        """Rz^T v."""
        c, s = self.cosine, self.sine
        return (c * v[0] + s * v[1], c * v[1] - s * v[0], v[2])

    @property
    def matrix(self) -> Mat3:
        """Rz."""
        return about_z(self.cosine, self.sine)

    def moments(self, body: Moments) -> Moments:
        """A body's moments in the axes before the turn."""
        second = turned_about_z(self.cosine, self.sine, body.second)
        return Moments(body.mass, self(body.first), second)


NO_TURN = Turn(0, 0.0, 1, 0)


@dataclass(frozen=True)
class Placed:
    """A link at a state: how its axes stand on its parent's, and how its joint moves.

    The axes of a link turn with it or stay (`Link.axes`); its inertia, `link.inertia`, is in its axes.
    """

    link: Link
    coordinate: CoordinateState
    before: Turn
    """Of the parent in the parent's axes, where those stay."""
    turn: Turn
    """Of the link's axes about their z."""
    held: Turn
    """Of the link in its own axes, where those stay."""
    position: Vec3
    """Origin in the parent's axes."""

    def to_parent(self, v: Vec3) -> Vec3:
        """A vector of the link in its parent's axes: R0 Rz(theta) v."""
        return self.before(times(self.link.rotation, self.turn(v)))

    def to_link(self, v: Vec3) -> Vec3:
        """A vector of the parent in the link's axes: Rz(theta)^T R0^T v."""
        return self.turn.back(times(transpose(self.link.rotation), self.before.back(v)))

    def matrix_to_parent(self, m: Mat3) -> Mat3:
        """A matrix of the link in its parent's axes: R m R^T."""
        at_joint = any_turned(self.link.rotation, any_turned_about_z(self.turn.cosine, self.turn.sine, m))
        return any_turned_about_z(self.before.cosine, self.before.sine, at_joint)

    def symmetric_to_parent(self, m: Mat3) -> Mat3:
        """The same of a symmetric matrix, for less."""
        at_joint = turned(self.link.rotation, turned_about_z(self.turn.cosine, self.turn.sine, m))
        return turned_about_z(self.before.cosine, self.before.sine, at_joint)

    def carried(self, motion: Acceleration) -> Acceleration:
        """How a parent that accelerates, but does not turn yet, accelerates the link, the joint held.

        a_i = R^T (a_p + alpha_p x p), alpha_i = R^T alpha_p, each at its own origin in its own axes.
        """
        a = add(motion.linear, cross(motion.angular, self.position))
        return Acceleration(self.to_link(a), self.to_link(motion.angular))

    def wrench_to_parent(self, wrench: Wrench) -> Wrench:
        """A wrench at the link's origin in link axes, at the parent's origin in the parent's axes."""
        force = self.to_parent(wrench.force)
        return Wrench(force, add(self.to_parent(wrench.moment), cross(self.position, force)))

    def moments_to_parent(self, body: Moments) -> Moments:
        """A body on the link, about the parent's origin in the parent's axes."""
        at_joint = self.turn.moments(body).turned(self.link.rotation)
        return self.before.moments(at_joint).shifted(self.position)

    def in_parent(self) -> Transform:
        """The link's axes in its parent's."""
        turned = product(self.link.rotation, self.turn.matrix)
        return Transform(product(self.before.matrix, turned), self.position)

    def frame(self, T_link_frame: Transform) -> Transform:
        """A frame fixed to the link, in the link's axes."""
        if self.held is NO_TURN:
            return T_link_frame
        return Transform(self.held.matrix) @ T_link_frame

    def along_joint(self, wrench: Wrench) -> Any:
        """What a wrench at the link's origin does along its joint."""
        return along(self.link.kind, wrench)

    @property
    def spin(self) -> Any:
        """Rate of turning about z; 0 for a joint that does not turn."""
        return self.coordinate.rate if self.link.kind == "revolute" else 0

    @property
    def slide(self) -> Any:
        """Rate of sliding along z; 0 for a joint that does not slide."""
        return self.coordinate.rate if self.link.kind == "prismatic" else 0


class Links(list[Placed]):
    """Links in the order of their tree; who takes one works on it, and what is traced says so."""

    def __iter__(self) -> Iterator[Placed]:
        """One link after another."""
        for here in super().__iter__():
            note(here.link.name)
            yield here
        note(None)

    @overload
    def __getitem__(self, index: SupportsIndex) -> Placed: ...
    @overload
    def __getitem__(self, index: slice) -> list[Placed]: ...
    def __getitem__(self, index: Any) -> Any:
        """One link."""
        if isinstance(index, int):
            note(super().__getitem__(index).link.name)
        return super().__getitem__(index)


def placed(
    tree: Tree, q: Sequence[Any], qd: Sequence[Any] | None = None, qdd: Sequence[Any] | None = None
) -> Links:
    """Every link at the state q, moving with qd and qdd (at rest where they are not given)."""
    result = Links()
    for link in tree.links:
        note(link.name)
        held = NO_TURN if link.parent < 0 else result[link.parent].held
        result.append(_placed(link, state_of(link.coordinate, q, qd, qdd), held))
    note(None)
    return result


def _placed(link: Link, theta: CoordinateState, before: Turn) -> Placed:
    position = link.position
    if link.kind == "prismatic":
        z = vector(row[2] for row in link.rotation)
        position = add(position, scale(theta.variable + theta.offset, z))
    position = before(position)
    if link.kind != "revolute" or link.axes == "round":
        return Placed(link, theta, before, NO_TURN, NO_TURN, position)
    angle = (theta.variable, theta.offset)
    if before is not NO_TURN and link.rotation == IDENTITY:  # parallel axes: angles add up
        angle, before = (before.variable + angle[0], before.offset + angle[1]), NO_TURN
    turn = Turn.by(*angle)
    if link.axes == "still":
        return Placed(
            replace(link, inertia=turn.moments(link.inertia)), theta, before, NO_TURN, turn, position
        )
    return Placed(link, theta, before, turn, NO_TURN, position)


def along(kind: JointKind, wrench: Wrench) -> Any:
    """The part of a wrench that works along a joint, mu . z or f . z  (7.114); a fixed one carries all."""
    match kind:
        case "revolute":
            return wrench.moment[2]
        case "prismatic":
            return wrench.force[2]
        case "fixed":
            return 0
