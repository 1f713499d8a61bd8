"""Limits of joints and motors as lines, and what motors can give as outlines."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from armdyn.feasibility.actuators import Actuators
from armdyn.mechanics.motor_limits import no_load_speed, speed_limit, torque_limits
from armdyn.robot import Motor, Robot
from armdyn.studio.messages.run import Envelope, Limits

STEPS = 48
"""Points of an outline from one end of the speeds to the other."""


def limits(robot: Robot, actuators: Actuators | None) -> Limits:
    """What joints and motors must stay within."""
    of_joints = [joint.limits for joint in robot.joints]
    motors = () if actuators is None or not actuators.geared else actuators.motors
    return Limits(
        position=[None if each.position is None else list(each.position) for each in of_joints],
        velocity=[each.velocity or None for each in of_joints],
        acceleration=[each.acceleration or None for each in of_joints],
        effort=[each.effort or None for each in of_joints],
        motor_torque=[_finite(torque_limits(motor, 0.0)[1]) for motor in motors],
        motor_speed=[_finite(speed_limit(motor)) for motor in motors],
    )


def _finite(x: Any) -> float | None:
    return float(x) if math.isfinite(x) else None


def envelopes(actuators: Actuators | None, fastest: Any) -> list[Envelope]:
    """Outlines of torque over speed; `fastest` (motors) is what is drawn where no speed limit is known."""
    if actuators is None:
        return []
    found = zip(actuators.names, actuators.motors, actuators.joints, fastest, strict=True)
    return [
        Envelope(motor=name, joint=joint, points=_outline(motor, 1.1 * float(w) or 1.0))
        for name, motor, joint, w in found
    ]


def _outline(motor: Motor, fastest: float) -> list[list[float]]:
    """Upper limit from left to right, lower limit back."""
    most = min(speed_limit(motor), 1.3 * no_load_speed(motor))
    w = np.linspace(-1.0, 1.0, STEPS + 1) * (most if math.isfinite(most) else fastest)
    lower, upper = torque_limits(motor, w)
    possible = np.isfinite(lower) & np.isfinite(upper) & (lower <= upper)
    above = np.stack([w, upper], axis=1)[possible]
    below = np.stack([w, lower], axis=1)[possible][::-1]
    return np.concatenate([above, below]).tolist()
