"""What accelerates a body, with its inertia in the form that forces are linear in."""

from __future__ import annotations

from armdyn.mechanics.kinematics import LinkAcceleration
from armdyn.spatial import Moments, Wrench
from armdyn.spatial.vector import add, cross, scale, times


def inertial_wrench(body: Moments, motion: LinkAcceleration) -> Wrench:
    """Force and moment that accelerate a body, about the origin of its axes.

    F = m a_C = m a + U h                                                   (7.112)
    N = h x a + vee(U S - (U S)^T), the moment I alpha + omega x I omega    (7.113)
    """
    a, u, h, s = motion.linear, motion.spread, body.first, body.second
    force = add(scale(body.mass, a), times(u, h))
    turning = (
        u[2][0] * s[0][1]
        - u[1][0] * s[0][2]
        + (u[2][2] - u[1][1]) * s[1][2]
        + u[2][1] * s[1][1]
        - u[1][2] * s[2][2],
        u[0][1] * s[1][2]
        - u[2][1] * s[0][1]
        + (u[0][0] - u[2][2]) * s[0][2]
        + u[0][2] * s[2][2]
        - u[2][0] * s[0][0],
        u[1][2] * s[0][2]
        - u[0][2] * s[1][2]
        + (u[1][1] - u[0][0]) * s[0][1]
        + u[1][0] * s[0][0]
        - u[0][1] * s[1][1],
    )
    return Wrench(force, add(turning, cross(h, a)))
