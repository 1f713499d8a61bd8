"""Composite bodies: the mass matrix H, alone or with the bias in the same pass.

Going inwards, every link with all that it carries is one rigid body. Accelerating only its
joint by one takes the composite's force; its projection on every joint inwards is a row of H
([Siciliano2009] 7.32 by the structure of the tree; Walker and Orin's third method).

The bias needs no more than the same composites. A point r of link i accelerates by
    a_j + U_j (r - o_j) + sum over the joints k between j and i of  a'_k + U'_k (r - o_k),
where a'_k, U'_k is what joint k adds to the motion of its parent. So the torque at joint j is
that of composite j moving with link j, plus what each joint beyond adds to its own composite.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from armdyn.mechanics.inertial_wrench import inertial_wrench
from armdyn.mechanics.joint_space import contact_torques, generalized_loads, generalized_mass
from armdyn.mechanics.kinematics import (
    LinkAcceleration,
    accelerations,
    angular_velocities,
    poses,
    unit_motion,
)
from armdyn.mechanics.loads import Contact
from armdyn.mechanics.placed import Placed, placed
from armdyn.mechanics.tree.links import Tree
from armdyn.spatial import Moments, Vec3, Wrench
from armdyn.spatial.vector import ZERO, dot, negate

NOTHING = Wrench(ZERO, ZERO)
DEEP = 24
"""Links one after another up to which forces are handed inwards from link to link. That takes fewer
operations than base axes up to 35 links where axes are parallel or at right angles, up to 10 elsewhere."""


def mass_matrix(tree: Tree, q: Sequence[Any]) -> list[list[Any]]:
    """H(q), n x n."""
    links = placed(tree, q)
    return generalized_mass(tree, links, _joint_masses(tree, links, _composites(links)), q)


def mass_matrix_and_bias(
    tree: Tree,
    q: Sequence[Any],
    qd: Sequence[Any],
    *,
    gravity: Vec3 | None = None,
    contact: Contact | None = None,
) -> tuple[list[list[Any]], list[Any]]:
    """H(q), and C qd + g + J^T h."""
    links = placed(tree, q, qd)
    composites = _composites(links)
    omega = angular_velocities(tree, links)
    motion = accelerations(tree, links, omega, tree.gravity if gravity is None else gravity)
    beyond = _added_beyond(links, composites, omega)
    touching = contact_torques(tree, links, contact)
    along = [
        here.along_joint(inertial_wrench(body, moving) + added) + touched
        for here, body, moving, added, touched in zip(
            links, composites, motion, beyond, touching, strict=True
        )
    ]
    H = generalized_mass(tree, links, _joint_masses(tree, links, composites), q)
    return H, generalized_loads(tree, links, along, q, qd, None).torque


def _composites(links: Sequence[Placed]) -> list[Moments]:
    """Every link with all that it carries, about its origin in its axes."""
    bodies = [here.link.inertia for here in links]
    for i in range(len(links) - 1, -1, -1):
        if links[i].link.parent >= 0:
            bodies[links[i].link.parent] += links[i].moments_to_parent(bodies[i])
    return bodies


# The mass matrix ------------------------------------------------------------------------------


def _joint_masses(tree: Tree, links: Sequence[Placed], composites: Sequence[Moments]) -> list[list[Any]]:
    """The mass matrix over the joints of all links, its lower triangle."""
    A: list[list[Any]] = [[0] * len(links) for _ in links]
    forces = [_unit_force(body, here.link.kind) for here, body in zip(links, composites, strict=True)]
    deepest = max((len(list(tree.path(i))) for i in range(len(links))), default=0)
    felt = _felt_in_base if deepest > DEEP else _felt_inwards
    for i, j, torque in felt(tree, links, forces):
        A[i][j] = torque
    return A


def _unit_force(body: Moments, kind: str) -> Wrench:
    """Force and moment at the origin that accelerate a body's joint by one, all else at rest."""
    m, h, s = body.mass, body.first, body.second
    if kind == "fixed":
        return NOTHING
    if kind == "prismatic":
        return Wrench((0, 0, m), (h[1], -h[0], 0))
    return Wrench((-h[1], h[0], 0), (-s[0][2], -s[1][2], s[0][0] + s[1][1]))


def _felt_inwards(
    tree: Tree, links: Sequence[Placed], forces: Sequence[Wrench]
) -> Iterator[tuple[int, int, Any]]:
    """(i, j, torque along joint j) of the wrench at link i, for joint i and every joint inwards of it."""
    for i, force in enumerate(forces):
        wrench = force
        for j in tree.path(i):
            yield i, j, links[j].along_joint(wrench)
            if links[j].link.parent >= 0:
                wrench = links[j].wrench_to_parent(wrench)


def _felt_in_base(
    tree: Tree, links: Sequence[Placed], forces: Sequence[Wrench]
) -> Iterator[tuple[int, int, Any]]:
    """The same as the work of every wrench when a joint moves by one, all at the origin of the base.

    Eleven operations for a pair of joints, where handing a wrench inwards takes some thirty for a link.
    """
    T_base = poses(links)
    motions = [unit_motion(here, T, ZERO) for here, T in zip(links, T_base, strict=True)]
    for i, (wrench, T) in enumerate(zip(forces, T_base, strict=True)):
        yield i, i, links[i].along_joint(wrench)
        in_base = wrench.seen_from(T.rotation).about(negate(T.translation))
        for j in tree.path(i):
            if j != i:
                yield i, j, dot(in_base.force, motions[j][0]) + dot(in_base.moment, motions[j][1])


# The bias -------------------------------------------------------------------------------------


def _added_beyond(
    links: Sequence[Placed], composites: Sequence[Moments], omega: Sequence[Vec3]
) -> list[Wrench]:
    """What the joints beyond each link add, at the link's origin in its axes."""
    beyond = [NOTHING for _ in links]
    for i in range(len(links) - 1, -1, -1):
        here = links[i]
        if here.link.parent >= 0:
            own = inertial_wrench(composites[i], _added_motion(here, omega[i]))
            beyond[here.link.parent] += here.wrench_to_parent(beyond[i] + own)
    return beyond


def _added_motion(here: Placed, omega: Vec3) -> LinkAcceleration:
    """What a joint adds to the acceleration of its parent, omega that of its link.

    Turning: U' = U_i - U_(i-1), in whose last column there is nothing: the axis is the parent's too.
    Sliding: a' = 2 omega x ddot z + dddot z.
    """
    (x, y, z), rate, acceleration = omega, here.coordinate.rate, here.coordinate.acceleration
    twice = rate + rate
    if here.link.kind == "prismatic":
        return LinkAcceleration((y * twice, -(x * twice), acceleration), ZERO, (ZERO, ZERO, ZERO))
    if here.link.kind == "fixed":
        return LinkAcceleration(ZERO, ZERO, (ZERO, ZERO, ZERO))
    inwards = rate * (rate - (z + z))  # -(z^2 - (z - rate)^2)
    spread = ((inwards, -acceleration, 0), (acceleration, inwards, 0), (x * twice, y * twice, 0))
    return LinkAcceleration(ZERO, (0, 0, acceleration), spread)
