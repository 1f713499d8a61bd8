"""[Siciliano2009] secs. 7.5 and 7.6: the recursion, its example of 7.5.3 step by step, direct dynamics."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import siciliano2009_recursion as recursion
from siciliano2009_arms import Case, G, dynamics, planar_cases
from siciliano2009_planar import pairs
from siciliano2009_print import pi
from siciliano2009_tables import HEADER, Pair, Row, equal, rows, unequal
from verdicts import gap

from armdyn.mechanics.kinematics import accelerations, angular_velocities
from armdyn.mechanics.newton_euler import inverse_dynamics
from armdyn.mechanics.placed import placed
from armdyn.mechanics.tree import tree

Array = np.ndarray
Steps = dict[str, Any]

# 7.5.2 ----------------------------------------------------------------------------------------


def recursion_table() -> str:
    """(7.107)-(7.114) on chains with motors at any angle, and what is printed twice."""

    def at(gyroscopic: int) -> list[Pair]:
        rng = np.random.default_rng(75)
        found: list[Pair] = []
        for chain in recursion.chains():
            dyn = dynamics(chain.robot(), "augmented")
            found += [
                (recursion.torques(chain, *state, gyroscopic=gyroscopic), dyn.inverse(*state))
                for state in rng.uniform(-2, 2, (3, 3, chain.arm.n))
            ]
        return found

    twice, once = at(2), at(1)
    # shown is where it matters most
    k = max(range(len(twice)), key=lambda i: gap(*twice[i]))
    return rows(
        HEADER,
        [
            unequal(
                "(7.113)",
                "with omega x (I omega) twice",
                [twice[k], *twice],
                "**wrong**: (7.105) has it once; arms in a plane do not feel it",
            ),
            equal(
                "(7.107)-(7.114), mended",
                "with omega x (I omega) once",
                [once[k], *once],
                "right, motors included: `motors=augmented`",
            ),
        ],
    )


# 7.5.3, as printed ----------------------------------------------------------------------------


def printed_steps(case: Case) -> Steps:
    """Every vector of 7.5.3 as printed; omegadot_m2 also as the copy has it."""
    p, (w1, w2), (e1, e2) = case.arm, case.qd, case.qdd
    a1, a2, k1, k2 = p.a1, p.a2, p.k_r1, p.k_r2
    s1, c1, s2, c2 = np.sin(case.q[0]), np.cos(case.q[0]), np.sin(case.q[1]), np.cos(case.q[1])
    s12, c12 = np.sin(case.q.sum()), np.cos(case.q.sum())
    m1, mc1, I1, I_m1, m2, mc2, I2, I_m2 = pi(p)  # "as in (7.83)"
    r1, r2 = mc1 / m1 + a1, mc2 / m2 + a2  # l_C + a
    I1, I2 = I1 - mc1**2 / m1, I2 - mc2**2 / m2  # Ibar = Ihat - m l_C^2
    w, e = w1 + w2, e1 + e2
    p_C2 = np.array(
        [
            a1 * s2 * e1 - a1 * c2 * w1**2 - r2 * w**2 + G * s12,
            a1 * c2 * e1 + r2 * e + a1 * s2 * w1**2 + G * c12,
            0,
        ]
    )
    mu_2 = I2 * e + m2 * r2**2 * e + m2 * a1 * r2 * c2 * e1 + m2 * a1 * r2 * s2 * w1**2 + m2 * r2 * G * c12
    mu_1 = I1 * e1 + m2 * a1**2 * e1 + m1 * r1**2 * e1 + m2 * a1 * r2 * c2 * e1 + I2 * e
    mu_1 += m2 * a1 * r2 * c2 * e + m2 * r2**2 * e + k2 * I_m2 * e2 + m2 * a1 * r2 * s2 * w1**2
    mu_1 += -m2 * a1 * r2 * s2 * w**2 + m1 * r1 * G * c1 + m2 * a1 * G * c1 + m2 * r2 * G * c12
    tau_2 = (I2 + m2 * (r2**2 + a1 * r2 * c2) + k2 * I_m2) * e1 + (I2 + m2 * r2**2 + k2**2 * I_m2) * e2
    tau_2 += m2 * a1 * r2 * s2 * w1**2 + m2 * r2 * G * c12
    tau_1 = (I1 + m1 * r1**2 + k1**2 * I_m1 + I2 + m2 * (a1**2 + r2**2 + 2 * a1 * r2 * c2)) * e1
    tau_1 += (I2 + m2 * (r2**2 + a1 * r2 * c2) + k2 * I_m2) * e2
    tau_1 += -2 * m2 * a1 * r2 * s2 * w1 * w2 - m2 * a1 * r2 * s2 * w2**2
    tau_1 += (m1 * r1 + m2 * a1) * G * c1 + m2 * r2 * G * c12
    return {
        "omega_1": [0, 0, w1],
        "omegadot_1": [0, 0, e1],
        "pdd_1": [-a1 * w1**2 + G * s1, a1 * e1 + G * c1, 0],
        "pdd_C1": [-r1 * w1**2 + G * s1, r1 * e1 + G * c1, 0],
        "omegadot_m1": [0, 0, k1 * e1],
        "omega_2": [0, 0, w],
        "omegadot_2": [0, 0, e],
        "pdd_2": [
            a1 * s2 * e1 - a1 * c2 * w1**2 - a2 * w**2 + G * s12,
            a1 * c2 * e1 + a2 * e + a1 * s2 * w1**2 + G * c12,
            0,
        ],
        "pdd_C2": p_C2,
        "omegadot_m2, copied": [0, 0, e1 + w2 * e1],
        "omegadot_m2": [0, 0, e1 + k2 * e2],
        "f_2": m2 * p_C2,
        "mu_2": mu_2,
        "tau_2": tau_2,
        "f_1": [
            -m2 * r2 * s2 * e - m1 * r1 * w1**2 - m2 * a1 * w1**2 - m2 * r2 * c2 * w**2 + (m1 + m2) * G * s1,
            m1 * r1 * e1 + m2 * a1 * e1 + m2 * r2 * c2 * e - m2 * r2 * s2 * w**2 + (m1 + m2) * G * c1,
            0,
        ],
        "mu_1": mu_1,
        "tau_1": tau_1,
    }


# 7.5.3, by armdyn -----------------------------------------------------------------------------


def our_steps(case: Case) -> Steps:
    """The same out of armdyn's recursion, whose link origins lie on the links' own joint axes."""
    built = tree(case.arm.robot(), "exact")
    state = (case.q.tolist(), case.qd.tolist(), case.qdd.tolist())
    links = placed(built, *state)
    omega = angular_velocities(built, links)
    motion = accelerations(built, links, omega, built.gravity)
    loads = inverse_dynamics(built, *state)
    names = [link.name for link in built.links]
    found: Steps = {}
    m1, mc1, _, _, m2, mc2, _, _ = pi(case.arm)
    lengths = {1: (case.arm.a1, mc1 / m1), 2: (case.arm.a2, mc2 / m2)}
    for i, (a, l_C) in lengths.items():
        k, rotor = names.index(f"link{i}"), names.index(case.dyn.robot.drives[i - 1].name)
        here = motion[k]

        def point(x: float, here: Any = here) -> Array:
            return np.array(here.linear) + np.array(here.spread) @ [x, 0.0, 0.0]

        found |= {
            f"omega_{i}": omega[k],
            f"omegadot_{i}": here.angular,
            f"pdd_{i}": point(a),
            f"pdd_C{i}": point(a + l_C),
            f"omegadot_m{i}": motion[rotor].angular,
            f"f_{i}": loads.links[k].force,
            f"mu_{i}": loads.links[k].moment[2],
            f"tau_{i}": loads.torque[i - 1],
        }
    return found


FORMULAS = {
    "omega_1": "(0, 0, w_1)",
    "omegadot_1": "(0, 0, e_1)",
    "pdd_1": "(-a_1 w_1^2 + g s_1, a_1 e_1 + g c_1, 0)",
    "pdd_C1": "(-r_1 w_1^2 + g s_1, r_1 e_1 + g c_1, 0)",
    "omegadot_m1": "(0, 0, k_r1 e_1)",
    "omega_2": "(0, 0, w_12), one 0 lost in the copy",
    "omegadot_2": "(0, 0, e_12)",
    "pdd_2": "(a_1 s_2 e_1 - a_1 c_2 w_1^2 - a_2 w_12^2 + g s_12, a_1 c_2 e_1 + a_2 e_12 + a_1 s_2 w_1^2 "
    "+ g c_12, 0)",
    "pdd_C2": "(a_1 s_2 e_1 - a_1 c_2 w_1^2 - r_2 w_12^2 + g s_12, a_1 c_2 e_1 + r_2 e_12 + a_1 s_2 w_1^2 "
    "+ g c_12, 0)",
    "f_2": "m_2 times the same, the 0 lost in the copy",
    "mu_2": "Ibar_2 e_12 + m_2 r_2^2 e_12 + m_2 a_1 r_2 c_2 e_1 + m_2 a_1 r_2 s_2 w_1^2 + m_2 r_2 g c_12",
    "tau_2": "(Ibar_2 + m_2 (r_2^2 + a_1 r_2 c_2) + k_r2 I_m2) e_1 + (Ibar_2 + m_2 r_2^2 + k_r2^2 I_m2) e_2 "
    "+ m_2 a_1 r_2 s_2 w_1^2 + m_2 r_2 g c_12",
    "f_1": "(-m_2 r_2 s_2 e_12 - m_1 r_1 w_1^2 - m_2 a_1 w_1^2 - m_2 r_2 c_2 w_12^2 + (m_1 + m_2) g s_1, "
    "m_1 r_1 e_1 + m_2 a_1 e_1 + m_2 r_2 c_2 e_12 - m_2 r_2 s_2 w_12^2 + (m_1 + m_2) g c_1, 0)",
    "mu_1": "Ibar_1 e_1 + m_2 a_1^2 e_1 + m_1 r_1^2 e_1 + m_2 a_1 r_2 c_2 e_1 + Ibar_2 e_12 "
    "+ m_2 a_1 r_2 c_2 e_12 + m_2 r_2^2 e_12 + k_r2 I_m2 e_2 + m_2 a_1 r_2 s_2 w_1^2 "
    "- m_2 a_1 r_2 s_2 w_12^2 + m_1 r_1 g c_1 + m_2 a_1 g c_1 + m_2 r_2 g c_12",
    "tau_1": "(Ibar_1 + m_1 r_1^2 + k_r1^2 I_m1 + Ibar_2 + m_2 (a_1^2 + r_2^2 + 2 a_1 r_2 c_2)) e_1 "
    "+ (Ibar_2 + m_2 (r_2^2 + a_1 r_2 c_2) + k_r2 I_m2) e_2 - 2 m_2 a_1 r_2 s_2 w_1 w_2 "
    "- m_2 a_1 r_2 s_2 w_2^2 + (m_1 r_1 + m_2 a_1) g c_1 + m_2 r_2 g c_12",
}
"""With w, e for thetad, thetadd, w_12 = w_1 + w_2, e_12 = e_1 + e_2 and r_i = l_Ci + a_i."""


def steps_table() -> str:
    """7.5.3 step by step."""
    cases = [(printed_steps(case), our_steps(case)) for case in planar_cases()]

    def of(name: str, printed: str | None = None) -> list[Pair]:
        return [(theirs[printed or name], ours[name]) for theirs, ours in cases]

    body: list[Row] = [equal(name, formula, of(name)) for name, formula in FORMULAS.items()]
    rotor = [
        unequal(
            "omegadot_m2",
            "(0, 0, e_1 + w_2 e_1)",
            of("omegadot_m2", "omegadot_m2, copied"),
            "garbled in the copy: by (7.111) the last term is k_r2 e_2",
        ),
        equal("omegadot_m2, mended", "(0, 0, e_1 + k_r2 e_2)", of("omegadot_m2")),
    ]
    k = list(FORMULAS).index("f_2")
    return rows(HEADER, [*body[:k], *rotor, *body[k:]])


# 7.6 ------------------------------------------------------------------------------------------


def direct_table() -> str:
    """(7.115), (7.116), and B by the recursion."""
    tau = np.array([300.0, -200.0])

    def bias(case: Case) -> Array:
        return recursion.torques(recursion.planar_chain(case.arm, G), case.q, case.qd, np.zeros(2))

    def column(case: Case, i: int) -> Array:
        return recursion.torques(recursion.planar_chain(case.arm, 0.0), case.q, np.zeros(2), np.eye(2)[i])

    def accelerated(case: Case) -> Array:
        B = np.column_stack([column(case, 0), column(case, 1)])
        return np.linalg.solve(B, tau - bias(case))

    return rows(
        HEADER,
        [
            equal(
                "(7.116)", "tau' by the recursion with qdd = 0", pairs(bias, lambda c: c.dyn.bias(c.q, c.qd))
            ),
            *(
                equal(
                    f"b_{i + 1}",
                    f"the recursion with g_0 = 0, qd = 0, qdd_{i + 1} = 1, the other 0",
                    pairs(partial(column, i=i), lambda c, i=i: c.dyn.mass_matrix(c.q)[i]),
                )
                for i in range(2)
            ),
            equal(
                "(7.115)",
                "qdd = B^-1 (tau - tau'), tau = (300, -200) N m",
                pairs(accelerated, lambda c: c.dyn.forward(c.q, c.qd, tau)),
            ),
        ],
    )
