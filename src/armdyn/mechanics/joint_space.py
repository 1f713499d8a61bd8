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
from armdyn.mechanics.spins import spin_curvature, spin_state
from armdyn.mechanics.tree.coordinates import curvature_of
from armdyn.mechanics.tree.links import Tree
from armdyn.scalars import is_literal
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
    for spin in tree.spins:
        for j, torque in spin_state(spin, q, qd, qdd).torques:
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
        for a, b, mass in spin_state(spin, q).masses:
            H[a][b] = H[a][b] + mass
            if a != b:
                H[b][a] = H[b][a] + mass
    return H


# Contacts -------------------------------------------------------------------------------------


def on_link(contact: Contact | None) -> Contact | None:
    """The contact if it touches a link; what the base exerts on its surroundings no joint feels."""
    return contact if contact is not None and contact.frame[0] >= 0 else None


def contact_torques(tree: Tree, links: Sequence[Placed], contact: Contact | None) -> list[Any]:
    """J^T h along the joints of all links: the work of the contact when one joint moves by one."""
    torques: list[Any] = [0] * len(links)
    if contact is None:
        return torques
    T_base = poses(links)
    point = pose_of(tree, links, contact.frame).translation
    for i in tree.path(contact.frame[0]):
        linear, angular = unit_motion(links[i], T_base[i], point)
        torques[i] = dot(contact.wrench.force, linear) + dot(contact.wrench.moment, angular)
    return torques


def with_contact(
    links: Sequence[Placed], wrenches: Sequence[Wrench], contact: Contact | None
) -> list[Wrench]:
    """Wrenches of all links, at their origins in link axes, with that of a contact added to its link's."""
    result, touching = list(wrenches), on_link(contact)
    if touching is not None:
        result[touching.frame[0]] += contact_wrench(links, touching)
    return result


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


# Velocity coefficients -------------------------------------------------------------------------


def generalized_velocity(
    tree: Tree,
    links: Sequence[Placed],
    A: Sequence[Sequence[Any]],
    h: Sequence[Sequence[Sequence[Any]]],
    q: Sequence[Any],
) -> list[list[list[Any]]]:
    """D_ijk over q of the inertia A_ab and the velocity coefficients h_abc over the joints of all links.

    With theta'_a,i = d theta_a/d q_i and theta''_b,jk = d2 theta_b/d q_j d q_k,
    D_ijk = sum_a theta'_a,i (sum_bc h_abc theta'_b,j theta'_c,k + sum_b A_ab theta''_b,jk), and of a
    spin I theta'_i theta''_jk.
    """
    result = [[[0] * tree.n for _ in range(tree.n)] for _ in range(tree.n)]
    slopes = [here.coordinate.gradient for here in links]
    bends = [curvature_of(here.link.coordinate, q) for here in links]
    for a, gradient in enumerate(slopes):
        if gradient:
            bent = ((j, k, A[a][b] * bend) for b, terms in enumerate(bends) for j, k, bend in terms)
            _add(result, gradient, [*_in_q(h[a], slopes), *bent])
    for spin in tree.spins:
        if curved := spin_curvature(spin, q):
            bent = [(j, k, spin.inertia * bend) for j, k, bend in curved]
            _add(result, spin_state(spin, q).gradient, bent)
    return result


def _in_q(
    h: Sequence[Sequence[Any]], slopes: Sequence[Sequence[tuple[int, Any]]]
) -> list[tuple[int, int, Any]]:
    """(j, k, h_bc theta'_b,j theta'_c,k) of every pair of links that have a coefficient."""
    return [
        (j, k, slope * other * h[b][c])
        for b, gradient in enumerate(slopes)
        for c, others in enumerate(slopes)
        if not is_literal(h[b][c], 0)
        for j, slope in gradient
        for k, other in others
    ]


def _add(
    result: list[list[list[Any]]],
    gradient: Sequence[tuple[int, Any]],
    terms: Sequence[tuple[int, int, Any]],
) -> None:
    """result_ijk += theta'_i times the sum of the terms (j, k, value)."""
    summed: dict[tuple[int, int], Any] = {}
    for j, k, value in terms:
        summed[j, k] = summed.get((j, k), 0) + value
    for i, slope in gradient:
        for (j, k), value in summed.items():
            result[i][j][k] = result[i][j][k] + slope * value
