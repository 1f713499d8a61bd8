"""Which limits of the motors a motion exceeds, and when first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from armdyn.mechanics.motor_limits import envelope_share, speed_limit
from armdyn.scalars import Array
from armdyn.studies.motor_use import EDGE, MotorUse

Limited = Literal["torque", "speed", "rms_torque"]


@dataclass(frozen=True)
class ExceededLimit:
    """A limit of one motor that the motion exceeds."""

    motor: str
    quantity: Limited
    """`torque`: outside the torque-speed envelope; `rms_torque`: above the rated torque"""
    time: float | None
    """The first sample beyond the limit [s]; None for a mean over the motion"""
    value: float
    """What is asked for then [N m or rad/s]"""
    limit: tuple[float, float]
    """Between what it must lie then"""
    share: float
    """Of the limit, at the worst"""


def exceeded_limits(use: MotorUse) -> tuple[ExceededLimit, ...]:
    """Every limit that the motion exceeds, motor by motor."""
    return tuple(found for k in range(len(use.motors)) for found in _of_motor(use, k))


def _of_motor(use: MotorUse, k: int) -> Iterator[ExceededLimit]:
    load, torque, speed = use.motors[k], use.torque[:, k], use.velocity[:, k]
    share = envelope_share(load.motor, speed, torque)
    if share is not None and (first := _first_beyond(share)) is not None:
        limits = float(use.lower[first, k]), float(use.upper[first, k])
        worst = float(share.max())
        yield ExceededLimit(load.name, "torque", float(use.time[first]), float(torque[first]), limits, worst)
    fastest = speed_limit(load.motor)
    if load.speed_share is not None and (first := _first_beyond(np.abs(speed) / fastest)) is not None:
        limits = -fastest, fastest
        yield ExceededLimit(
            load.name, "speed", float(use.time[first]), float(speed[first]), limits, load.speed_share
        )
    rated = load.motor.rated_torque
    if rated is not None and load.rms_share is not None and load.rms_share > 1 + EDGE:
        yield ExceededLimit(load.name, "rms_torque", None, load.rms_torque, (0.0, rated), load.rms_share)


def _first_beyond(share: Array) -> int | None:
    beyond = share > 1 + EDGE
    return int(np.argmax(beyond)) if beyond.any() else None
