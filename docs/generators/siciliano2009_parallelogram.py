"""[Siciliano2009] sec. 7.3.3, the parallelogram arm: what is printed, and what armdyn has."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from siciliano2009_arms import (
    AS_PRINTED,
    BALANCED,
    PARALLELOGRAMS,
    G,
    Parallelogram,
    dynamics,
    states,
)
from siciliano2009_tables import HEADER, Pair, Row, equal, rows, shown, unequal

Array = np.ndarray
CLOSED = np.array([[1.0, 0.0], [-1.0, 1.0], [1.0, -1.0]])
"""How the angles of joints 1', 2', 3' change with q_a: theta_2' = theta_1'' - theta_1' = pi - theta_3'."""

VIRTUAL = {
    (0, 0): "I_1' + m_1' l_1'^2 + I_2' + m_2' (a_1'^2 + l_2'^2 + 2 a_1' l_2' c_2') + I_3' "
    "+ m_3' (a_1'^2 + a_2'^2 + l_3'^2 + 2 a_1' a_2' c_2' + 2 a_1' l_3' c_2'3' + 2 a_2' l_3' c_3')",
    (0, 1): "I_2' + m_2' (l_2'^2 + a_1' l_2' c_2') + I_3' "
    "+ m_3' (a_2'^2 + l_3'^2 + a_1' a_2' c_2' + a_1' l_3' c_2'3' + 2 a_2' l_3' c_3')",
    (0, 2): "I_3' + m_3' (l_3'^2 + a_1' l_3' c_2'3' + a_2' l_3' c_3')",
    (1, 1): "I_2' + m_2' l_2'^2 + I_3' + m_3' (a_2'^2 + l_3'^2 + 2 a_2' l_3' c_3')",
    (1, 2): "I_3' + m_3' (l_3'^2 + a_2' l_3' c_3')",
}
"""Elements of B' as printed."""


# As printed -----------------------------------------------------------------------------------


def B_virtual(p: Parallelogram, q: Array, *, as_printed: bool) -> Array:
    """B' of the joints 1', 2', 3'; the copy has a term a_2' l_3' c_3' too many in b_3'3'."""
    a1, a2, l2, l3, m2, m3 = p.a1p, p.a1pp, p.l2p, p.l3p, p.m2p, p.m3p
    c2, c3, c23 = np.cos(q[1]), np.cos(q[2]), np.cos(q[1] + q[2])
    b11 = p.I1p + p.m1p * p.l1p**2 + p.I2p + m2 * (a1**2 + l2**2 + 2 * a1 * l2 * c2) + p.I3p
    b11 += m3 * (a1**2 + a2**2 + l3**2 + 2 * a1 * a2 * c2 + 2 * a1 * l3 * c23 + 2 * a2 * l3 * c3)
    b12 = p.I2p + m2 * (l2**2 + a1 * l2 * c2) + p.I3p
    b12 += m3 * (a2**2 + l3**2 + a1 * a2 * c2 + a1 * l3 * c23 + 2 * a2 * l3 * c3)
    b13 = p.I3p + m3 * (l3**2 + a1 * l3 * c23 + a2 * l3 * c3)
    b22 = p.I2p + m2 * l2**2 + p.I3p + m3 * (a2**2 + l3**2 + 2 * a2 * l3 * c3)
    b23 = p.I3p + m3 * (l3**2 + a2 * l3 * c3)
    b33 = b23 if as_printed else p.I3p + m3 * l3**2
    return np.array([[b11, b12, b13], [b12, b22, b23], [b13, b23, b33]])


def B_closed(p: Parallelogram, q: Array, *, as_printed: bool) -> Array:
    """B_a; printed with 1' for 1'' and m_2' for the last m_3' in b_a22."""
    b11 = p.I1p + p.m1p * p.l1p**2 + p.m2p * p.a1p**2 + p.I3p + p.m3p * p.l3p**2 + p.m3p * p.a1p**2
    b11 -= 2 * p.a1p * p.m3p * p.l3p
    b12 = (p.a1p * p.m2p * p.l2p + p.a1pp * p.m3p * (p.a1p - p.l3p)) * np.cos(q[1] - q[0])
    rest = p.I2p + p.m2p * p.l2p**2
    if as_printed:
        b22 = p.I1p + p.m1p * p.l1p**2 + rest + p.m2p * p.a1pp**2
    else:
        b22 = p.I1pp + p.m1pp * p.l1pp**2 + rest + p.m3p * p.a1pp**2
    return np.array([[b11, b12], [b12, b22]])


def decoupled(p: Parallelogram, *, as_printed: bool) -> Array:
    """b_a11 and b_a22 under the condition; printed with 1' for 1'' and lbar_2' for lbar_3'."""
    b11 = p.I1p + p.m1p * p.l1p**2 + p.I3p
    b11 += p.m2p * p.a1p**2 * (1 + p.l2p * p.lbar3p / (p.a1p * p.a1pp))
    first = p.I1p + p.m1p * p.l1p**2 if as_printed else p.I1pp + p.m1pp * p.l1pp**2
    b22 = first + p.I2p + p.m2p * p.l2p**2 * (1 + p.a1p * p.a1pp / (p.l2p * p.lbar3p))
    return np.array([b11, b22])


def g_virtual(p: Parallelogram, q: Array) -> Array:
    """g_1', g_2', g_3'."""
    c1, c12, c123 = np.cos(np.cumsum(q))
    third = p.m3p * p.l3p * G * c123
    second = (p.m2p * p.l2p + p.m3p * p.a1pp) * G * c12 + third
    return np.array([(p.m1p * p.l1p + p.m2p * p.a1p + p.m3p * p.a1p) * G * c1 + second, second, third])


def g_closed(p: Parallelogram, q: Array) -> Array:
    """g_a."""
    first = (p.m1p * p.l1p + p.m2p * p.a1p - p.m3p * p.lbar3p) * G * np.cos(q[0])
    return np.array([first, (p.m1pp * p.l1pp + p.m2p * p.l2p + p.m3p * p.a1pp) * G * np.cos(q[1])])


# Beside armdyn --------------------------------------------------------------------------------


def _three(q: Array) -> Array:
    """Any three angles, of a state that has two."""
    return np.array([q[0], q[1], q[0] - 0.5 * q[1]])


def _on_branch(q: Array) -> Array:
    """The angles of the joints 1', 2', 3' in the closed chain."""
    return np.array([q[0], q[1] - q[0], np.pi - (q[1] - q[0])])


def _composed(p: Parallelogram, q: Array, *, as_printed: bool) -> Array:
    """B_a of B' and b_1''1'', as the text composes them."""
    B = CLOSED.T @ B_virtual(p, _on_branch(q), as_printed=as_printed) @ CLOSED
    B[1, 1] += p.I1pp + p.m1pp * p.l1pp**2
    return B


def _composed_gravity(p: Parallelogram, q: Array) -> Array:
    """g_a of g' and g_1'', as the text composes them."""
    return CLOSED.T @ g_virtual(p, _on_branch(q)) + [0.0, p.m1pp * p.l1pp * G * np.cos(q[1])]


def _virtual(quantity: str, printed: Callable[[Parallelogram, Array], Array]) -> list[Pair]:
    """A printed quantity of the virtual arm, and armdyn's, at all states of both arms."""
    return [
        (printed(p, _three(q)), getattr(dynamics(p.virtual()), quantity)(_three(q)))
        for p in PARALLELOGRAMS
        for q, _, _ in states()
    ]


def _closed(quantity: str, printed: Callable[[Parallelogram, Array], Array]) -> list[Pair]:
    """The same of the closed chain."""
    return [
        (printed(p, q), getattr(dynamics(p.robot()), quantity)(q))
        for p in PARALLELOGRAMS
        for q, _, _ in states()
    ]


def _element(pairs: list[Pair], i: int, j: int) -> list[Pair]:
    return [(printed[i, j], ours[i, j]) for printed, ours in pairs]


def table() -> str:
    """Every printed term of the parallelogram arm beside armdyn's."""
    return rows(HEADER, [*_virtual_rows(), *_closed_rows(), *_decoupled_rows()])


def _virtual_rows() -> list[Row]:
    copied = _virtual("mass_matrix", lambda p, q: B_virtual(p, q, as_printed=True))
    mended = _virtual("mass_matrix", lambda p, q: B_virtual(p, q, as_printed=False))
    return [
        *(
            equal(f"b_{i + 1}'{j + 1}'", formula, _element(copied, i, j))
            for (i, j), formula in VIRTUAL.items()
        ),
        unequal(
            "b_3'3'",
            "I_3' + m_3' (l_3'^2 + a_2' l_3' c_3')",
            _element(copied, 2, 2),
            "**wrong**: it repeats b_2'3', and the text lists it as constant",
        ),
        equal("b_3'3', mended", "I_3' + m_3' l_3'^2", _element(mended, 2, 2)),
        equal(
            "g_1', g_2', g_3'",
            "(m_1' l_1' + m_2' a_1' + m_3' a_1') g c_1' + g_2', (m_2' l_2' + m_3' a_2') g c_1'2' + g_3', "
            "m_3' l_3' g c_1'2'3'",
            _virtual("gravity", g_virtual),
        ),
    ]


def _closed_rows() -> list[Row]:
    copied = _closed("mass_matrix", lambda p, q: B_closed(p, q, as_printed=True))
    mended = _closed("mass_matrix", lambda p, q: B_closed(p, q, as_printed=False))
    composed = _closed("mass_matrix", lambda p, q: _composed(p, q, as_printed=False))
    return [
        equal("B_a composed", "from B' with b_3'3' mended, and b_1''1''", composed),
        equal(
            "b_a11",
            "I_1' + m_1' l_1'^2 + m_2' a_1'^2 + I_3' + m_3' l_3'^2 + m_3' a_1'^2 - 2 a_1' m_3' l_3'",
            _element(copied, 0, 0),
        ),
        equal(
            "b_a12",
            "(a_1' m_2' l_2' + a_1'' m_3' (a_1' - l_3')) cos(theta_1'' - theta_1')",
            _element(copied, 0, 1),
        ),
        unequal(
            "b_a22",
            "I_1' + m_1' l_1'^2 + I_2' + m_2' l_2'^2 + m_2' a_1''^2",
            _element(copied, 1, 1),
            "**wrong**: link 1'' turns with theta_1'', not link 1', and what a_1'' carries is link 3'",
        ),
        equal(
            "b_a22, mended",
            "I_1'' + m_1'' l_1''^2 + I_2' + m_2' l_2'^2 + m_3' a_1''^2",
            _element(mended, 1, 1),
        ),
        equal("g_a composed", "from g' and g_1''", _closed("gravity", _composed_gravity)),
        equal(
            "g_a",
            "(m_1' l_1' + m_2' a_1' - m_3' lbar_3') g c_1', (m_1'' l_1'' + m_2' l_2' + m_3' a_1'') g c_1''",
            _closed("gravity", g_closed),
        ),
    ]


# A decoupled arm ------------------------------------------------------------------------------


def _decoupled_rows() -> list[Row]:
    def coupling(p: Parallelogram) -> list[Pair]:
        return [(0.0, dynamics(p.robot()).mass_matrix(q)[0, 1]) for q, _, _ in states()]

    def diagonal(*, as_printed: bool) -> list[Pair]:
        H = dynamics(BALANCED.robot()).mass_matrix(states()[:, 0])
        return [(decoupled(BALANCED, as_printed=as_printed), np.diag(at)) for at in H]

    velocity = [
        (np.zeros(2), dynamics(BALANCED.robot()).coriolis_matrix(q, qd) @ qd) for q, qd, _ in states()
    ]
    return [
        unequal(
            "decoupling",
            "m_3' lbar_3' / (m_3' l_2') = a_1' / a_1'' makes b_a12 = 0",
            coupling(AS_PRINTED),
            f"**wrong**: l_3' = {shown(AS_PRINTED.l3p)} m fulfils it",
        ),
        equal(
            "decoupling, mended",
            "m_3' lbar_3' / (m_2' l_2') = a_1' / a_1'' makes b_a12 = 0",
            coupling(BALANCED),
            f"right: m_2' = {shown(BALANCED.m2p)} kg fulfils it",
        ),
        unequal(
            "b_a11, b_a22 then",
            "I_1' + .. + m_2' a_1'^2 (1 + l_2' lbar_3'/(a_1' a_1'')) + I_3', "
            "I_1' + m_1' l_1'^2 + I_2' + m_2' l_2'^2 (1 + a_1' a_1''/(l_2' lbar_2'))",
            diagonal(as_printed=True),
            "b_a11 right; b_a22 **wrong** in its first two terms, and there is no lbar_2'",
        ),
        equal(
            "the same, mended",
            "I_1'' + m_1'' l_1''^2 for the first two terms, lbar_3' for lbar_2'",
            diagonal(as_printed=False),
        ),
        equal("C then", "no Coriolis and centrifugal torques", velocity),
    ]
