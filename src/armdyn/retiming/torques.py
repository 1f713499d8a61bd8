"""What a motion along a path asks of the motors, as forms: before it is known how fast it goes.

[Siciliano2009] (7.117)-(7.126): along a path q(s) that is passed at the rate y = ds/dt,

    tau = y^2 (B q'' + Gamma [q' q']) + u B q' + g,    u = d2s/dt2,

so that inertia and velocity terms go with y^2, or with u, and gravity does not change. Friction joins:
Coulomb friction does not change, viscous friction goes with y, friction under load with the size of its load.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armdyn.feasibility.arm import Arm
from armdyn.mechanics.drives import motor_torques
from armdyn.mechanics.loads import Loads
from armdyn.mechanics.rubbing import projected, rubs
from armdyn.scalars import Array
from armdyn.scalars.forms import Form


@dataclass(frozen=True, eq=False)
class Course:
    """Places (t, n) and how a motion goes on from them: qd = rate y, qdd = along u + bend x."""

    q: Array
    rate: Array
    """dq/ds"""
    along: Array
    """dq/ds again, or 0 where the rate is the same all along"""
    bend: Array
    """d2q/ds2"""


@dataclass(frozen=True, eq=False)
class Torques:
    """Forms (n) of the torques along a course."""

    joints: list[Form]
    """[N m or N], friction included"""
    motors: list[Form]
    """[N m], those of the joints where the arm has no drives"""


def torques(arm: Arm, course: Course, ways: Array | None = None) -> Torques:
    """What the course asks of joints and motors.

    Args:
        arm: what moves.
        course: where, and how.
        ways: (t, points) which way every friction point moves, 1 or -1, or 0 where it rests; by default the
            sign of its rate or, where that is 0, of its acceleration: where joints that move cancel in it,
            `along` or `bend` must be 0 then.
    """
    robot = arm.dyn.robot
    q, qd = _forms(constant=course.q), _forms(y=course.rate)
    qdd = _forms(u=course.along, x=course.bend)
    loads = _loads(arm, course)
    points = arm.dyn.friction_points
    held = None if ways is None else [Form.of()] * len(points)
    directions = None if ways is None else _forms(constant=ways)
    friction = projected(rubs(robot, q, qd, qdd, loads, held, directions, points), robot.n)
    joints = [Form.of() + a + b for a, b in zip(loads.torque, friction, strict=True)]
    geared = arm.actuators.geared
    return Torques(joints, motor_torques(robot, q, joints) if geared else joints)


def _forms(**coefficients: Array) -> list[Form]:
    """One form for each column of the coefficients (t, n)."""
    columns = zip(*(c.T for c in coefficients.values()), strict=True)
    return [Form.of(**dict(zip(coefficients, each, strict=True))) for each in columns]


def _loads(arm: Arm, course: Course) -> Loads:
    """What passes through the joints, and what the rotors keep, friction left out: forms of u, x, y, 1.

    They are quadratic in the velocity; linear terms come from a base that turns.
    """
    still = np.zeros_like(course.q)
    constant = _load(arm, course.q, still, still)
    by_u = _load(arm, course.q, still, course.along) - constant
    forth, back = (_load(arm, course.q, way * course.rate, course.bend) for way in (1, -1))
    by_x, by_y = 0.5 * (forth + back) - constant, 0.5 * (forth - back)
    joint, drive = (
        _forms(u=by_u[:, k], x=by_x[:, k], y=by_y[:, k], constant=constant[:, k]) for k in range(2)
    )
    return Loads(joint, drive)


def _load(arm: Arm, q: Array, qd: Array, qdd: Array) -> Array:
    return arm.dyn.loads(q, qd, qdd, arm.wrench, at=arm.at)
