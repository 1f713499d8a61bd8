"""How fast the joints of a robot may move: as its file says, or as its motors can, or assumed and said so."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from armdyn.errors import MissingDataError
from armdyn.robot import Drive, Joint, Robot
from armdyn.scalars import Array

RAMP = 0.25
"""[s] In which a joint reaches its full speed, where its acceleration limit is unknown."""


@dataclass(frozen=True, eq=False)
class JointLimits:
    """What point-to-point motions keep to."""

    velocity: Array
    """(n) [rad/s or m/s]"""
    acceleration: Array
    """(n) [rad/s2 or m/s2]"""
    notes: tuple[str, ...]
    """What was derived or assumed"""


@lru_cache(maxsize=32)
def joint_limits(robot: Robot) -> JointLimits:
    """Speed and acceleration of all joints; 0 in a file counts as unknown."""
    given = [joint.limits.velocity or None for joint in robot.joints]
    velocity = np.array([v or _speed_of_drive(robot, j) for v, j in zip(given, robot.joints, strict=True)])
    accelerations = [joint.limits.acceleration or None for joint in robot.joints]
    acceleration = np.array([a or v / RAMP for a, v in zip(accelerations, velocity, strict=True)])
    notes = (
        _about(given, "speed limits of {} are their motors' largest speeds over the gear ratios"),
        _about(
            accelerations, f"acceleration limits of {{}} are unknown; full speed is reached in {RAMP:g} s"
        ),
    )
    return JointLimits(velocity, acceleration, tuple(note for note in notes if note))


def _about(given: list[float | None], sentence: str) -> str:
    """A note about the joints whose limit is not given; nothing if all are."""
    missing = [str(k + 1) for k, limit in enumerate(given) if limit is None]
    joints = "all joints" if len(missing) == len(given) else f"joint{'s' * (len(missing) > 1)} "
    names = "" if len(missing) == len(given) else ", ".join(missing)
    return sentence.format(joints + names) if missing else ""


def speed_of_drive(robot: Robot, joint: Joint) -> float | None:
    """What the motors of a joint can turn it at, as if the other joints stood still; None if unknown."""
    speeds = [speed for drive in robot.drives if (speed := _speed_over_gear(drive, joint.name)) is not None]
    return min(speeds, default=None)


def _speed_of_drive(robot: Robot, joint: Joint) -> float:
    if (speed := speed_of_drive(robot, joint)) is not None:
        return speed
    raise MissingDataError(
        f'robot "{robot.name}", joint "{joint.name}": neither a speed limit nor the largest speed of its '
        "motor is known, point-to-point moves need one; add limits.velocity"
    )


def _speed_over_gear(drive: Drive, joint: str) -> float | None:
    ratio = dict(drive.coupling.weights).get(joint, 0.0)
    if drive.joint != joint or drive.coupling.law is not None or not ratio:
        return None
    return None if drive.motor.maximum_speed is None else drive.motor.maximum_speed / abs(ratio)
