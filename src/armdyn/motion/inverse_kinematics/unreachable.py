"""Why there is no posture for a pose."""

from __future__ import annotations

import numpy as np

from armdyn.errors import InputError, counted
from armdyn.motion.inverse_kinematics.geometry import axes_of
from armdyn.motion.inverse_kinematics.numerical import Search
from armdyn.robot import Robot
from armdyn.scalars import Array

SEEDS = 24
REACHED = 1e-7
"""In arm lengths: a place that the arm comes to, up to the crawl of Newton steps at its farthest reach."""

NEARLY = 1e-3
"""In arm lengths: so near to a place an arm of few joints is not too short, but has too little freedom."""


class UnreachableError(InputError):
    """No posture of the arm has its tool at this pose, or none within the limits."""


def unreachable(search: Search, robot: Robot, pose: Array) -> UnreachableError:
    """What keeps the arm from a pose: too far, too near, or the orientation."""
    place = pose[:3, 3] + pose[:3, :3] @ np.array(search.point)
    q, missing = search.minimise(search.place_residual(place), search.seeds(SEEDS))
    best = q[int(np.argmin(missing))]
    if missing.min() < REACHED:
        return UnreachableError(_orientation(robot, pose))
    if robot.n < 6 and missing.min() < NEARLY:
        return UnreachableError(
            f'robot "{robot.name}": its {counted(robot.n, "joint")} cannot bring the tool to {_point(pose)} '
            "in this orientation; move there point to point, to joint values"
        )
    T = search.dynamics.pose(best)
    nearest = T[:3, 3] + T[:3, :3] @ np.array(search.point)
    gap = float(np.linalg.norm(place - nearest))
    part = "the tool" if not any(search.point) else "its wrist"
    where = "too far" if _farther(search, place, nearest) else "too near"
    return UnreachableError(
        f'robot "{robot.name}" does not reach {_point(pose)}: it is {where}, '
        f"{part} stops {gap:.4g} m from where it would have to be; move the target or the base"
    )


def _orientation(robot: Robot, pose: Array) -> str:
    few = f"its {counted(robot.n, 'joint')} cannot give" if robot.n < 6 else "no posture gives"
    return (
        f'robot "{robot.name}" reaches {_point(pose)}, but {few} the tool this orientation there; '
        "turn the target"
    )


def _point(pose: Array) -> str:
    x, y, z = pose[:3, 3].tolist()
    return f"({x:.4g}, {y:.4g}, {z:.4g}) m"


def _farther(search: Search, place: Array, nearest: Array) -> bool:
    """Whether a place lies beyond the nearest one reached, seen from the first joint."""
    shoulder = shoulder_of(search)
    return bool(np.linalg.norm(place - shoulder) > np.linalg.norm(nearest - shoulder))


def shoulder_of(search: Search) -> Array:
    """The point of axis 1 beside axis 2: where the arm begins to reach out."""
    axes = axes_of(search.dynamics)
    axis, second = axes.directions[0], axes.points[min(1, len(axes.points) - 1)]
    return axes.points[0] + axis * (axis @ (second - axes.points[0]))


def outside(robot: Robot, q: Array, inside: Array) -> UnreachableError:
    """The nearest posture is outside the limits of a joint."""
    k = int(np.argmin(inside))
    joint = robot.joints[k]
    assert joint.limits.position is not None
    (low, high), unit = joint.limits.position, "rad" if joint.kind == "revolute" else "m"
    return UnreachableError(
        f'robot "{robot.name}": no posture for this pose is inside the limits; the nearest has joint {k + 1} '
        f'("{joint.name}") at {q[k]:.4g} {unit}, outside [{low:.4g}, {high:.4g}]; choose another target'
    )
