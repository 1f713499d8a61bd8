"""The first three joints: the angles that bring the wrist's centre to a point.

exp(S1 q1) exp(S2 q2) exp(S3 q3) w = p, with w the wrist's centre at q = 0. Which subproblems solve it
depends on how the axes lie; `arm_of` looks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from armdyn.motion.inverse_kinematics.geometry import ALIGNED, Axes
from armdyn.motion.inverse_kinematics.subproblems import (
    across,
    circle_to_distance,
    circle_to_plane,
    circle_to_point,
    dot,
    rotated,
    three_circles,
    turned_back,
    two_circles,
)
from armdyn.motion.vectors import cross
from armdyn.scalars import Array

SIDES = ("front", "back")
ELBOWS = ("elbow up", "elbow down")
BENDS = ("elbow positive", "elbow negative")
SLIDES = ("arm outwards", "arm backwards")
SIGNS = np.array([1.0, -1.0])


class Arm(Protocol):
    """Three joints that place the wrist's centre."""

    @property
    def names(self) -> tuple[str, ...]:
        """What each of its solutions is."""
        ...

    def solve(self, p: Array, branch: Any, free: Array) -> tuple[Array, Array, Array]:
        """q1, q2, q3 that bring w to p (..., 3), for solutions `branch` (..., counted from 0)."""
        ...


@dataclass(frozen=True)
class Slider:
    """A prismatic joint 3: w + q3 a3."""

    direction: Array
    centre: Array

    def solve(self, origin: Array, d2: Array, sign: Any) -> Array:
        """q3 with |w + q3 a3 - origin|^2 = d2: a quadratic."""
        start = self.centre - origin
        half = start @ self.direction
        return -half + sign * np.sqrt(np.maximum(half * half - start @ start + d2, 0.0))

    def moved(self, q3: Array) -> Array:
        """The wrist's centre after joint 3."""
        return self.centre + q3[..., None] * self.direction


@dataclass(frozen=True)
class Elbow:
    """A revolute joint 3: p3 + R(a3, q3) (w - p3)."""

    direction: Array
    point: Array
    centre: Array

    def solve(self, origin: Array, d2: Array, sign: Any) -> Array:
        """q3 with |p3 + R(a3, q3) (w - p3) - origin|^2 = d2: subproblem 3."""
        return circle_to_distance(self.direction, self.centre - self.point, origin - self.point, d2, sign)

    def moved(self, q3: Array) -> Array:
        """The wrist's centre after joint 3."""
        return self.point + rotated(self.direction, q3, self.centre - self.point)


@dataclass(frozen=True)
class UprightArm:
    """Joints 2 and 3 move the wrist in a plane: axes 2 and 3 parallel, or a slide across axis 2.

    a2 . (w - p1) = a2 . R(a1, q1)^T (p - p1) gives q1 (subproblem 4), the distance from axis 2 gives q3,
    and subproblem 1 gives q2.
    """

    directions: Array
    points: Array
    third: Slider | Elbow
    signs: Array
    """(4, 2) of the solutions for q1 and q3"""

    @property
    def names(self) -> tuple[str, ...]:
        """Side of axis 1 on which the wrist is (front: as at q = 0), and side of the elbow (up: along a1)."""
        return _pairs(SIDES, ELBOWS if isinstance(self.third, Elbow) else SLIDES)

    def solve(self, p: Array, branch: Any, free: Array) -> tuple[Array, Array, Array]:
        """q1, q2, q3; a wrist on axis 1 leaves q1 free."""
        a1, a2 = self.directions[:2]
        p1, p2 = self.points[:2]
        sign = self.signs[branch]
        u = p - p1
        q1 = circle_to_plane(-a1, a2, u, a2 @ (self.third.centre - p1), sign[..., 0], free[..., 0])
        y = p1 - p2 + turned_back(a1, q1, u)
        q3 = self.third.solve(p2, dot(y, y), sign[..., 1])
        return q1, circle_to_point(a2, self.third.moved(q3) - p2, y, free[..., 1]), q3


@dataclass(frozen=True)
class ShoulderArm:
    """Axes 1 and 2 meet in o: the distance from o gives q3, subproblem 2 gives q1 and q2."""

    directions: Array
    shoulder: Array
    third: Slider | Elbow

    @property
    def names(self) -> tuple[str, ...]:
        """Side of the plane of axes 1 and 2 (front: along a1 x a2 before joint 1), and bend of the elbow."""
        return _pairs(SIDES, BENDS if isinstance(self.third, Elbow) else SLIDES)

    def solve(self, p: Array, branch: Any, free: Array) -> tuple[Array, Array, Array]:
        """q1, q2, q3; a wrist on axis 1 leaves q1 free."""
        side, bend = SIGNS[np.asarray(branch) // 2], SIGNS[np.asarray(branch) % 2]
        u = p - self.shoulder
        q3 = self.third.solve(self.shoulder, dot(u, u), bend)
        v = self.third.moved(q3) - self.shoulder
        a1, a2 = self.directions[:2]
        return *two_circles(a1, a2, v, u, side, free[..., 0]), q3


@dataclass(frozen=True)
class ElbowArm:
    """Axes 2 and 3 meet in o: the distance from o gives q1, subproblem 2 gives q2 and q3."""

    directions: Array
    points: Array
    elbow: Array
    centre: Array

    @property
    def names(self) -> tuple[str, ...]:
        """Two solutions for joint 1, and two bends of the elbow for each."""
        return _pairs(SIDES, BENDS)

    def solve(self, p: Array, branch: Any, free: Array) -> tuple[Array, Array, Array]:
        """q1, q2, q3; a wrist on axis 1 leaves q1 free."""
        (a1, a2, a3), p1 = self.directions[:3], self.points[0]
        side, bend = SIGNS[np.asarray(branch) // 2], SIGNS[np.asarray(branch) % 2]
        w = self.centre - self.elbow
        u = p - p1
        q1 = circle_to_distance(-a1, u, self.elbow - p1, w @ w, side, free[..., 0])
        y = p1 - self.elbow + turned_back(a1, q1, u)
        return q1, *two_circles(a2, a3, w, y, bend, free[..., 1])


@dataclass(frozen=True)
class LevelArm:
    """Axes 1 and 2 parallel: the height along a1 gives q3, the distance from axis 1 q2, subproblem 1 q1."""

    directions: Array
    points: Array
    third: Elbow

    @property
    def names(self) -> tuple[str, ...]:
        """Two solutions for joint 3, and two for joint 2 for each."""
        return _pairs(SIDES, BENDS)

    def solve(self, p: Array, branch: Any, free: Array) -> tuple[Array, Array, Array]:
        """q1, q2, q3; a wrist on axis 1 leaves q1 free."""
        a1, a2, a3 = self.directions[:3]
        p1, p2, p3 = self.points[:3]
        side, bend = SIGNS[np.asarray(branch) // 2], SIGNS[np.asarray(branch) % 2]
        q3 = circle_to_plane(a3, a1, self.third.centre - p3, (p - p3) @ a1, side)
        m = self.third.moved(q3) - p2
        u = p - p1
        q2 = circle_to_distance(a2, m, p1 - p2, dot(u, u), bend)
        return circle_to_point(a1, p2 - p1 + rotated(a2, q2, m), u, free[..., 0]), q2, q3


@dataclass(frozen=True)
class GeneralArm:
    """No two neighbouring axes in one plane: subproblem 5, a quartic."""

    directions: Array
    points: Array
    centre: Array

    @property
    def names(self) -> tuple[str, ...]:
        """Up to four solutions, in the order of q3."""
        return tuple(f"arm solution {k}" for k in (1, 2, 3, 4))

    def solve(self, p: Array, branch: Any, free: Array) -> tuple[Array, Array, Array]:  # noqa: ARG002
        """q1, q2, q3; such an arm has no angle that is ever free."""
        p1, p2, p3 = self.points[:3]
        a1, a2, a3 = self.directions[:3]
        found = three_circles((a1, a2, a3), (p1 - p2, p3 - p2), self.centre - p3, p - p1)
        q1, q2, q3 = (_chosen(angles, branch) for angles in found)
        return q1, q2, q3


def _chosen(angles: Array, branch: Any) -> Array:
    """Of the solutions (..., 4) the one asked for, or those."""
    return angles[..., branch] if np.ndim(branch) == 0 else angles[..., 0, branch]


def arm_of(axes: Axes, centre: Array) -> Arm | None:
    """How the first three joints are solved, None where there is no closed form here."""
    slides = axes.slides[:3]
    if slides[:2] != (False, False):
        return None
    directions, points = axes.directions, axes.points
    if slides[2]:
        third: Slider | Elbow = Slider(directions[2], centre)
        planar = abs(directions[1] @ directions[2]) < ALIGNED
    else:
        third = Elbow(directions[2], points[2], centre)
        planar = axes.parallel(1, 2)
    if planar and not axes.parallel(0, 1):
        return _upright(axes, third)
    shoulder = axes.meeting(0, 1)
    if shoulder is not None:
        return ShoulderArm(directions, shoulder, third)
    if planar or isinstance(third, Slider):
        return None
    if axes.parallel(0, 1):
        return LevelArm(directions, points, third)
    elbow = axes.meeting(1, 2)
    if elbow is not None:
        return ElbowArm(directions, points, elbow, centre)
    return GeneralArm(directions, points, centre)


def _upright(axes: Axes, third: Slider | Elbow) -> UprightArm:
    """With signs so that front is the side at q = 0, and an elbow up lies towards a1 from the line."""
    a2, a3 = axes.directions[1:3]
    front = front_sign(axes, third.centre)
    if isinstance(third, Elbow):
        level = third.point - a2 * (a2 @ (third.point - axes.points[1]))
        third = Elbow(a3, level, third.centre)
        up = np.sign(a2 @ a3) * front
        signs = [(-front * side, up * side * elbow) for side in (1, -1) for elbow in (1, -1)]
    else:
        signs = [(-front * side, slide) for side in (1, -1) for slide in (1, -1)]
    return UprightArm(axes.directions, axes.points, third, np.array(signs, float))


def front_sign(axes: Axes, centre: Array) -> float:
    """On which side of axis 1, +1 along a1 x a2, a point is at q = 0; +1 where on neither."""
    a1, a2 = axes.directions[:2]
    off = across(a1, centre - axes.points[0]) @ cross(a1, a2)
    return -1.0 if off < -ALIGNED * axes.reach else 1.0


def _pairs(first: Sequence[str], second: Sequence[str]) -> tuple[str, ...]:
    return tuple(f"{a}, {b}" for a in first for b in second)
