"""Where the links are and how they move.

Everything is in link axes and at link origins unless a name says otherwise. The recursions are
[Milicevic2007] Table 2 and [Siciliano2009] (7.107)-(7.110), written for the frames of
`tree.py`: a joint turns about, or slides along, the z axis of its own link.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from armdyn.mechanics.coordinates import CoordinateState, state_of
from armdyn.mechanics.links import Link, Tree
from armdyn.robot.joint import JointKind
from armdyn.scalars import cos_sin
from armdyn.spatial import Moments, Transform, Vec3, Wrench
from armdyn.spatial.rotation import IDENTITY, about_z
from armdyn.spatial.symmetric import turned_about_z
from armdyn.spatial.vector import ZERO, Mat3, add, cross, product, scale, subtract, times, transpose, vector


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
    def cosine(self) -> Any:
        """Of the turn of the link's axes."""
        return self.turn.cosine

    @property
    def sine(self) -> Any:
        """Of the turn of the link's axes."""
        return self.turn.sine

    @property
    def spin(self) -> Any:
        """Rate of turning about z; 0 for a joint that does not turn."""
        return self.coordinate.rate if self.link.kind == "revolute" else 0

    @property
    def slide(self) -> Any:
        """Rate of sliding along z; 0 for a joint that does not slide."""
        return self.coordinate.rate if self.link.kind == "prismatic" else 0


def placed(
    tree: Tree, q: Sequence[Any], qd: Sequence[Any] | None = None, qdd: Sequence[Any] | None = None
) -> list[Placed]:
    """Every link at the state q, moving with qd and qdd (at rest where they are not given)."""
    result: list[Placed] = []
    for link in tree.links:
        held = NO_TURN if link.parent < 0 else result[link.parent].held
        result.append(_placed(link, state_of(link.coordinate, q, qd, qdd), held))
    return result


def _placed(link: Link, theta: CoordinateState, before: Turn) -> Placed:
    position = link.position
    if link.kind == "prismatic":
        z = vector(row[2] for row in link.rotation)
        position = add(position, scale(theta.variable + theta.offset, z))
    position = before(position)
    if link.kind != "revolute" or link.axes == "round":
        return Placed(link, theta, before, NO_TURN, NO_TURN, position)
    parallel = before is not NO_TURN and link.rotation == IDENTITY
    if parallel:
        turn = Turn.by(before.variable + theta.variable, before.offset + theta.offset)
        if link.axes == "still":
            link = replace(link, inertia=turn.moments(link.inertia))
            return Placed(link, theta, NO_TURN, NO_TURN, turn, position)
        return Placed(link, theta, NO_TURN, turn, NO_TURN, position)
    turn = Turn.by(theta.variable, theta.offset)
    if link.axes == "still":
        link = replace(link, inertia=turn.moments(link.inertia))
        return Placed(link, theta, before, NO_TURN, turn, position)
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


# Places ---------------------------------------------------------------------------------------


def poses(links: Sequence[Placed]) -> list[Transform]:
    """T_base_link of every link."""
    result: list[Transform] = []
    for here in links:
        parent = here.link.parent
        result.append(here.in_parent() if parent < 0 else result[parent] @ here.in_parent())
    return result


def unit_motion(here: Placed, T_base_link: Transform, point: Vec3) -> tuple[Vec3, Vec3]:
    """How a point moves, and how what it belongs to turns, when one joint moves by one; in base axes.

    A turning joint: (z x (p - p_i), z); a sliding one: (z, 0).
    """
    z = vector(row[2] for row in T_base_link.rotation)
    if here.link.kind == "revolute":
        return cross(z, subtract(point, T_base_link.translation)), z
    return (z, ZERO) if here.link.kind == "prismatic" else (ZERO, ZERO)


def pose_of(tree: Tree, links: Sequence[Placed], frame: tuple[int, Transform]) -> Transform:
    """T_base_frame of a frame (link, T_link_frame)."""
    link, place = frame
    if link >= 0:
        place = links[link].frame(place)
    while link >= 0:
        place = links[link].in_parent() @ place
        link = tree.links[link].parent
    return place


# Velocities and accelerations -----------------------------------------------------------------


def angular_velocities(tree: Tree, links: Sequence[Placed]) -> list[Vec3]:
    """omega_i = R^T omega_(i-1) + thetadot z  [Siciliano2009] (7.107)."""
    result: list[Vec3] = []
    for here in links:
        x, y, z = here.to_link(_of_parent(here, result, tree.base.angular_velocity))
        result.append((x, y, z + here.spin))
    return result


def linear_velocities(tree: Tree, links: Sequence[Placed], omega: Sequence[Vec3]) -> list[Vec3]:
    """v_i = R^T (v_(i-1) + omega_(i-1) x p_i) + ddot z, of the link origins."""
    result: list[Vec3] = []
    for here in links:
        v = _of_parent(here, result, tree.base.velocity)
        w = _of_parent(here, omega, tree.base.angular_velocity)
        x, y, z = here.to_link(add(v, cross(w, here.position)))
        result.append((x, y, z + here.slide))
    return result


@dataclass(frozen=True)
class LinkAcceleration:
    """Acceleration of a link: a point r of it accelerates by linear + spread r."""

    linear: Vec3
    angular: Vec3
    spread: Mat3
    """U = [alpha]x + [omega]x^2"""


def accelerations(
    tree: Tree, links: Sequence[Placed], omega: Sequence[Vec3], gravity: Vec3
) -> list[LinkAcceleration]:
    """Accelerations of all links, gravity felt as an acceleration of the base by -g.

    alpha_i = R^T alpha_(i-1) + thetaddot z + omega_(i-1) x thetadot z   (7.108)
    a_i     = R^T (a_(i-1) + U_(i-1) p_i) + dddot z + 2 omega_i x ddot z (7.109)
    """
    base = tree.base
    start = LinkAcceleration(
        subtract(base.acceleration, gravity),
        base.angular_acceleration,
        spread(base.angular_velocity, base.angular_acceleration),
    )
    result: list[LinkAcceleration] = []
    for here, w in zip(links, omega, strict=True):
        before = _of_parent(here, result, start)
        alpha = here.to_link(before.angular)
        a = here.to_link(add(before.linear, times(before.spread, here.position)))
        rate, acceleration = here.coordinate.rate, here.coordinate.acceleration
        if here.link.kind == "revolute":
            # omega_i and R^T omega_(i-1) differ along z only: omega x thetadot z is the same for both
            alpha = (alpha[0] + w[1] * rate, alpha[1] - w[0] * rate, alpha[2] + acceleration)
        elif here.link.kind == "prismatic":
            twice = 2 * rate
            a = (a[0] + w[1] * twice, a[1] - w[0] * twice, a[2] + acceleration)
        result.append(LinkAcceleration(a, alpha, spread(w, alpha)))
    return result


def spread(omega: Vec3, alpha: Vec3) -> Mat3:
    """U = [alpha]x + [omega]x^2: how acceleration changes from point to point of a body."""
    x, y, z = omega
    xx, yy, zz, xy, xz, yz = x * x, y * y, z * z, x * y, x * z, y * z
    return (
        (-(yy + zz), xy - alpha[2], xz + alpha[1]),
        (xy + alpha[2], -(xx + zz), yz - alpha[0]),
        (xz - alpha[1], yz + alpha[0], -(xx + yy)),
    )


def _of_parent(here: Placed, values: Sequence[Any], base: Any) -> Any:
    return base if here.link.parent < 0 else values[here.link.parent]
