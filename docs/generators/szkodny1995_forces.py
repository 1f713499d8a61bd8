"""What [Szkodny1995] says about forces, drive elements, friction, base and motion, (13)-(22)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from szkodny1995_arms import (
    BELT_STATE,
    IRB6_STATE,
    K,
    belt,
    belt_with_wheels,
    gaps,
    in_axes,
    inertia,
    matrix,
    model,
    over_robots,
    row,
    size,
    state,
)
from verdicts import DIFFERENT, EQUAL, Claim, agreeing, array, gap, proven

import armdyn as ad
from armdyn.mechanics.actuated_lagrangian import (
    BEYOND_AXES,
    arm_coefficients,
    coefficients,
    coefficients_without_actuators,
)
from armdyn.mechanics.drive_forms import joint_torques_as_printed, own_axis_torques
from armdyn.mechanics.lagrangian.actuated_arm import actuated_arm, arm_matrices
from armdyn.mechanics.lagrangian.drive_elements import drive_elements, grasped_object
from armdyn.mechanics.linear_system import solve
from armdyn.robot import BaseMotion, Joint, Payload, Robot
from armdyn.robot.base_coordinate import with_base_coordinate
from armdyn.spatial import Inertia, Transform
from armdyn.spatial.homogeneous import pseudo_inertia
from armdyn.spatial.vector import diagonal, vector

# (13)-(22) ------------------------------------------------------------------------------------


def force_claims() -> list[Claim]:
    """Actuator forces, what else moves, friction, simulation."""
    return [
        Claim(
            "(13)",
            "F_ai = sum_j F_j dq_j/dq_ai",
            f"irb6: work of motors and links {agreeing([_gap_of_work()])}",
            "right",
        ),
        _claim_14(),
        _claim_ratios(),
        _claim_15(),
        Claim(
            "(16)",
            "a grasped object changes J_N",
            f"with the object less without it: {over_robots(_gap_of_16)}",
            "right",
        ),
        Claim(
            "(17), moving, and (18)",
            "Coulomb and viscous friction at the actuators",
            f"`friction` of irb6 in motion: {agreeing([_gap_of_friction()])}",
            "right",
        ),
        _claim_17_at_rest(),
        Claim(
            "after (18)",
            "a base that moves by q_0: T_0 = A_0, sums from zero",
            f"against the same base motion, prescribed: {agreeing([_gap_of_base()])}",
            "right",
        ),
        _claim_19(),
        Claim(
            "(20), (21)",
            "qdd from sum D_ij qdd_j = C_i",
            f"forward dynamics: {over_robots(_gap_of_20)}",
            "right",
        ),
        _claim_22(),
    ]


def _gap_of_work() -> float:
    robot = ad.load("irb6")
    dyn = ad.Dynamics(robot, friction=False)
    _, qd, F = state(robot)
    power = dyn.motor_torque(IRB6_STATE, F) @ dyn.motor_velocity(IRB6_STATE, qd)
    return gap(power, np.dot(F, qd))


def _claim_22() -> Claim:
    """The integrator "euler" beside steps written down here, in motion with friction."""
    dyn = ad.Dynamics(ad.load("irb6"))
    q, qd = np.array(IRB6_STATE), np.full(dyn.n, 0.5)
    run = ad.simulate(dyn, 0.02, q=q, qd=qd, integrator="euler", dt=0.001)
    for _ in run.time[1:]:
        q, qd = q + 0.001 * qd, qd + 0.001 * dyn.forward(q, qd, np.zeros(dyn.n))
    return Claim(
        "(22)",
        "Euler steps of 0.001 s: dq = qd dt, dqd = qdd dt",
        f'irb6 let go in motion, `integrator="euler"`: {agreeing([gap(run.q[-1], q), gap(run.qd[-1], qd)])}',
        "of first order; [measured, and beside better ones](../simulation-examples.md)",
    )


def _claim_14() -> Claim:
    F = np.array([30.0, -20.0])
    F_a = ad.Dynamics(in_axes()).motor_torque(BELT_STATE, F)
    coupled = ad.Dynamics(belt()).motor_torque(BELT_STATE, F)
    alone = array(own_axis_torques(belt(), BELT_STATE, F.tolist()))
    return Claim(
        "(14)",
        "F_ai = F_i dq_i/dq_ai in the axes",
        f"F = (30, -20), k = 100: F_a = ({row(F_a)}); belt, where motor 2 turns with both joints: "
        f"({row(coupled)}), by (14) ({row(alone)})",
        proven(
            "right in the axes; wrong where a gear couples",
            gap(F_a, F / K) < EQUAL,
            gap(coupled, alone) > DIFFERENT,
        ),
    )


def _claim_ratios() -> Claim:
    """What motor 2 feels of unit accelerations; the mixed terms are those with one derivative of T_ai."""
    ratios = np.array([10.0, 100.0, 1000.0])
    felt = np.array([_felt_by_motor(k) for k in ratios])
    rows = (f"k = {k:g}: {row(parts)}" for k, parts in zip(ratios, felt, strict=True))
    links, mixed, spin = felt.T
    return Claim(
        "after (14)",
        "with higher ratios F_ai has less of links, as much or more of effectors",
        "motor 2 per unit acceleration, of links, mixed terms, spin: " + "; ".join(rows),
        proven(
            "right",
            gap(links * ratios, np.full(3, links[0] * ratios[0])) < EQUAL,
            gap(mixed, np.full(3, mixed[0])) < EQUAL,
            gap(spin / ratios, np.full(3, spin[0] / ratios[0])) < EQUAL,
        ),
    )


def _felt_by_motor(k: float) -> tuple[float, float, float]:
    """D_2j / k of links, mixed terms and spin, where each is not zero."""
    arm = actuated_arm(in_axes(k))
    links = inertia(coefficients_without_actuators(arm, BELT_STATE))
    spin = inertia(arm_coefficients(arm, BELT_STATE, BEYOND_AXES, carried=False)) - links
    mixed = inertia(arm_coefficients(arm, BELT_STATE, carried=False)) - links - spin
    return links[1, 1] / k, mixed[1, 0] / k, spin[1, 1] / k


def _claim_15() -> Claim:
    robot, q = belt_with_wheels(), BELT_STATE
    arm = actuated_arm(robot)
    T = arm_matrices(arm, q).T
    printed = np.zeros((2, 2))
    for i, element in enumerate(arm.elements):
        J = array(pseudo_inertia(arm.tree.links[element].inertia))
        U = [array(T[element].d(j)) for j in range(2)]
        printed[i] = [np.trace(U[i] @ J @ U[j].T) for j in range(2)]
    mended = array(drive_elements(arm, q).inertia)
    exact = agreeing(gaps(coefficients(robot, q), model(robot, q)), "as `motors=exact`")
    return Claim(
        "(15)",
        "corrections by the elements of drive i",
        f"belt with a gear wheel for each drive: {matrix(printed)} as printed, {matrix(mended)} mended",
        proven(
            f"not symmetric as printed; summed over all drives {exact}",
            gap(printed, printed.T) > DIFFERENT,
            gap(mended, mended.T) < EQUAL,
        ),
    )


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


def _claim_17_at_rest() -> Claim:
    """(17) takes the resultant of a driving force below the starting friction as zero."""
    robot, q, rest = ad.load("irb6"), IRB6_STATE, [0.0] * 5
    smooth, rubbing = (ad.Dynamics(robot, friction=on) for on in (False, True))
    falling = smooth.forward(q, rest, rest)
    load, starting = smooth.gravity(q), np.array([drive.friction.at_rest for drive in robot.drives])
    inside, outside = (smooth.torque_of_motors(q, share * starting) for share in (0.999, 1.001))
    held = [rubbing.sticking(q, rest, load + way * inside) for way in (-1, 1)]
    loose = [rubbing.sticking(q, rest, load + way * outside) for way in (-1, 1)]
    return Claim(
        "(17), at rest",
        "sticks while the driving force is below the starting friction",
        "irb6, load plus or less 99.9 % of starting friction: all held, qdd = 0; 100.1 %: none",
        proven(
            "as printed a resting arm falls: the load belongs into the test, all axes at once",
            size(falling) > DIFFERENT,
            *(found.sticks.all() and not found.acceleration.any() for found in held),
            *(not found.sticks.any() for found in loose),
        ),
    )


def _gap_of_base() -> float:
    place = Transform.of((0.2, -0.4, 0.3), (0.3, 0.8, -0.5))
    whole = with_base_coordinate(
        ad.load("irb6"), Joint("q0", "revolute", (-0.3, 1.0, 0.6), place), Inertia(80.0)
    )
    q, qd, qdd = state(whole)
    dyn = ad.Dynamics(whole, friction=False)
    R = dyn.pose(q, whole.bodies[0].name)[:3, :3]
    twist, change = dyn.twist(q, qd, whole.bodies[0].name), dyn.acceleration(q, qd, qdd, whole.bodies[0].name)
    parts = (twist[:3], twist[3:], change[:3], change[3:])
    motion = BaseMotion(*(vector((R.T @ x).tolist()) for x in parts))
    gravity = vector((R.T @ np.array(whole.gravity, dtype=float)).tolist())
    moving = replace(ad.load("irb6"), base_motion=motion, gravity=gravity)
    torque = ad.Dynamics(moving, friction=False).inverse(q[1:], qd[1:], qdd[1:])
    return gap(coefficients(whole, q).forces(qd, qdd)[1:], torque)


def _claim_19() -> Claim:
    dyn = ad.Dynamics(belt())
    F_a, qd = np.array([0.3, -0.2]), np.array([0.7, -0.4])
    work = F_a @ dyn.motor_velocity(BELT_STATE, qd)
    mended = dyn.torque_of_motors(BELT_STATE, F_a)
    printed = array(joint_torques_as_printed(belt(), BELT_STATE, F_a.tolist()))
    return Claim(
        "(19)",
        "F_id = sum_j dq_aj/dq_j F_aire",
        f"belt, F_a = (0.3, -0.2): ({row(mended)}); as printed ({row(printed)})",
        proven(
            "indices must be dq_aj/dq_i and F_ajre: `tau = K^T tau_m`",
            gap(mended @ qd, work) < EQUAL,
            gap(printed @ qd, work) > DIFFERENT,
        ),
    )


def _gap_of_20(robot: Robot) -> float:
    q, qd, F = state(robot)
    D = coefficients(robot, q)
    bias = D.forces(qd, [0.0] * robot.n)
    ours = solve(D.inertia, [f - b for f, b in zip(F, bias, strict=True)])
    return gap(ours, ad.Dynamics(robot, "exact", friction=False).forward(q, qd, F))
