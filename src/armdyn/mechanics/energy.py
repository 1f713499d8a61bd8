"""Energies, momenta and power of the whole robot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from armdyn.mechanics.kinematics import angular_velocities, linear_velocities, poses
from armdyn.mechanics.placed import placed
from armdyn.mechanics.spins import spin_state
from armdyn.mechanics.tree.links import Tree
from armdyn.spatial import Vec3
from armdyn.spatial.vector import ZERO, add, cross, dot, scale, times


def kinetic_energy(tree: Tree, q: Sequence[Any], qd: Sequence[Any]) -> Any:
    """T = sum 1/2 m v.v + v.(omega x h) + 1/2 omega.I omega + 1/2 I thetadot^2 [J]."""
    links = placed(tree, q, qd)
    omega = angular_velocities(tree, links)
    velocity = linear_velocities(tree, links, omega)
    total: Any = 0
    for here, w, v in zip(links, omega, velocity, strict=True):
        m, h, inertia = here.link.inertia.mass, here.link.inertia.first, here.link.inertia.tensor
        total = total + 0.5 * (m * dot(v, v) + dot(w, times(inertia, w))) + dot(v, cross(w, h))
    for spin in tree.spins:
        total = total + spin_state(spin, q, qd).energy
    return total


def potential_energy(tree: Tree, q: Sequence[Any]) -> Any:
    """U = -sum m g.p_C, zero with every mass at the base origin [J]."""
    total: Any = 0
    links = placed(tree, q)
    for here, T in zip(links, poses(links), strict=True):
        body = here.link.inertia
        height = add(scale(body.mass, T.translation), times(T.rotation, body.first))
        total = total - dot(tree.gravity, height)
    return total


@dataclass(frozen=True)
class Momentum:
    """Momentum of the moving bodies [kg m/s], and angular momentum about the base origin [kg m2/s]."""

    linear: Vec3
    angular: Vec3


def momentum(tree: Tree, q: Sequence[Any], qd: Sequence[Any]) -> Momentum:
    """P = sum m v + omega x h, L = sum p x P_i + h x v + I omega, in base axes.

    Spins that are not bodies have no axis in space and are not counted.
    """
    links = placed(tree, q, qd)
    omega = angular_velocities(tree, links)
    velocity = linear_velocities(tree, links, omega)
    linear, angular = ZERO, ZERO
    for here, w, v, T in zip(links, omega, velocity, poses(links), strict=True):
        m, h = here.link.inertia.mass, here.link.inertia.first
        p = times(T.rotation, add(scale(m, v), cross(w, h)))
        own = times(T.rotation, add(cross(h, v), times(here.link.inertia.tensor, w)))
        linear, angular = add(linear, p), add(angular, add(cross(T.translation, p), own))
    return Momentum(linear, angular)
