"""Any frame of the robot: its twist, acceleration and Jacobians, in base axes.

A frame is (link, T_link_frame): the tool, a body's own frame, or any point of a body.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from armdyn.mechanics.kinematics import (
    accelerations,
    angular_velocities,
    linear_velocities,
    pose_of,
    poses,
    unit_motion,
)
from armdyn.mechanics.placed import placed
from armdyn.mechanics.tree.links import Tree
from armdyn.scalars import reciprocal, sqrt
from armdyn.spatial import Acceleration, Transform, Twist
from armdyn.spatial.vector import ZERO, Mat3, add, times

Frame = tuple[int, Transform]


def twist_of(tree: Tree, q: Sequence[Any], qd: Sequence[Any], frame: Frame) -> Twist:
    """The twist of a frame (link, T_link_frame) at its origin, in base axes."""
    link, T_link_frame = frame
    links = placed(tree, q, qd)
    if link < 0:
        base = tree.base
        return Twist(base.velocity, base.angular_velocity).at(T_link_frame.translation)
    omega = angular_velocities(tree, links)
    v = linear_velocities(tree, links, omega)
    R, point = poses(links)[link].rotation, links[link].frame(T_link_frame).translation
    return Twist(v[link], omega[link]).at(point).seen_from(R)


def acceleration_of(
    tree: Tree,
    q: Sequence[Any],
    qd: Sequence[Any],
    qdd: Sequence[Any],
    frame: Frame,
) -> Acceleration:
    """The acceleration of a frame's origin and its angular acceleration, in base axes.

    With qdd = 0 this is Jdot qd.
    """
    link, T_link_frame = frame
    base = tree.base
    if link < 0:
        still = Acceleration(base.acceleration, base.angular_acceleration)
        return still.at(T_link_frame.translation, base.angular_velocity)
    links = placed(tree, q, qd, qdd)
    a = accelerations(tree, links, angular_velocities(tree, links), ZERO)[link]
    R, point = poses(links)[link].rotation, links[link].frame(T_link_frame).translation
    return Acceleration(add(a.linear, times(a.spread, point)), a.angular).seen_from(R)


def jacobian(tree: Tree, q: Sequence[Any], frame: Frame) -> list[list[Any]]:
    """The geometric Jacobian (6 x n) of a frame at its origin, in base axes, linear part first.

    Its columns are the unit motions of the joints, times d theta/d q.
    """
    links = placed(tree, q)
    T_base = poses(links)
    point = pose_of(tree, links, frame).translation
    columns: list[list[Any]] = [[0] * 6 for _ in range(tree.n)]
    link = frame[0]
    while link >= 0:
        here = links[link]
        linear, angular = unit_motion(here, T_base[link], point)
        unit = (*linear, *angular)
        for j, slope in here.coordinate.gradient:
            columns[j] = [old + slope * x for old, x in zip(columns[j], unit, strict=True)]
        link = here.link.parent
    return [list(row) for row in zip(*columns, strict=True)]


def analytical_jacobian(tree: Tree, q: Sequence[Any], frame: Frame, angles: str = "zyx") -> list[list[Any]]:
    """The Jacobian (6 x n) to position and Euler angles "zyx" or "zyz", in the order of their names.

    J_A = diag(1, T(phi)^-1) J; not defined where the angles are not (pitch of 90 degrees, or 0 for "zyz").
    """
    J = jacobian(tree, q, frame)
    R = pose_of(tree, placed(tree, q), frame).rotation
    rates = angle_rates(R, angles)
    turning = [
        [sum((rates[i][k] * J[3 + k][j] for k in range(3)), 0) for j in range(tree.n)] for i in range(3)
    ]
    return [*J[:3], *turning]


def angle_rates(R: Mat3, angles: str) -> Mat3:
    """T^-1 of omega = T phidot, from the rotation itself: no inverse sine or cosine needed."""
    column = 0 if angles == "zyx" else 2  # the axis whose direction the first two angles give
    x, y = R[0][column], R[1][column]
    level = sqrt(x * x + y * y)
    steep = reciprocal(level)
    c, s = x * steep, y * steep
    # zyx: level = cos(pitch), R[2] = -sin(pitch); zyz: level = sin(theta), R[2] = cos(theta)
    slope = -R[2][column] * steep
    return ((c * slope, s * slope, 1), (-s, c, 0), (c * steep, s * steep, 0))
