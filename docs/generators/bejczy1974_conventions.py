"""[Bejczy1974] III, (1) to (26): the general algorithm, its signs and its compact form."""

from __future__ import annotations

from functools import cache

import numpy as np
from bejczy1974_arm import R3_MAX, arm, dynamics
from verdicts import Claim, agreeing, array, differing, gap, proven

from armdyn.mechanics.lagrange_euler import coefficients, partial_derivatives
from armdyn.mechanics.lagrangian.coefficients import Coefficients
from armdyn.mechanics.lagrangian.compact_form import CompactForm
from armdyn.mechanics.tree import tree
from armdyn.spatial import Inertia

Q_TURN = np.array([[0.0, -1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]])
Q_SLIDE = np.zeros((4, 4))
Q_SLIDE[2, 3] = 1.0
"""(5) and (6)"""
POSTURES = np.random.default_rng(74).uniform([-3, -3, 0.1, -3, -3, -3], [3, 3, R3_MAX, 3, 3, 3], (5, 6))
RATES = np.array([0.4, -0.3, 0.2, 0.9, -0.7, 0.5])


def matrices(q: np.ndarray) -> list[np.ndarray]:
    """T_(i-1)^i of (D.1) with the report's rows: alpha = -90, 90, 0, -90, 90, 0 degrees, all a = 0."""
    rows = [
        (q[0], 0.0, -1),
        (q[1], 0.162, 1),
        (-np.pi / 2, q[2], 0),
        (q[3], 0.0, -1),
        (q[4], 0.0, 1),
        (q[5], 0.2476, 0),
    ]
    result = []
    for theta, r, sine in rows:
        c, s, cosine = np.cos(theta), np.sin(theta), 1 - abs(sine)
        result.append(
            np.array(
                [
                    [c, -cosine * s, sine * s, 0],
                    [s, cosine * c, -sine * c, 0],
                    [0, sine, cosine, r],
                    [0, 0, 0, 1],
                ]
            )
        )
    return result


def product(q: np.ndarray, j: int, *turned: int) -> np.ndarray:
    """T_0^j with Q before the matrices of some joints, counted from 0: U_ji or U_jkp, (4) and (7)."""
    T = np.eye(4)
    for k, step in enumerate(matrices(q)[: j + 1]):
        for _ in range(turned.count(k)):
            T = T @ (Q_SLIDE if k == 2 else Q_TURN)
        T = T @ step
    return T


def pseudo_inertia(j: int) -> np.ndarray:
    """J_j of (10)."""
    return array(arm().bodies[j].inertia.pseudo)


@cache
def at(k: int) -> Coefficients:
    """D_i, D_ij and D_ijk at a posture, by armdyn."""
    return coefficients(tree(arm(), "none"), POSTURES[k].tolist())


def by_traces(q: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """D_i, D_ij and D_ijk by (1), with the sums and traces as printed; gravity is (0, 0, -g)."""
    G = np.array([0.0, 0.0, -9.81, 0.0])
    D_i, D_ij, D_ijk = np.zeros(6), np.zeros((6, 6)), np.zeros((6, 6, 6))
    for j, body in enumerate(arm().bodies):
        J, p = pseudo_inertia(j), np.array([*body.inertia.com, 1.0])
        U = [product(q, j, i) for i in range(j + 1)]
        for i in range(j + 1):
            D_i[i] -= body.inertia.mass * G @ U[i] @ p
            for k in range(j + 1):
                D_ij[i, k] += np.trace(U[k] @ J @ U[i].T)
                for m in range(j + 1):
                    D_ijk[i, k, m] += np.trace(product(q, j, k, m) @ J @ U[i].T)
    return D_i, D_ij, D_ijk


def claims() -> list[Claim]:
    """(1) to (26)."""
    traces = [by_traces(q) for q in POSTURES]
    dyn = dynamics()
    felt = [gap(t[0], dyn.gravity(q)) for t, q in zip(traces, POSTURES, strict=True)]
    inertias = [gap(t[1], dyn.mass_matrix(q)) for t, q in zip(traces, POSTURES, strict=True)]
    speeds = [gap(_velocity(t[2]), _bias(q)) for t, q in zip(traces, POSTURES, strict=True)]
    once = [gap(_single(t[2]), _bias(q)) for t, q in zip(traces, POSTURES, strict=True)]
    compact = [gap(_compact(k), _bias(q)) for k, q in enumerate(POSTURES)]
    slopes = [_slope_gap(q) for q in POSTURES]
    trial = Inertia(2.0, (0.1, 0.2, 0.3), ((0.3, 0.05, 0.0), (0.05, 0.4, 0.0), (0.0, 0.0, 0.5)))
    return [
        Claim(
            "(1), inertia and velocity terms",
            "sums of traces",
            f"beside Newton-Euler and composite bodies: {agreeing([*inertias, *speeds])}",
            "exact",
        ),
        Claim(
            "(1), gravity",
            "-m G U p on the left side, G = (0, 0, -g)",
            f"beside armdyn's g(q): {agreeing(felt)}",
            "exact; the explicit D_i of (31) to (54) and (C.1) to (C.4) are its negative, "
            "as are (28), (30) and (45) to (55)",
        ),
        Claim(
            "(4)-(9), U and Q",
            "products with Q in place",
            f"U_ji and U_jkp beside armdyn's derivatives: {agreeing(slopes)}",
            "exact; (7) is printed for k before p; Q Q is (9) for a revolute joint, zero for a sliding one",
        ),
        Claim(
            "(10), (11), products of inertia",
            "k_j12² = I_j12/m_j from the inertia tensor",
            f"a body whose tensor has Ixy = {trial.tensor_about_origin[0][1]:g}: "
            f"J has {trial.pseudo[0][1]:g} there",
            proven(
                "**sign**: J has the products, minus the tensor's elements; all are zero for this arm",
                abs(trial.pseudo[0][1] + trial.tensor_about_origin[0][1]) < 1e-15,
            ),
        ),
        Claim(
            "(12)-(17), Coriolis terms",
            "each pair once, with D_ijk",
            f"with the traces of (1) in place of D_ijk: {differing(once, 'off by')}",
            "D_ijk for j ≠ k is **twice the trace** of (1); armdyn's `velocity` is undoubled",
        ),
        Claim(
            "(17), (20), (22.a)",
            "theta3 with dots",
            "joint 3 slides: r3",
            "**wrong in print**",
        ),
        Claim(
            "(22)-(24), (26)",
            "diagonal doubled, half the quadratic form",
            f"with D_ijk doubled for j ≠ k: {agreeing(compact)}",
            "exact (`armdyn.mechanics.lagrangian.compact_form`)",
        ),
    ]


def _velocity(D: np.ndarray) -> np.ndarray:
    return np.einsum("ijk,j,k->i", D, RATES, RATES)


def _single(D: np.ndarray) -> np.ndarray:
    """Each pair once, undoubled."""
    return np.array(
        [sum(D[i, j, k] * RATES[j] * RATES[k] for j in range(6) for k in range(j, 6)) for i in range(6)]
    )


def _bias(q: np.ndarray) -> np.ndarray:
    """C qd by Newton-Euler."""
    return dynamics().bias(q, RATES) - dynamics().gravity(q)


def _compact(k: int) -> np.ndarray:
    return array(CompactForm.of(at(k)).d_V(RATES.tolist()))


def _slope_gap(q: np.ndarray) -> float:
    built = tree(arm(), "none")
    U = partial_derivatives(built, q.tolist())
    worst = 0.0
    for j, body in enumerate(arm().bodies):
        for i in range(j + 1):
            ours = array(U.of_frame(built.frames[body.name], i))
            worst = max(worst, gap(product(q, j, i), ours))
            for k in range(j + 1):
                worst = max(worst, gap(product(q, j, i, k), _second(q, j, i, k)))
    return worst


def _second(q: np.ndarray, j: int, i: int, k: int) -> np.ndarray:
    """dU_ji/dq_k by a complex step through the product of matrices."""
    step = q.astype(complex)
    step[k] += 1e-30j
    return np.imag(product(step, j, i)) / 1e-30
