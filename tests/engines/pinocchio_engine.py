"""What Pinocchio says of a case: of a model built by its interface, and of the URDF that armdyn writes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from armdyn.formats.urdf import write_urdf
from armdyn.robot import BASE, Payload, Robot
from armdyn.spatial import Transform
from engines.cases import Case
from engines.reference import rounded, spin_inertia
from formats.urdf.comparison import PinocchioTree
from pinocchio_model import ProjectedTree, pin

Found = dict[str, np.ndarray]


def stacked(rows: list[Found]) -> Found:
    """(states, ...) of every quantity."""
    return {name: np.stack([np.asarray(row[name], dtype=float) for row in rows]) for name in rows[0]}


def damping(case: Case) -> np.ndarray:
    """S^T D S: viscous friction of every joint, felt at the independent ones."""
    total = np.zeros((case.robot.n, case.robot.n))
    for body in case.robot.bodies:
        joint = body.joint
        if joint.kind != "fixed":
            weights = joint.coupling.weights if joint.coupling else ((joint.name, 1.0),)
            row = np.zeros(case.robot.n)
            for name, weight in weights:
                row[case.robot.positions[name]] += weight
            total += joint.friction.viscous * np.outer(row, row)
    return total


# By its interface -----------------------------------------------------------------------------


def by_interface(case: Case, tau: np.ndarray | None = None, *, slopes: bool = True) -> Found:
    """Every joint and rotor a joint of Pinocchio's, projected onto q."""
    tree = ProjectedTree(case.robot, rotors=case.motors == "exact")
    if case.has_rotors and case.motors != "exact":
        tree.let_rotors_ride()
    added, rubbing = rounded(spin_inertia(case)), damping(case)
    rows = []
    for k, state in enumerate(case.states):
        row = _of_state(case, tree, state, added, rubbing, slopes=slopes)
        if tau is not None:
            q, qd, _ = state
            qdd = row["forward"] = np.linalg.solve(row["mass matrix"], tau[k] - row["bias"] - rubbing @ qd)
            if slopes:
                by_q, by_qd = _slopes(tree, (q, qd, qdd), rubbing)
                row["forward by tau"] = np.linalg.inv(row["mass matrix"])
                row["forward by q"], row["forward by qd"] = (
                    -row["forward by tau"] @ x for x in (by_q, by_qd)
                )
        rows.append(row)
    return stacked(rows)


def _of_state(
    case: Case,
    tree: ProjectedTree,
    state: tuple[np.ndarray, ...],
    added: np.ndarray,
    rubbing: np.ndarray,
    *,
    slopes: bool,
) -> Found:
    q, qd, qdd = state
    zero = np.zeros_like(q)
    full_q, full_v, full_a, S = tree.full_motion(q, qd, qdd)
    model, data = tree.model, tree.data
    upper = np.triu(pin.crba(model, data, full_q))[6:, 6:]
    H = S.T @ (upper + np.triu(upper, 1).T) @ S + added
    bias, gravity = tree.inverse(q, qd, zero), tree.inverse(q, zero, zero)
    found = {
        "inverse": tree.inverse(q, qd, qdd) + added @ qdd + rubbing @ qd,
        "mass matrix": H,
        "bias": bias,
        "gravity": gravity,
        "velocity": _velocity(tree, full_q, full_v, full_a, S),
        "kinetic energy": pin.computeKineticEnergy(model, data, full_q, full_v) + 0.5 * qd @ added @ qd,
        "potential energy": pin.computePotentialEnergy(model, data, full_q),
        **_tool(case, tree, full_q, S),
    }
    if slopes:
        found["inverse by q"], found["inverse by qd"] = _slopes(tree, state, rubbing)
        if not case.has_rotors:
            Y = pin.computeJointTorqueRegressor(model, data, full_q, full_v, full_a)
            found["regressor"] = S.T @ Y[6:] @ _by_body(case, tree)
    return found


def _slopes(
    tree: ProjectedTree, state: tuple[np.ndarray, ...], rubbing: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """d tau/d q and d tau/d qd; couplings are linear, so that they only project."""
    full_q, full_v, full_a, S = tree.full_motion(*state)
    pin.computeRNEADerivatives(tree.model, tree.data, full_q, full_v, full_a)
    by_q, by_qd = tree.data.dtau_dq[6:, 6:], tree.data.dtau_dv[6:, 6:]
    return S.T @ by_q @ S, S.T @ by_qd @ S + rubbing


def _velocity(
    tree: ProjectedTree, full_q: np.ndarray, full_v: np.ndarray, full_a: np.ndarray, S: np.ndarray
) -> np.ndarray:
    """C qd by itself, without gravity."""
    gravity = tree.model.gravity.linear.copy()
    tree.model.gravity.linear = np.zeros(3)
    torque = S.T @ pin.rnea(tree.model, tree.data, full_q, full_v, 0 * full_a)[6:]
    tree.model.gravity.linear = gravity
    return torque


def _tool(case: Case, tree: ProjectedTree, full_q: np.ndarray, S: np.ndarray) -> Found:
    """Pose and Jacobian of the tool, from those of the joint that carries it."""
    joint, T_joint_body = tree.frames[case.robot.tool.body]
    place = case.robot.tool.placement
    T_body_tool = pin.SE3(np.array(place.rotation, float), np.array(place.translation, float))
    pin.computeJointJacobians(tree.model, tree.data, full_q)
    T = tree.data.oMi[joint] * T_joint_body * T_body_tool
    J = pin.getJointJacobian(tree.model, tree.data, joint, pin.LOCAL_WORLD_ALIGNED)[:, 6:] @ S
    r = T.translation - tree.data.oMi[joint].translation
    linear = J[:3] + np.cross(J[3:], r, axisa=0, axisb=0, axisc=0)
    return {"pose": T.homogeneous, "jacobian": np.concatenate([linear, J[3:]])}


def _by_body(case: Case, tree: ProjectedTree) -> np.ndarray:
    """Parameters of bodies in their own frames -> those of Pinocchio's joints, all linear."""
    columns = np.zeros((10 * (tree.model.njoints - 1), 10 * len(case.robot.bodies)))
    for k, body in enumerate(case.robot.bodies):
        joint, T = tree.frames[body.name]
        here = slice(10 * (joint - 1), 10 * joint)
        columns[here, 10 * k : 10 * k + 10] = np.stack(
            [_parameters(_seen(_pseudo(unit), T)) for unit in np.eye(10)], axis=1
        )
    return columns


def _pseudo(parameters: np.ndarray) -> np.ndarray:
    """[[S, h], [h^T, m]] from armdyn's m, m c, Ixx, Ixy, Ixz, Iyy, Iyz, Izz."""
    m, hx, hy, hz, xx, xy, xz, yy, yz, zz = parameters
    tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    h = np.array([[hx], [hy], [hz]])
    return np.block([[0.5 * np.trace(tensor) * np.eye(3) - tensor, h], [h.T, np.array([[m]])]])


def _seen(pseudo: np.ndarray, T: Any) -> np.ndarray:
    return T.homogeneous @ pseudo @ T.homogeneous.T


def _parameters(pseudo: np.ndarray) -> np.ndarray:
    """Pinocchio's m, m c, Ixx, Ixy, Iyy, Ixz, Iyz, Izz."""
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = np.trace(pseudo[:3, :3]) * np.eye(3) - pseudo[:3, :3]
    return np.array([pseudo[3, 3], *pseudo[:3, 3], xx, xy, yy, xz, yz, zz])


# From a URDF ----------------------------------------------------------------------------------


def without_rotors(robot: Robot) -> Robot:
    """The robot without drives, what its rotors weigh held by their carriers."""
    riding = tuple(
        Payload(rotor.carrier, rotor.inertia.seen_from(rotor.placement or Transform()))
        for drive in robot.drives
        for rotor, _ in drive.rotors
        if rotor.mass is not None and rotor.carrier not in (None, BASE)
    )
    return replace(robot, drives=(), payloads=(*robot.payloads, *riding))


def by_urdf(case: Case, tau: np.ndarray | None = None) -> Found:
    """What Pinocchio reads from our file; of robots in which nothing follows, by its own algorithms."""
    text, _ = write_urdf(without_rotors(case.robot))
    tree = PinocchioTree(text, case.robot.joint_names)
    tree.model.gravity.linear = np.array(case.robot.gravity, float)
    added, rubbing = rounded(spin_inertia(case)), damping(case)
    rows = []
    for k, (q, qd, qdd) in enumerate(case.states):
        found = tree.dynamics(q, qd, qdd)
        row = {
            "inverse": found["torque"] + added @ qdd + rubbing @ qd,
            "mass matrix": found["mass matrix"] + added,
            "bias": found["bias"],
            "gravity": found["gravity"],
            "kinetic energy": found["kinetic energy"][0] + 0.5 * qd @ added @ qd,
        }
        if tau is not None and not added.any():
            row |= _accelerations(tree, case, q, qd, tau[k] - rubbing @ qd, rubbing)
        rows.append(row)
    return stacked(rows)


def _accelerations(
    tree: PinocchioTree, case: Case, q: np.ndarray, qd: np.ndarray, tau: np.ndarray, rubbing: np.ndarray
) -> Found:
    """By articulated bodies, with derivatives; only where every joint is its own."""
    K = tree.K
    if K.shape[0] != K.shape[1] or case.is_coupled:
        return {}
    configuration, v = tree.configuration(q), K @ qd
    qdd = pin.aba(tree.model, tree.data, configuration, v, K @ tau)
    pin.computeABADerivatives(tree.model, tree.data, configuration, v, K @ tau)
    data = tree.data
    by_tau = K.T @ data.Minv @ K
    return {
        "forward": K.T @ qdd,
        "forward by q": K.T @ data.ddq_dq @ K,
        "forward by qd": K.T @ data.ddq_dv @ K - by_tau @ rubbing,
        "forward by tau": by_tau,
    }
