"""[Siciliano2009] sec. 7.2.1: skew symmetry of Bdot - 2 C, on the planar arm."""

from __future__ import annotations

import numpy as np
import siciliano2009_print as as_printed
from siciliano2009_arms import Case
from siciliano2009_planar import pairs
from siciliano2009_tables import HEADER, equal, rows, unequal

Array = np.ndarray
W = np.array([0.8, -0.3])
"""The vector w of (7.48)."""


def table() -> str:
    """Bdot, N, (7.48) to (7.50), and Problem 7.2."""

    def Bdot(case: Case) -> Array:
        return as_printed.Bdot(case.arm, case.q, case.qd)

    def N(case: Case) -> Array:
        return _rate_of_mass(case) - 2 * case.dyn.coriolis_matrix(case.q, case.qd)

    def N_lagrange(case: Case) -> Array:
        return _rate_of_mass(case) - 2 * case.dyn.coriolis_matrix(case.q, case.qd, choice="lagrange")

    def power(case: Case) -> float:
        return float(case.qd @ as_printed.tau(case.arm, case.q, case.qd, case.qdd))

    return rows(
        HEADER,
        [
            equal(
                "Bdot",
                "[(2 h qd_2, h qd_2), (h qd_2, 0)]",
                pairs(Bdot, _rate_of_mass),
            ),
            equal(
                "N",
                "[(0, -2 h qd_1 - h qd_2), (2 h qd_1 + h qd_2, 0)]",
                pairs(lambda c: as_printed.N(c.arm, c.q, c.qd), N),
            ),
            equal(
                "(7.48)",
                f"w^T N w = 0, w = ({W[0]:g}, {W[1]:g})",
                pairs(lambda _: 0.0, lambda c: W @ N(c) @ W),
            ),
            unequal(
                "(7.48), Problem 7.2",
                "the same with the C of (7.41)",
                pairs(lambda _: 0.0, lambda c: W @ N_lagrange(c) @ W),
                "does not hold, as the text says",
            ),
            equal(
                "(7.49), Problem 7.2",
                "qd^T N qd = 0 with the C of (7.41)",
                pairs(lambda _: 0.0, lambda c: c.qd @ N_lagrange(c) @ c.qd),
                "holds, as the text says",
            ),
            equal(
                "(7.50)",
                "qd^T tau is the rate of the energies",
                pairs(power, lambda c: c.dyn.energy_rate(c.q, c.qd, c.qdd)),
            ),
        ],
    )


def _rate_of_mass(case: Case) -> Array:
    """Bdot by armdyn: the torques of unit accelerations from rest, derived by q, without those of gravity."""
    still, unit = np.zeros((3, 2)), np.vstack([np.eye(2), np.zeros((1, 2))])
    by_q = case.dyn.inverse_derivatives(np.tile(case.q, (3, 1)), still, unit)[0]
    return np.stack([(by_q[j] - by_q[2]) @ case.qd for j in range(2)], axis=-1)
