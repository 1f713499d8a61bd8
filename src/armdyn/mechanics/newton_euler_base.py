"""Newton-Euler in base axes, for any tree: outwards the motion, inwards the forces.

[Milicevic2007] Table 1. Every vector, and every inertia tensor, is turned into base axes. Where
armdyn deviates from the print:

- a link's origin lies on its own joint's axis, so the step p*_i from its parent's origin
  turns with the parent: omega_(i-1) stands where the print's frames take omega_i;
- moments are about link origins, with the inertia in its linear form (m, h = m s, I about the origin):
  m_i abar_i = m vdot + alpha x h + omega x (omega x h) divides by no mass, and a link may have none;
- vdot_0 is the base's acceleration minus gravity, where the print has plus gravity;
- viscous damping b_i is left to `friction.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from armdyn.mechanics.joint_space import generalized_loads
from armdyn.mechanics.loads import Contact, Loads
from armdyn.mechanics.placed import Placed, placed
from armdyn.mechanics.stances import Stance, contact_wrenches, stances
from armdyn.mechanics.tree.links import Tree
from armdyn.spatial import Vec3, Wrench
from armdyn.spatial.symmetric import turned
from armdyn.spatial.vector import add, cross, negate, scale, subtract, times


@dataclass(frozen=True)
class BaseLinkLoads(Loads):
    """The torques, and the forces between links."""

    links: list[Wrench]
    """What each link's parent exerts on it, at the link's origin in base axes."""


@dataclass(frozen=True)
class _Motion:
    """How a link moves, in base axes; gravity is felt as an acceleration of the base by -g."""

    omega: Vec3
    alpha: Vec3
    vdot: Vec3
    """Of the link's origin."""

    def swing(self, r: Vec3) -> Vec3:
        """alpha x r + omega x (omega x r): how the end of r accelerates against its beginning."""
        return add(cross(self.alpha, r), cross(self.omega, cross(self.omega, r)))


def inverse_dynamics(
    tree: Tree,
    q: Sequence[Any],
    qd: Sequence[Any] | None,
    qdd: Sequence[Any] | None,
    *,
    gravity: Vec3 | None = None,
    contact: Contact | None = None,
) -> BaseLinkLoads:
    """Torques and forces between links for a motion; gravity defaults to the robot's."""
    links = placed(tree, q, qd, qdd)
    standing = stances(links)
    base = tree.base
    start = _Motion(
        base.angular_velocity,
        base.angular_acceleration,
        subtract(base.acceleration, tree.gravity if gravity is None else gravity),
    )
    motions = _outward(links, standing, start)
    inertial = [_inertial(*parts) for parts in zip(links, standing, motions, strict=True)]
    wrenches = _inward(links, standing, inertial, contact)
    along = [stance.along_joint(wrench) for stance, wrench in zip(standing, wrenches, strict=True)]
    loads = generalized_loads(tree, links, along, q, qd, qdd)
    return BaseLinkLoads(loads.joint, loads.drive, wrenches)


# Forward equations ----------------------------------------------------------------------------


def _outward(links: Sequence[Placed], standing: Sequence[Stance], start: _Motion) -> list[_Motion]:
    result: list[_Motion] = []
    for here, stance in zip(links, standing, strict=True):
        before = start if here.link.parent < 0 else result[here.link.parent]
        result.append(_next(here, stance, before))
    return result


def _next(here: Placed, stance: Stance, before: _Motion) -> _Motion:
    """A link's motion from its parent's.

    vdot_i  = vdot_(i-1) + alpha_(i-1) x p* + omega_(i-1) x (omega_(i-1) x p*)
    turning:  omega_i = omega_(i-1) + z qd,   alpha_i = alpha_(i-1) + z qdd + omega_(i-1) x z qd
    sliding:  omega and alpha stay,           vdot_i is larger by z qdd + 2 omega_i x z qd
    """
    omega, alpha = before.omega, before.alpha
    vdot = add(before.vdot, before.swing(stance.step))
    if here.link.kind == "fixed":
        return _Motion(omega, alpha, vdot)
    along = scale(here.coordinate.rate, stance.axis)
    gained = scale(here.coordinate.acceleration, stance.axis)
    if here.link.kind == "revolute":
        return _Motion(add(omega, along), add(alpha, add(gained, cross(omega, along))), vdot)
    return _Motion(omega, alpha, add(vdot, add(gained, scale(2, cross(omega, along)))))


# Backward equations ---------------------------------------------------------------------------


def _inertial(here: Placed, stance: Stance, motion: _Motion) -> Wrench:
    """Force and moment that accelerate a link, about its origin.

    F_i = m_i abar_i                          = m vdot + alpha x h + omega x (omega x h)
    M_i = I_i alpha_i + omega_i x (I_i omega_i), and s_i x F_i, together I alpha + omega x I omega + h x vdot
    """
    body = here.link.inertia
    h, inertia = times(stance.rotation, body.first), turned(stance.rotation, body.tensor)
    force = add(scale(body.mass, motion.vdot), motion.swing(h))
    spin = add(times(inertia, motion.alpha), cross(motion.omega, times(inertia, motion.omega)))
    return Wrench(force, add(spin, cross(h, motion.vdot)))


def _inward(
    links: Sequence[Placed], standing: Sequence[Stance], inertial: Sequence[Wrench], contact: Contact | None
) -> list[Wrench]:
    """f_i = F_i + f_(i+1), n_i = M_i + s_i x F_i + n_(i+1) + p*_(i+1) x f_(i+1), over all children."""
    wrenches = list(inertial)
    for link, pressing in contact_wrenches(links, standing, contact).items():
        wrenches[link] += pressing
    for i in range(len(links) - 1, -1, -1):
        parent = links[i].link.parent
        if parent >= 0:
            wrenches[parent] += wrenches[i].about(negate(standing[i].step))
    return wrenches
