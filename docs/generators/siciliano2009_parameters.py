"""[Siciliano2009] sec. 7.2.2: linearity in the parameters, and the regressor of the planar arm."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import siciliano2009_print as as_printed
from siciliano2009_arms import EXAMPLE, PLANAR, Case, Planar, dynamics, planar_cases, states
from siciliano2009_planar import pairs
from siciliano2009_tables import HEADER, Row, equal, rows, shown
from verdicts import EQUAL, Claim, gap, proven

from armdyn.mechanics.tree import tree
from armdyn.spatial import Transform

Array = np.ndarray
RANK = 1e-9
"""Singular values below this share of the largest are zero."""
COLUMNS = (
    "a_1^2 e_1 + a_1 g c_1, 0",
    "2 a_1 e_1 + g c_1, 0",
    "e_1, 0",
    "k_r1^2 e_1, 0",
    "(a_1^2 + 2 a_1 a_2 c_2 + a_2^2) e_1 + (a_1 a_2 c_2 + a_2^2) e_2 - 2 a_1 a_2 s_2 w_1 w_2 "
    "- a_1 a_2 s_2 w_2^2 + a_1 g c_1 + a_2 g c_12, "
    "(a_1 a_2 c_2 + a_2^2) e_1 + a_2^2 e_2 + a_1 a_2 s_2 w_1^2 + a_2 g c_12",
    "(2 a_1 c_2 + 2 a_2) e_1 + (a_1 c_2 + 2 a_2) e_2 - 2 a_1 s_2 w_1 w_2 - a_1 s_2 w_2^2 + g c_12, "
    "(a_1 c_2 + 2 a_2) e_1 + 2 a_2 e_2 + a_1 s_2 w_1^2 + g c_12",
    "e_1 + e_2, e_1 + e_2",
    "k_r2 e_2, k_r2 e_1 + k_r2^2 e_2",
)
"""y_1k and y_2k as printed, with w, e for thetad, thetadd."""


def parameters(arm: Planar) -> Array:
    """pi_1 to pi_8 as armdyn's augmented links have them."""
    built = tree(arm.robot(), "augmented")
    links = [link for link in built.links if link.driven]
    rotors = [link for link in built.links if not link.driven]
    found: list[float] = []
    for k, (link, rotor) in enumerate(zip(links, rotors, strict=True)):
        inertia = link.inertia
        for riding in rotors:
            if riding.parent == k:
                inertia = inertia + riding.inertia.seen_from(Transform(riding.rotation, riding.position))
        _, T_link_body = built.frames[link.name]
        own = inertia.seen_from(T_link_body.inverse())
        found += [own.mass, own.first[0], own.tensor[2][2], rotor.inertia.tensor[2][2]]
    return np.array(found)


def regressor(case: Case) -> Array:
    """Y by armdyn: how the torques change with each of pi_1 to pi_8, the others held.

    A rotor's inertia about its axis counts in its own parameter, and in the tensor of the link it stands on.
    """
    state = (case.q, case.qd, case.qdd)
    links = case.dyn.inverse_parameter_derivatives(*state)[..., [0, 1, 9]]
    more = replace(case.arm, I_m1=case.arm.I_m1 + 1), replace(case.arm, I_m2=case.arm.I_m2 + 1)
    first, second = (_torques(arm, state) - _torques(case.arm, state) for arm in more)
    return np.column_stack([links[:, 0], first, links[:, 1], second - links[:, 0, 2]])


def _torques(arm: Planar, state: tuple[Array, Array, Array]) -> Array:
    return dynamics(arm.robot(), "exact").inverse(*state)


def minimal(p: Planar) -> Array:
    """Five combinations of pi_1 to pi_8 that the torques depend on, as rows (5, 8)."""
    a1, a2 = p.a1, p.a2
    return np.array(
        [
            [a1**2, 2 * a1, 1, p.k_r1**2, a1**2, 0, 0, 0],
            [a1, 1, 0, 0, a1, 0, 0, 0],
            [0, 0, 0, 0, a2, 1, 0, 0],
            [0, 0, 0, 0, a2**2, 2 * a2, 1, 0],
            [0, 0, 0, 0, 0, 0, 0, 1],
        ]
    )


@cache
def stacked(arm: Planar) -> Array:
    """The printed Y at all states, one below the other."""
    return np.vstack([as_printed.Y(arm, *state) for state in states()])


def regressor_table() -> str:
    """(7.83), (7.84), and tau = Y pi."""

    def column(k: int) -> Row:
        return equal(
            f"y_1{k + 1}, y_2{k + 1}",
            COLUMNS[k],
            pairs(lambda c: as_printed.Y(c.arm, c.q, c.qd, c.qdd)[:, k], lambda c: regressor(c)[:, k]),
        )

    return rows(
        HEADER,
        [
            equal(
                "(7.83)",
                "pi = (m_l1 + m_m2, m_l1 (l_1 - a_1), I_l1 + m_l1 (l_1 - a_1)^2 + I_m2, I_m1, "
                "m_l2, m_l2 (l_2 - a_2), I_l2 + m_l2 (l_2 - a_2)^2, I_m2)",
                [(as_printed.pi(arm), parameters(arm)) for arm in PLANAR],
                "right: the links of `motors=augmented`",
            ),
            *(column(k) for k in range(8)),
            equal(
                "(7.81)",
                "tau = Y pi",
                pairs(
                    lambda c: as_printed.Y(c.arm, c.q, c.qd, c.qdd) @ as_printed.pi(c.arm),
                    lambda c: c.dyn.inverse(c.q, c.qd, c.qdd),
                ),
            ),
        ],
    )


def parameter_claims() -> list[Claim]:
    """How many parameters there are, and Problem 7.4."""
    ranks = {_rank(stacked(arm)) for arm in PLANAR}
    lost = max(gap(*_through_five(arm)) for arm in PLANAR)
    columns = _full_regressor()
    felt = np.flatnonzero(np.abs(columns).max(axis=0) > EQUAL).tolist()
    return [
        Claim(
            "(7.77), (7.83), 7.4",
            "8 of 22 parameters appear; the columns of the others are null",
            f"of {columns.shape[1]} columns, 10 of each body and 1 of each rotor, {len(felt)} are not null: "
            "the two more are those of the first moments along y",
            proven(
                "8 for links that are symmetric about x, as these are: first moments along y would be felt, "
                f"but are 0. With them the rank is {_rank(columns[:, felt])}",
                columns.shape[1] == 22,
                set(felt) - {0, 1, 9, 10, 11, 19, 20, 21} == {2, 12},
            ),
        ),
        Claim(
            "footnote 6, Problem 7.4",
            "a minimum number of five parameters",
            f"rank of Y at {len(states())} states: {_listed(ranks)}",
            proven("right", ranks == {5}),
        ),
        Claim(
            "Problem 7.4",
            "linear combinations of (7.83)",
            "a_1^2 (pi_1 + pi_5) + 2 a_1 pi_2 + pi_3 + k_r1^2 pi_4, a_1 (pi_1 + pi_5) + pi_2, "
            f"a_2 pi_5 + pi_6, a_2^2 pi_5 + 2 a_2 pi_6 + pi_7, pi_8; of Example 7.2: {_values()}",
            proven("five that suffice: Y pi depends on nothing else", lost < EQUAL),
        ),
        Claim(
            "(7.80)",
            "Y is block triangular",
            "y_21 to y_24 by armdyn: 0 at all states",
            proven("right", max(np.abs(regressor(c)[1, :4]).max() for c in planar_cases()) < 1e-8),
        ),
        Claim(
            "(7.73), (7.77)",
            "off-diagonal parameters are products of inertia, -I_xy in the tensor",
            "`inverse_parameter_derivatives` has I_xy as it stands in the tensor",
            "a convention: the signs of these three columns are opposite; nothing on this page feels them",
        ),
    ]


def _through_five(arm: Planar) -> tuple[Array, Array]:
    """Y, and Y reached through the five combinations alone."""
    Y, M = stacked(arm), minimal(arm)
    return Y @ np.linalg.pinv(M) @ M, Y


def _rank(Y: Array) -> int:
    # columns are scaled: that of I_m1 has k_r1^2
    sizes = np.linalg.svd(Y / np.abs(Y).max(axis=0), compute_uv=False)
    return int((sizes > RANK * sizes[0]).sum())


def _full_regressor() -> Array:
    """(2 states, 22): columns of all ten parameters of both bodies and of the rotors' inertias."""
    found = []
    for case in planar_cases()[: len(states())]:
        bodies = case.dyn.inverse_parameter_derivatives(case.q, case.qd, case.qdd).reshape(2, -1)
        found.append(np.hstack([bodies, regressor(case)[:, [3, 7]]]))
    return np.vstack(found)


def _values() -> str:
    return ", ".join(shown(x) for x in minimal(EXAMPLE) @ as_printed.pi(EXAMPLE))


def _listed(values: set[int]) -> str:
    return " and ".join(str(x) for x in sorted(values))
