"""What MuJoCo says of a case, of a model written here in its own language.

Every joint is free, and MuJoCo's answers are projected onto q by theta = K q + offset: its own couplings of
joints are springs, right only in the limit. What it states exactly it is told: joint armature for reflected
rotors, the armature of tendons for coupled ones along a branch (between branches its mass matrix has no room
for it), damping.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np

from armdyn.robot import BASE, Body, Coupling
from armdyn.spatial import Inertia, Transform
from engines.cases import Case
from engines.pinocchio_engine import Found, stacked
from engines.reference import rounded, spin_inertia

mujoco: Any = import_module("mujoco")  # its type information knows none of its names


class RefusedError(Exception):
    """MuJoCo does not take such a model."""


def by_mujoco(case: Case, tau: np.ndarray | None = None) -> Found:
    """The quantities that MuJoCo has; RefusedError for bodies that are too light for it."""
    text = mjcf(case)
    try:
        model = mujoco.MjModel.from_xml_string(text)
    except ValueError as error:
        raise RefusedError(str(error)) from error
    K, offset = _coordinates(case, model)
    return stacked(
        [
            _of_state(case, model, K, offset, *state, None if tau is None else tau[k])
            for k, state in enumerate(case.states)
        ]
    )


# The model ------------------------------------------------------------------------------------


def mjcf(case: Case) -> str:
    """The robot as MuJoCo's XML."""
    root = ET.Element("mujoco")
    ET.SubElement(root, "compiler", angle="radian", boundmass="0", boundinertia="0", balanceinertia="false")
    option = ET.SubElement(root, "option", gravity=_text(case.robot.gravity))
    ET.SubElement(option, "flag", contact="disable", constraint="disable")
    world = ET.SubElement(root, "worldbody")
    places = {BASE: world}
    for body in case.robot.bodies:
        places[body.name] = _add_body(case, body, places[body.parent])
    tool = case.robot.tool
    ET.SubElement(places[tool.body], "site", _place(tool.placement), name="tool")
    for k, payload in enumerate(case.robot.payloads):
        _add_inertia(ET.SubElement(places[payload.body], "body", name=f"payload{k}"), payload.inertia)
    if case.has_rotors:
        _add_rotors(case, root, places)
    return ET.tostring(root, encoding="unicode")


def _text(numbers: Any) -> str:
    return " ".join(repr(float(x)) for x in np.ravel(numbers))


def _place(T: Transform) -> dict[str, str]:
    """Position, and the x and y axes."""
    R = np.array(T.rotation, float)
    return {"pos": _text(T.translation), "xyaxes": _text([*R[:, 0], *R[:, 1]])}


def _add_inertia(element: ET.Element, inertia: Inertia) -> None:
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = inertia.tensor
    full = (xx, yy, zz, xy, xz, yz)
    ET.SubElement(
        element, "inertial", pos=_text(inertia.com), mass=_text(inertia.mass), fullinertia=_text(full)
    )


def _add_body(case: Case, body: Body, parent: ET.Element) -> ET.Element:
    """One body in the joint's frame; its own frame is one more inside."""
    joint = body.joint
    moving = ET.SubElement(parent, "body", _place(joint.placement), name=f"{body.name} at its joint")
    if joint.kind != "fixed":
        kind = {"revolute": "hinge", "prismatic": "slide"}[joint.kind]
        armature = _armature(case, joint.name)
        ET.SubElement(
            moving,
            "joint",
            name=joint.name,
            type=kind,
            axis=_text(joint.axis),
            damping=_text(joint.friction.viscous),
            armature=_text(armature),
        )
    _add_inertia(moving, body.inertia.seen_from(joint.frame))
    return ET.SubElement(moving, "body", _place(joint.frame), name=body.name)


def _armature(case: Case, joint: str) -> float:
    if case.motors != "reflected":
        return 0.0
    rows = ((dict(d.coupling.weights).get(joint, 0.0), d) for d in case.robot.drives if d.joint == joint)
    return sum(k**2 * rotor.axial for k, drive in rows for rotor, _ in drive.rotors)


def _add_rotors(case: Case, root: ET.Element, places: dict[str, ET.Element]) -> None:
    tendons = ET.SubElement(root, "tendon")
    for drive in case.robot.drives:
        rotor = drive.rotor
        assert rotor is not None
        assert rotor.carrier is not None
        assert rotor.placement is not None
        riding = ET.SubElement(places[rotor.carrier], "body", _place(rotor.placement), name=drive.name)
        if case.motors == "exact" and drive.coupling.weights:
            ET.SubElement(riding, "joint", name=drive.name, type="hinge", axis="0 0 1")
        _add_inertia(riding, rotor.inertia)
        if case.motors == "coupled" and drive.coupling.weights and _is_told(case):
            tendon = ET.SubElement(tendons, "fixed", name=drive.name, armature=_text(rotor.axial))
            for name, weight in drive.coupling.weights:
                ET.SubElement(tendon, "joint", joint=name, coef=_text(weight))


def _is_told(case: Case) -> bool:
    """Whether the model itself says what rotors add to H: each turns with joints of one branch only."""
    above = {body.joint.name: _path(case, body) for body in case.robot.bodies}
    paths = ([above[name] for name, _ in drive.coupling.weights] for drive in case.robot.drives)
    return case.motors != "coupled" or all(a <= b or b <= a for some in paths for a in some for b in some)


def _path(case: Case, body: Body) -> frozenset[str]:
    """The bodies from the base to this one."""
    bodies = {body.name: body for body in case.robot.bodies}
    return frozenset({body.name}) | (
        _path(case, bodies[body.parent]) if body.parent in bodies else frozenset()
    )


def _coordinates(case: Case, model: Any) -> tuple[np.ndarray, np.ndarray]:
    """theta = K q + offset, in MuJoCo's order."""
    K, offset = np.zeros((model.nv, case.robot.n)), np.zeros(model.nv)
    followed = {
        b.joint.name: (b.joint.coupling or Coupling(((b.joint.name, 1.0),)), b.joint.offset)
        for b in case.robot.bodies
    }
    followed |= {drive.name: (drive.coupling, 0.0) for drive in case.robot.drives}
    for k in range(model.njnt):
        coupling, constant = followed[model.joint(k).name]
        offset[k] = coupling.offset + constant
        for name, weight in coupling.weights:
            K[k, case.robot.positions[name]] += weight
    return K, offset


# Its answers ----------------------------------------------------------------------------------


def _of_state(
    case: Case, model: Any, K: np.ndarray, offset: np.ndarray, q: Any, qd: Any, qdd: Any, tau: Any
) -> Found:
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:], data.qacc[:] = K @ q + offset, K @ qd, K @ qdd
    mujoco.mj_inverse(model, data)
    H = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, H)
    untold = np.zeros((len(q), len(q))) if _is_told(case) else rounded(spin_inertia(case))
    H = K.T @ H @ K + untold
    bias, passive = K.T @ data.qfrc_bias, K.T @ data.qfrc_passive
    torque = K.T @ data.qfrc_inverse + untold @ qdd
    mujoco.mj_energyPos(model, data)
    mujoco.mj_energyVel(model, data)
    Jv, Jw = np.zeros((3, model.nv)), np.zeros((3, model.nv))
    mujoco.mj_jacSite(model, data, Jv, Jw, 0)
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = data.site_xmat[0].reshape(3, 3), data.site_xpos[0]
    found = {
        "inverse": torque,
        "mass matrix": H,
        "bias": bias,
        "kinetic energy": data.energy[1] + 0.5 * qd @ untold @ qd,
        "potential energy": data.energy[0],
        "pose": T,
        "jacobian": np.concatenate([Jv, Jw]) @ K,
    }
    if tau is not None:
        square = K.shape[0] == K.shape[1] and not case.is_coupled and not untold.any()
        found["forward"] = (
            _accelerated(model, data, K, tau) if square else np.linalg.solve(H, tau - bias + passive)
        )
    return found


def _accelerated(model: Any, data: Any, K: np.ndarray, tau: np.ndarray) -> np.ndarray:
    data.qfrc_applied[:] = K @ tau
    mujoco.mj_forward(model, data)
    return K.T @ data.qacc
