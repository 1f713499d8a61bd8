"""Actuators in the Lagrangian, in the axes of the joints or beyond them  [Szkodny1995].

The arm is a tree of links at T_p in the base. An actuator's effector (its rotor) stands at T_ap on
a link p. Szkodny takes the link that is driven; armdyn by default the one that carries the stator,
on which a rotor does nothing but turn about an axis at rest. The exact coefficients do not depend
on the choice, those of the reduced forms do.

`carried` says whether an effector also counts as standing on its link, with its weight. (1) has
it; (2), and all that Szkodny derives from it, leave it out. Symbols are those of `actuator_terms`;
the base rests (`robot.base_coordinate` lets it move by a coordinate of its own).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from armdyn.mechanics.lagrangian.actuated_arm import (
    ActuatedArm,
    ArmMatrices,
    Reference,
    actuated_arm,
    arm_matrices,
)
from armdyn.mechanics.lagrangian.actuator_terms import ActuatorTerms
from armdyn.mechanics.lagrangian.coefficients import Coefficients, weight
from armdyn.mechanics.lagrangian.drive_elements import bodies, drive_elements
from armdyn.robot import Robot
from armdyn.spatial import Vec3
from armdyn.spatial.homogeneous import multiplied, pseudo_inertia, trace


@dataclass(frozen=True)
class Form:
    """Which terms of an actuator a form keeps; `velocity` may hold terms that are not symmetric in j, k."""

    inertia: tuple[Callable[[ActuatorTerms, int, int], Any], ...]
    velocity: tuple[Callable[[ActuatorTerms, int, int, int], Any], ...]
    gravity: tuple[Callable[[ActuatorTerms, int, Vec3], Any], ...] = ()


FULL = Form(
    (ActuatorTerms.mixed_inertia, ActuatorTerms.spin_inertia),
    (
        ActuatorTerms.mixed_velocity,
        ActuatorTerms.turning,
        ActuatorTerms.bracket,
        ActuatorTerms.changing_spin,
    ),
)
"""The appendix before its last reduction, transposes mended (a trailing T_p is T_p^T).

Keeps every term of the effectors that (2) keeps: mixed (order k, the gyroscopic ones among them) and
spin (order k^2). With the effectors carried this is (1), and exact.
"""

BEYOND_AXES = Form((ActuatorTerms.spin_inertia,), (ActuatorTerms.turning, ActuatorTerms.bracket))
"""(8)-(10), for actuators anywhere.

    D_ij  = links + sum_p Tr(V_i J V_j^T)                                                                (8)
    D_ijk = links + sum_p Tr(U_i V_k J V_j^T T^T) + Tr(U_j V_k J V_i^T T^T) - Tr(U_j V_i J V_k^T T^T)    (9)

Keeps the effectors' spin energy, order k^2. Drops the mixed terms, order k, gyroscopic ones among
them, and of order k^2 Tr(V_jk J V_i^T), what a gear whose ratio changes does. Seen from the stator's
link every J_a term of (9) is zero.
"""

IN_AXES = Form((ActuatorTerms.own_inertia,), (ActuatorTerms.own_turning,))
"""(10)-(12), for actuators in the axes of joints: T_ai follows its own q_i alone.

    D_ij  = links + delta_ij Tr(V_i J V_i^T)           (11)
    D_ijk = links + delta_jk Tr(U_i V_j J V_j^T T^T)   (12)

Drops what (8)-(10) drop, and every coupling of a gear to other joints. The J_a term of (12) is zero.
Seen from the driven link, as printed, a rotor in the axis counts (k-1)^2 I; from the stator's, k^2 I.
"""

CARRIED = Form((ActuatorTerms.carried_inertia,), (ActuatorTerms.carried_velocity,), (ActuatorTerms.weight,))
"""Effectors that stand on their links: the terms of (1) that (2) drops."""


def coefficients(
    robot: Robot,
    q: Sequence[Any],
    form: Form = FULL,
    *,
    reference: Reference = "stator",
    carried: bool = True,
) -> Coefficients:
    """D_i, D_ij, D_ijk of links, actuators in a form, and drive elements (15); exact by default."""
    arm = actuated_arm(robot, reference)
    return arm_coefficients(arm, q, form, carried=carried) + drive_elements(arm, q)


def arm_coefficients(
    arm: ActuatedArm, q: Sequence[Any], form: Form = FULL, *, carried: bool = True
) -> Coefficients:
    """D_i, D_ij, D_ijk of links and actuators, without drive elements."""
    at = arm_matrices(arm, q)
    total = bodies(at, arm.links) + _effectors(at, form)
    return total + _effectors(at, CARRIED) if carried else total


def coefficients_without_actuators(arm: ActuatedArm, q: Sequence[Any]) -> Coefficients:
    """D_i, D_ij, D_ijk of the links alone: the first sums of (8) and (9), and (10)."""
    return bodies(arm_matrices(arm, q), arm.links)


def _effectors(at: ArmMatrices, form: Form) -> Coefficients:
    """The actuators' sums of a form."""
    gravity = at.arm.tree.gravity

    def D_i(i: int) -> Any:
        return sum((term(a, i, gravity) for a in at.actuators for term in form.gravity), 0)

    def D_ij(i: int, j: int) -> Any:
        return sum((term(a, i, j) for a in at.actuators for term in form.inertia), 0)

    def D_ijk(i: int, j: int, k: int) -> Any:
        return sum((term(a, i, j, k) for a in at.actuators for term in form.velocity), 0)

    return Coefficients.of(at.arm.tree.n, D_i, D_ij, D_ijk)


# The Lagrangian itself ------------------------------------------------------------------------


def lagrangian(arm: ActuatedArm, q: Sequence[Any], qd: Sequence[Any]) -> Any:
    """L = E_k - E_p of links, actuators and drive elements  (1) [J].

    The three traces of a drive element are those of T_0ij = T_i T_ij.
    """
    at = arm_matrices(arm, q)
    total = sum((sum(a.energies(qd), 0) - a.potential(arm.tree.gravity) for a in at.actuators), 0)
    return total + _free_bodies(at, (*arm.links, *arm.elements), qd)


def reduced_lagrangian(arm: ActuatedArm, q: Sequence[Any], qd: Sequence[Any]) -> Any:
    """(2), its mixed term with dT_ai^T/dt: drops carried effectors, their weight and drive elements [J]."""
    at = arm_matrices(arm, q)
    total: Any = 0
    for a in at.actuators:
        _, mixed, spin = a.energies(qd)
        total = total + mixed + spin
    return total + _free_bodies(at, arm.links, qd)


def _free_bodies(at: ArmMatrices, links: Sequence[int], qd: Sequence[Any]) -> Any:
    """sum 1/2 Tr(dT/dt J dT^T/dt) + m g^T T r."""
    total: Any = 0
    for p in links:
        J, rate = pseudo_inertia(at.arm.tree.links[p].inertia), at.T[p].rate(qd)
        total = total + 0.5 * trace(multiplied(rate, J), rate)
        total = total - weight(multiplied(at.T[p].value, J), at.arm.tree.gravity)
    return total
