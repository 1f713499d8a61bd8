"""Generalized d'Alembert equations: the translation and the rotation of each link apart.

[Milicevic2007] (4.1)-(4.5), tau_i = sum_j D_ij thetadd_j + h_i^tran + h_i^rot + c_i, in base axes. The
document has turning joints on a chain; here they also slide, branch, couple and drive rotors, and a
moving base is six driven joints. With b_is the motion of the centre of mass r_s when theta_i alone moves,

    turning: b_is = z_i x (r_s - p_i),    sliding: b_is = z_i,

the sums over inner joints p, q <= s in (4.3) and (4.4) grow link by link outwards, and the sums over s of
tensors and moments, in which no b_is stands, inwards over what each joint carries. Of the copy at hand
(4.3) is garbled and (4.4) lost: `h_tran` and `h_rot` say what they must be, and why.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from armdyn.mechanics.centred_links import Arm
from armdyn.mechanics.joint_space import contact_torques, generalized_loads, generalized_mass
from armdyn.mechanics.kinematics import spread
from armdyn.mechanics.linear_system import symmetric_times
from armdyn.mechanics.loads import Contact, Loads
from armdyn.mechanics.tree.links import Tree
from armdyn.mechanics.tree.moving_base import with_driven_base
from armdyn.spatial import Mat3, Vec3
from armdyn.spatial.symmetric import symmetric
from armdyn.spatial.vector import ZERO, add, cross, dot, scale, subtract, times


@dataclass(frozen=True)
class Terms:
    """The parts of (4.1): tau = (D_rot + D_tran) qdd + h_tran + h_rot + c."""

    D_rot: list[list[Any]]
    D_tran: list[list[Any]]
    h_tran: list[Any]
    h_rot: list[Any]
    c: list[Any]


def inverse_dynamics(
    tree: Tree,
    q: Sequence[Any],
    qd: Sequence[Any] | None,
    qdd: Sequence[Any] | None,
    *,
    gravity: Vec3 | None = None,
    contact: Contact | None = None,
) -> Loads:
    """Torques for a motion; gravity defaults to the robot's."""
    tree, contact = with_driven_base(tree, contact)
    arm = Arm.at(tree, q, qd, qdd)
    parts = joint_terms(arm, tree.gravity if gravity is None else gravity)
    accelerating = symmetric_times(_sums(parts.D_rot, parts.D_tran), arm.accelerations)
    touching = contact_torques(tree, arm.links, contact)
    along = _sum(accelerating, parts.h_tran, parts.h_rot, parts.c, touching)
    return generalized_loads(tree, arm.links, along, q, qd, qdd)


def mass_matrix(tree: Tree, q: Sequence[Any]) -> list[list[Any]]:
    """H(q) = D_rot + D_tran, n x n."""
    arm = Arm.at(tree, q)
    return generalized_mass(tree, arm.links, _sums(D_rot(arm), D_tran(arm)), q)


def terms(tree: Tree, q: Sequence[Any], qd: Sequence[Any] | None, *, gravity: Vec3 | None = None) -> Terms:
    """The parts of (4.1) on the independent coordinates q.

    What accelerates a joint without qdd (the bend of a nonlinear coupling, the base's motion) counts
    in h; motors that only spin count as rotation.
    """
    tree, _ = with_driven_base(tree)
    unspun = replace(tree, spins=())
    arm = Arm.at(tree, q, qd)
    parts = joint_terms(arm, tree.gravity if gravity is None else gravity)

    def torques(on: Tree, along: Sequence[Any]) -> list[Any]:
        return generalized_loads(on, arm.links, along, q, qd, None).torque

    return Terms(
        generalized_mass(tree, arm.links, parts.D_rot, q),
        generalized_mass(unspun, arm.links, parts.D_tran, q),
        torques(unspun, _sum(symmetric_times(parts.D_tran, arm.accelerations), parts.h_tran)),
        torques(tree, _sum(symmetric_times(parts.D_rot, arm.accelerations), parts.h_rot)),
        torques(unspun, parts.c),
    )


def joint_terms(arm: Arm, gravity: Vec3) -> Terms:
    """The parts of (4.1) on the joints of all links, of D the lower triangles."""
    velocities = velocity_parts(arm)
    return Terms(D_rot(arm), D_tran(arm), h_tran(arm, velocities), h_rot(arm, velocities), c(arm, gravity))


# Inertia --------------------------------------------------------------------------------------


def D_tran(arm: Arm) -> list[list[Any]]:
    """(4.2), second sum: D_ij^tran = sum_s m_s b_js . b_is."""
    D = _zeros(arm)
    for point in arm.masses:
        for k, (j, _, momentum) in enumerate(point.motions):
            for i, b, _ in point.motions[k:]:
                D[j][i] = D[j][i] + dot(momentum, b)
    return D


def D_rot(arm: Arm) -> list[list[Any]]:
    """(4.2), first sum, over turning joints: D_ij^rot = sum_s z_i . I_s z_j = z_i . (sum_s I_s) z_j."""
    D = _zeros(arm)
    for j, tensor in enumerate(arm.carried(arm.tensors, _add_symmetric)):
        spin = times(tensor, arm.axis(j, "revolute"))
        for i in arm.tree.path(j):
            D[j][i] = dot(arm.axis(i, "revolute"), spin)
    return D


# Velocities and gravity -----------------------------------------------------------------------


@dataclass(frozen=True)
class VelocityPart:
    """How a link turns, and what velocities alone (all thetadd zero) add to its acceleration."""

    omega: Vec3
    alpha: Vec3
    a: Vec3
    """Of its origin."""
    U: Mat3
    """A point r of it accelerates by a + U r, where U r = alpha x r + omega x (omega x r)."""


def velocity_parts(arm: Arm) -> list[VelocityPart]:
    """The sums over inner joints in (4.3) and (4.4).

    omega_s = sum_p thetad_p z_p,    alpha_s = sum_p (sum_(q<p) thetad_q z_q) x thetad_p z_p
    a_s     = sum_k U_(k-1) p*_k, and 2 omega x thetad z of joints that slide
    """
    result: list[VelocityPart] = []
    base = VelocityPart(ZERO, ZERO, ZERO, (ZERO, ZERO, ZERO))
    for s, here in enumerate(arm.links):
        parent, origin = here.link.parent, arm.T_base[s].translation
        before = base if parent < 0 else result[parent]
        step = origin if parent < 0 else subtract(origin, arm.T_base[parent].translation)
        turning, sliding = (
            scale(here.coordinate.rate, arm.axis(s, kind)) for kind in ("revolute", "prismatic")
        )
        omega = add(before.omega, turning)
        alpha = add(before.alpha, cross(before.omega, turning))
        a = add(add(before.a, times(before.U, step)), scale(2, cross(omega, sliding)))
        result.append(VelocityPart(omega, alpha, a, spread(omega, alpha)))
    return result


def h_tran(arm: Arm, velocities: Sequence[VelocityPart]) -> list[Any]:
    """(4.3): h_i^tran = sum_s m_s b_is . (a_s + alpha_s x c_s + omega_s x (omega_s x c_s)).

    The work of m_s times the velocity part of the acceleration of the centre of mass: the print's first
    two terms are a_s, its last two those in c_s.
    """
    h: list[Any] = [0] * len(arm.links)
    for point in arm.masses:
        motion = velocities[point.link]
        a = add(motion.a, times(motion.U, point.offset))
        for i, _, momentum in point.motions:
            h[i] = h[i] + dot(momentum, a)
    return h


def h_rot(arm: Arm, velocities: Sequence[VelocityPart]) -> list[Any]:
    """(4.4), lost: h_i^rot = z_i . sum_s (I_s alpha_s + omega_s x I_s omega_s), over turning joints.

    Of T = 1/2 omega . L, L = I omega, the slope dT/d thetad_i = z_i . L grows by zd_i . L + z_i . Ld. Moving
    theta_i turns link s, and of omega what lies beyond joint i: dT/d theta_i = (omega_(i-1) x z_i) . L, the
    same zd_i . L. Lagrange's equation leaves z_i . Ld; Ld without thetadd is the bracket.
    """
    moments: list[Vec3] = []
    for tensor, motion in zip(arm.tensors, velocities, strict=True):
        gyration = cross(motion.omega, times(tensor, motion.omega))
        moments.append(add(times(tensor, motion.alpha), gyration))
    return [dot(arm.axis(i, "revolute"), moment) for i, moment in enumerate(arm.carried(moments, add))]


def c(arm: Arm, gravity: Vec3) -> list[Any]:
    """(4.5): c_i = -g . sum_s m_s b_is."""
    momenta: list[Vec3] = [ZERO] * len(arm.links)
    for point in arm.masses:
        for i, _, momentum in point.motions:
            momenta[i] = add(momenta[i], momentum)
    return [-dot(gravity, momentum) for momentum in momenta]


# Sums -----------------------------------------------------------------------------------------


def _zeros(arm: Arm) -> list[list[Any]]:
    """The lower triangle of a matrix over the joints of all links."""
    return [[0] * (i + 1) for i in range(len(arm.links))]


def _sum(*vectors: Sequence[Any]) -> list[Any]:
    return [sum(values) for values in zip(*vectors, strict=True)]


def _sums(A: Sequence[Sequence[Any]], B: Sequence[Sequence[Any]]) -> list[list[Any]]:
    return [_sum(*rows) for rows in zip(A, B, strict=True)]


def _add_symmetric(a: Mat3, b: Mat3) -> Mat3:
    return symmetric(lambda i, j: a[i][j] + b[i][j])
