"""The dynamics of a task, and how its Jacobian changes."""

from __future__ import annotations

from typing import Any

import numpy as np

from armdyn.dynamics.lost_directions import Scale
from armdyn.dynamics.model import Model, Nodes
from armdyn.dynamics.quantities.places import ANGLES, ANY
from armdyn.dynamics.quantities.torques import HEAVIER, OUTSIDE
from armdyn.dynamics.quantity import Quantity, Size
from armdyn.mechanics.operational_space import (
    TaskFrame,
    Torques,
    reach,
    task_dynamics,
    task_motion,
    tightness,
)
from armdyn.mechanics.task import is_linear, task_axes
from armdyn.scalars.derivatives import forward
from armdyn.spatial.vector import ZERO

TOOL = "tool"
"""Axes of the tool's frame, which no body need have."""


def _operational_space(
    model: Model, x: Nodes, task: str | None, frame: str | None, angles: str | None, axes: str | None
) -> list[Any]:
    """The results in the order of RESULTS."""
    built = model.moving(x, model.tree)
    motion = task_motion(built, x["q"], x["qd"], _task(model, x, task, frame, angles, axes))
    torques = _torques(model, x)
    H = model.method.mass_matrix(model.light_at_rest("mass_matrix", x), x["q"])
    found = task_dynamics(H, motion, torques)
    matrices = (motion.jacobian, found.freed, found.mobility, found.inertia, found.inverse)
    scale = task_scale(model, task_axes(task, angles), frame)
    return [
        *(e for matrix in matrices for row in matrix for e in row),
        *motion.velocity,
        *motion.drift,
        *found.coriolis,
        *found.gravity,
        *found.contact,
        *torques.velocity,
        *torques.gravity,
        *torques.contact,
        tightness(found, scale.rows.tolist(), scale.columns.tolist()),
    ]


def _jacobian_rate(
    model: Model, x: Nodes, task: str | None, frame: str | None, angles: str | None, axes: str | None
) -> list[Any]:
    """Jdot, the change of the Jacobian when q moves by qd."""
    still = model.tree.at_rest()
    motion = task_motion(still, x["q"], x["qd"], _task(model, x, task, frame, angles, axes))
    elements = [e for row in motion.jacobian for e in row]
    return forward(elements, list(zip(x["q"], x["qd"], strict=True)))


def _task(
    model: Model, x: Nodes, task: str | None, frame: str | None, angles: str | None, axes: str | None
) -> TaskFrame:
    seen_from = None if axes is None else model.frame(None if axes == TOOL else axes, {})
    return TaskFrame(model.frame(frame, x), task_axes(task, angles), angles, seen_from)


def task_scale(model: Model, names: tuple[str, ...], frame: str | None) -> Scale:
    """What makes a Jacobian a matrix of plain numbers: the arm's reach."""
    length = reach(model.tree, model.frame(frame, {}))
    rows = [1 / length if is_linear(name) else 1.0 for name in names]
    kinds = (joint.kind for joint in model.robot.joints)
    columns = [length if kind == "prismatic" else 1.0 for kind in kinds]
    return Scale(np.array(rows), np.array(columns))


def _torques(model: Model, x: Nodes) -> Torques:
    """What the joints carry without acceleration; a wrench acts at the tool, wherever the task is."""
    built = model.light("inverse", x)
    velocity = model.method.inverse(built, x["q"], x["qd"], None, gravity=ZERO).torque
    contact = model.contact({k: v for k, v in x.items() if k != "at"}, built)
    touching = model.method.inverse(built.at_rest(), x["q"], None, None, gravity=ZERO, contact=contact).torque
    return Torques(velocity, model.torques(x, None, None), touching)


TASK: tuple[Size, ...] = ("task",)
RESULTS: dict[str, tuple[Size, ...]] = {
    "jacobian": ("task", "n"),
    "freed": ("n", "task"),
    "mobility": ("task", "task"),
    "inertia": ("task", "task"),
    "inverse": ("n", "task"),
    "velocity": TASK,
    "drift": TASK,
    "coriolis": TASK,
    "gravity": TASK,
    "contact": TASK,
    "velocity_torque": ("n",),
    "gravity_torque": ("n",),
    "contact_torque": ("n",),
    "tightness": (),
}
OPTIONS: dict[str, tuple[str | None, ...]] = {"task": ANY, "frame": ANY, "angles": ANGLES, "axes": ANY}

QUANTITIES = {
    "operational_space": Quantity(
        ("q", "qd"),
        tuple(RESULTS.values()),
        _operational_space,
        (*OUTSIDE, *HEAVIER),
        OPTIONS,
        bare=False,
    ),
    "task_jacobian_rate": Quantity(
        ("q", "qd"), (("task", "n"),), _jacobian_rate, ("at",), OPTIONS, bare=False
    ),
}
