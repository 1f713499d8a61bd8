"""An arm at work: its dynamics, what it touches, and what drives it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from armdyn.dynamics import Dynamics
from armdyn.feasibility.actuators import Actuators
from armdyn.scalars import Array


@dataclass(frozen=True)
class Arm:
    """A robot with its payload and tool, under the wrench that its tool exerts."""

    dyn: Dynamics
    wrench: Array | None = None
    """(6) force and moment on the surroundings, base axes"""
    at: Array | None = None
    """(3) where it acts, in coordinates of the body that carries the tool; the tool's origin if None"""

    def __post_init__(self) -> None:
        """Refuse a robot of which it is not known what moves it."""
        _ = self.actuators

    @cached_property
    def actuators(self) -> Actuators:
        """What drives it."""
        return Actuators.of(self.dyn.robot)

    def torque(self, q: Array, qd: Array, qdd: Array) -> Array:
        """What motions (..., n) ask of the motors."""
        return self.dyn.motor_demand(q, qd, qdd, self.wrench, at=self.at)

    def joint_torque(self, q: Array, qd: Array, qdd: Array) -> Array:
        """What motions (..., n) ask of the joints."""
        return self.dyn.inverse(q, qd, qdd, self.wrench, at=self.at)

    def speed(self, q: Array, qd: Array) -> Array:
        """How fast the motors turn."""
        return self.actuators.velocity(self.dyn, q, qd)

    def torque_limits(self, q: Array, qd: Array) -> tuple[Array, Array]:
        """Lower and upper limit of the motors' torques in motion, or (n) those of all speeds."""
        actuators = self.actuators
        return actuators.steady_limits or actuators.limits(self.speed(q, qd))

    def motor_mass_matrix(self, q: Array) -> Array:
        """H_a (..., n, n): torques of the motors by accelerations of the joints."""
        return self.dyn.motor_mass_matrix(q, by="joint") if self.actuators.geared else self.dyn.mass_matrix(q)

    def inertia(self, q: Array) -> Array:
        """(..., n) the inertia that each motor feels while the others turn as they do."""
        if self.actuators.geared:
            return self.dyn.effective_inertia(q)
        return np.diagonal(self.dyn.mass_matrix(q), axis1=-2, axis2=-1)

    def motors_of(self, q: Array, change: Array) -> Array:
        """The change of the motors that goes with one of the joints: K times it."""
        return self.actuators.velocity(self.dyn, q, change)

    def joints_of(self, q: Array, turned: Array) -> Array:
        """The change of the joints (..., n) that changes the motors so: K^-1."""
        if not self.actuators.geared:
            return turned
        if self._steady_gears is not None:
            return turned @ self._steady_gears
        change: Any = np.linalg.solve(self.dyn.gear_matrix(q), turned[..., None])[..., 0]
        return change

    @cached_property
    def _steady_gears(self) -> Array | None:
        """K^-T where the ratios are the same in every posture, None where they are not."""
        robot = self.dyn.robot
        if any(drive.coupling.law is not None for drive in robot.drives):
            return None
        back: Any = np.linalg.inv(self.dyn.gear_matrix(np.array(robot.home))).T
        return back

    def reactions(self, q: Array, qd: Array, qdd: Array) -> Array:
        """Forces and moments in the joints: (..., bodies, 6)."""
        return self.dyn.reactions(q, qd, qdd, self.wrench, at=self.at)

    def limited(self, q: Array, qd: Array, qdd: Array) -> tuple[Array, Array, Array]:
        """What the motors make of demanded accelerations, one state: `Dynamics.limited_acceleration`."""
        return self._limited(q, qd, qdd, *self.torque_limits(q, qd), *self._outside)

    def torque_now(self, q: Array, qd: Array, qdd: Array) -> Array:
        """What a motion asks of the motors in one state."""
        return self._torque(q, qd, qdd, *self._outside)

    def within_speed(self, q: Array, qd: Array) -> Array:
        """Velocities (..., n) as far as the joints, and then the motors, may have them."""
        slow = np.minimum(np.maximum(qd, -self.speed_limits), self.speed_limits)
        turning, most = self.speed(q, slow), self.actuators.speed_limits
        possible = np.minimum(np.maximum(turning, -most), most)
        if (possible == turning).all():
            return slow
        return slow + self.joints_of(q, possible - turning)

    @cached_property
    def _outside(self) -> tuple[Array, ...]:
        return tuple(x for x in (self.wrench, self.at) if x is not None)

    @cached_property
    def _given(self) -> list[str]:
        return [name for name in ("wrench", "at") if getattr(self, name) is not None]

    @cached_property
    def _limited(self) -> Callable[..., tuple[Array, Array, Array]]:
        return self.dyn.of_one_state("limited_acceleration", *self._given)

    @cached_property
    def _torque(self) -> Callable[..., Array]:
        return self.dyn.of_one_state("motor_demand", *self._given)

    @cached_property
    def speed_limits(self) -> Array:
        """(n) of the joints [rad/s or m/s], inf where unknown; 0 counts as unknown."""
        return np.array([joint.limits.velocity or np.inf for joint in self.dyn.robot.joints])
