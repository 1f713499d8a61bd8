"""[Siciliano2009] sec. 7.3.2: the printed terms of the planar arm beside armdyn's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import siciliano2009_print as as_printed
from siciliano2009_arms import Case, dynamics, planar_cases
from siciliano2009_tables import HEADER, Pair, Row, equal, rows, unequal


def pairs(printed: Callable[[Case], Any], ours: Callable[[Case], Any]) -> list[Pair]:
    """A printed value and armdyn's at every state of both planar arms."""
    return [(printed(case), ours(case)) for case in planar_cases()]


def table() -> str:
    """7.3.2 up to (7.82)."""
    return rows(HEADER, [*_jacobian_rows(), *_inertia_rows(), *_velocity_rows(), *_gravity_rows()])


def _jacobian_rows() -> list[Row]:
    def printed(case: Case) -> np.ndarray:
        J = as_printed.jacobians(case.arm, case.q)
        return np.vstack(
            [
                J[f"{kind}({body})"][: 2 if kind == "J_P" else 3]
                for body in ("l1", "l2")
                for kind in ("J_P", "J_O")
            ]
        )

    def ours(case: Case) -> np.ndarray:
        at = (case.arm.l1 - case.arm.a1, case.arm.l2 - case.arm.a2)
        J = [case.dyn.jacobian(case.q, f"link{i + 1}", at=(x, 0.0, 0.0)) for i, x in enumerate(at)]
        return np.vstack([rows for each in J for rows in (each[:2], each[3:])])

    def rotor(case: Case) -> np.ndarray:
        return as_printed.jacobians(case.arm, case.q)["J_P(m2)"][:2]

    return [
        equal(
            "J_P(l1), first two rows",
            "(-l_1 s_1, 0), (l_1 c_1, 0)",
            pairs(lambda c: printed(c)[:2], lambda c: ours(c)[:2]),
        ),
        equal(
            "J_P(l2), first two rows",
            "(-a_1 s_1 - l_2 s_12, -l_2 s_12), (a_1 c_1 + l_2 c_12, l_2 c_12)",
            pairs(lambda c: printed(c)[5:7], lambda c: ours(c)[5:7]),
        ),
        equal(
            "J_O(l1), J_O(l2), last rows",
            "(1, 0), (1, 1)",
            pairs(lambda c: printed(c)[[4, 9]], lambda c: ours(c)[[4, 9]]),
        ),
        equal(
            "J_P(m2), first two rows",
            "(-a_1 s_1, 0), (a_1 c_1, 0)",
            pairs(rotor, lambda c: c.dyn.jacobian(c.q, "link1")[:2]),
        ),
    ]


def _inertia_rows() -> list[Row]:
    def element(i: int, j: int) -> list[Pair]:
        return pairs(lambda c: as_printed.B(c.arm, c.q)[i, j], lambda c: c.dyn.mass_matrix(c.q)[i, j])

    return [
        equal(
            "(7.32)",
            "B = sum m J_P^T J_P + J_O^T R I R^T J_O, with the printed J(m1), J(m2)",
            pairs(lambda c: as_printed.B_of_jacobians(c.arm, c.q), lambda c: c.dyn.mass_matrix(c.q)),
        ),
        equal(
            "b_11",
            "I_l1 + m_l1 l_1^2 + k_r1^2 I_m1 + I_l2 + m_l2 (a_1^2 + l_2^2 + 2 a_1 l_2 c_2) + I_m2 "
            "+ m_m2 a_1^2",
            element(0, 0),
        ),
        equal("b_12 = b_21", "I_l2 + m_l2 (l_2^2 + a_1 l_2 c_2) + k_r2 I_m2", element(0, 1)),
        equal("b_22", "I_l2 + m_l2 l_2^2 + k_r2^2 I_m2", element(1, 1)),
        equal(
            "reduced model",
            "without k_r2 I_m2 in b_12: motors on the diagonal only",
            pairs(
                lambda c: as_printed.B(c.arm, c.q) - c.arm.k_r2 * c.arm.I_m2 * (1 - np.eye(2)),
                lambda c: dynamics(c.arm.robot(), "coupled").mass_matrix(c.q),
            ),
            "`motors=coupled`: here the gears couple no joints",
        ),
    ]


def _velocity_rows() -> list[Row]:
    def coefficients(case: Case) -> np.ndarray:
        return case.dyn.velocity_coefficients(case.q)

    def lagrange(case: Case) -> np.ndarray:
        return case.dyn.coriolis_matrix(case.q, case.qd, choice="lagrange")

    return [
        equal(
            "(7.41)",
            "sum_k h_ijk qd_k with h_ijk = d b_ij/d q_k - 1/2 d b_jk/d q_i",
            pairs(lambda c: as_printed.h_741(c.arm, c.q) @ c.qd, lagrange),
            "right: the other choice of `coriolis_matrix`",
        ),
        unequal(
            "(7.45)",
            "c_ijk = 1/2 (d b_ij/d q_k + d b_ik/d q_i - d b_jk/d q_i)",
            pairs(lambda c: as_printed.c_745(c.arm, c.q, as_printed=True), coefficients),
            "**wrong**: the second term is d b_ik/d q_j, as in the line before it",
        ),
        equal(
            "(7.45), mended",
            "c_ijk = 1/2 (d b_ij/d q_k + d b_ik/d q_j - d b_jk/d q_i)",
            pairs(lambda c: as_printed.c_745(c.arm, c.q, as_printed=False), coefficients),
        ),
        equal(
            "c_111 to c_222",
            "c_112 = c_121 = c_122 = h, c_211 = -h, others 0; h = -m_l2 a_1 l_2 s_2",
            pairs(lambda c: as_printed.c_of_arm(c.arm, c.q), coefficients),
        ),
        equal(
            "C",
            "[(h qd_2, h (qd_1 + qd_2)), (-h qd_1, 0)]",
            pairs(lambda c: as_printed.C(c.arm, c.q, c.qd), lambda c: c.dyn.coriolis_matrix(c.q, c.qd)),
        ),
    ]


def _gravity_rows() -> list[Row]:
    return [
        equal(
            "g_1, g_2",
            "(m_l1 l_1 + m_m2 a_1 + m_l2 a_1) g c_1 + m_l2 l_2 g c_12, m_l2 l_2 g c_12",
            pairs(lambda c: as_printed.g(c.arm, c.q), lambda c: c.dyn.gravity(c.q)),
        ),
        equal(
            "(7.82)",
            "b_11 thetadd_1 + b_12 thetadd_2 + 2 h thetad_1 thetad_2 + h thetad_2^2 + g_1, "
            "b_12 thetadd_1 + b_22 thetadd_2 - h thetad_1^2 + g_2, written out",
            pairs(
                lambda c: as_printed.tau(c.arm, c.q, c.qd, c.qdd), lambda c: c.dyn.inverse(c.q, c.qd, c.qdd)
            ),
        ),
    ]
