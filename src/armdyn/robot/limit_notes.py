"""What lies outside the limits of joints, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from armdyn.robot.robot import Robot


def joint_limit_notes(robot: Robot, q: Sequence[float], qd: Sequence[float], torque: Any = None) -> list[str]:
    """Positions, velocities and, where they are given, torques (n) that a joint does not allow."""
    notes: list[str] = []
    for k, (joint, position, velocity) in enumerate(zip(robot.joints, q, qd, strict=True), start=1):
        unit, effort = ("rad", "N m") if joint.kind == "revolute" else ("m", "N")
        subject, limits = f'joint {k} ("{joint.name}")', joint.limits
        if limits.position is not None and not limits.position[0] <= position <= limits.position[1]:
            lower, upper = limits.position
            notes.append(f"{subject}: position {position:g} {unit} is outside [{lower:g}, {upper:g}]")
        notes += above(f"{subject}: velocity", velocity, limits.velocity, f"{unit}/s")
        if torque is not None:
            notes += above(f"{subject}: torque", float(torque[k - 1]), limits.effort, effort)
    return notes


def above(subject: str, value: float, limit: float | None, unit: str) -> list[str]:
    """A note where a magnitude is above its limit; a limit of 0 counts as unknown."""
    if not limit or abs(value) <= limit:
        return []
    return [f"{subject} {value:g} {unit} is above {limit:g}"]
