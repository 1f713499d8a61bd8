"""MuJoCo: single calls on a model of links alone, everything that is no rigid-body dynamics switched off.

What is timed is in its favour: the state is already in its `data`, and the results stay there. Torques,
mass matrix and bias come from the shortest sequence of its functions that gives them (`mj_inverse` does
more); accelerations from `mj_forward`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np

from armdyn.mechanics.tree import tree
from armdyn.mechanics.tree.links import Link, Tree
from armdyn.scalars import Array
from armdyn.spatial import Inertia, Vec3
from armdyn.studies.speed.peers.peer import Model, Peer, imported
from armdyn.studies.speed.robots import State, Subject
from armdyn.studies.speed.timing import Call

_JOINTS = {"revolute": "hinge", "prismatic": "slide"}


def _prepared(subject: Subject) -> Model:
    mujoco, model = imported("mujoco"), _model(tree(subject.robot, "none"))
    n = model.nv

    def data(**state: Array) -> Any:
        filled = mujoco.MjData(model)
        for name, value in state.items():
            getattr(filled, name)[:] = value
        return filled

    def torques(accelerated: int, **state: Array) -> Call:
        there, result = data(**state), np.zeros(n)

        def run() -> None:
            mujoco.mj_kinematics(model, there)
            mujoco.mj_comPos(model, there)
            mujoco.mj_comVel(model, there)
            mujoco.mj_rne(model, there, accelerated, result)

        functions = "mj_kinematics, mj_comPos, mj_comVel, mj_rne"
        return Call(functions, SimpleNamespace(run=run), "run", read=lambda: result)

    def mass_matrix(q: Array) -> Call:
        there, result = data(qpos=q), np.zeros((n, n))

        def run() -> None:
            mujoco.mj_kinematics(model, there)
            mujoco.mj_comPos(model, there)
            mujoco.mj_crb(model, there)
            mujoco.mj_fullM(model, there, result)

        functions = "mj_kinematics, mj_comPos, mj_crb, mj_fullM"
        return Call(functions, SimpleNamespace(run=run), "run", read=lambda: result)

    def forward(state: State) -> Call:
        there = data(qpos=state.q, qvel=state.qd, qfrc_applied=state.tau)
        return Call("mj_forward", mujoco, "mj_forward", (model, there), read=lambda: there.qacc)

    def call(quantity: str, state: State, _threads: int) -> Call | None:
        match quantity if state.single else None:
            case "inverse":
                return torques(1, qpos=state.q, qvel=state.qd, qacc=state.qdd)
            case "bias":
                return torques(0, qpos=state.q, qvel=state.qd)
            case "mass_matrix":
                return mass_matrix(state.q)
            case "forward":
                return forward(state)
            case _:
                return None

    return call


def _model(built: Tree) -> Any:
    """The links with their inertias; constraints, actuators, sensors and passive forces switched off.

    Masses are set afterwards: the compiler refuses those of a link that turns about one axis only.
    """
    mujoco, inertias = imported("mujoco"), [_Principal.of(link) for link in built.links]
    model = mujoco.MjModel.from_xml_string(_description(built, inertias))
    for k, inertia in enumerate(inertias, start=1):
        model.body_mass[k], model.body_inertia[k] = inertia.mass, inertia.moments
    for name in ("CONSTRAINT", "ACTUATION", "SENSOR", "SPRING", "DAMPER"):
        model.opt.disableflags |= getattr(mujoco.mjtDisableBit, f"mjDSBL_{name}")
    mujoco.mj_setConst(model, mujoco.MjData(model))
    return model


@dataclass(frozen=True)
class _Principal:
    """A link's inertia about its principal axes."""

    mass: float
    com: Vec3
    moments: Array
    axes: Array

    @classmethod
    def of(cls, link: Link) -> _Principal:
        body = link.inertia
        inertia = Inertia.from_moments(body.mass, body.first, body.second)
        moments, axes = np.linalg.eigh(np.array(inertia.tensor, float))
        axes[:, 2] *= np.linalg.det(axes)  # right-handed
        return cls(inertia.mass, inertia.com, moments, axes)


def _description(built: Tree, inertias: Sequence[_Principal]) -> str:
    """The links as MJCF, each of mass and moments one."""
    root = ET.Element("mujoco")
    ET.SubElement(root, "compiler", angle="radian")
    ET.SubElement(root, "option", gravity=_text(built.gravity))
    elements = [ET.SubElement(root, "worldbody")]
    for link, inertia in zip(built.links, inertias, strict=True):
        placed = {"pos": _text(link.position), "xyaxes": _first_two(np.array(link.rotation, float))}
        body = ET.SubElement(elements[link.parent + 1], "body", placed)
        kind, zero = _JOINTS[link.kind], repr(-float(link.coordinate.offset))  # it moves by q - ref
        ET.SubElement(body, "joint", type=kind, axis="0 0 1", ref=zero)
        centred = {"pos": _text(inertia.com), "xyaxes": _first_two(inertia.axes)}
        ET.SubElement(body, "inertial", centred, mass="1", diaginertia="1 1 1")
        elements.append(body)
    return ET.tostring(root, encoding="unicode")


def _first_two(axes: Array) -> str:
    return _text([*axes[:, 0], *axes[:, 1]])


def _text(values: Any) -> str:
    return " ".join(repr(float(x)) for x in values)


PEER = Peer("mujoco", "mujoco", "mujoco", _prepared)
