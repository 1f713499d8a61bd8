"""How an arm follows programmed samples when its motors have limits: [Kvrgic2020] Algorithm 1.

Programmed are positions p_k, one every cycle dt. From the state q_k, v_k that the arm has reached

    v = (p_(k+1) - q_k)/dt   (follow position: what lags is caught up as fast as the motors allow), or
    v = (p_(k+1) - p_k)/dt   (follow velocity: Algorithm 1 as printed, what lags stays behind)

within the speed limits of joints and motors; a = (v - v_k)/dt is demanded, and what the motors make of it is

    v_(k+1) = v_k + a dt,    q_(k+1) = q_k + v_(k+1) dt.

An arm that lags must not come back faster than its motors can brake, or it shoots past the program and
swings about it without end, the longer the shorter the cycle. So what is to be caught up, the lag p_k - q_k
within one cycle, is bounded by what each motor can still brake from on that way ("unbraked" leaves this bound
out).

Where nothing saturates all of this is known beforehand, and such stretches are taken as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from armdyn.feasibility.arm import Arm
from armdyn.scalars import Array

Follow = Literal["position", "velocity", "unbraked"]
FOLLOW: tuple[Follow, ...] = ("position", "velocity", "unbraked")
LimitedStep = Callable[[Arm, Array, Array, Array], tuple[Array, Array, Array]]
"""(arm, q, v, demanded a) -> a, motor torques, and -1, 0 or 1 where a motor is at its limit."""

EDGE = 1e-9
"""By how much, relative, a torque on the very limit may exceed it by rounding."""
ON_TIME, AS_FAST = 1e-12, 1e-9
"""What an arm on the program is off by: rounding of positions, and that of velocities [rad or m, and /s]."""
ROUNDING = 4e-15
"""What a joint that rests may seem to move from sample to sample, relative to its positions, or [rad or m]:
friction would take every such step for motion."""
STILL = 1e-12
"""A velocity that is none [rad/s or m/s]."""
CAUGHT_UP = 1e-9
"""A lag that the next cycle makes up [rad or m]."""
BRAKES = 0.8
"""Share of a motor's braking that is counted on: its load changes on the way."""
NO_BRAKES = 1e-100
"""A change of speed in half a cycle [rad/s] that is none."""
LEAP = 32
"""Cycles evaluated at once at first; twice as many each time while nothing saturates."""


@dataclass(frozen=True)
class Run:
    """States of an arm at the samples (t, n), and what its motors do in the cycle that begins there."""

    q: Array
    qd: Array
    qdd: Array
    torque: Array
    """Of the motors [N m]"""
    saturated: Array
    """1 or -1 where a motor gives its upper or lower limit, else 0"""

    @classmethod
    def empty(cls, samples: int, n: int) -> Run:
        """Room for so many samples."""
        return cls(*(np.zeros((samples, n)) for _ in range(5)))

    @classmethod
    def joined(cls, parts: Sequence[Run]) -> Run:
        """One behind the other."""
        return cls(
            *(np.concatenate(arrays) for arrays in zip(*(part._arrays for part in parts), strict=True))
        )

    def first(self, samples: int) -> Run:
        """Its first samples."""
        return Run(*(x[:samples] for x in self._arrays))

    @property
    def _arrays(self) -> tuple[Array, ...]:
        return self.q, self.qd, self.qdd, self.torque, self.saturated


@dataclass(frozen=True)
class Programmed:
    """What is asked for (t, n): positions, how they are reached, what the cycle from each sample takes."""

    q: Array
    qd: Array
    qdd: Array
    torque: Array
    """Of the motors, if nothing lags"""
    possible: Any
    """(t) whether motors and joints can do the cycle that begins there"""

    @classmethod
    def of(cls, arm: Arm, cycle: float, positions: Array) -> Programmed:
        """Samples that one arm is to follow from rest."""
        qd = programmed_velocity(positions, cycle)
        qdd = programmed_acceleration(qd, cycle)
        torque = arm.torque(positions, qd, qdd)
        return cls(positions, qd, qdd, torque, possible_cycles(arm, positions, qd, torque))

    @cached_property
    def obstacles(self) -> Any:
        """Samples from which the next is not reached in time, increasing."""
        return np.flatnonzero(~self.possible)


def programmed_velocity(positions: Array, cycle: float) -> Array:
    """(t, n) velocities with which the samples are reached: 0 at first, then (p_k - p_(k-1))/dt."""
    velocity = np.zeros_like(positions)
    moved = np.diff(positions, axis=0)
    rounding = ROUNDING * np.maximum(np.abs(positions).max(axis=0), 1.0)
    velocity[1:] = np.where(np.abs(moved) <= rounding, 0.0, moved) / cycle
    return velocity


def programmed_acceleration(velocity: Array, cycle: float, *, stops: bool = True) -> Array:
    """(t, n) accelerations in the cycle that begins at each sample; after the last one the arm may stop."""
    acceleration = np.zeros_like(velocity)
    acceleration[:-1] = np.diff(velocity, axis=0) / cycle
    if stops:
        acceleration[-1] = -velocity[-1] / cycle
    return acceleration


def possible_cycles(arm: Arm, q: Array, qd: Array, torque: Array) -> Any:
    """(t) whether the motors can give the torques, and turn as fast as the next sample asks for."""
    lower, upper = arm.torque_limits(q, qd)
    below, above = torque - upper - EDGE * np.abs(upper), lower - torque - EDGE * np.abs(lower)
    possible: Any = (np.maximum(below, above) <= 0).all(axis=1)
    slow = (arm.within_speed(q, qd) == qd).all(axis=1)
    possible[:-1] &= slow[1:]
    return possible


@dataclass(frozen=True)
class Follower:
    """An arm that follows samples."""

    arm: Arm
    cycle: float
    follow: Follow = "position"
    step: LimitedStep = Arm.limited

    def run(self, run: Run, wanted: Programmed, first: int, last: int) -> None:
        """Fill the run from sample `first`, whose q and qd are where the arm is, to sample `last`."""
        k = first
        while k < last:
            if self._on_program(run, wanted, k):
                k = self._along(run, wanted, k, last)
            elif self.follow == "velocity":
                k = self._behind(run, wanted, k, last)
            if k < last:
                self._one(run, wanted, k)
                k += 1

    def _on_program(self, run: Run, wanted: Programmed, k: int) -> bool:
        if not np.abs(wanted.q[k] - run.q[k]).max() <= ON_TIME:
            return False
        return bool(np.abs(wanted.qd[k] - run.qd[k]).max() <= AS_FAST)

    def _along(self, run: Run, wanted: Programmed, k: int, last: int) -> int:
        """Go on as programmed to the next sample from which that is not possible; which one that is."""
        place = int(np.searchsorted(wanted.obstacles, k))
        end = min(int(wanted.obstacles[place]), last) if place < len(wanted.obstacles) else last
        following, here = slice(k + 1, end + 1), slice(k, end)
        run.q[following], run.qd[following] = wanted.q[following], wanted.qd[following]
        run.qdd[here], run.torque[here] = wanted.qdd[here], wanted.torque[here]
        return end

    def _behind(self, run: Run, wanted: Programmed, k: int, last: int) -> int:
        """Go on at the programmed velocities, behind the program, as long as that is possible; how far."""
        leap = LEAP
        while k < last:
            count = min(leap, last - k)
            v = np.concatenate([run.qd[k : k + 1], wanted.qd[k + 1 : k + 1 + count]])
            v[1:] = self.arm.within_speed(wanted.q[k : k + count], v[1:])
            q = np.concatenate([run.q[k : k + 1], run.q[k] + self.cycle * np.cumsum(v[1:], axis=0)])
            a = np.diff(v, axis=0) / self.cycle
            u = self.arm.torque(q[:-1], v[:-1], a)
            possible = possible_cycles(self.arm, q[:-1], v[:-1], u)
            done = count if possible.all() else int(np.argmin(possible))
            run.q[k + 1 : k + 1 + done], run.qd[k + 1 : k + 1 + done] = q[1 : 1 + done], v[1 : 1 + done]
            run.qdd[k : k + done], run.torque[k : k + done] = a[:done], u[:done]
            k, leap = k + done, 2 * leap
            if done < count:
                break
        return k

    def _one(self, run: Run, wanted: Programmed, k: int) -> None:
        """One cycle, as far as the motors can do it."""
        q, v = run.q[k], run.qd[k]
        asked = self._wanted(q, v, wanted.q[k : k + 2], wanted.qd[k : k + 2])
        asked = np.where(np.abs(asked) <= STILL, 0.0, asked)
        demand = (self.arm.within_speed(q, asked) - v) / self.cycle
        a, run.torque[k], run.saturated[k] = self.step(self.arm, q, v, demand)
        run.qdd[k] = a
        run.qd[k + 1] = v + a * self.cycle
        run.q[k + 1] = q + run.qd[k + 1] * self.cycle

    def _wanted(self, q: Array, v: Array, targets: Array, velocities: Array) -> Array:
        """The velocity that is asked for from here, by what is programmed for now and next."""
        if self.follow == "velocity":
            return velocities[1]
        lag = targets[0] - q
        if self.follow == "unbraked" or not np.abs(lag).max() > CAUGHT_UP:
            return (targets[1] - q) / self.cycle
        behind = self.arm.motors_of(q, lag)
        fastest = self._brakable(q, v, (velocities[1] - velocities[0]) / self.cycle, behind)
        catching = np.minimum(np.maximum(behind / self.cycle, -fastest), fastest)
        return velocities[1] + self.arm.joints_of(q, catching)

    def _brakable(self, q: Array, v: Array, acceleration: Array, behind: Array) -> Array:
        """How much faster than programmed the motors may turn so as to stop that within the way behind.

        Each motor can brake with b = (u - limit)/A, u what the programmed motion takes of it and A the
        inertia that it feels; from w it stops within x = w^2/2b + w dt/2, what cycles of length dt cover. So

            w = sqrt(h^2 + 2 b x) - h = c/(1 + sqrt(1 + c/h)),  h = b dt/2, c = 4 x/dt.
        """
        u = self.arm.torque_now(q, v, acceleration)
        lower, upper = self.arm.torque_limits(q, v)
        room = np.where(behind > 0, u - lower, upper - u)
        h = np.maximum((0.5 * BRAKES * self.cycle) * room / self.arm.inertia(q), NO_BRAKES)
        c = 4 / self.cycle * np.abs(behind)
        return c / (1 + np.sqrt(1 + c / h))
