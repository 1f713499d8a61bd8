"""What [Szkodny1995] says about the coefficients, (8)-(12) and appendix."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import product

import numpy as np
from szkodny1995_arms import (
    AXIAL,
    BELT_STATE,
    IRB6_STATE,
    ROTOR_MASS,
    SPATIAL_STATE,
    K,
    belt,
    differential_wrist,
    gaps,
    gyroscope,
    in_axes,
    inertia,
    model,
    over_robots,
    placed_robots,
    row,
    shown,
    size,
    state,
    velocity,
)
from verdicts import DIFFERENT, EQUAL, Claim, agreeing, array, gap, proven

import armdyn as ad
from armdyn.mechanics.actuated_lagrangian import (
    BEYOND_AXES,
    IN_AXES,
    arm_coefficients,
    coefficients,
    coefficients_without_actuators,
)
from armdyn.mechanics.lagrangian.actuated_arm import REFERENCES, Reference, actuated_arm, arm_matrices
from armdyn.mechanics.lagrangian.actuator_terms import ActuatorTerms
from armdyn.robot import BASE, Robot

Term = Callable[[ActuatorTerms, int, int, int], float]

# The appendix ---------------------------------------------------------------------------------


def appendix_claims() -> list[Claim]:
    """The coefficients before the last reduction."""
    robot, q = gyroscope(), SPATIAL_STATE
    exact = inertia(model(robot, q))
    order_k = exact - inertia(model(robot, q, "coupled"))
    untransposed = _mixed_inertia(robot, q, np.asarray) - order_k
    dropped = exact - inertia(arm_coefficients(actuated_arm(robot), q, carried=False))
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
            f"gyroscope: D_ij wrong by up to {shown(size(untransposed))}",
            proven(
                "must be T_p^T, as in the regrouped D_ijk",
                gap(_mixed_inertia(robot, q, np.transpose), order_k) < EQUAL,
                size(untransposed) > DIFFERENT,
            ),
        ),
        _claim_limits(),
        Claim(
            "the same",
            "effectors not carried, as (2)",
            f"gyroscope: D_ij too small by up to {shown(size(dropped))}",
            proven("an approximation", size(dropped) > DIFFERENT, np.linalg.eigvalsh(dropped).min() > -EQUAL),
        ),
    ]


def _gap_exact(robot: Robot) -> float:
    q, _, _ = state(robot)
    exact = model(robot, q)
    return max(x for ref in REFERENCES for x in gaps(coefficients(robot, q, reference=ref), exact))


def _mixed_inertia(robot: Robot, q: list[float], last: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """sum Tr(U_i A J V_j^T last(T)) + Tr(U_j A J V_i^T last(T))."""
    total = np.zeros((robot.n, robot.n))
    for a in arm_matrices(actuated_arm(robot), q).actuators:
        T, A, J = (array(x) for x in (a.T.value, a.A.value, a.J))
        for i, j in np.ndindex(total.shape):
            total[i, j] += np.trace(array(a.T.d(i)) @ A @ J @ array(a.A.d(j)).T @ last(T))
    return total + total.T


def _claim_limits() -> Claim:
    wrist = differential_wrist()
    elsewhere = [size(_lost_by_limits(robot)) for robot in placed_robots() if robot != wrist]
    lost = size(_lost_by_limits(wrist))
    return Claim(
        "the same",
        "a sum from max(i,k) in the first D_ijk, a Trace left out",
        f"a wrist whose motors turn by k (tilt +- roll): D_ijk wrong by up to {shown(lost)}; "
        f"the other robots: {shown(max(elsewhere))}",
        proven(
            "from max(j,k), as in the regrouped one; it matters where an actuator follows a later joint",
            lost > DIFFERENT,
            max(elsewhere) < EQUAL,
        ),
    )


def _lost_by_limits(robot: Robot) -> list[float]:
    """Tr(U_jk A J V_i^T T^T) of the effectors p < i, seen from their driven links."""
    lost = [0.0]
    for a in arm_matrices(actuated_arm(robot, "driven"), state(robot)[0]).actuators:
        A, J, T = (array(x) for x in (a.A.value, a.J, a.T.value))
        late = [array(m) for i, m in a.A.first.items() if a.joint is None or i > a.joint]
        bent = [array(m) for m in a.T.second.values()]
        lost += [float(np.trace(u @ A @ J @ v.T @ T.T)) for u in bent for v in late]
    return lost


# (8)-(10) -------------------------------------------------------------------------------------


def beyond_axes_claims() -> list[Claim]:
    """Actuators anywhere."""
    return [_claim_8(), _claim_8_printed(), _claim_9(), _claim_9_dropped(), _claim_10()]


def _claim_8() -> Claim:
    irb6, q = ad.load("irb6"), IRB6_STATE
    exact, mended = model(irb6, q), coefficients(irb6, q, BEYOND_AXES)
    same = agreeing([gap(mended.inertia, model(irb6, q, "coupled").inertia)])

    def missed(k: float) -> np.ndarray:
        return inertia(model(in_axes(k), BELT_STATE)) - inertia(
            coefficients(in_axes(k), BELT_STATE, BEYOND_AXES)
        )

    return Claim(
        "(8)",
        "D_ij with two derivatives of T_ap only",
        f"seen from the stator's link, effectors carried: irb6's `motors=coupled`, {same}; "
        f"D_ij of up to {shown(size(exact.inertia))} off by at most "
        f"{shown(size(inertia(mended) - inertia(exact)))}",
        proven(
            "right to order k^2",  # what is missed is of order k
            size(missed(K)) > DIFFERENT,
            gap(missed(2 * K), 2 * missed(K)) < EQUAL,
        ),
    )


def _claim_8_printed() -> Claim:
    irb6 = ad.load("irb6")
    printed = coefficients(irb6, IRB6_STATE, BEYOND_AXES, reference="driven", carried=False)
    off = size(inertia(printed) - inertia(model(irb6, IRB6_STATE)))
    return Claim(
        "(8) as printed",
        "T_ap relative to the driven link, effectors not carried",
        f"irb6: off by up to {shown(off)}; belt: see below",
        proven(
            "a rotor then turns k-1 times instead of k, and swings about the link",
            off > DIFFERENT,
            _gap_of_swing() < EQUAL,
        ),
    )


def _gap_of_swing() -> float:
    """The belt's effectors as printed: (k-1)^2 I of both, and motor 2 at r swinging about the elbow at e.

    By q1 it moves as fast as r is far from the base, by q2 as r - e.
    """
    arm = actuated_arm(belt(), "driven")
    links = coefficients_without_actuators(arm, BELT_STATE)
    effectors = inertia(arm_coefficients(arm, BELT_STATE, BEYOND_AXES, carried=False)) - inertia(links)
    r, e = np.array([0.3, 0.1]), np.array([math.cos(BELT_STATE[0]), math.sin(BELT_STATE[0])])
    swing = ROTOR_MASS * np.array([[r @ r, r @ (r - e)], [r @ (r - e), (r - e) @ (r - e)]])
    return gap(effectors, (K - 1) ** 2 * AXIAL * np.array([[2.0, 1.0], [1.0, 1.0]]) + swing)


def _claim_9() -> Claim:
    robots = placed_robots()
    at_stator = max(size(_symmetric(r, "stator", t)) for r in robots for t in (_turning, _bracket))
    first = max(size(_symmetric(r, "driven", _turning)) for r in (*robots, gyroscope(BASE)))
    bracket = size(_symmetric(gyroscope(BASE), "driven", _bracket, SPATIAL_STATE))
    return Claim(
        "(9)",
        "first J_a term and bracket",
        f"seen from the stator's link: at most {shown(at_stator)} on all robots; seen from the driven link: "
        f"first term at most {shown(first)} on all robots, bracket (gyroscope, motor on the base) "
        f"{shown(bracket)}",
        proven(
            "the first term is zero in the sum over j and k, always; the bracket only where T_ap turns about "
            "one axis at rest",
            max(at_stator, first) < EQUAL,
            bracket > DIFFERENT,
        ),
    )


_turning: Term = ActuatorTerms.turning
_bracket: Term = ActuatorTerms.bracket


def _symmetric(robot: Robot, seen_from: Reference, term: Term, q: list[float] | None = None) -> list[float]:
    """A term of D_ijk of every actuator, its part symmetric in j and k."""
    return [0.5 * (term(a, i, j, k) + term(a, i, k, j)) for a, i, j, k in _indices(robot, seen_from, q)]


def _indices(
    robot: Robot, seen_from: Reference, q: list[float] | None
) -> Iterator[tuple[ActuatorTerms, int, int, int]]:
    at = arm_matrices(actuated_arm(robot, seen_from), state(robot)[0] if q is None else q)
    return product(at.actuators, *(range(robot.n) for _ in range(3)))


def _claim_9_dropped() -> Claim:
    irb6, q = ad.load("irb6"), IRB6_STATE
    exact, coupled = velocity(model(irb6, q)), velocity(model(irb6, q, "coupled"))
    mended = velocity(coefficients(irb6, q, BEYOND_AXES))
    changing = np.zeros_like(exact)
    for a, i, j, k in _indices(irb6, "stator", q):
        changing[i, j, k] += a.changing_spin(i, j, k)
    return Claim(
        "(9)",
        "no term with d2T_ap/dq_j dq_k",
        f"irb6's ball screws: D_ijk of up to {shown(size(exact))} off by up to {shown(size(mended - exact))}",
        proven(
            "drops I theta_i theta_jk, of order k^2: not negligible for gears whose ratio changes",
            gap(mended + changing, coupled) < EQUAL,
            size(mended - exact) > 0.5 * size(exact),
        ),
    )


def _claim_10() -> Claim:
    arm = actuated_arm(in_axes())
    links = array(coefficients_without_actuators(arm, BELT_STATE).gravity)
    whole = array(arm_coefficients(arm, BELT_STATE).gravity)
    weight = [ROTOR_MASS * 9.81 * math.cos(BELT_STATE[0]), 0.0]
    return Claim(
        "(10)",
        "D_i of the links alone",
        f"motors in the axes: ({row(links)}) instead of ({row(whole)}) N m",
        proven("drops the weight of effectors on moving links", gap(links + weight, whole) < EQUAL),
    )


# (11), (12) -----------------------------------------------------------------------------------


def in_axes_claims() -> list[Claim]:
    """Actuators in the axes of their joints."""
    extra = max(
        size(_symmetric(r, x, ActuatorTerms.own_turning)) for r in placed_robots() for x in REFERENCES
    )
    zero = extra < EQUAL
    return [
        _claim_11(),
        Claim(
            "(12)", "an extra J_a term in D_ijk", f"at most {shown(extra)}", proven("identically zero", zero)
        ),
        Claim(
            "after (14)",
            "Paul's D_ijk omits that term",
            f"it is {shown(extra)}",
            proven("Paul omitted nothing", zero),
        ),
    ]


def _claim_11() -> Claim:
    robot, elsewhere = in_axes(), [-1.1, 2.3]
    driven, stator = (_added(robot, x, BELT_STATE) for x in ("driven", "stator"))
    mended = coefficients(robot, BELT_STATE, IN_AXES).inertia
    return Claim(
        "(11)",
        "delta_ij I_ai, constant, the actuator inertia",
        f"k = 100, I = 0.01: {shown(driven[1, 1])} seen from the driven link, "
        f"{shown(stator[1, 1])} from the stator's",
        proven(
            "constant, but (k-1)^2 I as printed; k^2 I (`motors=reflected`) seen from the stator's link",
            gap(driven, (K - 1) ** 2 * AXIAL * np.eye(2)) < EQUAL,
            gap(stator, K**2 * AXIAL * np.eye(2)) < EQUAL,
            gap(_added(robot, "driven", elsewhere), driven) < EQUAL,
            gap(_added(robot, "stator", elsewhere), stator) < EQUAL,
            gap(mended, model(robot, BELT_STATE, "reflected").inertia) < EQUAL,
        ),
    )


def _added(robot: Robot, seen_from: Reference, q: list[float]) -> np.ndarray:
    """What the actuators add to D_ij."""
    arm = actuated_arm(robot, seen_from)
    links = coefficients_without_actuators(arm, q)
    return inertia(arm_coefficients(arm, q, IN_AXES, carried=False)) - inertia(links)
