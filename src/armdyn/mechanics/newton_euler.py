"""Newton-Euler in link frames, for any tree: outwards the motion, inwards the forces.

[Milicevic2007] Table 2, [Siciliano2009] (7.107)-(7.114). Forces are taken about link origins
with the inertia in its linear form (mass m, first moment h, second moment S about the origin),
so that a_C = a + U c never divides by a mass and the torques are linear in m, h and S.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from armdyn.mechanics.joint_space import generalized_loads
from armdyn.mechanics.kinematics import LinkAcceleration, Placed, accelerations, angular_velocities, placed
from armdyn.mechanics.links import Link, Tree
from armdyn.mechanics.loads import Contact, Loads
from armdyn.spatial import Vec3, Wrench
from armdyn.spatial.vector import add, cross, negate, scale, times


@dataclass(frozen=True)
class LinkLoads(Loads):
    """The torques, and the forces between links."""

    links: list[Wrench]
    """What each link's parent exerts on it, at the link's origin in link axes."""


def inverse_dynamics(
    tree: Tree,
    q: Sequence[Any],
    qd: Sequence[Any] | None,
    qdd: Sequence[Any] | None,
    *,
    gravity: Vec3 | None = None,
    contact: Contact | None = None,
) -> LinkLoads:
    """Torques and forces between links for a motion; gravity defaults to the robot's."""
    links = placed(tree, q, qd, qdd)
    motion = accelerations(
        tree, links, angular_velocities(tree, links), tree.gravity if gravity is None else gravity
    )
    wrenches = _inward(links, [_inertial(m.link, a) for m, a in zip(links, motion, strict=True)], contact)
    along = [_along_joint(here, wrench) for here, wrench in zip(links, wrenches, strict=True)]
    loads = generalized_loads(tree, links, along, q, qd, qdd)
    return LinkLoads(loads.joint, loads.drive, wrenches)


def _inertial(link: Link, motion: LinkAcceleration) -> Wrench:
    """Force and moment that accelerate a link, about its origin.

    F = m a_C = m a + U h                                                   (7.112)
    N = h x a + vee(U S - (U S)^T), the moment I alpha + omega x I omega    (7.113)
    """
    a, u, h, s = motion.linear, motion.spread, link.inertia.first, link.inertia.second
    force = add(scale(link.inertia.mass, a), times(u, h))
    turning = (
        u[2][0] * s[0][1]
        - u[1][0] * s[0][2]
        + (u[2][2] - u[1][1]) * s[1][2]
        + u[2][1] * s[1][1]
        - u[1][2] * s[2][2],
        u[0][1] * s[1][2]
        - u[2][1] * s[0][1]
        + (u[0][0] - u[2][2]) * s[0][2]
        + u[0][2] * s[2][2]
        - u[2][0] * s[0][0],
        u[1][2] * s[0][2]
        - u[0][2] * s[1][2]
        + (u[1][1] - u[0][0]) * s[0][1]
        + u[1][0] * s[0][0]
        - u[0][1] * s[1][1],
    )
    return Wrench(force, add(turning, cross(h, a)))


def _inward(links: Sequence[Placed], inertial: Sequence[Wrench], contact: Contact | None) -> list[Wrench]:
    """f_i = F_i + sum R f_(i+1), mu_i = N_i + sum (R mu_(i+1) + p x R f_(i+1))  (7.112), (7.113)."""
    wrenches = list(inertial)
    if contact is not None and contact.frame[0] >= 0:
        link, T_link_point = contact.frame
        at_point = _in_link(links, link, contact.wrench)
        point = links[link].frame(T_link_point).translation
        wrenches[link] += at_point.about(negate(point))
    for i in range(len(links) - 1, -1, -1):
        here = links[i]
        if here.link.parent >= 0:
            wrenches[here.link.parent] += here.wrench_to_parent(wrenches[i])
    return wrenches


def _in_link(links: Sequence[Placed], link: int, wrench: Wrench) -> Wrench:
    """A wrench given in base axes, in link axes."""
    chain = [link]
    while (parent := links[chain[-1]].link.parent) >= 0:
        chain.append(parent)
    for i in reversed(chain):
        wrench = Wrench(links[i].to_link(wrench.force), links[i].to_link(wrench.moment))
    return wrench


def _along_joint(here: Placed, wrench: Wrench) -> Any:
    """tau_i = mu_i . z or f_i . z  (7.114); a fixed joint carries everything."""
    match here.link.kind:
        case "revolute":
            return wrench.moment[2]
        case "prismatic":
            return wrench.force[2]
        case "fixed":
            return 0
