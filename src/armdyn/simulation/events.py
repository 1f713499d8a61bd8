"""What happens in a run at an instant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from armdyn.dynamics import Dynamics
from armdyn.scalars import Array

EventKind = Literal["sticks", "slips", "reverses", "limit", "within", "grasp", "release"]
"""A friction point comes to rest and is held, starts, or turns round at once; a joint leaves its range, or is
back in it; the hand takes an object or lets it go."""


@dataclass(frozen=True)
class Event:
    """Something that happens at an instant."""

    time: float
    """[s]"""
    joint: int | None
    """Number from 1 of the joint, or of the one that a motor serves; None for the hand"""
    kind: EventKind
    motor: int | None = None
    """Number from 1 of the motor whose shaft it is; None where it is a joint"""

    def document(self) -> dict[str, Any]:
        """As plain data, ready for JSON."""
        return {"time": self.time, "joint": self.joint, "kind": self.kind, "motor": self.motor}


def point_events(dyn: Dynamics, time: float, before: Array, after: Array) -> list[Event]:
    """What changed of the friction points' ways (points) at an instant."""
    found: list[Event] = []
    for k in np.flatnonzero(before != after):
        kind: EventKind = "sticks" if after[k] == 0 else "slips" if before[k] == 0 else "reverses"
        point = dyn.friction_points[k]
        motor = None if point.side == "joint" or point.owner is None else point.owner + 1
        found.append(Event(time, joint_of_point(dyn, int(k)), kind, motor))
    return found


def joint_of_point(dyn: Dynamics, k: int) -> int | None:
    """Number from 1 of the joint that a friction point is, or that its motor serves."""
    point, robot = dyn.friction_points[k], dyn.robot
    if point.owner is None:  # a joint that follows others
        return point.coordinate.weights[0][0] + 1
    if point.side == "joint":
        return point.owner + 1
    served = robot.positions.get(robot.drives[point.owner].joint)
    return point.coordinate.weights[0][0] + 1 if served is None else served + 1


def limit_events(time: float, before: Array, after: Array) -> list[Event]:
    """Joints that left their range, or came back into it; (n) -1 below, 0 within, 1 above."""
    return [
        Event(time, int(j) + 1, "limit" if after[j] else "within") for j in np.flatnonzero(before != after)
    ]


def beyond_limits(dyn: Dynamics, q: Array) -> Array:
    """(..., n) -1 where a joint is below its range, 1 where it is above, else 0."""
    lower, upper = joint_ranges(dyn)
    return np.where(q > upper, 1, np.where(q < lower, -1, 0))


def joint_ranges(dyn: Dynamics) -> tuple[Array, Array]:
    """(n) the least and the largest position of each joint, infinite where there is no limit."""
    ranges = [joint.limits.position or (-np.inf, np.inf) for joint in dyn.robot.joints]
    lower, upper = np.array(ranges).T
    return lower, upper
