"""Sections 3 and 4 of [Milicevic2007]: Newton-Euler and generalized d'Alembert."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import milicevic2007_print as as_printed
import numpy as np
from milicevic2007_cases import Case
from verdicts import Claim, agreeing, array, differing, gap, proven

from armdyn.mechanics import newton_euler_base
from armdyn.robot import Robot


def newton_claims(all_cases: Sequence[Case]) -> list[Claim]:
    """Tables 1 and 2, and the initial conditions."""
    gaps: dict[str, list[float]] = {"1": [], "2": [], "+g": [], "ours": []}
    for case in all_cases:
        arm, motion = case.arm, (case.q, case.qd, case.qdd)
        printed = as_printed.table_1(arm, *motion, -arm.gravity).tau
        gaps["1"].append(gap(printed, case.torque))
        gaps["2"].append(gap(as_printed.table_2(arm, *motion, -arm.gravity), case.torque))
        gaps["+g"].append(gap(as_printed.table_1(arm, *motion, arm.gravity).tau, case.torque))
        base = newton_euler_base.inverse_dynamics(case.tree, *case.state).torque
        gaps["ours"].append(gap(base, printed))
    return [
        Claim(
            "sec. 3, R_i",
            "3 x 3 rotation of a DH row",
            agreeing([case.pose_gap for case in all_cases], "equal to the rotation in (2.1)"),
            "right",
        ),
        Claim(
            "Table 1",
            "Newton-Euler in the base frame, joints that turn or slide",
            agreeing(gaps["1"], "as printed but vdot_0 = -g, equal to Newton-Euler")
            + "; "
            + agreeing(gaps["ours"], "`newton_euler_base` the same"),
            "right (vdot_i of a turning link, lost in the copy, as in Table 2); b_i qd_i is friction",
        ),
        Claim(
            "Table 2",
            "Newton-Euler in link frames",
            agreeing(gaps["2"], "forward equations as printed, vdot_0 = -g, equal to Newton-Euler"),
            "right; the backward equations are lost in the copy and taken from Table 1",
        ),
        Claim(
            "after Tables 1, 2",
            "vdot_0 = (g_x, g_y, g_z)",
            differing(gaps["+g"], "torques off by"),
            "**wrong sign** for the g of (2.3): vdot_0 = -g, the base accelerates upwards",
        ),
        _weight_claim(),
    ]


def _weight_claim() -> Claim:
    standard, ours = 9.8062, -float(array(Robot.gravity)[2])
    share = 100 * (ours / standard - 1)
    return Claim(
        "after Tables 1, 2",
        "g = 9.8062 m/s2",
        f"{ours:g} by default, {share:.2f} % more",
        proven("a choice; `--gravity` sets it", 0 < share < 0.1),
    )


# Section 4 ------------------------------------------------------------------------------------


def dalembert_claims(all_cases: Sequence[Case]) -> list[Claim]:
    """(4.1)-(4.5)."""
    turning = [case for case in all_cases if case.turning]

    def over(each: Callable[[Case], float]) -> list[float]:
        return [each(case) for case in turning]

    sums = [gap(_dalembert_torque(case), case.torque) for case in all_cases]
    weights = over(lambda c: gap(as_printed.c_dalembert(c.arm, c.q), c.gravity))
    return [
        Claim(
            "(4.1)",
            "tau = D thetadd + h_tran + h_rot + c, turning joints",
            agreeing(sums, "equal to Newton-Euler"),
            "right; armdyn's also for joints that slide",
        ),
        _mass_claim(turning),
        *_translation_claims(turning),
        _rotation_claim(all_cases),
        Claim(
            "(4.5)",
            "c_i = -g . (z_i x sum_j m_j (r_j - p_(i-1)))",
            agreeing(weights, "equal to Newton-Euler"),
            "right, and with the sign of (2.15)",
        ),
    ]


def _mass_claim(turning: Sequence[Case]) -> Claim:
    rot = [gap(as_printed.D_rot(c.arm, c.q), c.terms.D_rot) for c in turning]
    lines = [
        gap(as_printed.D_tran(c.arm, c.q, by_steps=by_steps), c.terms.D_tran)
        for c in turning
        for by_steps in (True, False)
    ]
    return Claim(
        "(4.2)",
        "D = D_rot + D_tran, two lines",
        agreeing(rot, "D_rot equal") + "; " + agreeing(lines, "D_tran equal by either line"),
        "right, for i > j by symmetry",
    )


def _translation_claims(turning: Sequence[Case]) -> list[Claim]:
    mended = [gap(as_printed.h_tran(c.arm, c.q, c.qd), c.terms.h_tran) for c in turning]
    copied = [gap(as_printed.h_tran(c.arm, c.q, c.qd, copied=True), c.terms.h_tran) for c in turning]
    single = [float(np.abs(as_printed.h_tran(c.arm, c.q, _one_rate(c), (2, 4))).max()) for c in turning]
    return [
        Claim(
            "(4.3)",
            "h_tran in four terms",
            agreeing(mended, "the four terms, the last ending in c_s, equal to `dalembert`"),
            "right once mended: the copy ends the last term in c_s - p_(i-1), "
            + differing(copied, "which is off by"),
        ),
        Claim(
            "(4.3), meaning",
            "second and fourth terms are Coriolis forces only",
            agreeing(single, "zero while one joint moves"),
            "right",
        ),
    ]


def _rotation_claim(all_cases: Sequence[Case]) -> Claim:
    turning = [case for case in all_cases if case.turning]
    restated = [gap(as_printed.h_rot(c.arm, c.q, c.qd), c.terms.h_rot) for c in turning]
    whole = [gap(np.add(c.terms.h_tran, c.terms.h_rot), c.velocity_torque) for c in all_cases]
    single = [float(np.abs(as_printed.h_rot(c.arm, c.q, _one_rate(c), (1,))).max()) for c in turning]
    return Claim(
        "(4.4)",
        "h_rot; lost in the copy",
        "z_i . sum_s (I_s alpha_s + omega_s x I_s omega_s), alpha_s of rates alone: "
        + agreeing(restated, "equal to `dalembert`")
        + "; "
        + agreeing(whole, "h_tran + h_rot equal to Newton-Euler"),
        "derived anew from the rotational energy; the first term is Coriolis only, as the text says: "
        + agreeing(single, "zero while one joint moves"),
    )


def _dalembert_torque(case: Case) -> np.ndarray:
    parts = case.terms
    D = array(parts.D_rot) + array(parts.D_tran)
    return D @ case.qdd + array(parts.h_tran) + array(parts.h_rot) + array(parts.c)


def _one_rate(case: Case) -> np.ndarray:
    rates = np.zeros(case.arm.n)
    rates[case.arm.n // 2] = 1.3
    return rates
