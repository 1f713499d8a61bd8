"""Formulations side by side: what each gives by its own equations at one state, and how they differ."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from armdyn.dynamics import Dynamics
from armdyn.mechanics.methods import METHODS, MethodName, Quantity, method
from armdyn.mechanics.tree.motors import MotorModel
from armdyn.robot import Robot
from armdyn.scalars import Array

QUANTITIES: dict[Quantity, str] = {
    "inverse": "torque",
    "mass_matrix": "mass_matrix",
    "forward": "acceleration",
}


def compare_formulations(
    robot: Robot, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike, motors: MotorModel | None = None
) -> dict[str, Any]:
    """The torques of a motion, H, and the accelerations back from those torques, by every formulation.

    Args:
        robot: what moves, without friction.
        q: (n) joint positions.
        qd: (n) joint velocities.
        qdd: (n) joint accelerations.
        motors: by default the best that the robot's data support.

    Returns:
        `reference`, and `formulations`: for each `method` what it `gives`, its `torque`, `mass_matrix` and
        `acceleration` as far as it gives them, and their largest `difference` from the reference's.
    """
    reference = Dynamics(robot, motors, friction=False)
    tau = reference.inverse(q, qd, qdd)
    expected = {
        "torque": tau,
        "mass_matrix": reference.mass_matrix(q),
        "acceleration": np.asarray(qdd, float),
    }
    return {
        "reference": {"torque": "newton_euler", "mass_matrix": "composite_body", "acceleration": "qdd"},
        "formulations": [
            _one(Dynamics(robot, motors, False, name), name, q, qd, expected) for name in METHODS
        ],
    }


def _one(
    dyn: Dynamics, name: MethodName, q: ArrayLike, qd: ArrayLike, expected: dict[str, Array]
) -> dict[str, Any]:
    gives = method(name).gives
    compute = {
        "torque": lambda: dyn.inverse(q, qd, expected["acceleration"]),
        "mass_matrix": lambda: dyn.mass_matrix(q),
        "acceleration": lambda: dyn.forward(q, qd, expected["torque"]),
    }
    given = [QUANTITIES[quantity] for quantity in QUANTITIES if quantity in gives]
    found = {term: compute[term]() for term in given}
    difference = {term: float(np.abs(found[term] - expected[term]).max()) for term in given}
    return {"method": name, "gives": given, **found, "difference": difference}
