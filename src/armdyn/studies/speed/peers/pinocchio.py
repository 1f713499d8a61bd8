"""Pinocchio: the robot as a URDF; single calls, and batches of torques and accelerations on several threads.

Single calls keep their results in a `data` made beforehand; batches fill an array made beforehand.
"""

from __future__ import annotations

import os

import numpy as np

from armdyn.formats.urdf import write_urdf
from armdyn.scalars import Array
from armdyn.studies.speed.peers.peer import Model, Peer, imported
from armdyn.studies.speed.robots import State, Subject, without_friction
from armdyn.studies.speed.timing import Call

_MOTION, _TORQUE = ("q", "qd", "qdd"), ("q", "qd", "tau")
_SINGLE = {
    "inverse": ("rnea", _MOTION),
    "forward": ("aba", _TORQUE),
    "mass_matrix": ("crba", ("q",)),
    "bias": ("nonLinearEffects", ("q", "qd")),
    "gravity": ("computeGeneralizedGravity", ("q",)),
    "inverse_derivatives": ("computeRNEADerivatives", _MOTION),
    "forward_derivatives": ("computeABADerivatives", _TORQUE),
}
_BATCH = {"inverse": ("rneaInParallel", _MOTION), "forward": ("abaInParallel", _TORQUE)}


def _prepared(subject: Subject) -> Model:
    # OpenMP's threads would else keep their cores busy while others are measured
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    pin = imported("pinocchio")
    text, _ = write_urdf(without_friction(subject.robot), rotors=False)
    model = pin.buildModelFromXML(text)
    model.gravity.linear = np.array(subject.robot.gravity, float)

    def call(quantity: str, state: State, threads: int) -> Call | None:
        known = _SINGLE if state.single else _BATCH
        if quantity not in known:
            return None
        name, names = known[quantity]
        inputs = state.inputs(names)
        if state.single:
            return Call(f"pin.{name}", pin, name, (model, model.createData(), *inputs))
        result = _columns(np.empty_like(state.q))
        arguments = (threads, pin.ModelPool(model, threads), *map(_columns, inputs), result)
        return Call(f"pin.{name}", pin, name, arguments, read=lambda: result.T)

    return call


def _columns(x: Array) -> Array:
    """A column for each state, as Pinocchio wants them."""
    return np.asfortranarray(x.T)


PEER = Peer("pinocchio", "pinocchio", "pin", _prepared)
