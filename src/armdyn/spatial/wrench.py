"""Twists and wrenches at a point; the linear part comes first."""

from __future__ import annotations

from dataclasses import dataclass

from armdyn.spatial.vector import ZERO, Mat3, Vec3, add, cross, subtract, times


@dataclass(frozen=True)
class Wrench:
    """A force [N] at a point and a moment [N m] about it."""

    force: Vec3 = ZERO
    moment: Vec3 = ZERO

    def about(self, point: Vec3) -> Wrench:
        """The same load, its moment about another point (given from the present one)."""
        return Wrench(self.force, subtract(self.moment, cross(point, self.force)))

    def seen_from(self, rotation: Mat3) -> Wrench:
        """The same wrench in the axes that the rotation maps into."""
        return Wrench(times(rotation, self.force), times(rotation, self.moment))

    def __add__(self, other: Wrench) -> Wrench:
        """The two loads together, at the same point."""
        return Wrench(add(self.force, other.force), add(self.moment, other.moment))


@dataclass(frozen=True)
class Twist:
    """The velocity of a body: of one of its points [m/s], and angular [rad/s]."""

    linear: Vec3 = ZERO
    angular: Vec3 = ZERO

    def at(self, point: Vec3) -> Twist:
        """The velocity at another point of the body (given from the present one)."""
        return Twist(add(self.linear, cross(self.angular, point)), self.angular)

    def seen_from(self, rotation: Mat3) -> Twist:
        """The same twist in the axes that the rotation maps into."""
        return Twist(times(rotation, self.linear), times(rotation, self.angular))


@dataclass(frozen=True)
class Acceleration:
    """The acceleration of a body: of one of its points [m/s2], and angular [rad/s2]."""

    linear: Vec3 = ZERO
    angular: Vec3 = ZERO

    def at(self, point: Vec3, angular_velocity: Vec3) -> Acceleration:
        """The acceleration at another point of the body, a + alpha x r + omega x (omega x r)."""
        swirl = cross(angular_velocity, cross(angular_velocity, point))
        return Acceleration(add(add(self.linear, cross(self.angular, point)), swirl), self.angular)

    def seen_from(self, rotation: Mat3) -> Acceleration:
        """The same acceleration in the axes that the rotation maps into."""
        return Acceleration(times(rotation, self.linear), times(rotation, self.angular))
