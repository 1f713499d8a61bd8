"""Newton-Euler in link frames, for any tree: outwards the motion, inwards the forces.

[Milicevic2007] Table 2, [Siciliano2009] (7.107)-(7.114). Forces are taken about link origins
with the inertia in its linear form (mass m, first moment h, second moment S about the origin),
so that a_C = a + U c never divides by a mass and the torques are linear in m, h and S.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from armdyn.mechanics.inertial_wrench import inertial_wrench
from armdyn.mechanics.joint_space import generalized_loads, with_contact
from armdyn.mechanics.kinematics import accelerations, angular_velocities
from armdyn.mechanics.loads import Contact, Loads
from armdyn.mechanics.placed import Placed, placed
from armdyn.mechanics.tree.links import Tree
from armdyn.spatial import Vec3, Wrench


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
    wrenches = _inward(
        links, [inertial_wrench(m.link.inertia, a) for m, a in zip(links, motion, strict=True)], contact
    )
    along = [here.along_joint(wrench) for here, wrench in zip(links, wrenches, strict=True)]
    loads = generalized_loads(tree, links, along, q, qd, qdd)
    return LinkLoads(loads.joint, loads.drive, wrenches)


def _inward(links: Sequence[Placed], inertial: Sequence[Wrench], contact: Contact | None) -> list[Wrench]:
    """f_i = F_i + sum R f_(i+1), mu_i = N_i + sum (R mu_(i+1) + p x R f_(i+1))  (7.112), (7.113)."""
    wrenches = with_contact(links, inertial, contact)
    for i in range(len(links) - 1, -1, -1):
        here = links[i]
        if here.link.parent >= 0:
            wrenches[here.link.parent] += here.wrench_to_parent(wrenches[i])
    return wrenches
