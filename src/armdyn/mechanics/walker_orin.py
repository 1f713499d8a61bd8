"""The mass matrix H column by column: Walker and Orin's methods 1 and 2 (1982).

Both solve H qdd = tau - u', where u' is the torque at qdd = 0, from one inverse dynamics.

Method 1 ([Siciliano2009] after (7.116), [Kvrgic2020] section 1) takes column j of H from another inverse
dynamics, in which joint j alone accelerates, by one, without velocity and gravity: n + 1 in all, of any
formulation.

Method 2 leaves out what is zero or known. While joint j alone accelerates, only the links outwards of it
move: both recursions run over these alone. Of the torques those along joint j and the joints outwards of it
are taken; the others are in the earlier columns, for H is symmetric.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from armdyn.mechanics.joint_space import generalized_mass
from armdyn.mechanics.loads import InverseDynamics
from armdyn.mechanics.placed import Placed, placed
from armdyn.mechanics.tree.links import Link, Tree
from armdyn.spatial import Acceleration, Mat3, Wrench
from armdyn.spatial.vector import ZERO, add, cross, scale, times

# Method 1 -------------------------------------------------------------------------------------


def mass_matrix_by_columns(tree: Tree, q: Sequence[Any], inverse: InverseDynamics) -> list[list[Any]]:
    """H(q), n x n: column j is the torque of the unit acceleration j, by n inverse dynamics.

    h_j = u(q, qd = 0, qdd = e_j) without gravity and contact, on a base at rest
    """
    resting = tree.at_rest()
    units = [[int(i == j) for i in range(tree.n)] for j in range(tree.n)]
    columns = [inverse(resting, q, None, unit, gravity=ZERO).torque for unit in units]
    return [[column[i] for column in columns] for i in range(tree.n)]


# Method 2 -------------------------------------------------------------------------------------


def mass_matrix(tree: Tree, q: Sequence[Any]) -> list[list[Any]]:
    """H(q), n x n: of every column the elements on the joint that accelerates and outwards of it."""
    links = placed(tree, q)
    tensors = [here.link.inertia.tensor for here in links]
    A: list[list[Any]] = [[0] * len(links) for _ in links]
    for j, here in enumerate(links):
        if here.coordinate.gradient:
            for i, torque in _column(links, tensors, j).items():
                A[i][j] = torque
    return generalized_mass(tree, links, A, q)


def _column(links: Sequence[Placed], tensors: Sequence[Mat3], j: int) -> dict[int, Any]:
    """The torques along joint j and the joints outwards of it while joint j accelerates by one."""
    motion = _moving(links, j)
    wrenches = {i: _inertial(links[i].link, tensors[i], motion[i]) for i in motion}
    for i in reversed(wrenches):  # f_p = F_p + sum R f_i, mu_p = N_p + sum (R mu_i + p x R f_i)
        if i != j:
            wrenches[links[i].link.parent] += links[i].wrench_to_parent(wrenches[i])
    return {i: links[i].along_joint(wrench) for i, wrench in wrenches.items()}


def _moving(links: Sequence[Placed], j: int) -> dict[int, Acceleration]:
    """Accelerations of link j and the links outwards of it, in link axes, joint j accelerating by one."""
    unit = (0, 0, 1)
    motion = {j: Acceleration(ZERO, unit) if links[j].link.kind == "revolute" else Acceleration(unit, ZERO)}
    for i in range(j + 1, len(links)):
        parent = links[i].link.parent
        if parent in motion:
            motion[i] = links[i].carried(motion[parent])
    return motion


def _inertial(link: Link, tensor: Mat3, motion: Acceleration) -> Wrench:
    """F = m a + alpha x h, N = h x a + I alpha, about the link's origin."""
    m, h, a, alpha = link.inertia.mass, link.inertia.first, motion.linear, motion.angular
    moment = add(cross(h, a), times(tensor, alpha))
    return Wrench(add(scale(m, a), cross(alpha, h)), moment)
