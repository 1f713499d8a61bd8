"""The modified recursive Newton-Euler algorithm, mRNEA: mass matrix and bias in one pass.

[Kvrgic2020] (18)-(36). Newton-Euler computes forces for given accelerations; here they are kept
as vectors that multiply the accelerations, so that one pass outwards (force_vectors.py) and one
inwards give H and u' of H qdd + u' = tau, where Newton-Euler itself is called n + 1 times.

Written for chains of turning joints, it holds for any tree when the sums from i to n go over the
links that i carries, and f_i takes the place of n_i along a sliding joint. Moments are taken about
link origins o_i, which lie on the joints' axes: o_i is the document's p_(i-1).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from armdyn.mechanics.force_vectors import (
    ForceVectors,
    LinkForce,
    Reference,
    about_centre,
    about_origin,
    force_vectors,
)
from armdyn.mechanics.joint_space import generalized_loads, generalized_mass
from armdyn.mechanics.linear_system import symmetric_times
from armdyn.mechanics.loads import Contact, Loads
from armdyn.mechanics.placed import Placed, placed
from armdyn.mechanics.stances import contact_wrenches
from armdyn.mechanics.tree.links import Link, Tree
from armdyn.mechanics.tree.moving_base import with_driven_base
from armdyn.spatial import Vec3, Wrench
from armdyn.spatial.vector import ZERO, add, cross

Columns = dict[int, Vec3]
"""Vectors by joint k: what a unit acceleration of it does."""


@dataclass(frozen=True)
class CarriedLoad:
    """Force and moment on a link and all that it carries, at its origin; keys k: the joints that move it."""

    E_i: Vec3
    """Force of rates, weights and contact, the sum of e_j (23)."""
    E_ik: Columns
    """Force for a unit acceleration of joint k, the sum of e_jk (25)."""
    n_ic: Vec3
    """n'_ic: moment of rates, weights and contact (22), (23), (28)."""
    n_ia1: Columns
    """n'_ia1: moments of the links' own d_jk and l_j x e_jk (24), (29)."""
    n_ia2: Columns
    """n'_ia2: moments of the forces at the origins of the links carried (25), (30)."""

    @classmethod
    def of(cls, link: LinkForce) -> CarriedLoad:
        """That of a link alone: n_c = d + l x e, n_ka1 = d_k + l x e_k."""
        own = {k: add(d, cross(link.l_i, link.e_ik[k])) for k, d in link.d_ik.items()}
        moment = add(link.d_i, cross(link.l_i, link.e_i))
        return cls(link.e_i, link.e_ik, moment, own, dict.fromkeys(own, ZERO))

    def pressing(self, wrench: Wrench) -> CarriedLoad:
        """With what the link exerts on its surroundings, about its origin: (f_e, n_e + p_e x f_e).

        f_n = F_n + f_e, n_n = N_n + n_e + p_e x f_e  (10), (11); f_e in e_n as well (14) would count twice.
        """
        return replace(self, E_i=add(self.E_i, wrench.force), n_ic=add(self.n_ic, wrench.moment))

    def carrying(self, child: CarriedLoad, step: Vec3) -> CarriedLoad:
        """With a child whose origin is a step away.

        f_i = F_i + f_(i+1), n_i = n_(i+1) + N_i + l_i x F_i + p* x f_(i+1)  (18), (19).
        """
        lever = {k: add(child.n_ia2[k], cross(step, child.E_ik[k])) for k in self.E_ik}
        return CarriedLoad(
            add(self.E_i, child.E_i),
            {k: add(E, child.E_ik[k]) for k, E in self.E_ik.items()},
            add(self.n_ic, add(child.n_ic, cross(step, child.E_i))),
            {k: add(n, child.n_ia1[k]) for k, n in self.n_ia1.items()},
            {k: add(n, lever[k]) for k, n in self.n_ia2.items()},
        )


@dataclass(frozen=True)
class Recursion:
    """Everything that the two passes compute, in base axes.

    Lists go by link. On a moving base the links are preceded by the six joints that drive it.
    """

    links: list[Placed]
    forces: ForceVectors
    """b_ik, b_ikj, d_ik, d_ikj, e_i, e_ik of every link."""
    loads: list[CarriedLoad]
    """E_i, E_ik, n'_ic, n'_ia1, n'_ia2 of every link, for the joints k that move it."""

    def mass(self) -> list[list[Any]]:
        """h_ik = z_i . (n'_ia1 + n'_ia2)_k over the joints of all links (35), k inwards of i.

        The other half is the same by symmetry and mirrored; computing it (`row`) alone would need n'_ia3.
        """
        rows: list[list[Any]] = [[0] * len(self.links) for _ in self.links]
        for i, (joint, load) in enumerate(zip(self.forces.joints, self.loads, strict=True)):
            for k, force in load.E_ik.items():
                moment = add(load.n_ia1[k], load.n_ia2[k])
                rows[i][k] = rows[k][i] = joint.along_joint(Wrench(force, moment))
        return rows

    def bias(self) -> list[Any]:
        """u'_i = z_i . n'_ic along the joints of all links (36)."""
        both = zip(self.forces.joints, self.loads, strict=True)
        return [joint.along_joint(Wrench(load.E_i, load.n_ic)) for joint, load in both]

    def row(self, i: int) -> dict[int, Any]:
        """h_ik = z_i . (n'_ia1 + n'_ia2 + n'_ia3)_k of all joints k that move link i or that it carries (35).

        Along a sliding joint z_i . E_ik takes its place.
        """
        force, (first, second, third) = self.force_columns(i), self.columns(i)
        moment = {k: add(add(first[k], second[k]), third[k]) for k in first}
        return {k: self.forces.joints[i].along_joint(Wrench(force[k], moment[k])) for k in force}

    def columns(self, i: int) -> tuple[Columns, Columns, Columns]:
        """n'_ia1, n'_ia2, n'_ia3 of link i as the document has them, with the joints that it carries.

        There n'_ia1 is n'_ka1, p* x E_kk of the last step belongs to n'_ia2 and that of all other
        steps to n'_ia3 (29)-(31).
        """
        load = self.loads[i]
        first, second, third = dict(load.n_ia1), dict(load.n_ia2), dict.fromkeys(load.n_ia1, ZERO)
        for k, reach in self._joints_carried(i):
            E_kk = self.loads[k].E_ik[k]
            first[k] = self.loads[k].n_ia1[k]
            second[k] = add(self.loads[k].n_ia2[k], cross(self.forces.joints[k].step, E_kk))
            third[k] = cross(reach, E_kk)
        return first, second, third

    def force_columns(self, i: int) -> Columns:
        """E_ik of link i with the joints that it carries: these accelerate no more than their own E_kk."""
        return {**self.loads[i].E_ik, **{k: self.loads[k].E_ik[k] for k, _ in self._joints_carried(i)}}

    def _joints_carried(self, i: int) -> Iterator[tuple[int, Vec3]]:
        """(k, from the origin of link i to that of k's parent) for every joint k beyond link i."""
        reach = {i: ZERO}
        for k in range(i + 1, len(self.links)):
            parent = self.links[k].link.parent
            if parent in reach:
                reach[k] = add(reach[parent], self.forces.joints[k].step)
                if self.links[k].link.kind != "fixed":
                    yield k, reach[parent]


# Dynamics -------------------------------------------------------------------------------------


def inverse_dynamics(
    tree: Tree,
    q: Sequence[Any],
    qd: Sequence[Any] | None,
    qdd: Sequence[Any] | None,
    *,
    gravity: Vec3 | None = None,
    contact: Contact | None = None,
) -> Loads:
    """Torques of a motion: u_i = sum_k h_ik thetaddot_k + u'_i (34)."""
    tree, contact = with_driven_base(tree, contact)
    links = placed(tree, q, qd, qdd)
    found = _recursion(links, _felt(tree, gravity), contact, about_origin)
    along = _accelerated(found.mass(), found.bias(), links)
    return generalized_loads(tree, links, along, q, qd, qdd)


def mass_matrix(tree: Tree, q: Sequence[Any]) -> list[list[Any]]:
    """H(q), n x n: the pass outwards without rates and weight, of which nothing is left but H."""
    links = placed(tree, q)
    return generalized_mass(tree, links, _recursion(links, ZERO, None, about_origin).mass(), q)


def mass_matrix_and_bias(
    tree: Tree,
    q: Sequence[Any],
    qd: Sequence[Any] | None,
    *,
    gravity: Vec3 | None = None,
    contact: Contact | None = None,
) -> tuple[list[list[Any]], list[Any]]:
    """H and u' of H qdd + u' = tau in one pass."""
    tree, contact = with_driven_base(tree, contact)
    links = placed(tree, q, qd)
    found = _recursion(links, _felt(tree, gravity), contact, about_origin)
    mass = found.mass()
    # a base, and joints that follow q by a bent law, accelerate while qdd is zero
    along = _accelerated(mass, found.bias(), links)
    bias = generalized_loads(tree, links, along, q, qd, None)
    return generalized_mass(tree, links, mass, q), bias.torque


def vectors(
    tree: Tree,
    q: Sequence[Any],
    qd: Sequence[Any] | None = None,
    *,
    gravity: Vec3 | None = None,
    contact: Contact | None = None,
    about: Callable[[Link], Reference] = about_centre,
) -> Recursion:
    """The vectors of the document, about the links' centres of mass as it has them or other points."""
    tree, contact = with_driven_base(tree, contact)
    return _recursion(placed(tree, q, qd), _felt(tree, gravity), contact, about)


def _recursion(
    links: list[Placed],
    gravity: Vec3,
    contact: Contact | None,
    about: Callable[[Link], Reference],
) -> Recursion:
    """Outwards the vectors of the links, inwards their sums; any reference point gives the same sums."""
    inertias = [about(here.link) for here in links]
    forces = force_vectors(links, inertias, gravity)
    loads = [CarriedLoad.of(link) for link in forces.links]
    for link, wrench in contact_wrenches(links, forces.joints, contact).items():
        loads[link] = loads[link].pressing(wrench)
    for i in range(len(links) - 1, -1, -1):
        parent = links[i].link.parent
        if parent >= 0:
            loads[parent] = loads[parent].carrying(loads[i], forces.joints[i].step)
    return Recursion(links, forces, loads)


def _felt(tree: Tree, gravity: Vec3 | None) -> Vec3:
    return tree.gravity if gravity is None else gravity


def _accelerated(mass: list[list[Any]], bias: list[Any], links: Sequence[Placed]) -> list[Any]:
    """u' + h thetaddot (34)."""
    gained = symmetric_times(mass, [here.coordinate.acceleration for here in links])
    return [u + more for u, more in zip(bias, gained, strict=True)]
