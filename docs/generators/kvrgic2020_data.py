"""[Kvrgic2020] Appendices A, D and E: the data of Lola 15, for the page about the document."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from kvrgic2020_program import torques
from kvrgic2020_runs import TURNING, lola15, shown, verified, wrench
from verdicts import Claim, agreeing, array, gap, proven, table

import armdyn as ad
from armdyn.robot import Body, Robot
from armdyn.spatial import Inertia, Transform
from armdyn.spatial.vector import matrix
from armdyn.studies.drive_forms import OWN_GEAR, MotorForm, drive_forms

STATE = ([0.3, -0.4, 0.5, 0.6, 0.7, 0.8], [0.5, -0.3, 0.4, 0.9, -0.7, 1.5], [1, -0.8, 0.6, 1.2, -1, 2])
"""q, qd, qdd at which forms are compared, as in the page about drives."""


def claims() -> str:
    """Geometry, inertias, drives and friction."""
    return table([*_claims_geometry(), *_claims_inertia(), *_claims_drives()])


# Geometry -------------------------------------------------------------------------------------


def printed_pose(q: np.ndarray) -> np.ndarray:
    """T_0_6 as the product of the matrices (A.1)."""
    s, c = np.sin(q), np.cos(q)
    a1, a2, a3, d4 = 0.2, 0.6, 0.115, 0.825
    steps = [
        [[c[0], 0, s[0], c[0] * a1], [s[0], 0, -c[0], s[0] * a1], [0, 1, 0, 0]],
        [[-s[1], -c[1], 0, -s[1] * a2], [c[1], -s[1], 0, c[1] * a2], [0, 0, 1, 0]],
        [[c[2], 0, s[2], c[2] * a3 + s[2] * d4], [s[2], 0, -c[2], s[2] * a3 - c[2] * d4], [0, 1, 0, 0]],
        [[c[3], 0, s[3], 0], [-s[3], 0, c[3], 0], [0, -1, 0, 0]],
        [[c[4], 0, s[4], 0], [s[4], 0, -c[4], 0], [0, 1, 0, 0]],
        [[c[5], s[5], 0, 0], [-s[5], c[5], 0, 0], [0, 0, 1, 0]],
    ]
    T = np.eye(4)
    for step in steps:
        T = T @ np.array([*step, [0, 0, 0, 1]])
    return T


def printed_axis(q: np.ndarray) -> np.ndarray:
    """n_6, the first column of T_6, from the elements that (A.2) lists."""
    (s1, s2, s3, s4, s5, s6), (c1, c2, c3, c4, c5, c6) = np.sin(q), np.cos(q)
    s23, c23 = s2 * c3 + c2 * s3, c2 * c3 - s2 * s3
    v1, v2, v3, v4 = c1 * s23, c1 * c23, s1 * s23, s1 * c23
    v15, v16, v17, v18 = -v1 * c4 - s1 * s4, s1 * c4 - v1 * s4, c1 * s4 - v3 * c4, -v3 * s4 - c1 * c4
    v19, v20 = c23 * c4, c23 * s4
    v21, v23, v25 = v15 * c5 - v2 * s5, v17 * c5 - v4 * s5, v19 * c5 - s23 * s5
    return np.array([v21 * c6 + v16 * s6, v23 * c6 + v18 * s6, v25 * c6 + v20 * s6])


def _claims_geometry() -> list[Claim]:
    dyn = ad.Dynamics(lola15().with_tool(Transform()), motors="none")
    q = array(STATE[0])
    only_4, both = array([1, 1, 1, -1, 1, 1]), array([1, 1, 1, -1, 1, -1])
    same = [gap(printed_pose(q), dyn.pose(both * q)), gap(printed_axis(q), dyn.pose(only_4 * q)[:3, 0])]
    apart = gap(printed_pose(q), dyn.pose(q))
    centre = float(array(lola15().bodies[2].inertia.com)[2])
    return [
        Claim(
            "Table A.1, (A.1), (A.2)",
            "Table A.1 turns joints 4 and 6 by +q; (A.1) both by -q; (A.2) joint 6 by +q",
            f"product of (A.1) at (q4, q6) and armdyn's at (-q4, -q6), n_6 of (A.2) and armdyn's at -q4: "
            f"{agreeing(same)}",
            proven("three conventions; armdyn's lola15 has those of Table A.1", apart > 0.1),
        ),
        Claim(
            "Table A.1, row 4; (A.1)",
            "d4 = 825 mm in row 4; (A.1) has it in T_2_3",
            f"the centre of mass of link 3, z = {centre:g} m, lies {825 + 1e3 * centre:.0f} mm from axis 3 "
            f"towards the wrist if frame 3 stands at the wrist centre, {-1e3 * centre:.0f} mm behind it if "
            "at the axis",
            proven(
                "frame 3 stands at the wrist centre; the kinematics are the same", 0 < 0.825 + centre < 0.2
            ),
        ),
    ]


# Inertias -------------------------------------------------------------------------------------


def _with_inertia(k: int, change: Callable[[Inertia], Inertia]) -> Robot:
    robot = lola15()
    bodies = list(robot.bodies)
    body: Body = bodies[k]
    bodies[k] = replace(body, inertia=change(body.inertia), accept_unphysical="a trial")
    return replace(robot, bodies=tuple(bodies))


def _moments(inertia: Inertia, **changed: float) -> Inertia:
    old = dict(zip("xyz", np.diag(array(inertia.tensor)).tolist(), strict=True))
    tensor: Any = np.diag(list((old | changed).values())).tolist()
    return replace(inertia, tensor=matrix(tensor))


def _changes(robot: Robot) -> np.ndarray:
    """(t, n) by how much the joint torques along the program change."""
    demand = verified().demand
    dyn = ad.Dynamics(robot, motors="none")
    return np.abs(
        np.asarray(dyn.inverse(demand.q, demand.qd, demand.qdd, wrench())) - torques("newton_euler")
    )


def _claims_inertia() -> list[Claim]:
    of_2 = _changes(_with_inertia(1, lambda inertia: _moments(inertia, x=1.0)))
    of_1 = _changes(_with_inertia(0, lambda inertia: _moments(inertia, x=7.0, z=9.0)))
    return [
        Claim(
            "Appendix B, I_x2",
            "1.157 in the report, 1 in the paper",
            f"with 1 torques along the program change by up to {shown(of_2.max(), 2)} N m, on joint "
            f"{int(of_2.max(axis=0).argmax()) + 1}",
            proven("digits lost: 1.157", 0.01 < of_2.max() < 5),
        ),
        Claim(
            "Appendix B, link 1",
            "I_y1 only",
            f"with I_x1 = 7, I_z1 = 9 kg m2 torques are {agreeing([of_1.max()])}",
            "enough: link 1 turns about its y axis only",
        ),
    ]


# Drives and friction --------------------------------------------------------------------------


def _claims_drives() -> list[Claim]:
    robot = lola15()
    forms = {form.form: form for form in drive_forms(robot, *STATE, wrench=wrench(), friction=False).forms}
    own = forms[OWN_GEAR]
    missed = own.difference.torque
    rotors = [0.0 if drive.rotor is None else drive.rotor.axial for drive in robot.drives]
    felt = rotors[3] * dict(robot.drives[3].coupling.weights)["joint4"] ** 2
    links = np.diag(ad.Dynamics(robot, "none").mass_matrix(STATE[0]))
    return [
        Claim(
            "Appendix E, rotors",
            "I_a1 = I_a3 = 0.0042, .., I_a3 = 0.0008",
            f"0.0008 kg m2 at axis 4 adds {shown(felt)} kg m2 to the {shown(links[3])} kg m2 of the links "
            f"(q = {STATE[0]})",
            proven("the second I_a3 is I_a4", rotors[3] == 0.0008),
        ),
        Claim(
            "(D.3)",
            "loads over their own gear, rotors by q_a = K q",
            f"misses {abs(missed[4]):.3f} N m of motor 5 and {shown(abs(own.power - forms_power(forms)), 2)} "
            f"of {shown(forms_power(forms))} W ([drives](../drives.md))",
            proven(
                "**not power-consistent** with q_a = K q: armdyn uses u_a = K^-T u + I_a K qdd",
                abs(abs(missed[4]) - 0.155) < 5e-4,
            ),
        ),
        Claim(
            "(D.3)",
            "h_a54 = a_54/k5 + ..; u'_a3 = [..] u_3/k3 (paper)",
            "nothing is called a_54; u'_a3 would be in N2 m2, the report has it right",
            "h_54 for a_54; a factor u_3 too many",
        ),
        _claim_friction(),
    ]


def forms_power(forms: dict[str, MotorForm]) -> float:
    """Of the power-consistent form [W]."""
    return next(iter(forms.values())).power


@cache
def _driving() -> tuple[float, float]:
    """Share of the cycles in which some joint brakes, and the most that mu sign(qd) u then gives it [W]."""
    demand = verified(turning=TURNING).demand  # without the torques of jumps
    mu = array([joint.friction.load for joint in lola15().joints])
    power = torques("newton_euler", TURNING) * demand.qd
    braking = power < -1e-6
    return float(braking.any(axis=1).mean()), float((-mu * power).max())


def _claim_friction() -> Claim:
    share, most = _driving()
    return Claim(
        "(90), (D.3)",
        "friction mu sign(qd) u",
        f"u qd < 0 at some joint in {100 * share:.0f} % of the cycles; friction would then give the arm up "
        f"to {shown(most, 2)} W",
        proven("**drives the arm**: it must be mu sign(qd) abs(u)", share > 0.3, most > 10),
    )
