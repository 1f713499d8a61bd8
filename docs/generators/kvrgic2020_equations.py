"""[Kvrgic2020] secs. 4 to 6: equations and counts, for the page about the document."""

from __future__ import annotations

import math

import numpy as np
from counts_tables import of_printed
from kvrgic2020_program import torques
from kvrgic2020_runs import lola15, shown, verified, wrench
from verdicts import EQUAL, Claim, array, gap, proven, table

import armdyn as ad
from armdyn.mechanics.modified_newton_euler import mass_matrix_and_bias, vectors
from armdyn.mechanics.tree import tree
from armdyn.studies.published import published

POSTURE = [0.3, -0.4, 0.5, 0.6, 0.7, 0.8]
TOY = ([0.4, -0.9, 0.7, 1.2], [0.5, -0.3, 0.8, 0.6])
"""Posture and rates of the trainer; the document prints none."""


def claims() -> str:
    """What is wrong in the equations, in their order."""
    first = [_claim_gravity(), *_claims_force(), *_claims_symbols()]
    return table([*first, _claim_appendix_b(), _claim_toy(), _claim_toy_axes()])


def _claim_gravity() -> Claim:
    dyn = ad.Dynamics(lola15(), motors="none")
    up = ad.Dynamics(lola15().with_gravity((0.0, 0.0, 9.81)), motors="none")
    right, printed = dyn.gravity(POSTURE), up.gravity(POSTURE)
    steps = 1e-6 * np.eye(6)
    slopes = (dyn.potential_energy(POSTURE + steps) - dyn.potential_energy(POSTURE - steps)) / 2e-6
    return Claim(
        "(6), (8), (13), (14)",
        "F_i = m_i (v_z - g), with z up",
        f"a resting arm would need {shown(printed[1])} N m at joint 2; the slope of its potential energy is "
        f"{shown(slopes[1])} N m",
        proven("**wrong sign**: + g", gap(right, slopes) < 1e-6, gap(printed, -right) < EQUAL),
    )


def _claims_force() -> list[Claim]:
    demand, dyn = verified().demand, ad.Dynamics(lola15(), motors="none")
    state = (demand.q, 0 * demand.qd, 0 * demand.qd)
    centre = array(lola15().bodies[5].inertia.com)
    twice = np.abs(dyn.inverse(*state, wrench(), at=centre) - dyn.inverse(*state)).max(axis=0)
    once = np.abs(dyn.inverse(*state, wrench()) - dyn.inverse(*state)).max(axis=0)
    signs = np.abs(dyn.inverse(*state, wrench(150.0)) - dyn.inverse(*state, wrench())).max(axis=0)
    return [
        Claim(
            "(14) with (56), (59)",
            "e_6 holds f_e, and f_7 is added again",
            f"a second force at the centre of mass of link 6: along the program up to {shown(twice[1], 2)} N "
            f"m too much at joint 2, where the force takes {shown(once[1], 2)} N m",
            proven("**counted twice**: e_n without f_e, as (13)", twice[1] > 100),
        ),
        Claim(
            "sec. 8",
            "f_ez = -150 N in the report, 150 N in the paper",
            f"changes joint torques by up to {shown(signs.max(), 2)} N m, not whether motors saturate (see "
            "above)",
            proven("undecided; armdyn's example has -150 N: the tool presses down", signs.max() > 100),
        ),
    ]


def _claims_symbols() -> list[Claim]:
    dyn = ad.Dynamics(lola15(), motors="none")
    same = gap(torques("mrnea"), torques("newton_euler"))
    # with the third column of T_i in place of that of T_(i-1), u_i would be about the next axis
    axes = array([joint.axis for joint in vectors(tree(lola15(), "none"), POSTURE, [0.0] * 6).forces.joints])
    own, apart = dyn.jacobian(POSTURE)[3:].T, round(float(axes[0] @ axes[1]), 9)
    return [
        Claim(
            "(33)",
            "z_(i-1) in the third column of T_i",
            f"axis 1 would be axis 2, {math.degrees(math.acos(apart)):.0f} degrees away",
            proven("the third column of T_(i-1)", gap(own, axes) < EQUAL),
        ),
        Claim(
            "(11), (19), (28), (37)-(45)",
            "N_i for N_n (report); p*_(i+1) = p_(i+1) - p_i beside p_i*; n_(i+1)c without prime; qd for qdd "
            "in the acceleration terms (paper)",
            "mended, mRNEA's torques along the program are those of Newton-Euler",
            proven("slips of the pen: p_i* = p_i - p_(i-1), n'_ic = n'_(i+1)c + n_ic", same < 1e-12),
        ),
    ]


def _claim_appendix_b() -> Claim:
    return Claim(
        "Appendix B",
        "b_ik, b_ikj, d_ik, d_ikj of Lola 15",
        "b_11, b_212, b_222, b_i3, b_i22, b_i23, b_i33, b_i24, b_i34, b_646, d_i24, d_i34, d_i44, d_616, "
        "d_646 differ from (4), (7); b_656 has a term that is zero only for this arm; v_38 to v_46, v_50 to "
        "v_52, v_81, v_91 are not defined (`tests/mechanics/test_force_vectors.py`)",
        "**not usable**: armdyn derives all of them, b_ik = z_(k-1) x (r_i - p_(k-1)) and so on",
    )


def _claim_toy_axes() -> Claim:
    axes = array([joint.axis for joint in vectors(tree(ad.load("sdt4"), "none"), *TOY).forces.joints])
    q1, q2, q3, _ = TOY[0]
    c12, s12, c3, s3 = math.cos(q1 + q2), math.sin(q1 + q2), math.cos(q3), math.sin(q3)
    right = [(0, 0, 1), (0, 0, 1), (s12, -c12, 0), (c12 * c3, s12 * c3, s3)]
    return Claim(
        "(89), (E13)",
        "five axes for four joints: (s12, -c12, 0) twice, as z_2 and z_2 (report) or z_3 (paper)",
        "z_2 = (s12, -c12, 0), z_3 = (c12 c3, s12 c3, s3)",
        proven("one too many", gap(axes, right) < EQUAL),
    )


def _claim_toy() -> Claim:
    arm = tree(ad.load("sdt4"), "none")
    found = vectors(arm, *TOY)
    first, last = found.forces.joints[1], found.forces.links[3]
    lost = np.cross(array(first.step), array(last.e_ik[0])) @ array(found.forces.joints[0].axis)
    H, _ = mass_matrix_and_bias(arm, *TOY)
    share = float(lost) / float(array(H)[0, 0])
    return Claim(
        "(87), (E.11)",
        "E_21 = e_31 + e_21, E_22 = e_32 + e_22",
        f"without e_41 the trainer's H_11 lacks {100 * share:.0f} % (catalog's `sdt4`; "
        "[toy model](../formulations.md#mrnea-on-a-toy-model))",
        proven("**e_41 and e_42 are missing**, compare (25)", share > 0.05),
    )


# Counts ---------------------------------------------------------------------------------------


def count_claims() -> str:
    """What the document counts, by its own numbers."""
    items, rows, total, text = _sums()
    ones = [count for count in published(6) if count.table == "Table 1"]
    n, operations = zip(*((c.n, c.multiplications + c.additions) for c in ones), strict=True)
    exponent = float(np.polyfit(np.log(n), np.log(operations), 1)[0])
    return table(
        [
            Claim(
                "Table C.1",
                f"total {total}",
                f"its items sum to {items}, its rows to {rows}",
                proven(
                    "contradicts itself ([row by row](../counts.md#kvrgic2020-table-c-1))",
                    len({items, rows, total}) == 3,
                ),
            ),
            Claim(
                "sec. 6; Tables 1, 2",
                f"{text}; {of_printed(ones[-1])}",
                "neither follows from Table C.1, with or without its inputs",
                proven(
                    "five totals for one algorithm; armdyn's own are on the page of [counts](../counts.md)",
                    len({items, rows, total, text, of_printed(ones[-1])}) == 5,
                ),
            ),
            Claim(
                "Table 1, O(n)",
                f"multiplications {', '.join(str(c.multiplications) for c in ones)} for n = {n[0]} to "
                f"{n[-1]}",
                f"operations grow by n^{exponent:.2f}",
                proven(
                    "**not O(n)** ([growth](../counts.md#growth-with-the-number-of-joints))", exponent > 2.2
                ),
            ),
        ]
    )


def _sums() -> tuple[str, str, str, str]:
    """Of the items, the rows, the total of Table C.1 and that of the text."""
    table_c1 = [count for count in published(6) if count.table == "Table C.1"]
    parts = [count for count in table_c1 if count.part]
    (total,) = (count for count in table_c1 if not count.part)
    (text,) = (count for count in published(6) if count.table == "section 6")
    leaves = [leaf for part in parts for leaf in (part.items or (part,))]
    return of_printed(*leaves), of_printed(*parts), of_printed(total), of_printed(text)
