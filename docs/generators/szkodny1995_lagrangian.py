"""What [Szkodny1995] says about the Lagrangian, (1)-(7)."""

from __future__ import annotations

import numpy as np
from szkodny1995_arms import (
    IRB6_STATE,
    SPATIAL_STATE,
    gyroscope,
    over_robots,
    row,
    shown,
    state,
)
from verdicts import DIFFERENT, Claim, agreeing, array, gap, proven

import armdyn as ad
from armdyn.mechanics import energy, newton_euler
from armdyn.mechanics.actuated_lagrangian import (
    arm_coefficients,
    coefficients,
    lagrangian,
    reduced_lagrangian,
)
from armdyn.mechanics.lagrangian.actuated_arm import REFERENCES, actuated_arm, arm_matrices
from armdyn.mechanics.tree import tree
from armdyn.robot import Robot
from armdyn.spatial.homogeneous import homogeneous


def lagrangian_claims() -> list[Claim]:
    """The Lagrangian and its equations."""
    return [
        Claim(
            "(1)",
            "L of links, drive elements and actuators",
            f"kinetic less potential energy: {over_robots(_gap_of_1)}",
            "exact, seen from any link; the inner sum ends at N_i, not N",
        ),
        _claim_2(),
        Claim(
            "(3)",
            "dT/dt = sum dT/dq_j qd_j, for T_i and T_ai",
            f"velocities of all bodies: {over_robots(_gap_of_3)}; T_ai in the check of (1)",
            "right",
        ),
        Claim(
            "(4)",
            "L as a quadratic form in qd",
            f"its second derivatives are the appendix's D_ij: {over_robots(_gap_of_4)}",
            "follows from (2) and (3)",
        ),
        _claim_5(),
        Claim(
            "(6), (7)",
            "F_i = sum D_ij qdd_j + sum D_ijk qd_j qd_k + D_i",
            f"torques of Newton-Euler: {over_robots(_gap_of_7)}",
            "right, with the full D_ij, D_ijk, D_i",
        ),
    ]


def _gap_of_1(robot: Robot) -> float:
    q, qd, _ = state(robot)
    built = tree(robot, "exact")
    whole = energy.kinetic_energy(built, q, qd) - energy.potential_energy(built, q)
    return max(gap(lagrangian(actuated_arm(robot, x), q, qd), whole) for x in REFERENCES)


def _claim_2() -> Claim:
    arm, qd, rest = actuated_arm(ad.load("irb6")), [1.0] * 5, [0.0] * 5
    whole = lagrangian(arm, IRB6_STATE, qd) - lagrangian(arm, IRB6_STATE, rest)
    kept = reduced_lagrangian(arm, IRB6_STATE, qd) - reduced_lagrangian(arm, IRB6_STATE, rest)
    printed, right = _mixed_energies()
    return Claim(
        "(2)",
        "L without drive elements and without carried effectors",
        f"irb6 at q = ({row(IRB6_STATE)}), all qd = 1: {shown(kept)} J of {shown(whole)} J of kinetic energy",
        proven(
            "an approximation; the mixed term is printed with dT_i^T/dt and needs dT_ai^T/dt "
            f"(gyroscope: {shown(printed)} instead of {shown(right)} J)",
            DIFFERENT < gap(kept, whole) < 0.1,
            gap(printed, right) > DIFFERENT,
        ),
    )


def _mixed_energies() -> tuple[float, float]:
    """The gyroscope's mixed energy as printed, and as it follows from (1)."""
    (a,) = arm_matrices(actuated_arm(gyroscope()), SPATIAL_STATE).actuators
    qd = [0.8, -0.6, 1.1]
    U, A, J, T = (array(x) for x in (a.T.rate(qd), a.A.value, a.J, a.T.value))
    return float(np.trace(U @ A @ J @ U.T @ T.T)), a.energies(qd)[1]


def _gap_of_3(robot: Robot) -> float:
    """d T_base_body/dt = [[omega x R, v], [0, 0]]."""
    q, qd, _ = state(robot)
    arm, dyn = actuated_arm(robot), ad.Dynamics(robot, "exact")
    T = arm_matrices(arm, q).T
    found = [0.0]
    for body in robot.body_names:
        link, place = arm.tree.frames[body]
        if link >= 0:
            rate = array(T[link].rate(qd)) @ array(homogeneous(place.rotation, place.translation, 1))
            R, twist = dyn.pose(q, body)[:3, :3], dyn.twist(q, qd, body)
            found += [gap(rate[:3, :3], np.cross(twist[3:], R.T).T), gap(rate[:3, 3], twist[:3])]
    return max(found)


def _gap_of_4(robot: Robot) -> float:
    arm, (q, _, _) = actuated_arm(robot), state(robot)
    unit, rest = np.eye(robot.n), reduced_lagrangian(arm, q, [0.0] * robot.n)

    def T(qd: np.ndarray) -> float:
        return reduced_lagrangian(arm, q, qd.tolist()) - rest

    D = [[T(a + b) - T(a) - T(b) for b in unit] for a in unit]
    return gap(D, arm_coefficients(arm, q, carried=False).inertia)


def _claim_5() -> Claim:
    """The tensor about the origin is Tr(S) 1 - S, the first moment m r_C."""
    bodies = [body.inertia for body in ad.load("irb6").bodies]
    J = array(bodies[1].pseudo)
    gaps_of_5: list[float] = []
    for body in bodies:
        S, moment = array(body.pseudo)[:3, :3], array(body.pseudo)[:, 3]
        gaps_of_5.append(gap(np.trace(S) * np.eye(3) - S, body.tensor_about_origin))
        gaps_of_5.append(gap(moment, [*(body.mass * x for x in body.com), body.mass]))
    return Claim(
        "(5)",
        "pseudo-inertia J_i, elements integral u v dm",
        f"irb6's upper arm: J_xx = {shown(J[0, 0])}, J_xx + J_yy = {shown(J[0, 0] + J[1, 1])}; tensors about "
        f"the same origins, and first moments, of all its bodies: {agreeing(gaps_of_5)}",
        "right",
    )


def _gap_of_7(robot: Robot) -> float:
    q, qd, qdd = state(robot)
    torque = newton_euler.inverse_dynamics(tree(robot, "exact"), q, qd, qdd).torque
    return gap(coefficients(robot, q).forces(qd, qdd), torque)
