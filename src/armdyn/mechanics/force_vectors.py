"""Total force and moment of every link, as vectors that multiply joint rates and accelerations.

[Kvrgic2020] (4)-(17), in base axes, with k and j the joints that move link i, k inwards of j:
    vdot_i = sum_k b_ik thetaddot_k + sum_(k<=j) b_ikj thetadot_k thetadot_j    (5)
    F_i    = e_i + sum_k e_ik thetaddot_k                                       (12)
    N_i    = d_i + sum_k d_ik thetaddot_k                                       (16)
The document prints b and d of one arm (Appendix B), with errors. From (4), (7) and (B.1) they
follow for any tree: with a_k the axis of a turning joint (zero for a sliding one), o_k a point
of it, r_i the centre of mass of link i and S_i its second moment about r_i,
    b_ik  = a_k x (r_i - o_k), or the axis itself where the joint slides
    b_ikj = (2 - delta_kj) a_k x b_ij
    d_ik  = I_i a_k = tr(S_i) a_k - S_i a_k
    d_ikj = (2 - delta_kj) (S_i a_k) x a_j
b_ikj and d_ikj cost a vector product for every triple (i, k, j) and are for those who ask. Their
sums do not need them: with w_j = thetadot_j (omega_j + omega_(j-1)) that in (13) is the sum of
w_j x b_ij, and (17) is (7) with the angular acceleration that rates alone give.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from armdyn.mechanics.placed import Placed
from armdyn.mechanics.stances import Stance, stances
from armdyn.mechanics.tree.links import Link
from armdyn.spatial import Moments, Vec3
from armdyn.spatial.symmetric import turned
from armdyn.spatial.vector import (
    ZERO,
    Mat3,
    add,
    cross,
    negate,
    scale,
    subtract,
    times,
    trace,
)


@dataclass(frozen=True)
class Reference:
    """The inertia of a link about one of its points, both in link axes.

    The document takes the centre of mass. About the link's origin all vectors are linear in
    mass, first and second moment, and a link need not have mass.
    """

    point: Vec3
    moments: Moments


@dataclass(frozen=True)
class JointAxis(Stance):
    """The joint of a link in base axes, and how it turns.

    `axis` is z_(i-1) of the document, `turn` is a_i above, and `step` p*_(i-1), whose link ends there.
    """

    omega: Vec3
    """Angular velocity of the link."""
    alpha: Vec3
    """Its angular acceleration when no joint accelerates."""
    swing: Vec3
    """w = thetadot (omega_i + omega_(i-1))."""


@dataclass(frozen=True)
class LinkForce:
    """Force and moment of a link about its reference point, with keys k: the joints that move it."""

    l_i: Vec3
    """From the link's origin to the point; r_cm is the same from the origin at the link's far end."""
    S_i: Mat3
    """Second moment about the point; the document's I_cm is tr(S) 1 - S."""
    b_ik: dict[int, Vec3]
    """Velocity of the point for a unit rate of joint k."""
    e_ik: dict[int, Vec3]
    """Force for a unit acceleration of joint k (15)."""
    d_ik: dict[int, Vec3]
    """Moment about the point for a unit acceleration of joint k."""
    e_i: Vec3
    """Force of rates and weight (13); what the link exerts on its surroundings is not in it (14)."""
    d_i: Vec3
    """Moment of rates (17)."""


@dataclass(frozen=True)
class ForceVectors:
    """The vectors of all links."""

    joints: list[JointAxis]
    links: list[LinkForce]

    def b_ikj(self, i: int) -> dict[tuple[int, int], Vec3]:
        """b_ikj of link i by (k, j): acceleration of its point for a unit of thetadot_k thetadot_j."""
        b = self.links[i].b_ik
        return self._by_pairs(i, lambda k, j: cross(self.joints[k].turn, b[j]))

    def d_ikj(self, i: int) -> dict[tuple[int, int], Vec3]:
        """d_ikj of link i by (k, j): moment of its turning for a unit of thetadot_k thetadot_j."""
        S = self.links[i].S_i
        return self._by_pairs(i, lambda k, j: cross(times(S, self.joints[k].turn), self.joints[j].turn))

    def _by_pairs(self, i: int, term: Callable[[int, int], Vec3]) -> dict[tuple[int, int], Vec3]:
        """(2 - delta_kj) times a term, for k inwards of j and k = j."""
        moving = list(self.links[i].b_ik)
        once = {(k, j): term(k, j) for n, j in enumerate(moving) for k in moving[: n + 1]}
        return {(k, j): once[k, j] if k == j else add(once[k, j], once[k, j]) for k, j in once}


def about_origin(link: Link) -> Reference:
    """A link's inertia about its origin."""
    return Reference(ZERO, link.inertia)


def about_centre(link: Link) -> Reference:
    """A link's inertia about its centre of mass; about its origin if it has no mass."""
    return Reference(*link.inertia.about_centre())


def force_vectors(links: Sequence[Placed], inertias: Sequence[Reference], gravity: Vec3) -> ForceVectors:
    """All vectors of all links, from the base outwards."""
    joints = _joints(links)
    reaches: list[dict[int, Vec3]] = []
    forces: list[LinkForce] = []
    for i, (here, inertia) in enumerate(zip(links, inertias, strict=True)):
        inwards = {} if here.link.parent < 0 else reaches[here.link.parent]
        reach = {k: add(r, joints[i].step) for k, r in inwards.items()}
        if here.link.kind != "fixed":
            reach[i] = ZERO
        reaches.append(reach)
        forces.append(_link_force(joints, joints[i], inertia, reach, gravity))
    return ForceVectors(joints, forces)


def _joints(links: Sequence[Placed]) -> list[JointAxis]:
    """Where the axes are, and how they turn when no joint accelerates.

    omega_i = omega_(i-1) + a_i thetadot_i, alpha_i = alpha_(i-1) + omega_(i-1) x a_i thetadot_i  (B.1).
    """
    joints: list[JointAxis] = []
    for here, at in zip(links, stances(links), strict=True):
        parent = here.link.parent
        before, alpha = (ZERO, ZERO) if parent < 0 else (joints[parent].omega, joints[parent].alpha)
        rate, spin = here.coordinate.rate, scale(here.spin, at.axis)
        omega = add(before, spin)
        swing = scale(rate, add(before, omega))
        joints.append(JointAxis(at.kind, at.rotation, at.step, omega, add(alpha, cross(before, spin)), swing))
    return joints


def _link_force(
    joints: Sequence[JointAxis],
    own: JointAxis,
    inertia: Reference,
    reach: dict[int, Vec3],
    gravity: Vec3,
) -> LinkForce:
    """The vectors of one link; reach leads from each joint's origin to the link's.

    With s the first moment about the point, zero for the centre of mass:
    e_ik = m b_ik + a_k x s                                         (15)
    d_ik = tr(S) a_k - S a_k + s x b_ik
    e_i  = -m g + sum_j w_j x e_ij                                  (13), with the sign of g mended
    d_i  = I alpha + omega x I omega + s x (sum_j w_j x b_ij - g)   (7), (17)
    """
    m = inertia.moments.mass
    l_i, s = times(own.rotation, inertia.point), times(own.rotation, inertia.moments.first)
    S, t = turned(own.rotation, inertia.moments.second), trace(inertia.moments.second)
    b = {k: _unit_velocity(joints[k], add(r, l_i)) for k, r in reach.items()}
    e = {k: add(scale(m, b[k]), cross(joints[k].turn, s)) for k in b}
    d = {k: add(_tensor_times(S, t, joints[k].turn), cross(s, b[k])) for k in b}
    e_i = add(scale(m, negate(gravity)), _swung(joints, e))
    turning = subtract(_tensor_times(S, t, own.alpha), cross(own.omega, times(S, own.omega)))
    d_i = add(turning, cross(s, subtract(_swung(joints, b), gravity)))
    return LinkForce(l_i, S, b, e, d, e_i, d_i)


def _tensor_times(S: Mat3, t: Any, v: Vec3) -> Vec3:
    """I v = tr(S) v - S v."""
    return subtract(scale(t, v), times(S, v))


def _unit_velocity(joint: JointAxis, arm: Vec3) -> Vec3:
    return joint.axis if joint.kind == "prismatic" else cross(joint.axis, arm)


def _swung(joints: Sequence[JointAxis], vectors: dict[int, Vec3]) -> Vec3:
    """sum_k w_k x v_k."""
    total: Vec3 = ZERO
    for k, v in vectors.items():
        total = add(total, cross(joints[k].swing, v))
    return total
