"""Motor models: how much of the drives the equations see ("they differ in the spin terms only").

exact      every rotor and gear wheel is a link of its own
augmented  rotors ride on their carriers; their spin is kept, gyroscopic terms included
coupled    rotors ride on their carriers; their spin adds I theta'^T theta' (K^T I K)
reflected  rotors ride; each drive adds k^2 I to its own joint, as other tools do
none       no drives: links and payload only
"""

from __future__ import annotations

from typing import Literal

from armdyn.errors import InputError, MissingDataError
from armdyn.robot import Robot

MotorModel = Literal["exact", "augmented", "coupled", "reflected", "none"]
MOTOR_MODELS: tuple[MotorModel, ...] = ("exact", "augmented", "coupled", "reflected", "none")


def default_motors(robot: Robot) -> MotorModel:
    """The best motor model that the robot's data support."""
    return next(model for model in MOTOR_MODELS if _missing(robot, model) is None)


def check_motors(robot: Robot, motors: str | None) -> MotorModel:
    """The motor model asked for, or the default; raise if the data do not support it."""
    if motors is None:
        return default_motors(robot)
    if motors not in MOTOR_MODELS:
        raise InputError(f'motors "{motors}", expected one of {", ".join(MOTOR_MODELS)}')
    missing = _missing(robot, motors)
    if missing is not None:
        raise MissingDataError(
            f'motors "{motors}" for robot "{robot.name}": {missing}; '
            f'"{default_motors(robot)}" is the best its data support'
        )
    return motors


def _missing(robot: Robot, motors: MotorModel) -> str | None:
    """Which datum the model needs and the robot lacks, or None."""
    if motors == "none":
        return None
    known = [d for d in robot.drives if d.rotors or d.joint_inertia is not None]
    if not known:
        return "no drive gives an inertia"
    if motors == "reflected":
        return None
    for drive in known:
        if not drive.rotors:
            return f'drive "{drive.name}" gives only the inertia felt at its joint, not its rotor'
        if motors in ("exact", "augmented") and not all(rotor.placed for rotor, _ in drive.rotors):
            return f'drive "{drive.name}" does not say where its rotor sits (carrier, placement)'
    return None
