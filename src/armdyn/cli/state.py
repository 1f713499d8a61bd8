"""One state of a robot as a JSON document, and as tables for people."""

from __future__ import annotations

from typing import Any

import numpy as np

from armdyn.cli.drive_state import can_give, friction_state, motor_state, print_friction, print_motors
from armdyn.cli.motor_models import print_comparison, print_drive_forms
from armdyn.cli.output import print_line, print_table
from armdyn.dynamics import Dynamics
from armdyn.errors import InputError
from armdyn.mechanics.methods import Quantity
from armdyn.robot import Robot
from armdyn.robot.limit_notes import above, joint_limit_notes

_STATE = {
    "q": "q [rad, m]",
    "qd": "qd [../s]",
    "qdd": "qdd [../s2]",
    "tau": "tau [N m, N]",
    "acceleration": "acceleration [../s2]",
    "bias": "bias [N m, N]",
}
"""What describes a joint's state, and its column."""


_COMPUTED = (
    "mass_matrix",
    "coriolis_matrix",
    "gravity",
    "bias",
    "kinetic_energy",
    "potential_energy",
    "pose",
    "torque",
)
"""What is a number for every state that is not too large to be computed with."""


def _check_finite(document: dict[str, Any]) -> None:
    """Refuse a state whose forces or energies are beyond the numbers that there are."""
    for name in _COMPUTED:
        if name in document and not np.isfinite(np.asarray(document[name], dtype=float)).all():
            raise InputError(
                f"{name.replace('_', ' ')} is beyond the largest number, 1.8e308; "
                "expected smaller positions, velocities, accelerations, gravity or wrench"
            )


_GIVEN: dict[Quantity, str] = {
    "inverse": "torques",
    "mass_matrix": "mass matrix",
    "forward": "accelerations",
}


def at_state(
    dyn: Dynamics,
    q: list[float],
    qd: list[float],
    qdd: list[float] | None = None,
    tau: list[float] | None = None,
    wrench: list[float] | None = None,
    at: list[float] | None = None,
) -> dict[str, Any]:
    """Everything about one state, as a JSON document."""
    document: dict[str, Any] = {
        "robot": dyn.robot.name,
        "motors": dyn.motors,
        "friction": "on" if dyn.friction else "off",
        "method": dyn.method,
        "methods": {given: dyn.method_of(given) for given in _given(tau)},
        "q": q,
        "qd": qd,
        "wrench": wrench,
        "at": at,
        "mass_matrix": dyn.mass_matrix(q),
        "coriolis_matrix": dyn.coriolis_matrix(q, qd),
        "gravity": dyn.gravity(q),
        "bias": dyn.bias(q, qd, wrench, at=at),
        "kinetic_energy": float(dyn.kinetic_energy(q, qd)),
        "potential_energy": float(dyn.potential_energy(q)),
        "pose": dyn.pose(q),
        "notes": _notes(dyn),
    }
    torque: Any = tau
    if qdd is not None:
        terms = dyn.terms(q, qd, qdd, wrench, at=at)
        torque = sum(terms.values())
        reactions = dyn.reactions(q, qd, qdd, wrench, at=at)
        document |= {
            "qdd": qdd,
            "torque": torque,
            "terms": terms,
            "reactions": [
                {"body": body, "force": row[:3], "moment": row[3:]}
                for body, row in zip(dyn.robot.body_names, reactions, strict=True)
            ],
        }
    motion, outside = qdd, {"wrench": wrench, "at": at}
    if tau is not None:
        motion = dyn.forward(q, qd, tau, wrench, at=at)
        document |= {"tau": tau, "acceleration": motion}
        if not np.isfinite(motion).all():
            document["notes"].append(
                "no acceleration was found: the mass matrix is singular, or friction jams"
            )
    _check_finite(document)
    document |= friction_state(dyn, q, qd, motion, tau, **outside)
    if dyn.robot.drives:
        document["motor"] = motor_state(dyn, q, qd, motion, torque, document["notes"], **outside)
    document["notes"] += limit_notes(dyn.robot, q, qd, torque, document.get("motor"))
    return document


def _given(tau: Any) -> list[Quantity]:
    """What the document has that a formulation gives; the bias of every state is a torque, too."""
    return ["inverse", "mass_matrix"] if tau is None else ["inverse", "mass_matrix", "forward"]


def _notes(dyn: Dynamics) -> list[str]:
    robot = dyn.robot
    if dyn.friction or not any(part.friction for part in (*robot.joints, *robot.drives)):
        return []
    return ["the robot has friction, which is off here; --friction on includes it"]


def limit_notes(
    robot: Robot, q: list[float], qd: list[float], torque: Any = None, motor: dict[str, Any] | None = None
) -> list[str]:
    """What lies outside the limits of joints and motors."""
    notes = joint_limit_notes(robot, q, qd, torque)
    for k, drive in enumerate(robot.drives if motor is not None else ()):
        assert motor is not None
        subject = f'motor {k + 1} ("{drive.name}")'
        notes += above(f"{subject}: speed", float(motor["velocity"][k]), drive.motor.maximum_speed, "rad/s")
        share = None if motor["torque_shares"] is None else motor["torque_shares"][k]
        if share is not None and share > 1:
            can = can_give(motor["torque_limits"][k])
            notes.append(f"{subject}: torque {motor['torque'][k]:g} N m, {can}")
    return notes


# For people -----------------------------------------------------------------------------------


def print_state(robot: Robot, document: dict[str, Any]) -> None:
    """Print the state as tables."""
    print_line(f"{document['robot']}: motors {document['motors']}, friction {document['friction']}")
    print_line(", ".join(f"{_GIVEN[given]} by {name}" for given, name in document["methods"].items()))
    _print_joints(robot, document)
    _print_square("mass matrix [kg m2, kg m, kg]", robot, document["mass_matrix"])
    if np.any(document["coriolis_matrix"]):
        _print_square("Coriolis matrix", robot, document["coriolis_matrix"])
    print_table(
        "T_base_tool",
        ("x axis", "y axis", "z axis", "position [m]"),
        [list(row) for row in document["pose"][:3]],
    )
    if "motor" in document:
        print_motors(robot, document["motor"])
    if document["friction_points"]:
        print_friction(document["friction_points"])
    if "reactions" in document:
        print_table(
            "forces on each body from its parent, in body axes",
            ("body", "force [N]", "moment [N m]"),
            [(r["body"], r["force"], r["moment"]) for r in document["reactions"]],
        )
    if "comparison" in document:
        print_comparison(robot, document["comparison"])
    if "drive_forms" in document:
        print_drive_forms(robot, document["drive_forms"])
    if "formulations" in document:
        _print_formulations(document["formulations"])
    print_line(
        f"kinetic energy {document['kinetic_energy']:.6g} J, "
        f"potential energy {document['potential_energy']:.6g} J"
    )
    for note in document["notes"]:
        print_line(f"note: {note}")


def _print_joints(robot: Robot, document: dict[str, Any]) -> None:
    state = {column: document[name] for name, column in _STATE.items() if name in document}
    names = {"": range(1, robot.n + 1), "joint": robot.joint_names}
    print_table("joints", [*names, *state], zip(*names.values(), *state.values(), strict=True))
    terms = {"gravity": document["gravity"]}
    if "terms" in document:
        terms = {**document["terms"], "torque": document["torque"]}
    print_table("torques [N m, N]", [*names, *terms], zip(*names.values(), *terms.values(), strict=True))


def _print_square(title: str, robot: Robot, matrix: Any) -> None:
    rows = [(name, *row) for name, row in zip(robot.joint_names, matrix, strict=True)]
    print_table(title, ("", *robot.joint_names), rows)


def _print_formulations(formulations: list[dict[str, Any]]) -> None:
    """How far each is from Newton-Euler and composite bodies, and from the accelerations it started from."""
    terms = ("torque", "mass_matrix", "acceleration")
    rows = [(f["method"], *(f["difference"].get(term) for term in terms)) for f in formulations]
    columns = ("formulation", "torques [N m, N]", "mass matrix", "accelerations [../s2]")
    print_table("largest difference of each formulation, without friction", columns, rows)
