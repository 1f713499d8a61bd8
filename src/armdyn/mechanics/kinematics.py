"""Where the links are and how they move.

Everything is in link axes and at link origins unless a name says otherwise. The recursions are
[Milicevic2007] Table 2 and [Siciliano2009] (7.107)-(7.110), written for the frames of
the tree: a joint turns about, or slides along, the z axis of its own link.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from armdyn.mechanics.placed import Placed
from armdyn.mechanics.tree.links import Tree
from armdyn.spatial import Transform, Vec3
from armdyn.spatial.vector import ZERO, Mat3, add, cross, subtract, times, vector

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
