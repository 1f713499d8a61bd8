"""Section 2 of [Milicevic2007]: Lagrange-Euler."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import milicevic2007_print as as_printed
import numpy as np
from milicevic2007_cases import Case
from verdicts import DIFFERENT, Claim, agreeing, array, differing, gap, proven

import armdyn as ad
from armdyn.mechanics import composite_body, lagrange_euler
from armdyn.mechanics.energy import kinetic_energy, potential_energy
from armdyn.mechanics.kinematics import poses
from armdyn.mechanics.linear_system import solve
from armdyn.mechanics.placed import placed
from armdyn.mechanics.tree import tree
from armdyn.scalars import Graph, program
from armdyn.scalars.batch import run_batch
from armdyn.scalars.derivatives import forward, reverse


def lagrange_claims(all_cases: Sequence[Case]) -> list[Claim]:
    """(2.1)-(2.15)."""

    def over(each: Callable[[Case], float]) -> list[float]:
        return [each(case) for case in all_cases]

    energy = over(lambda c: gap(_energies(c), as_printed.lagrangian(c.arm, c.q, c.qd)))
    printed_sum = over(lambda c: gap(_by_coefficients(c), c.torque))
    wrong_sign = over(lambda c: gap(_by_coefficients(c, sign=-1), c.torque))
    return [
        Claim(
            "(2.1)",
            "A_i of a DH row",
            agreeing(over(lambda c: c.pose_gap), "poses of all links agree"),
            "right",
        ),
        Claim(
            "(2.2)",
            "d/dt dL/dqd_i - dL/dq_i = tau_i",
            agreeing(over(_lagrange_gap), "exact derivatives of L agree with Newton-Euler"),
            "right",
        ),
        Claim(
            "(2.3)",
            "L as traces and m g T r",
            agreeing(energy, "equal to the energies"),
            "right",
        ),
        Claim(
            "after (2.3)",
            "U_ij = dT_i/dq_j, U_ijk = dU_ij/dq_k",
            agreeing(over(_derivative_gap), "equal to those of `lagrange_euler`"),
            "definitions; armdyn's joint moves in its own link's frame, the U are the same",
        ),
        Claim(
            "(2.4)",
            "gravity as + sum m_j g U_ji r_j",
            differing(wrong_sign, "torques off by")
            + "; with the minus of (2.15) "
            + agreeing(printed_sum, "equal to Newton-Euler"),
            "**wrong sign**, against (2.15)",
        ),
        Claim(
            "(2.5), (2.6)",
            "tau = D qdd + h + c, element by element and as vectors",
            agreeing(printed_sum, "equal to Newton-Euler"),
            "right",
        ),
        Claim(
            "(2.7), (2.8), (2.9), (2.10)",
            "tau, q, qd, qdd have n elements",
            proven("torques of shape (n,) from q, qd, qdd of shape (n,)", *map(_has_n_torques, all_cases)),
            "definitions",
        ),
        Claim(
            "(2.11)",
            "D_ik = sum_j Tr(U_jk J_j U_ji^T), j from max(i, k)",
            agreeing(over(lambda c: gap(c.D, c.mass)), "equal to composite bodies"),
            "right",
        ),
        Claim(
            "(2.12), (2.13)",
            "h_i = sum_km h_ikm qd_k qd_m",
            agreeing(over(lambda c: gap(c.h @ c.qd @ c.qd, c.velocity_torque)), "equal to Newton-Euler"),
            "right",
        ),
        Claim(
            "(2.14)",
            "h_ikm = sum_j Tr(U_jkm J_j U_ji^T)",
            agreeing(over(_christoffel_gap), "equal to the Christoffel symbols of H"),
            "right",
        ),
        Claim(
            "(2.15)",
            "c_i = sum_j -m_j g U_ji r_j",
            agreeing(over(lambda c: gap(c.c, c.gravity)), "equal to Newton-Euler"),
            "right",
        ),
    ]


def _by_coefficients(case: Case, sign: int = 1) -> np.ndarray:
    """(2.5), gravity times a sign."""
    return case.D @ case.qdd + case.h @ case.qd @ case.qd + sign * case.c


def _has_n_torques(case: Case) -> bool:
    shape = (case.arm.n,)
    taken = case.dynamics.inverse(case.q, case.qd, case.qdd)
    return case.q.shape == case.qd.shape == case.qdd.shape == taken.shape == shape


def _energies(case: Case) -> float:
    q, qd, _ = case.state
    return float(kinetic_energy(case.tree, q, qd) - potential_energy(case.tree, q))


def _lagrange_gap(case: Case) -> float:
    """(2.2) by exact derivatives of armdyn's energies."""
    graph = Graph()
    q, qd, qdd = (graph.inputs(name, case.arm.n) for name in ("q", "qd", "qdd"))
    L = kinetic_energy(case.tree, q, qd) - potential_energy(case.tree, q)
    moving = [*zip(q, qd, strict=True), *zip(qd, qdd, strict=True)]
    gained = forward(reverse([L], [1], qd), moving)
    torque = [a - b for a, b in zip(gained, reverse([L], [1], q), strict=True)]
    inputs = {"q": case.q, "qd": case.qd, "qdd": case.qdd}
    return gap(run_batch(program(torque), inputs, (case.arm.n,)), case.torque)


def _derivative_gap(case: Case) -> float:
    """U of armdyn's link frames, times the constant step to the printed frames."""
    made = lagrange_euler.partial_derivatives(case.tree, case.state[0])
    T_base = poses(placed(case.tree, case.state[0]))
    gaps: list[float] = []
    for i, frame in enumerate(as_printed.frames(case.arm, case.q)[1:]):
        T = np.eye(4)
        T[:3, :3], T[:3, 3] = array(T_base[i].rotation), array(T_base[i].translation)
        step = np.linalg.inv(T) @ frame
        for j in range(i + 1):
            gaps.append(gap(array(made.U(i, j)) @ step, as_printed.U(case.arm, case.q, i, j)))
            gaps += [
                gap(array(made.U(i, j, k)) @ step, as_printed.U(case.arm, case.q, i, j, k))
                for k in range(i + 1)
            ]
    return max(gaps)


def _christoffel_gap(case: Case) -> float:
    """h_ikm = 1/2 (dH_ik/dq_m + dH_im/dq_k - dH_km/dq_i), H derived on the graph."""
    n, graph = case.arm.n, Graph()
    q = graph.inputs("q", n)
    H = [element for row in composite_body.mass_matrix(case.tree, q) for element in row]
    slopes = [x for k in range(n) for x in forward(H, [(q[k], 1)])]
    dH = run_batch(program(slopes), {"q": case.q}, (n, n, n))  # dH[m, i, k]
    symbols = 0.5 * (dH.transpose(1, 2, 0) + dH.transpose(1, 0, 2) - dH)
    return gap(case.h, symbols)


# What section 2 says about its coefficients ---------------------------------------------------


def coefficient_claims(all_cases: Sequence[Case]) -> list[Claim]:
    """Symmetries, zeros, and what (2.6) is for."""
    D = [array(case.coefficients.inertia) for case in all_cases]
    h = [array(case.coefficients.velocity) for case in all_cases]
    return [
        Claim("sec. 2, 2.", "D_ik = D_ki", agreeing([gap(x, x.T) for x in D], "symmetric"), "right"),
        Claim(
            "sec. 2, 3.",
            "h_ikm = h_imk",
            agreeing([gap(x, x.swapaxes(1, 2)) for x in h], "symmetric"),
            "right, and by (2.14) rather than physical reasoning: second derivatives know no order",
        ),
        *_zero_claims(h),
        Claim(
            "sec. 2",
            "(2.6) is to be integrated for the motion under given torques",
            agreeing([_residual(case) for case in all_cases], "H qdd = tau - bias solved")
            + "; "
            + agreeing([gap(_solved(case), case.qdd) for case in all_cases], "qdd of these tau found again"),
            "right",
        ),
    ]


def _zero_claims(h: Sequence[np.ndarray]) -> list[Claim]:
    """Which coefficients vanish."""
    own = [abs(x[i, i, i]) for x in h for i in range(len(x))]
    inwards, outwards = (
        max(abs(float(x[j, i, i])) for x in h for j, i in np.ndindex(x.shape[:2]) if (j - i) * side > 0)
        for side in (-1, 1)
    )
    slide = lagrange_euler.coefficients(tree(ad.load("cartesian2"), "none"), [0.3, -0.2])
    D_12, most = abs(float(slide.inertia[0][1])), float(np.abs(array(slide.velocity)).max())
    planar = tree(ad.load("planar2"), "none")
    straight, bent = (
        float(lagrange_euler.coefficients(planar, [0.3, q2]).velocity[0][0][1]) for q2 in (0.0, 1.0)
    )
    return [
        Claim(
            "sec. 2, zeros 1.",
            "the design can make D_ij and h_ikm vanish",
            f"cartesian2: largest off-diagonal D {D_12:g}, largest h {most:g}",
            proven("right", D_12 == 0, most == 0),
        ),
        Claim("sec. 2, zeros 2.", "h_iii = 0 always", agreeing(own, "zero"), "right, see `vanishes`"),
        Claim(
            "sec. 2, zeros 2.",
            "h_jii need not be zero",
            f"up to {inwards:.2g} kg m2 for j < i, {outwards:.2g} for j > i",
            proven("right, inwards and outwards of joint i", inwards > DIFFERENT, outwards > DIFFERENT),
        ),
        Claim(
            "sec. 2, zeros 3.",
            "a coefficient can be zero at an instant",
            f"planar2: h_112 = {bent:.3g} at q2 = 1, {abs(straight):g} at q2 = 0",
            proven("right", straight == 0, abs(bent) > DIFFERENT),
        ),
    ]


def _solved(case: Case) -> np.ndarray:
    """qdd from (2.6)."""
    rest = case.torque - case.velocity_torque - case.gravity
    return array(solve(case.mass.tolist(), rest.tolist()))


def _residual(case: Case) -> float:
    """By how much the accelerations found miss (2.6)."""
    return gap(case.mass @ _solved(case) + case.velocity_torque + case.gravity, case.torque)
