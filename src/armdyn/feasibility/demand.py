"""What a plan asks of the arm if it is followed exactly, sample by sample."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from armdyn.feasibility.arm import Arm
from armdyn.feasibility.following import (
    Programmed,
    possible_cycles,
    programmed_acceleration,
    programmed_velocity,
)
from armdyn.motion.planned import Plan
from armdyn.scalars import Array


@dataclass(frozen=True)
class Demand:
    """Arrays (t, n), one row for the cycle that begins at each sample of a plan, or at some of them."""

    plan: Plan
    arms: Sequence[Arm]
    """One for each phase of the plan"""
    samples: NDArray[np.intp]
    """(t) which samples, increasing"""
    qd: Array
    qdd: Array

    @classmethod
    def of(cls, plan: Plan, arms: Sequence[Arm]) -> Demand:
        """What following the plan exactly takes."""
        qd = programmed_velocity(plan.q, plan.cycle)
        if plan.first_velocity is not None:
            qd[0] = plan.first_velocity
        stops = not plan.moves or plan.moves[-1].stops
        qdd = programmed_acceleration(qd, plan.cycle, stops=stops)
        return cls(plan, arms, np.arange(len(plan.time)), qd, qdd)

    def of_moves(self, numbers: ArrayLike) -> Demand:
        """That of some of the moves, by number."""
        chosen = np.isin(self.move, numbers)
        return replace(self, samples=self.samples[chosen], qd=self.qd[chosen], qdd=self.qdd[chosen])

    def slowed(self, shares: Array) -> Demand:
        """The same postures passed at a share (moves) of the speed."""
        share = shares[self.move - 1][:, None]
        return replace(self, qd=share * self.qd, qdd=share * share * self.qdd)

    @cached_property
    def q(self) -> Array:
        """Positions."""
        return self.plan.q[self.samples]

    @cached_property
    def move(self) -> NDArray[np.intp]:
        """(t) number of the move."""
        return self.plan.move[self.samples].astype(np.intp)

    @cached_property
    def torque(self) -> Array:
        """Of the motors [N m]."""
        return self._of_arms(lambda arm, rows: arm.torque(self.q[rows], self.qd[rows], self.qdd[rows]))

    @cached_property
    def speed(self) -> Array:
        """Of the motors [rad/s]."""
        return self._of_arms(lambda arm, rows: arm.speed(self.q[rows], self.qd[rows]))

    @cached_property
    def joint_torque(self) -> Array:
        """Of the joints [N m or N], friction included."""
        return self._of_arms(lambda arm, rows: arm.joint_torque(self.q[rows], self.qd[rows], self.qdd[rows]))

    def programmed(self) -> Programmed:
        """The whole plan as what is to be followed."""
        possible = self._of_arms(
            lambda arm, rows: possible_cycles(arm, self.q[rows], self.qd[rows], self.torque[rows])
        )
        return Programmed(self.q, self.qd, self.qdd, self.torque, possible)

    def _of_arms(self, evaluate: Callable[[Arm, slice], Array]) -> Array:
        """What each arm says of the samples of its phase."""
        edges = np.searchsorted(self.samples, [phase.first for phase in self.plan.phases]).tolist()
        parts = zip(self.arms, edges, [*edges[1:], len(self.samples)], strict=True)
        return np.concatenate([evaluate(arm, slice(first, last)) for arm, first, last in parts])

    @cached_property
    def torque_limit(self) -> Array:
        """What the motors can give at their speeds, in the direction asked for [N m]; inf if unknown."""
        actuators = self.arms[0].actuators
        lower, upper = actuators.limits(self.speed)
        limit = np.where(self.torque < 0, -lower, upper)
        # beyond the no-load speed a motor can only brake: no torque in this direction is possible
        return np.where(actuators.known, np.maximum(limit, np.finfo(float).tiny), np.inf)

    @cached_property
    def share(self) -> Array:
        """Of its torque-speed envelope that each motor needs."""
        return self.arms[0].actuators.share(self.speed, self.torque)

    def limited(self) -> Iterator[tuple[Any, Array, Array]]:
        """Each quantity that has a limit: its name, what is required and what is possible, by joint."""
        actuators, joints = self.arms[0].actuators, self.plan.robot.joints
        order = np.argsort(actuators.joints)  # violations name the joint that a motor mainly moves
        yield "motor_torque", self.torque[:, order], self.torque_limit[:, order]
        yield "motor_speed", self.speed[:, order], self._constant(actuators.speed_limits[order])
        yield "joint_speed", self.qd, self._constant([joint.limits.velocity for joint in joints])
        yield "joint_acceleration", self.qdd, self._constant([joint.limits.acceleration for joint in joints])
        efforts = [joint.limits.effort for joint in joints]
        if actuators.geared and any(effort is not None for effort in efforts):
            yield "joint_torque", self.joint_torque, self._constant(efforts)

    def _constant(self, limits: Any) -> Array:
        """A limit of each joint, at every sample; inf where there is none."""
        row = np.array([np.inf if limit is None or limit == 0 else limit for limit in limits], dtype=float)
        return np.broadcast_to(row, self.qd.shape)
