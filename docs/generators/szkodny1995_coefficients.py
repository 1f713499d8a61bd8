"""What [Szkodny1995] says about the Lagrangian and its coefficients, (1)-(12) and appendix."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from szkodny1995_arms import (
    BELT_STATE,
    GYRO_STATE,
    IRB6_STATE,
    gap,
    gaps,
    gyroscope,
    in_axes,
    inertia,
    largest,
    model,
    over_robots,
    placed_robots,
    row,
    shown,
    state,
    velocity,
    verified,
)
from verdicts import Claim

import armdyn as ad
from armdyn.mechanics import energy, newton_euler
from armdyn.mechanics.actuated_lagrangian import (
    BEYOND_AXES,
    IN_AXES,
    arm_coefficients,
    coefficients,
    lagrangian,
    link_coefficients,
    reduced_lagrangian,
)
from armdyn.mechanics.lagrangian.actuated_arm import actuated_arm, arm_matrices
from armdyn.mechanics.tree import tree
from armdyn.robot import BASE, Robot

# (1)-(7) --------------------------------------------------------------------------------------


def lagrangian_claims() -> list[Claim]:
    """The Lagrangian and its equations."""
    return [
        Claim(
            "(1)",
            "L of links, drive elements and actuators",
            f"kinetic less potential energy: {over_robots(_gap_of_1)}",
            "exact, seen from any link; the inner sum ends at N_i, not N",
        ),
        Claim("(2)", "L without drive elements and without carried effectors", _dropped_by_2(), _verdict_2()),
        Claim(
            "(3)",
            "dT/dt = sum dT/dq_j qd_j, for T_i and T_ai",
            f"what the check of (1) uses: {over_robots(_gap_of_1)}",
            "right",
        ),
        Claim(
            "(4)",
            "L as a quadratic form in qd",
            f"its second derivatives are the appendix's D_ij: {over_robots(_gap_of_4)}",
            "follows from (2) and (3)",
        ),
        Claim("(5)", "pseudo-inertia J_i, elements integral u v dm", _pseudo(), "right"),
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
    return max(gap(lagrangian(actuated_arm(robot, x), q, qd), whole) for x in ("stator", "driven"))


def _dropped_by_2() -> str:
    robot = ad.load("irb6")
    arm, qd = actuated_arm(robot), [1.0] * 5
    rest = [0.0] * 5
    whole = lagrangian(arm, IRB6_STATE, qd) - lagrangian(arm, IRB6_STATE, rest)
    kept = reduced_lagrangian(arm, IRB6_STATE, qd) - reduced_lagrangian(arm, IRB6_STATE, rest)
    return (
        f"irb6 at q = ({row(IRB6_STATE)}), all qd = 1: {shown(kept)} J of {shown(whole)} J of kinetic energy"
    )


def _verdict_2() -> str:
    (a,) = arm_matrices(actuated_arm(gyroscope()), GYRO_STATE).actuators
    qd = [0.8, -0.6, 1.1]
    U, A, J, T = (np.array(x, dtype=float) for x in (a.T.rate(qd), a.A.value, a.J, a.T.value))
    printed, right = np.trace(U @ A @ J @ U.T @ T.T), a.energies(qd)[1]
    return (
        "an approximation; the mixed term is printed with dT_i^T/dt and needs dT_ai^T/dt "
        f"(gyroscope: {shown(printed)} instead of {shown(right)} J)"
    )


def _gap_of_4(robot: Robot) -> float:
    arm, (q, _, _) = actuated_arm(robot), state(robot)
    unit, rest = np.eye(robot.n), reduced_lagrangian(arm, q, [0.0] * robot.n)

    def T(qd: np.ndarray) -> float:
        return reduced_lagrangian(arm, q, qd.tolist()) - rest

    D = [[T(a + b) - T(a) - T(b) for b in unit] for a in unit]
    return gap(D, arm_coefficients(arm, q, carried=False).inertia)


def _pseudo() -> str:
    upper_arm = ad.load("irb6").bodies[1].inertia
    J = np.array(upper_arm.pseudo, dtype=float)
    about_origin = np.array(upper_arm.tensor_about_origin, dtype=float)
    return (
        f"irb6's upper arm: J_xx = {shown(J[0, 0])}, and J_xx + J_yy = {shown(J[0, 0] + J[1, 1])} "
        f"is I_zz = {shown(about_origin[2, 2])} about the same origin"
    )


def _gap_of_7(robot: Robot) -> float:
    q, qd, qdd = state(robot)
    torque = newton_euler.inverse_dynamics(tree(robot, "exact"), q, qd, qdd).torque
    return gap(coefficients(robot, q).forces(qd, qdd), torque)


# The appendix and (8)-(12) --------------------------------------------------------------------


def coefficient_claims() -> list[Claim]:
    """The coefficients, full and reduced."""
    return [*_appendix_claims(), *_beyond_axes_claims(), *_in_axes_claims()]


def _appendix_claims() -> list[Claim]:
    robot, q = gyroscope(), GYRO_STATE
    exact = model(robot, q)
    dropped = inertia(exact) - inertia(arm_coefficients(actuated_arm(robot), q, carried=False))
    return [
        Claim(
            "appendix, D_ij, D_ijk, D_i before the last reduction",
            "all terms of (4)",
            f"effectors carried, seen from the stator's or the driven link: {over_robots(_gap_exact)}",
            "exact (`motors=exact`) once transposes are mended and carried effectors are added",
        ),
        Claim(
            "the same",
            "trailing T_p in the mixed traces",
            f"gyroscope: D_ij wrong by up to {largest(_untransposed(robot, q))}",
            "must be T_p^T, as in the regrouped D_ijk",
        ),
        Claim(
            "the same",
            "a sum from max(i,k) in the first D_ijk, a Trace left out",
            f"lost on all robots: at most {_lost_by_limits()}",
            "from max(j,k), as in the regrouped one; it matters where an actuator follows a later joint",
        ),
        Claim(
            "the same",
            "effectors not carried, as (2)",
            f"gyroscope: D_ij too small by up to {largest(dropped)}",
            "an approximation",
        ),
    ]


def _gap_exact(robot: Robot) -> float:
    q, _, _ = state(robot)
    exact = model(robot, q)
    return max(x for ref in ("stator", "driven") for x in gaps(coefficients(robot, q, reference=ref), exact))


def _untransposed(robot: Robot, q: Sequence[float]) -> np.ndarray:
    """What the printed D_ij is off by."""
    n = robot.n
    off = np.zeros((n, n))
    for a in arm_matrices(actuated_arm(robot), q).actuators:
        T, A, J = (np.array(x, dtype=float) for x in (a.T.value, a.A.value, a.J))
        for i, j in np.ndindex(n, n):
            UW = np.array(a.T.d(i), dtype=float) @ A @ J @ np.array(a.A.d(j), dtype=float).T
            off[i, j] += np.trace(UW @ T) - np.trace(UW @ T.T)
    return off + off.T


def _lost_by_limits() -> str:
    """Tr(U_jk A J V_i^T T^T) of the effectors p < i, seen from their driven links."""
    lost = [0.0]
    for robot in placed_robots():
        for a in arm_matrices(actuated_arm(robot, "driven"), state(robot)[0]).actuators:
            A, J, T = (np.array(x, dtype=float) for x in (a.A.value, a.J, a.T.value))
            late = [np.array(m, dtype=float) for i, m in a.A.first.items() if a.joint is None or i > a.joint]
            bent = [np.array(m, dtype=float) for m in a.T.second.values()]
            lost += [abs(float(np.trace(u @ A @ J @ v.T @ T.T))) for u in bent for v in late]
    return shown(max(lost))


def _beyond_axes_claims() -> list[Claim]:
    irb6, q = ad.load("irb6"), IRB6_STATE
    exact, coupled = model(irb6, q), model(irb6, q, "coupled")
    mended = coefficients(irb6, q, BEYOND_AXES)
    printed = coefficients(irb6, q, BEYOND_AXES, reference="driven", carried=False)
    return [
        Claim(
            "(8)",
            "D_ij with two derivatives of T_ap only",
            "seen from the stator's link, effectors carried: irb6's `motors=coupled`, "
            f"{verified([gap(mended.inertia, coupled.inertia)])}; "
            f"D_ij of up to {largest(exact.inertia)} off by "
            f"at most {largest(inertia(mended) - inertia(exact))}",
            "right to order k^2",
        ),
        Claim(
            "(8) as printed",
            "T_ap relative to the driven link, effectors not carried",
            f"irb6: off by up to {largest(inertia(printed) - inertia(exact))}; belt: see below",
            "a rotor then turns k-1 times instead of k, and swings about the link",
        ),
        Claim(
            "(9)",
            "first J_a term and bracket",
            f"seen from the stator's link: at most {_terms_of_9()} on all robots; "
            f"bracket seen from the driven link (gyroscope, motor on the base): {_bracket()}",
            "the first term is zero in the sum over j and k, always; the bracket only where T_ap turns about "
            "one axis at rest",
        ),
        Claim(
            "(9)",
            "no term with d2T_ap/dq_j dq_k",
            f"irb6's ball screws: D_ijk of up to {largest(exact.velocity)} off by up to "
            f"{largest(velocity(mended) - velocity(exact))}",
            "drops I theta_i theta_jk, of order k^2: not negligible for gears whose ratio changes",
        ),
        Claim("(10)", "D_i of the links alone", _weight(), "drops the weight of effectors on moving links"),
    ]


def _terms_of_9() -> str:
    found = 0.0
    for robot in placed_robots():
        for a in arm_matrices(actuated_arm(robot), state(robot)[0]).actuators:
            for i, j, k in np.ndindex(*(robot.n,) * 3):
                found = max(found, abs(a.turning(i, j, k)), abs(a.bracket(i, j, k)))
    return shown(found)


def _bracket() -> str:
    (a,) = arm_matrices(actuated_arm(gyroscope(BASE), "driven"), GYRO_STATE).actuators
    return largest([0.5 * (a.bracket(i, j, k) + a.bracket(i, k, j)) for i, j, k in np.ndindex(3, 3, 3)])


def _weight() -> str:
    arm = actuated_arm(in_axes())
    links, whole = link_coefficients(arm, BELT_STATE).gravity, arm_coefficients(arm, BELT_STATE).gravity
    return f"motors in the axes: ({row(links)}) instead of ({row(whole)}) N m"


def _in_axes_claims() -> list[Claim]:
    arm = {x: actuated_arm(in_axes(), x) for x in ("stator", "driven")}
    added = {
        x: inertia(arm_coefficients(a, BELT_STATE, IN_AXES, carried=False))
        - inertia(link_coefficients(a, BELT_STATE))
        for x, a in arm.items()
    }
    return [
        Claim(
            "(11)",
            "delta_ij I_ai, constant, the actuator inertia",
            f"k = 100, I = 0.01: {shown(added['driven'][1, 1])} seen from the driven link, "
            f"{shown(added['stator'][1, 1])} from the stator's",
            "constant, but (k-1)^2 I as printed; k^2 I (`motors=reflected`) seen from the stator's link",
        ),
        Claim("(12)", "an extra J_a term in D_ijk", f"at most {_term_of_12()}", "identically zero"),
        Claim(
            "after (14)",
            "Paul's D_ijk omits that term",
            f"it is {_term_of_12()}",
            "Paul omitted nothing",
        ),
    ]


def _term_of_12() -> str:
    found = [
        a.own_turning(i, j, k)
        for x in ("stator", "driven")
        for a in arm_matrices(actuated_arm(in_axes(), x), BELT_STATE).actuators
        for i, j, k in np.ndindex(2, 2, 2)
    ]
    return largest(found)
