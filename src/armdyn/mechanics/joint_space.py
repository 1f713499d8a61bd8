"""From the tree's joints to the independent coordinates q, and the spins beside the tree.

A formulation treats every link's joint coordinate theta as free. Couplings, rotors and passive
joints follow q, and the virtual work of their torques is the same:
    tau = (d theta/d q)^T tau_theta,    H = (d theta/d q)^T A (d theta/d q).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from armdyn.mechanics.kinematics import pose_of, poses, unit_motion
from armdyn.mechanics.loads import Contact, Loads
from armdyn.mechanics.placed import Placed
from armdyn.mechanics.tree.coordinates import state_of
from armdyn.mechanics.tree.links import Tree
from armdyn.spatial import Wrench
from armdyn.spatial.vector import dot, negate


def generalized_loads(
    tree: Tree,
    links: Sequence[Placed],
    along: Sequence[Any],
    q: Sequence[Any],
    qd: Sequence[Any] | None,
    qdd: Sequence[Any] | None,
) -> Loads:
    """The torques on q of the torques `along` the joints of all links, and of the spins."""
    joint: list[Any] = [0] * tree.n
    drive: list[Any] = [0] * tree.n
    for here, torque in zip(links, along, strict=True):
        loaded = joint if here.link.driven else drive
        for j, slope in here.coordinate.gradient:
            loaded[j] = loaded[j] + slope * torque
    for j, torque in _spin_torques(tree, q, qd, qdd):
        drive[j] = drive[j] + torque
    return Loads(joint, drive)


def generalized_mass(
    tree: Tree, links: Sequence[Placed], A: Sequence[Sequence[Any]], q: Sequence[Any]
) -> list[list[Any]]:
    """H(q), n x n, of the spins and of the mass matrix A (lower triangle) over the joints of all links."""
    H: list[list[Any]] = [[0] * tree.n for _ in range(tree.n)]
    for i, row in enumerate(A):
        for j, mass in enumerate(row[: i + 1]):
            for a, slope in links[i].coordinate.gradient:
                for b, other in links[j].coordinate.gradient:
                    value = slope * other * mass
                    H[a][b] = H[a][b] + value
                    if i != j:  # the pair (j, i) is the other triangle
                        H[b][a] = H[b][a] + value
    for spin in tree.spins:
        gradient = state_of(spin.coordinate, q).gradient
        for a, slope in gradient:
            for b, other in gradient:
                if spin.own is None or a == b == spin.own:
                    H[a][b] = H[a][b] + spin.inertia * (slope * other)
    return H


def contact_torques(tree: Tree, links: Sequence[Placed], contact: Contact | None) -> list[Any]:
    """J^T h along the joints of all links: the work of the contact when one joint moves by one."""
    torques: list[Any] = [0] * len(links)
    if contact is None:
        return torques
    T_base = poses(links)
    point = pose_of(tree, links, contact.frame).translation
    link = contact.frame[0]
    while link >= 0:
        linear, angular = unit_motion(links[link], T_base[link], point)
        torques[link] = dot(contact.wrench.force, linear) + dot(contact.wrench.moment, angular)
        link = tree.links[link].parent
    return torques


def contact_wrench(links: Sequence[Placed], contact: Contact) -> Wrench:
    """A contact, given in base axes, at its link's origin in link axes."""
    link, T_link_point = contact.frame
    chain = [link]
    while (parent := links[chain[-1]].link.parent) >= 0:
        chain.append(parent)
    force, moment = contact.wrench.force, contact.wrench.moment
    for i in reversed(chain):
        force, moment = links[i].to_link(force), links[i].to_link(moment)
    return Wrench(force, moment).about(negate(links[link].frame(T_link_point).translation))


def _spin_torques(
    tree: Tree, q: Sequence[Any], qd: Sequence[Any] | None, qdd: Sequence[Any] | None
) -> list[tuple[int, Any]]:
    """(j, I theta'_j thetaddot) of every spin; k^2 I qdd where only its own joint counts."""
    torques: list[tuple[int, Any]] = []
    for spin in tree.spins:
        theta = state_of(spin.coordinate, q, qd, qdd)
        for j, slope in theta.gradient:
            if spin.own is None:
                torques.append((j, slope * (spin.inertia * theta.acceleration)))
            elif spin.own == j and qdd is not None:
                torques.append((j, slope * slope * spin.inertia * qdd[j]))
    return torques
