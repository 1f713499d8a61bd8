"""The planar arm of [Siciliano2009] sec. 7.3.2 as printed, in NumPy, with nothing of armdyn's mechanics."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from siciliano2009_arms import G, Planar

Array = np.ndarray
STEP = 1e-30
"""Of derivatives by complex steps, which are exact to rounding."""


def slopes(matrix: Callable[[Array], Array], q: Array) -> Array:
    """d m_ij / d q_k: (n, n, n)."""
    return np.stack([np.imag(matrix(q + 1j * STEP * unit)) / STEP for unit in np.eye(len(q))], axis=-1)


# Jacobians and B ------------------------------------------------------------------------------


def jacobians(p: Planar, q: Any) -> dict[str, Array]:
    """The Jacobians that are printed before B."""
    s1, c1, s12, c12 = np.sin(q[0]), np.cos(q[0]), np.sin(q[0] + q[1]), np.cos(q[0] + q[1])
    none = 0 * s1
    tip = [[-p.a1 * s1 - p.l2 * s12, -p.l2 * s12], [p.a1 * c1 + p.l2 * c12, p.l2 * c12], [none, none]]
    return {
        "J_P(l1)": np.array([[-p.l1 * s1, none], [p.l1 * c1, none], [none, none]]),
        "J_P(l2)": np.array(tip),
        "J_O(l1)": np.array([[0, 0], [0, 0], [1, 0]]),
        "J_O(l2)": np.array([[0, 0], [0, 0], [1, 1]]),
        "J_P(m1)": np.zeros((3, 2)),
        "J_P(m2)": np.array([[-p.a1 * s1, none], [p.a1 * c1, none], [none, none]]),
        "J_O(m1)": np.array([[0, 0], [0, 0], [p.k_r1, 0]]),
        "J_O(m2)": np.array([[0, 0], [0, 0], [1, p.k_r2]]),
    }


def B_of_jacobians(p: Planar, q: Any) -> Array:
    """(7.32): sum m J_P^T J_P + I J_O^T J_O, over links and rotors; all turn about z0."""
    J = jacobians(p, q)
    parts = {"l1": (p.m_l1, p.I_l1), "l2": (p.m_l2, p.I_l2), "m1": (p.m_m1, p.I_m1), "m2": (p.m_m2, p.I_m2)}
    total = np.zeros((2, 2))
    for name, (mass, moment) in parts.items():
        J_P, J_O = J[f"J_P({name})"], J[f"J_O({name})"]
        total = total + mass * J_P.T @ J_P + moment * J_O.T @ J_O
    return total


def B(p: Planar, q: Any) -> Array:
    """b_11, b_12, b_22."""
    c2 = np.cos(q[1])
    b11 = p.I_l1 + p.m_l1 * p.l1**2 + p.k_r1**2 * p.I_m1 + p.I_l2
    b11 = b11 + p.m_l2 * (p.a1**2 + p.l2**2 + 2 * p.a1 * p.l2 * c2) + p.I_m2 + p.m_m2 * p.a1**2
    b12 = p.I_l2 + p.m_l2 * (p.l2**2 + p.a1 * p.l2 * c2) + p.k_r2 * p.I_m2
    b22 = p.I_l2 + p.m_l2 * p.l2**2 + p.k_r2**2 * p.I_m2
    return np.array([[b11, b12], [b12, b22 + 0 * c2]])


# Velocity terms -------------------------------------------------------------------------------


def h(p: Planar, q: Array) -> float:
    """-m_l2 a_1 l_2 s_2."""
    return -p.m_l2 * p.a1 * p.l2 * np.sin(q[1])


def c_of_arm(p: Planar, q: Array) -> Array:
    """c_112 = c_121 = c_122 = h, c_211 = -h, the others 0."""
    c = np.zeros((2, 2, 2))
    c[0, 0, 1] = c[0, 1, 0] = c[0, 1, 1] = h(p, q)
    c[1, 0, 0] = -h(p, q)
    return c


def h_741(p: Planar, q: Array) -> Array:
    """(7.41): h_ijk = d b_ij/d q_k - 1/2 d b_jk/d q_i."""
    d = slopes(lambda at: B(p, at), q)
    return d - 0.5 * np.einsum("jki->ijk", d)


def c_745(p: Planar, q: Array, *, as_printed: bool) -> Array:
    """(7.45): c_ijk = 1/2 (d b_ij/d q_k + d b_ik/d q_j - d b_jk/d q_i); printed with d b_ik/d q_i."""
    d = slopes(lambda at: B(p, at), q)
    second = np.einsum("iki->ik", d)[:, None, :] if as_printed else np.einsum("ikj->ijk", d)
    return 0.5 * (d + second - np.einsum("jki->ijk", d))


def C(p: Planar, q: Array, qd: Array) -> Array:
    """The matrix that the symbols lead to."""
    x = h(p, q)
    return np.array([[x * qd[1], x * (qd[0] + qd[1])], [-x * qd[0], 0.0]])


def N(p: Planar, q: Array, qd: Array) -> Array:
    """Bdot - 2 C."""
    x = h(p, q) * (2 * qd[0] + qd[1])
    return np.array([[0.0, -x], [x, 0.0]])


def Bdot(p: Planar, q: Array, qd: Array) -> Array:
    """As printed before N."""
    x = h(p, q) * qd[1]
    return np.array([[2 * x, x], [x, 0.0]])


# Gravity and torques --------------------------------------------------------------------------


def g(p: Planar, q: Array) -> Array:
    """g_1, g_2."""
    c1, c12 = np.cos(q[0]), np.cos(q[0] + q[1])
    outer = p.m_l2 * p.l2 * G * c12
    return np.array([(p.m_l1 * p.l1 + p.m_m2 * p.a1 + p.m_l2 * p.a1) * G * c1 + outer, outer])


def tau(p: Planar, q: Array, qd: Array, qdd: Array) -> Array:
    """(7.82)."""
    (b11, b12), (_, b22) = B(p, q)
    g1, g2 = g(p, q)
    x = p.m_l2 * p.a1 * p.l2 * np.sin(q[1])
    return np.array(
        [
            b11 * qdd[0] + b12 * qdd[1] - 2 * x * qd[0] * qd[1] - x * qd[1] ** 2 + g1,
            b12 * qdd[0] + b22 * qdd[1] + x * qd[0] ** 2 + g2,
        ]
    )


# Parameters -----------------------------------------------------------------------------------


def pi(p: Planar) -> Array:
    """(7.83)."""
    first, second = p.l1 - p.a1, p.l2 - p.a2
    return np.array(
        [
            p.m_l1 + p.m_m2,
            p.m_l1 * first,
            p.I_l1 + p.m_l1 * first**2 + p.I_m2,
            p.I_m1,
            p.m_l2,
            p.m_l2 * second,
            p.I_l2 + p.m_l2 * second**2,
            p.I_m2,
        ]
    )


def Y(p: Planar, q: Array, qd: Array, qdd: Array) -> Array:
    """(7.84)."""
    c1, c2, s2, c12 = np.cos(q[0]), np.cos(q[1]), np.sin(q[1]), np.cos(q[0] + q[1])
    a1, a2, (w1, w2), (e1, e2) = p.a1, p.a2, qd, qdd
    y15 = (a1**2 + 2 * a1 * a2 * c2 + a2**2) * e1 + (a1 * a2 * c2 + a2**2) * e2
    y15 += -2 * a1 * a2 * s2 * w1 * w2 - a1 * a2 * s2 * w2**2 + a1 * G * c1 + a2 * G * c12
    y16 = (2 * a1 * c2 + 2 * a2) * e1 + (a1 * c2 + 2 * a2) * e2
    y16 += -2 * a1 * s2 * w1 * w2 - a1 * s2 * w2**2 + G * c12
    first = [a1**2 * e1 + a1 * G * c1, 2 * a1 * e1 + G * c1, e1, p.k_r1**2 * e1]
    y25 = (a1 * a2 * c2 + a2**2) * e1 + a2**2 * e2 + a1 * a2 * s2 * w1**2 + a2 * G * c12
    y26 = (a1 * c2 + 2 * a2) * e1 + 2 * a2 * e2 + a1 * s2 * w1**2 + G * c12
    return np.array(
        [
            [*first, y15, y16, e1 + e2, p.k_r2 * e2],
            [0.0, 0.0, 0.0, 0.0, y25, y26, e1 + e2, p.k_r2 * e1 + p.k_r2**2 * e2],
        ]
    )
