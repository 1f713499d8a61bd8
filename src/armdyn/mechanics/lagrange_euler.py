"""Lagrange-Euler with 4x4 matrices: every dynamic coefficient a sum of traces.

    L = 1/2 sum_i sum_jk Tr(U_ij J_i U_ik^T) thetad_j thetad_k + sum_i m_i g T_i r_i   [Milicevic2007] (2.3)
    tau_i = sum_k D_ik thetadd_k + sum_km h_ikm thetad_k thetad_m + c_i                (2.5)
[Bejczy1974] (1) and [Szkodny1995] (7)-(10), without its actuators' terms, are the same. The sums run
over the coordinates theta of all links of a tree; couplings, rotors and spins then follow q.

omit=True is the omission rule of [Bejczy1974] Appendix D, which holds for every tree. What stands left
of the innermost derivative in both factors of a trace is a rigid motion and is left out. What stands
right of the outermost one goes to the inertia, P = B J B^T (D.4); no other part of the trace depends on
the link then, and the sum over the links, which the report keeps, is a sum of P. Traces that are zero by
structure (`vanishes`) are not formed. Both ways give the same numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from typing import Any

from armdyn.mechanics.joint_space import (
    contact_torques,
    generalized_loads,
    generalized_mass,
    generalized_velocity,
)
from armdyn.mechanics.lagrangian.coefficients import Coefficients
from armdyn.mechanics.lagrangian.partial_derivatives import PartialDerivatives
from armdyn.mechanics.loads import Contact, Loads
from armdyn.mechanics.placed import Placed, placed
from armdyn.mechanics.tree.links import Tree
from armdyn.mechanics.tree.moving_base import with_driven_base
from armdyn.robot.joint import JointKind
from armdyn.spatial import Vec3
from armdyn.spatial.vector import dot, matrix, times, transpose


def partial_derivatives(tree: Tree, q: Sequence[Any]) -> PartialDerivatives:
    """T_i, U_ij and U_ijk of all links of a tree at q."""
    return PartialDerivatives.of(placed(tree, q))


def coefficients(
    tree: Tree, q: Sequence[Any], *, gravity: Vec3 | None = None, omit: bool = False
) -> Coefficients:
    """D_i, D_ij and D_ijk over q, on a base at rest (a moving one adds terms that are none of these).

    D_ijk is felt at i, symmetric in j and k, and not doubled; D_i stands on the left side.
    """
    links = placed(tree, q)
    over_links = link_coefficients(links, tree.gravity if gravity is None else gravity, omit=omit)
    return Coefficients(
        generalized_loads(tree, links, over_links.gravity, q, None, None).torque,
        generalized_mass(tree, links, over_links.inertia, q),
        generalized_velocity(tree, links, over_links.inertia, over_links.velocity, q),
    )


def velocity_coefficients(tree: Tree, q: Sequence[Any]) -> list[list[list[Any]]]:
    """D_ijk over q."""
    return coefficients(tree, q).velocity


def link_coefficients(links: Sequence[Placed], gravity: Vec3, *, omit: bool = False) -> Coefficients:
    """The same over the coordinates theta of all links, each free to move on its own."""
    traces = Traces.of(links, omit)
    everything = range(len(links))
    return Coefficients(
        traces.gravity(gravity), traces.inertia(), traces.velocity(felt=everything, moving=everything)
    )


def mass_matrix(tree: Tree, q: Sequence[Any], *, omit: bool = False) -> list[list[Any]]:
    """H(q), n x n."""
    links = placed(tree, q)
    return generalized_mass(tree, links, Traces.of(links, omit).inertia(), q)


def inverse_dynamics(
    tree: Tree,
    q: Sequence[Any],
    qd: Sequence[Any] | None,
    qdd: Sequence[Any] | None,
    *,
    gravity: Vec3 | None = None,
    contact: Contact | None = None,
    omit: bool = False,
) -> Loads:
    """Torques for a motion  [Milicevic2007] (2.4), gravity with the sign of (2.15)."""
    tree, contact = with_driven_base(tree, contact)
    links = placed(tree, q, qd, qdd)
    traces = Traces.of(links, omit)
    terms = (
        traces.gravity(tree.gravity if gravity is None else gravity),
        _acceleration_torques(traces, links),
        _velocity_torques(traces, links),
        contact_torques(tree, links, contact),
    )
    along = [g + a + v + h for g, a, v, h in zip(*terms, strict=True)]
    return generalized_loads(tree, links, along, q, qd, qdd)


# Traces ---------------------------------------------------------------------------------------


def vanishes(kinds: Sequence[JointKind], i: int, k: int, m: int) -> bool:
    """Whether h_ikm is zero by structure, for joints of one path, k inwards of m or the same.

    [Bejczy1974] Appendix D: Q_k T Q_m = 0 where k slides, since it shifts all it carries alike; and with
    m = i the trace is Tr(P Q_k) of a symmetric P and a skew Q_k, (D.57), (D.59): D_i,ii = 0, and D_i,ik = 0
    for k inwards of i. Joints that have no path in common have no coefficient in any form.

    Over theta this holds for every tree. Over q it holds where each q moves one joint alone at a constant
    rate: chains and trees of independent joints, with rotors that only count as spins of linear gears.
    """
    return kinds[k] == "prismatic" or m == i


@dataclass(frozen=True)
class Traces:
    """The sums of traces over the links' coordinates, plain or with the omission rule."""

    U: PartialDerivatives
    omit: bool
    _seen: dict[int, PartialDerivatives] = field(
        default_factory=dict[int, PartialDerivatives], init=False, repr=False, compare=False
    )

    @classmethod
    def of(cls, links: Sequence[Placed], omit: bool) -> Traces:
        """Those of links at a state."""
        U = PartialDerivatives.of(links)
        return cls(U.composite() if omit else U, omit)

    def seen_from(self, innermost: int) -> PartialDerivatives:
        """U as a trace needs them: from the base, or with the rule from the innermost joint's link."""
        if not self.omit:
            return self.U
        if innermost not in self._seen:
            self._seen[innermost] = self.U.seen_from(innermost)
        return self._seen[innermost]

    def counts_link(self, j: int, outermost: int) -> bool:
        """Whether link j has a trace of its own: with the rule only the outermost joint's, as a composite."""
        return j == outermost or not self.omit

    def gravity(self, gravity: Vec3) -> list[Any]:
        """[Milicevic2007] (2.15): c_i = -sum_j m_j g U_ji r_j. (2.4) prints the other sign."""
        c: list[Any] = [0] * len(self.U.paths)
        g = _in_links(self.U, gravity) if self.omit else [gravity for _ in c]
        for j, path in enumerate(self.U.paths):
            for i in path:
                if self.counts_link(j, i):
                    c[i] = c[i] - dot(g[i], self.seen_from(i).moment(j, i))
        return c

    def inertia(self) -> list[list[Any]]:
        """[Milicevic2007] (2.11): D_ik = sum_j Tr(U_jk J_j U_ji^T), over the links j that both move."""
        D = _square(len(self.U.paths))
        for j, path in enumerate(self.U.paths):
            for k, i in combinations_with_replacement(path, 2):
                if self.counts_link(j, i):
                    D[i][k] = D[k][i] = D[i][k] + self.seen_from(k).trace(j, (k,), (i,))
        return D

    def velocity(self, felt: Sequence[int], moving: Sequence[int]) -> list[list[list[Any]]]:
        """[Milicevic2007] (2.14): h_ikm = sum_j Tr(U_jkm J_j U_ji^T), felt at some joints when some move."""
        h = [_square(len(self.U.paths)) for _ in self.U.paths]
        for j, path in enumerate(self.U.paths):
            pairs = list(combinations_with_replacement([k for k in path if k in moving], 2))
            for i in path:
                for k, m in pairs if i in felt else ():
                    if self.counts_link(j, max(i, m)) and not (self.omit and vanishes(self.U.kinds, i, k, m)):
                        h[i][k][m] = h[i][m][k] = h[i][k][m] + self._velocity_trace(j, i, k, m)
        return h

    def _velocity_trace(self, j: int, i: int, k: int, m: int) -> Any:
        U = self.seen_from(min(i, k))
        if self.omit and k < i < m:  # U_mkm J_m serves every i in between
            return U.trace(j, (i,), (k, m))
        return U.trace(j, (k, m), (i,))


def _in_links(U: PartialDerivatives, gravity: Vec3) -> list[Vec3]:
    """Gravity in the axes of every link: g T_i = (g T_(i-1)) A_i."""
    result: list[Vec3] = []
    for parent, A in zip(U.parents, U.A, strict=True):
        rotation = matrix(row[:3] for row in A[:3])
        result.append(times(transpose(rotation), gravity if parent < 0 else result[parent]))
    return result


def _square(n: int) -> list[list[Any]]:
    return [[0] * n for _ in range(n)]


# Torques --------------------------------------------------------------------------------------


def _acceleration_torques(traces: Traces, links: Sequence[Placed]) -> list[Any]:
    """sum_k D_ik thetadd_k."""
    accelerations = [here.coordinate.acceleration for here in links]
    if not any(_counts(x) for x in accelerations):
        return accelerations
    return [sum((d * x for d, x in zip(row, accelerations, strict=True)), 0) for row in traces.inertia()]


def _velocity_torques(traces: Traces, links: Sequence[Placed]) -> list[Any]:
    """[Milicevic2007] (2.13): sum_km h_ikm thetad_k thetad_m, the pairs (k, m) and (m, k) as one."""
    rates = [here.coordinate.rate for here in links]
    moving = [k for k, x in enumerate(rates) if _counts(x)]
    felt = [i for i, here in enumerate(links) if here.coordinate.gradient]  # no one asks the base's joints
    h = traces.velocity(felt, moving)
    torques: list[Any] = [0] * len(links)
    for k, m in combinations_with_replacement(moving, 2):
        product = rates[k] * rates[m] if k == m else 2 * rates[k] * rates[m]
        for i in felt:
            torques[i] = torques[i] + h[i][k][m] * product
    return torques


def _counts(x: Any) -> bool:
    """Whether a number is more than a zero of the structure."""
    return not (type(x) is int and x == 0)
