"""How the documents carry torques from joints to motors and back, to be compared.

armdyn's own way is [Szkodny1995] (13), u_a = K^-T u (`drives.motor_torques`): motors and joints do the
same work. The forms here look at one joint at a time: exact where every motor turns with its own joint
alone, and wrong by what the gears couple elsewhere. Motor torques stand in the order of the drives.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from armdyn.errors import MissingDataError, counted
from armdyn.mechanics.drives import drive_coordinates, gear_matrix
from armdyn.mechanics.friction import resistance
from armdyn.mechanics.tree.coordinates import state_of
from armdyn.robot import Drive, Robot
from armdyn.scalars import reciprocal

# From joints to motors ------------------------------------------------------------------------


def own_axis_torques(robot: Robot, q: Sequence[Any], tau: Sequence[Any]) -> list[Any]:
    """Motor torques of the joint torques tau, each from its own joint alone: meant for motors in the axes."""
    # [Szkodny1995] (14): F_ai = F_i dq_i/dq_ai
    joints, ratios = own_joints(robot), own_ratios(robot, q)
    return [tau[j] * reciprocal(k) for j, k in zip(joints, ratios, strict=True)]


def own_gear_torques(
    robot: Robot,
    q: Sequence[Any],
    qd: Sequence[Any],
    qdd: Sequence[Any],
    load: Sequence[Any],
    *,
    friction: bool = True,
    dt: float = 0.0,
) -> list[Any]:
    """Motor torques of the joints' load, each through its own gear, beside coupled rotor and friction terms.

    load is what passes through the joints (links, payload, contact). With dt > 0 viscous friction is
    that of the speed at the end of a cycle of dt seconds, qd being the speed at its beginning. Mended: the
    friction of the load has |u|, and u'_a3 no further factor u_3. Friction follows armdyn's law.
    """
    # [Kvrgic2020] (D.3): u_a = [u + mu sign(qd) |u|]/k + (I_a + f_v dt) K qdd + f_v K qd_prev
    torques: list[Any] = []
    each = zip(robot.drives, own_joints(robot), own_ratios(robot, q), drive_coordinates(robot), strict=True)
    for drive, j, k, coordinate in each:
        theta = state_of(coordinate, q, qd, qdd)
        rub = resistance(robot.joints[j].friction, qd[j], load[j], qdd[j]) if friction else 0
        torque = (load[j] + rub) * reciprocal(k) + shaft_inertia(drive, k) * theta.acceleration
        if friction:
            later = drive.friction.viscous * dt * theta.acceleration
            torque = torque + resistance(drive.friction, theta.rate, torque, theta.acceleration) + later
        torques.append(torque)
    return torques


def own_gear_mass_matrix(
    robot: Robot, q: Sequence[Any], H: Sequence[Sequence[Any]], *, friction: bool = True, dt: float = 0.0
) -> list[list[Any]]:
    """Motor torques by unit accelerations of the joints, one row per motor; H is that of the links alone."""
    # [Kvrgic2020] (90), (D.3): h_a,ij = h_ij/k_i + (I_a,i + f_v,i dt) K_ij, with h_a54 = h_54/k_5 + ..
    rows: list[list[Any]] = []
    each = zip(robot.drives, own_joints(robot), own_ratios(robot, q), gear_matrix(robot, q), strict=True)
    for drive, j, k, slopes in each:
        inertia = shaft_inertia(drive, k) + (drive.friction.viscous * dt if friction else 0)
        rows.append([h * reciprocal(k) + inertia * slope for h, slope in zip(H[j], slopes, strict=True)])
    return rows


# From motors to joints ------------------------------------------------------------------------


def joint_torques_as_printed(robot: Robot, q: Sequence[Any], motor: Sequence[Any]) -> list[Any]:
    """Joint torques of the motor torques by the indices as printed: a motor times the sum of all gears."""
    # [Szkodny1995] (19) as printed: F_id = sum_j (dq_aj/dq_j) F_ai
    total = sum(own_ratios(robot, q), 0)
    torques: list[Any] = [0] * robot.n
    for j, torque in zip(own_joints(robot), motor, strict=True):
        torques[j] = total * torque
    return torques


# A drive and its joint ------------------------------------------------------------------------


def own_joints(robot: Robot) -> list[int]:
    """The joint that each drive mainly serves, as a position in q; raise unless each joint has one drive."""
    if len(robot.drives) != robot.n:
        raise MissingDataError(
            f'robot "{robot.name}": {counted(len(robot.drives), "drive")} for {counted(robot.n, "joint")}, '
            "a form that gives each motor its own joint needs as many drives as joints"
        )
    serving: dict[str, str] = {}
    for drive in robot.drives:
        if drive.joint in serving:
            raise MissingDataError(
                f'robot "{robot.name}": drives "{serving[drive.joint]}" and "{drive.name}" both serve joint '
                f'"{drive.joint}", a form that gives each motor its own joint does not apply'
            )
        if drive.joint not in dict(drive.coupling.weights):
            raise MissingDataError(
                f'robot "{robot.name}": drive "{drive.name}" does not turn with a joint of its own, '
                "a form that gives each motor its own joint does not apply"
            )
        serving[drive.joint] = drive.name
    return [robot.positions[drive.joint] for drive in robot.drives]


def own_ratios(robot: Robot, q: Sequence[Any]) -> list[Any]:
    """k_i, the element of K between each drive and the joint that it mainly serves."""
    return [row[j] for row, j in zip(gear_matrix(robot, q), own_joints(robot), strict=True)]


def shaft_inertia(drive: Drive, ratio: Any) -> Any:
    """I_a: what spins, felt at the motor's shaft; an inertia felt at the joint is divided by ratio^2."""
    if drive.joint_inertia is not None:
        return drive.joint_inertia * reciprocal(ratio * ratio)
    return sum((rotor.axial * turns**2 for rotor, turns in drive.rotors), 0)
