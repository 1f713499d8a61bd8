"""What is minimised: the criterion, and a barrier before every limit, with its gradient.

The barrier -mu mean_t sum log(1 - share^2) lets no instant of the grid come over a limit; mu goes to zero.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from armdyn.identification.excitation.bases import Basis
from armdyn.identification.excitation.course import Course, Motion
from armdyn.identification.excitation.criterion import CriterionName, information, smooth_quality
from armdyn.identification.excitation.dry_friction import DryFriction
from armdyn.identification.excitation.experiment import Experiment
from armdyn.identification.excitation.limits import Channel, Channels, Limit, Limits
from armdyn.identification.excitation.slopes import pulled_back
from armdyn.scalars import Array

AT_ONCE = 48
"""States whose differences are held at once: as many as stay near the processor."""


@dataclass(frozen=True)
class Stage:
    """How far the problem is from the one that is meant."""

    barrier: float
    """Its weight mu"""
    doublings: int
    """Of the power means that stand for the extreme eigenvalues"""
    soft: float
    """Share of a usual rate within which dry friction turns round"""


@dataclass(frozen=True, eq=False)
class Objective:
    """The criterion of an arm's motions in a basis, over variables x that are all of one size."""

    experiment: Experiment
    limits: Limits
    basis: Basis
    criterion: CriterionName
    time: Array
    """(t) the grid [s]"""
    usable: float = 1.0
    """Share of the limits"""

    # Variables ------------------------------------------------------------------------------

    @cached_property
    def phi(self) -> Array:
        """(3, t, size)."""
        return self.basis.at(self.time)

    @cached_property
    def sizes(self) -> Array:
        """(size, n) coefficients with which a function alone uses a joint's limits in full."""
        n = self.experiment.arm.dyn.n
        half = 0.5 * (self.limits.high - self.limits.low)
        peaks = np.abs(self.phi).max(axis=1)  # (3, size)
        most = np.zeros((self.basis.size, n))
        for peak, limit in zip(peaks, (half, self.limits.velocity, self.limits.acceleration), strict=True):
            most = np.maximum(most, peak[:, None] / limit)
        return 1 / most

    def course(self, x: Array) -> Course:
        """The motion of variables (size n)."""
        return Course(self.basis, x.reshape(self.sizes.shape) * self.sizes)

    def variables(self, course: Course) -> Array:
        """(size n) of a motion."""
        return (course.coefficients / self.sizes).ravel()

    # Values ---------------------------------------------------------------------------------

    def value(self, x: Array, stage: Stage) -> float:
        """What is minimised; inf where a limit is exceeded."""
        return self._at(x, stage)[0]

    def gradient(self, x: Array, stage: Stage) -> Array:
        """(size n) its derivatives."""
        _, motion, by_Y, by_channel = self._at(x, stage)
        gradients = list(self._back(self.experiment.regressor, motion, by_Y))
        for name, weights in by_channel.items():
            if name in ("q", "qd", "qdd"):
                gradients[("q", "qd", "qdd").index(name)] += weights
                continue
            parts = self._back(self._channel(name), motion, weights)
            gradients = [total + part for total, part in zip(gradients, parts, strict=True)]
        by_coefficients = np.einsum("dts,dtn->sn", self.phi, np.stack(gradients))
        return (by_coefficients * self.sizes).ravel()

    def _at(self, x: Array, stage: Stage) -> tuple[float, Motion, Array, dict[Channel, Array]]:
        """The value, the motion, and the value's derivatives by regressor (t, n, p) and channels."""
        q, qd, qdd = motion = self._motion(x)
        dry = self._dry.softer(stage.soft)
        hard = self.experiment.regressor(q, qd, qdd)
        Y = dry.softened(hard)
        W = self.experiment.weighted(Y)
        A = information(W.reshape(-1, W.shape[-1]))
        merit, by_A = smooth_quality(self.criterion, A, stage.doublings)
        held, by_channel = self._barrier(self._channels(motion, Y), stage.barrier)
        rows = W.shape[0] * W.shape[1]
        by_Y = self.experiment.weights(2 / rows * W @ by_A)  # A = W^T W/rows
        for name, gears in self._torques.items():
            if name in by_channel:  # t = G Y pi
                by_Y += (by_channel.pop(name) @ gears)[..., None] * self._pi
        return float(merit) + held, motion, dry.weights(hard, by_Y), by_channel

    def _motion(self, x: Array) -> Motion:
        q, qd, qdd = self.phi @ (x.reshape(self.sizes.shape) * self.sizes)
        return q, qd, qdd

    def _barrier(self, channels: Channels, weight: float) -> tuple[float, dict[Channel, Array]]:
        """The barrier, inf beyond a limit, and its derivatives by channels."""
        total, slopes = 0.0, dict[Channel, Array]()
        weight = weight / len(self.time)
        for limit in self._limits:
            share = limit.share(channels) / self.usable
            room = 1 - share * share
            if not (room > 0).all():
                return np.inf, {}
            total -= weight * float(np.log(room).sum())
            slope = 2 * weight / self.usable * share / room
            for name, factor in limit.factors.items():
                slopes[name] = slopes.get(name, 0.0) + slope * factor
        return total, slopes

    # Channels -------------------------------------------------------------------------------

    @cached_property
    def _limits(self) -> tuple[Limit, ...]:
        return self.limits.all

    @cached_property
    def _pi(self) -> Array:
        return self.experiment.arm.dyn.parameter_values

    @cached_property
    def _dry(self) -> DryFriction:
        """Softened by the rates of states that use half of all speeds."""
        q = np.broadcast_to(0.5 * (self.limits.low + self.limits.high), (2, self.limits.low.size))
        qd = 0.5 * np.stack([self.limits.velocity, -self.limits.velocity])
        Y = self.experiment.regressor(q, qd, np.zeros_like(q))
        return DryFriction.of(self.experiment.arm.dyn.parameters, Y)

    @cached_property
    def _torques(self) -> dict[Channel, Array]:
        """Torques that the regressor gives, G of each."""
        found: dict[Channel, Array] = {"motor_torque": self.experiment.gears}
        if self.experiment.side == "joint":
            found["joint_torque"] = np.eye(self.experiment.arm.dyn.n)
        return found

    def _channels(self, motion: Motion, Y: Array) -> Channels:
        q, qd, qdd = motion
        found: Channels = {"q": q, "qd": qd, "qdd": qdd}
        names: Iterator[Channel] = (name for limit in self._limits for name in limit.factors)
        for name in names:
            if name in found:
                continue
            gears = self._torques.get(name)
            found[name] = self._channel(name)(*motion) if gears is None else (Y @ self._pi) @ gears.T
        return found

    def _channel(self, name: Channel) -> Callable[[Array, Array, Array], Array]:
        arm = self.experiment.arm
        match name:
            case "motor_speed":
                return lambda q, qd, _: arm.speed(q, qd)
            case "tool":
                return lambda q, _qd, _qdd: arm.dyn.pose(q)[..., :3, 3]
            case _:
                return arm.joint_torque

    @staticmethod
    def _back(
        value: Callable[[Array, Array, Array], Array], motion: Motion, weights: Array
    ) -> tuple[Array, ...]:
        parts = [
            pulled_back(value, (q, qd, qdd), weight)
            for q, qd, qdd, weight in zip(
                *(np.array_split(x, -(-len(weights) // AT_ONCE)) for x in (*motion, weights)), strict=True
            )
        ]
        return tuple(np.concatenate(each) for each in zip(*parts, strict=True))
