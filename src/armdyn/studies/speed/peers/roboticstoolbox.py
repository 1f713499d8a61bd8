"""Robotics Toolbox for Python: the robot as modified DH rows, its recursion in C behind Python.

Torques of a batch take one call as well. Motors and friction are left out, as for every peer.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from armdyn.errors import InputError
from armdyn.mechanics.tree import tree
from armdyn.mechanics.tree.common_normals import on_common_normals
from armdyn.mechanics.tree.links import Link
from armdyn.spatial import Inertia
from armdyn.studies.speed.peers.peer import Model, Peer, imported
from armdyn.studies.speed.robots import State, Subject
from armdyn.studies.speed.timing import Call

_ROUNDING = 1e-12


_SINGLE = {
    "inverse": ("rne", ("q", "qd", "qdd")),
    "forward": ("accel", ("q", "qd", "tau")),
    "mass_matrix": ("inertia", ("q",)),
    "gravity": ("gravload", ("q",)),
}


def _prepared(subject: Subject) -> Model:
    arm = _model(subject)

    def call(quantity: str, state: State, threads: int) -> Call | None:
        batch = quantity == "inverse" and threads == 1
        if quantity not in _SINGLE or not (state.single or batch):
            return None
        name, names = _SINGLE[quantity]
        return Call(f"DHRobot.{name}", arm, name, state.inputs(names))

    return call


def _model(subject: Subject) -> Any:
    built = on_common_normals(tree(subject.robot, "none"))
    if any(link.parent != k - 1 for k, link in enumerate(built.links)):
        raise InputError(f'robot "{subject.name}" branches, which DH rows cannot say')
    if len(built.links) == 1:
        raise InputError(f'robot "{subject.name}" has one joint, for which its `accel` fails')
    first = built.links[0]
    base = imported("spatialmath").SE3.Rt(np.array(first.rotation), np.array(first.position), check=False)
    rows = [_row(link, {} if k == 0 else _geometry(subject, link)) for k, link in enumerate(built.links)]
    return imported("roboticstoolbox").DHRobot(rows, base=base, gravity=list(built.gravity))


def _geometry(subject: Subject, link: Link) -> dict[str, float]:
    """alpha, a, d and theta of the placement Rx(alpha) Tx(a) Rz(theta) Tz(d)."""
    R, p = np.array(link.rotation, float), np.array(link.position, float)
    alpha, theta = math.atan2(-R[1, 2], R[2, 2]), math.atan2(-R[0, 1], R[0, 0])
    axis = np.array([0.0, -math.sin(alpha), math.cos(alpha)])
    a, d = float(p[0]), float(axis @ p)
    if abs(R[0, 2]) > _ROUNDING or np.abs(p - [a, 0, 0] - d * axis).max() > _ROUNDING:
        raise InputError(
            f'robot "{subject.name}", link "{link.name}": its axis is nearly that of the link before, '
            "which DH rows cannot say well"
        )
    return {"alpha": alpha, "a": a, "d": d, "theta": theta}


def _row(link: Link, geometry: dict[str, float]) -> Any:
    """The link without motor; the variable starts from its offset."""
    toolbox, dh = imported("roboticstoolbox"), {"alpha": 0.0, "a": 0.0, "d": 0.0, "theta": 0.0} | geometry
    turns = link.kind == "revolute"
    start = dh.pop("theta" if turns else "d") + float(link.coordinate.offset)
    inertia = Inertia.from_moments(link.inertia.mass, link.inertia.first, link.inertia.second)
    body = {"m": inertia.mass, "r": np.array(inertia.com, float), "I": np.array(inertia.tensor, float)}
    motor = {"Jm": 0.0, "G": 1.0, "B": 0.0, "Tc": [0.0, 0.0]}
    kind = toolbox.RevoluteMDH if turns else toolbox.PrismaticMDH
    return kind(**dh, offset=start, **body, **motor)


PEER = Peer("roboticstoolbox", "roboticstoolbox", "roboticstoolbox-python", _prepared)
