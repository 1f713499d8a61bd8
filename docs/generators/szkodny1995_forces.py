"""What [Szkodny1995] says about forces, drive elements, friction, base and motion, (13)-(22)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from szkodny1995_arms import (
    BELT_STATE,
    IRB6_STATE,
    belt,
    belt_with_wheels,
    gap,
    gaps,
    in_axes,
    inertia,
    matrix,
    model,
    over_robots,
    row,
    state,
    verified,
)
from verdicts import Claim

import armdyn as ad
from armdyn.mechanics.actuated_lagrangian import (
    BEYOND_AXES,
    arm_coefficients,
    coefficients,
    link_coefficients,
)
from armdyn.mechanics.lagrangian.actuated_arm import actuated_arm, arm_matrices
from armdyn.mechanics.lagrangian.base_coordinate import CARRIAGE, with_base_coordinate
from armdyn.mechanics.lagrangian.drive_elements import drive_elements, grasped_object
from armdyn.mechanics.linear_system import solve
from armdyn.robot import BaseMotion, Joint, Payload, Robot
from armdyn.spatial import Inertia, Transform
from armdyn.spatial.homogeneous import pseudo_inertia
from armdyn.spatial.vector import diagonal, vector

# (13)-(22) ------------------------------------------------------------------------------------


def force_claims() -> list[Claim]:
    """Actuator forces, what else moves, friction, simulation."""
    return [
        Claim("(13)", "F_ai = sum_j F_j dq_j/dq_ai", _work(), "right"),
        Claim("(14)", "F_ai = F_i dq_i/dq_ai in the axes", _own_work(), "right"),
        Claim("after (14)", "effect of the ratio on F_ai", _ratios(), "right"),
        Claim("(15)", "corrections by the elements of drive i", _wheels(), _wheels_verdict()),
        Claim(
            "(16)",
            "a grasped object changes J_N",
            f"with the object less without it: {over_robots(_gap_of_16)}",
            "right",
        ),
        Claim(
            "(17), moving, and (18)",
            "Coulomb and viscous friction at the actuators",
            f"`friction` of irb6 in motion: {verified([_gap_of_friction()])}",
            "right",
        ),
        Claim(
            "(17), at rest",
            "sticks while the driving force is below the starting friction",
            "not yet: friction at rest gives nothing; `starting` is read and kept",
            "as printed a resting arm falls: the load belongs into the test",
        ),
        Claim(
            "after (18)",
            "a base that moves by q_0: T_0 = A_0, sums from zero",
            f"against the same base motion, prescribed: {verified([_gap_of_base()])}",
            "right",
        ),
        Claim(
            "(19)",
            "F_id = sum_j dq_aj/dq_j F_aire",
            _driving(),
            "indices must be dq_aj/dq_i and F_ajre: `tau = K^T tau_m`",
        ),
        Claim(
            "(20), (21)",
            "qdd from sum D_ij qdd_j = C_i",
            f"forward dynamics: {over_robots(_gap_of_20)}",
            "right",
        ),
        Claim("(22)", "Euler steps of 0.001 s", "not yet: armdyn has no simulation so far", "not judged"),
    ]


def _work() -> str:
    robot = ad.load("irb6")
    dyn = ad.Dynamics(robot, friction=False)
    F, qd = state(robot)[2], state(robot)[1]
    F_a = dyn.motor_torque(IRB6_STATE, F)
    power = float(F_a @ dyn.motor_velocity(IRB6_STATE, qd))
    return f"irb6: motors and links do the same work, {verified([gap(power, float(np.dot(F, qd)))])}"


def _own_work() -> str:
    F_a = ad.Dynamics(in_axes()).motor_torque(BELT_STATE, [30.0, -20.0])
    return f"F = (30, -20), k = 100: F_a = ({row(F_a)})"


def _ratios() -> str:
    rows: list[str] = []
    for k in (10.0, 100.0, 1000.0):
        arm = actuated_arm(in_axes(k))
        links = inertia(link_coefficients(arm, BELT_STATE))
        spin = inertia(arm_coefficients(arm, BELT_STATE, BEYOND_AXES, carried=False)) - links
        mixed = inertia(arm_coefficients(arm, BELT_STATE, carried=False)) - links - spin
        rows.append(f"k = {k:g}: {row([links[1, 1] / k, mixed[1, 0] / k, spin[1, 1] / k])}")
    return "motor 2 per unit acceleration, of links, mixed terms, spin: " + "; ".join(rows)


def _wheels() -> str:
    arm = actuated_arm(belt_with_wheels())
    T = arm_matrices(arm, BELT_STATE).T
    printed = np.zeros((2, 2))
    for i, element in enumerate(arm.elements):
        J = np.array(pseudo_inertia(arm.tree.links[element].inertia), dtype=float)
        U = [np.array(T[element].d(j), dtype=float) for j in range(2)]
        printed[i] = [np.trace(U[i] @ J @ U[j].T) for j in range(2)]
    mended = drive_elements(arm, BELT_STATE).inertia
    return f"belt with a gear wheel for each drive: {matrix(printed)} as printed, {matrix(mended)} mended"


def _wheels_verdict() -> str:
    robot = belt_with_wheels()
    agreement = verified(gaps(coefficients(robot, BELT_STATE), model(robot, BELT_STATE)))
    return f"not symmetric as printed; summed over all drives {agreement} with `motors=exact`"


def _gap_of_16(robot: Robot) -> float:
    q, _, _ = state(robot)
    held = Payload(robot.tool.body, Inertia(1.8, (0.0, 0.02, 0.05), diagonal(0.003, 0.003, 0.003)))
    change = grasped_object(actuated_arm(robot), q, held)
    loaded = replace(robot, payloads=(*robot.payloads, held))
    return max(gaps(coefficients(robot, q) + change, model(loaded, q)))


def _gap_of_friction() -> float:
    robot = ad.load("irb6")
    _, qd, qdd = state(robot)
    smooth, rubbing = (ad.Dynamics(robot, friction=on) for on in (False, True))
    rate = smooth.motor_velocity(IRB6_STATE, qd)
    viscous, coulomb = np.array([(d.friction.viscous, d.friction.coulomb) for d in robot.drives]).T
    expected = smooth.gear_matrix(IRB6_STATE).T @ (viscous * rate + coulomb * np.sign(rate))
    return gap(rubbing.inverse(IRB6_STATE, qd, qdd) - smooth.inverse(IRB6_STATE, qd, qdd), expected)


def _gap_of_base() -> float:
    place = Transform.of((0.2, -0.4, 0.3), (0.3, 0.8, -0.5))
    whole = with_base_coordinate(
        ad.load("irb6"), Joint("q0", "revolute", (-0.3, 1.0, 0.6), place), Inertia(80.0)
    )
    q, qd, qdd = state(whole)
    dyn = ad.Dynamics(whole, friction=False)
    R = dyn.pose(q, CARRIAGE)[:3, :3]
    twist, change = dyn.twist(q, qd, CARRIAGE), dyn.acceleration(q, qd, qdd, CARRIAGE)
    parts = (twist[:3], twist[3:], change[:3], change[3:])
    motion = BaseMotion(*(vector((R.T @ x).tolist()) for x in parts))
    gravity = vector((R.T @ np.array(whole.gravity, dtype=float)).tolist())
    moving = replace(ad.load("irb6"), base_motion=motion, gravity=gravity)
    torque = ad.Dynamics(moving, friction=False).inverse(q[1:], qd[1:], qdd[1:])
    return gap(coefficients(whole, q).forces(qd, qdd)[1:], torque)


def _driving() -> str:
    ratios = ad.Dynamics(belt()).gear_matrix(BELT_STATE)
    F_a = np.array([0.3, -0.2])
    return f"belt, F_a = (0.3, -0.2): ({row(ratios.T @ F_a)}); as printed ({row(np.trace(ratios) * F_a)})"


def _gap_of_20(robot: Robot) -> float:
    q, qd, F = state(robot)
    D = coefficients(robot, q)
    bias = D.forces(qd, [0.0] * robot.n)
    ours = solve(D.inertia, [f - b for f, b in zip(F, bias, strict=True)])
    return gap(ours, ad.Dynamics(robot, "exact", friction=False).forward(q, qd, F))
