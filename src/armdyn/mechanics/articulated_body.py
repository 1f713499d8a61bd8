"""Articulated bodies: accelerations from torques in one sweep inwards and one outwards (Featherstone 1983).

The motion at qdd = 0 (velocities, gravity, a moving base) is known beforehand. Unknown is by how much
more each link accelerates, delta = (a, alpha) at its origin in its axes:

    delta_i = X_i delta_parent + z sum_k g_k qdd_k,   g_k = d theta_i/d q_k

Going inwards, a link with all that it carries becomes one body (`open_body`) whose free coordinates are
eliminated as soon as nothing outside the body follows them (`elimination_order`). Where all joints are
independent each coordinate is eliminated at its own joint, as Featherstone does: order n. A coordinate
that several joints, rotors or spins follow stays open on the links between them and costs six elements on
each, and one for each pair of open ones: order n (1 + m + m^2) with m open at once. Were all open down to
the base, the bodies would be the composite bodies, and their masses the mass matrix H.
The pivots are those of an elimination in H: positive, also where a link has no mass.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from armdyn.mechanics.articulated.elimination_order import (
    BASE,
    INNER,
    OUTER,
    Closing,
    Place,
    elimination_order,
)
from armdyn.mechanics.articulated.inertia import NO_INERTIA, ArticulatedInertia
from armdyn.mechanics.articulated.open_body import CONSTANT, Masses, OpenBody, Row
from armdyn.mechanics.inertial_wrench import inertial_wrench
from armdyn.mechanics.joint_space import with_contact
from armdyn.mechanics.kinematics import accelerations, angular_velocities
from armdyn.mechanics.loads import Contact
from armdyn.mechanics.placed import Placed, placed
from armdyn.mechanics.spins import spin_state
from armdyn.mechanics.tree.links import Spin, Tree
from armdyn.spatial import Acceleration, Vec3
from armdyn.spatial.vector import dot


def forward_dynamics(
    tree: Tree,
    q: Sequence[Any],
    qd: Sequence[Any] | None,
    tau: Sequence[Any],
    *,
    gravity: Vec3 | None = None,
    contact: Contact | None = None,
) -> list[Any]:
    """Accelerations qdd under the torques tau, without friction; gravity defaults to the robot's."""
    links = placed(tree, q, qd)
    bodies = _bodies(tree, links, tree.gravity if gravity is None else gravity, contact)

    def spun(spin: Spin) -> Masses:
        return _spin_masses(spin, q, qd)

    rows = _inward(links, bodies, elimination_order(tree), spun, tau)
    qdd = _outward(links, rows)
    return [qdd[k] for k in range(tree.n)]


# At qdd = 0 -----------------------------------------------------------------------------------


def _bodies(tree: Tree, links: Sequence[Placed], gravity: Vec3, contact: Contact | None) -> list[OpenBody]:
    """Every link alone, with the wrench that it takes at qdd = 0."""
    motion = accelerations(tree, links, angular_velocities(tree, links), gravity)
    inertial = [inertial_wrench(here.link.inertia, a) for here, a in zip(links, motion, strict=True)]
    return [
        OpenBody(ArticulatedInertia.of(here.link.inertia), {CONSTANT: wrench}, {})
        for here, wrench in zip(links, with_contact(links, inertial, contact), strict=True)
    ]


def _spin_masses(spin: Spin, q: Sequence[Any], qd: Sequence[Any] | None) -> Masses:
    """I theta'_i theta'_j, and the torque I theta'_i thetaddot at qdd = 0."""
    state = spin_state(spin, q, qd)
    masses = {(i, j): mass for i, j, mass in state.masses}
    return masses | {(i, CONSTANT): torque for i, torque in state.torques}


# Inwards --------------------------------------------------------------------------------------


def _inward(
    links: Sequence[Placed],
    bodies: Sequence[OpenBody],
    order: Mapping[Place, Sequence[Closing]],
    spun: Callable[[Spin], Masses],
    tau: Sequence[Any],
) -> list[tuple[Place, Row]]:
    """Every coordinate and where it was eliminated, in turn; `spun` gives the masses of a spin."""
    rows: list[tuple[Place, Row]] = []

    def closed(body: OpenBody, place: Place) -> OpenBody:
        for closing in order.get(place, ()):
            k = closing.coordinate
            for masses in ({(k, CONSTANT): -tau[k]}, *map(spun, closing.spins)):
                body = body.with_masses(masses)
            if closing.free and links[place[0]].link.parent != BASE:
                body, row = body.released(links[place[0]], tau[k])
            else:
                body, row = body.without(k)
            rows.append((place, row))
        return body

    on = {BASE: OpenBody(NO_INERTIA, {}, {}), **dict(enumerate(bodies))}
    for i in range(len(links) - 1, -1, -1):
        here, body = links[i], closed(on[i], (i, OUTER)).inwards_of(links[i])
        if here.link.parent == BASE:
            on[BASE] += closed(body.on_base(), (i, INNER))
        else:
            on[here.link.parent] += closed(body, (i, INNER)).in_parent(here)
    closed(on[BASE], (BASE, OUTER))
    return rows


# Outwards -------------------------------------------------------------------------------------


def _outward(links: Sequence[Placed], rows: Sequence[tuple[Place, Row]]) -> Mapping[int, Any]:
    """qdd_k = -(share . delta + sum_j ratios[j] qdd_j), what was eliminated last first."""
    qdd: dict[int, Any] = {CONSTANT: 1}
    known: dict[Place, Acceleration] = {(BASE, OUTER): Acceleration()}
    for place, row in reversed(rows):
        delta = _motion(place, links, qdd, known)
        total = dot(row.share.force, delta.linear) + dot(row.share.moment, delta.angular)
        for j, ratio in row.ratios.items():
            total = total + ratio * qdd[j]
        qdd[row.coordinate] = -total
    return qdd


def _motion(
    place: Place, links: Sequence[Placed], qdd: Mapping[int, Any], known: dict[Place, Acceleration]
) -> Acceleration:
    """The delta at a place, from those inwards of it."""
    if place not in known:
        link, side = place
        here = links[link]
        if side == OUTER:
            known[place] = _moved(here, _motion((link, INNER), links, qdd, known), qdd)
        elif here.link.parent == BASE:
            known[place] = Acceleration()
        else:
            known[place] = here.carried(_motion((here.link.parent, OUTER), links, qdd, known))
    return known[place]


def _moved(here: Placed, delta: Acceleration, qdd: Mapping[int, Any]) -> Acceleration:
    """delta + z sum_k g_k qdd_k."""
    (x, y, z), (u, v, w) = delta.linear, delta.angular
    for k, slope in here.coordinate.gradient:
        if here.link.kind == "revolute":
            w = w + slope * qdd[k]
        else:
            z = z + slope * qdd[k]
    return Acceleration((x, y, z), (u, v, w))
