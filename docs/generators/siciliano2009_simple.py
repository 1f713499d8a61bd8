"""[Siciliano2009] secs. 7.1 and 7.3.1: the pendulum, the terms of the equations, the Cartesian arms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from siciliano2009_arms import EXAMPLE, Cartesian, G, dynamics, states
from siciliano2009_print import B
from siciliano2009_tables import HEADER, Pair, equal, rows, shown, unequal
from verdicts import EQUAL, Claim, gap, proven

import armdyn as ad
from armdyn.robot import Robot

# Example 7.1 and 7.3.1 ------------------------------------------------------------------------


def pendulum_table() -> str:
    """Example 7.1, and what is lost in its friction."""
    robot = ad.load("pendulum")
    (body,), (drive,) = robot.bodies, robot.drives
    assert drive.rotor is not None
    k, I_m = dict(drive.coupling.weights)[drive.joint], drive.rotor.axial
    inertia = body.inertia
    about_axis, first = inertia.tensor_about_origin[2][2], -inertia.moment[1]  # I and m l
    F, F_m = body.joint.friction.viscous, drive.friction.viscous
    dyn = ad.Dynamics(robot)

    def pairs(torque: Callable[[Any, Any, Any], Any]) -> list[Pair]:
        return [(torque(*state[:, 0]), dyn.inverse(*state[:, :1])[0]) for state in states()]

    def without_friction(q: float, qdd: float) -> float:
        return (about_axis + I_m * k**2) * qdd + first * G * np.sin(q)

    return rows(
        HEADER,
        [
            equal(
                "Example 7.1, model",
                "(I + I_m k_r^2) thetadd + (F + F_m k_r^2) thetad + m g l sin theta = tau",
                pairs(lambda q, qd, qdd: without_friction(q, qdd) + (F + F_m * k**2) * qd),
            ),
            unequal(
                "Example 7.1, xi",
                "tau - F thetad - F_m k_r^2 theta",
                pairs(lambda q, qd, qdd: without_friction(q, qdd) + F * qd + F_m * k**2 * q),
                "a dot is missing: viscous friction of the motor goes with thetad, as in the model",
            ),
        ],
    )


def cartesian_table() -> str:
    """7.3.1 on cartesian2, and what Problem 7.1 asks for on cartesian2_45."""
    straight, inclined = ad.load("cartesian2"), ad.load("cartesian2_45")
    p, slanted = Cartesian.of(straight), Cartesian.of(inclined)

    def printed(p: Cartesian, cosine: float) -> tuple[np.ndarray, np.ndarray]:
        """B and g, where the second axis has this cosine with the first."""
        carried = p.m_l1 + p.m_m2 + p.m_l2
        across = p.m_l2 * cosine
        B = [[carried + p.k_r1**2 * p.I_m1, across], [across, p.m_l2 + p.k_r2**2 * p.I_m2]]
        return np.array(B), np.array([carried * G, across * G])

    B, g = printed(p, 0.0)
    B_inclined, g_inclined = printed(slanted, np.sqrt(0.5))
    return rows(
        HEADER,
        [
            equal(
                "J_P(l1), J_P(l2)",
                "columns (0, 0, 1), 0 and (0, 0, 1), (1, 0, 0)",
                _cartesian_jacobians(straight),
            ),
            equal(
                "B",
                "diag(m_l1 + m_m2 + k_r1^2 I_m1 + m_l2, m_l2 + k_r2^2 I_m2)",
                _at_all_states(straight, "mass_matrix", B),
            ),
            equal(
                "C",
                "O",
                [(np.zeros((2, 2)), dynamics(straight).coriolis_matrix(q, qd)) for q, qd, _ in states()],
            ),
            equal("g", "((m_l1 + m_m2 + m_l2) g, 0)", _at_all_states(straight, "gravity", g)),
            equal(
                "equations of motion",
                "B qdd + g",
                [(B @ qdd + g, dynamics(straight).inverse(q, qd, qdd)) for q, qd, qdd in states()],
                "right: decoupled",
            ),
            equal(
                "Problem 7.1, B",
                "not printed; b_12 = m_l2 cos(pi/4), the diagonal as above",
                _at_all_states(inclined, "mass_matrix", B_inclined),
                "as the text says, not diagonal; still constant",
            ),
            equal(
                "Problem 7.1, g",
                "not printed; g_2 = m_l2 g cos(pi/4)",
                _at_all_states(inclined, "gravity", g_inclined),
                "the slide now lifts, too",
            ),
        ],
    )


def _at_all_states(robot: Robot, quantity: str, printed: np.ndarray) -> list[Pair]:
    return [(printed, getattr(dynamics(robot), quantity)(q)) for q, _, _ in states()]


def _cartesian_jacobians(robot: Robot) -> list[Pair]:
    first, second = [[0, 0], [0, 0], [1, 0]], [[0, 1], [0, 0], [1, 0]]
    return [
        (printed, dynamics(robot).jacobian(q, name)[:3])
        for q, _, _ in states()
        for name, printed in (("link1", first), ("link2", second))
    ]


# Statements -----------------------------------------------------------------------------------


def statement_claims() -> list[Claim]:
    """Sentences of 7.1 about the terms."""
    slope = max(_own_slope(name) for name in ("planar2", "planar3", "scara", "puma560", "stanford", "ur5"))
    return [
        Claim(
            "after (7.41)",
            "b_ij: the effect of the acceleration of joint j on joint j",
            "torque of joint i when only joint j accelerates",
            proven(
                "on joint **i**",
                gap(_torque_of_one(), B(EXAMPLE, np.array([0.3, -0.8]))[0, 1]) < EQUAL,
            ),
        ),
        Claim(
            "after (7.41)",
            "h_iii = 0, since d b_ii/d q_i = 0",
            f"c_iii of planar2, planar3, scara, puma560, stanford and ur5: at most {shown(slope)}",
            proven(
                "right for chains; not where a gear's ratio changes (irb6: "
                f"up to {shown(_own_slope('irb6'))})",
                slope < EQUAL,
                _own_slope("irb6") > 0.1,
            ),
        ),
    ]


def _torque_of_one() -> float:
    """At joint 1, of a unit acceleration of joint 2 alone."""
    dyn = dynamics(EXAMPLE.robot(), "exact")
    q = [0.3, -0.8]
    return float(dyn.inverse(q, [0, 0], [0, 1])[0] - dyn.gravity(q)[0])


def _own_slope(name: str) -> float:
    """The largest c_iii of a robot near its home."""
    robot = ad.load(name)
    q = np.array(robot.home) + 0.3 * np.sin(1.7 * np.arange(1, robot.n + 1))
    c = dynamics(robot).velocity_coefficients(q)
    return float(max(abs(c[i, i, i]) for i in range(robot.n)))
