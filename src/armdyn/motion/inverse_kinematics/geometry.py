"""The axes of an arm in its zero posture, whatever its file gives: all that closed forms need."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from armdyn.dynamics import Dynamics
from armdyn.motion.vectors import cross
from armdyn.robot import BASE, Body, Robot
from armdyn.scalars import Array
from armdyn.spatial import Transform

ALIGNED = 1e-9
"""Axes that differ by less [rad, or in arm lengths] are taken as parallel, or as meeting."""


@dataclass(frozen=True)
class Axes:
    """The joint axes at q = 0, in base axes: T(q) = exp(S1 q1) .. exp(Sn qn) T(0)."""

    directions: Array
    """(n, 3) unit vectors"""
    points: Array
    """(n, 3) a point on each [m]"""
    slides: tuple[bool, ...]
    """Which joints are prismatic"""
    zero: Array
    """(4, 4) T_base_tool at q = 0"""
    reach: float
    """Length of the arm stretched out [m]: no smaller than any distance of the tool from axis 1"""

    def parallel(self, i: int, j: int) -> bool:
        """Whether two axes point the same or the opposite way."""
        return bool(np.linalg.norm(cross(self.directions[i], self.directions[j])) < ALIGNED)

    def meeting(self, *axes: int) -> Array | None:
        """The point that lies on all these axes, if there is just one."""
        a, points = self.directions[list(axes)], self.points[list(axes)]
        across: Array = np.eye(3) - a[:, :, None] * a[:, None, :]
        total: Array = across.sum(axis=0)
        if np.linalg.cond(total) > 1 / ALIGNED:
            return None
        meeting: Array = np.linalg.inv(total) @ np.einsum("aij,aj->i", across, points)
        apart = np.linalg.norm(np.einsum("aij,aj->ai", across, meeting - points), axis=-1)
        return meeting if apart.max() < ALIGNED * self.reach else None

    def in_tool(self, point: Array) -> Array:
        """(3) a point of the last body, given at q = 0 in base axes, in the tool's frame."""
        return self.zero[:3, :3].T @ (point - self.zero[:3, 3])


def axes_of(dynamics: Dynamics) -> Axes:
    """From pose and Jacobian at q = 0: the column of a turning joint is (a x (p_tool - p), a)."""
    robot = dynamics.robot
    zero = dynamics.pose(np.zeros(robot.n))
    J = dynamics.jacobian(np.zeros(robot.n))
    slides = tuple(joint.kind == "prismatic" for joint in robot.joints)
    directions = np.where(np.array(slides), J[:3], J[3:]).T
    directions = np.where(np.abs(directions) < 1e-14, 0.0, directions)
    points = zero[:3, 3] - cross(J[:3].T, directions)
    points[list(slides)] = zero[:3, 3]
    return Axes(directions, points, slides, zero, reach(robot))


def is_chain(robot: Robot) -> bool:
    """Whether every independent joint, and no joint that follows others, moves the tool."""
    bodies = chain(robot)
    follows = any(body.joint.coupling and body.joint.coupling.weights for body in bodies)
    return not follows and sum(body.joint.independent for body in bodies) == robot.n


def chain(robot: Robot) -> list[Body]:
    """The bodies from the base to the tool."""
    by_name = {body.name: body for body in robot.bodies}
    bodies: list[Body] = []
    name = robot.tool.body
    while name != BASE:
        bodies.append(by_name[name])
        name = bodies[-1].parent
    return bodies[::-1]


def reach(robot: Robot) -> float:
    """Length of the arm stretched out [m], from its first joint on; 1 where all its axes meet."""
    lengths, moving = [_length(robot.tool.placement)], False
    for body in chain(robot):
        joint = body.joint
        if moving:
            lengths.append(_length(joint.placement))
        moving = moving or joint.kind != "fixed"
        if moving:
            lengths.append(_length(joint.frame))
        if joint.kind == "prismatic":
            lengths.append(abs(joint.offset) + max(map(abs, joint.limits.position or (0.0,))))
    return sum(lengths) or 1.0


def _length(placement: Transform) -> float:
    translation: Any = placement.translation
    return math.hypot(*translation)
