"""The arm that is simulated: its dynamics, what drives it, what it touches, how its base moves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from armdyn.dynamics import Dynamics
from armdyn.dynamics.fixed_step import Rates, State
from armdyn.scalars import Array
from armdyn.simulation.acting import Acting
from armdyn.simulation.failures import Stopped, no_acceleration, no_number, no_torque
from armdyn.simulation.friction_points import FrictionPoints
from armdyn.simulation.signals import Signal

BALANCE = 3
"""What is integrated beside the motion and behind the states of the controller: work of the drives, what
friction takes, and what goes into a contact and a moving base [J]."""


@dataclass(frozen=True)
class Plant:
    """One arm under what acts on it; energies are those of a motion relative to its base."""

    dyn: Dynamics
    acting: Acting
    wrench: Signal | None = None
    """(6) what the tool exerts, base axes"""
    at: Array | None = None
    """(3) where, in coordinates of the body that carries the tool"""
    base: Signal | None = None
    """(12) velocity, angular velocity, acceleration, angular acceleration of the base, base axes"""

    @cached_property
    def points(self) -> FrictionPoints:
        """Where friction can hold."""
        return FrictionPoints(self.dyn)

    @property
    def breaks(self) -> Array:
        """Where anything that acts jumps or bends [s]."""
        signals = [signal.breaks for signal in (self.wrench, self.base) if signal is not None]
        return np.unique(np.concatenate([self.acting.breaks, *signals]))

    @property
    def ends(self) -> Sequence[tuple[float, str]]:
        """How long what acts is known [s], and what it is."""
        given = [(self.wrench, "the wrench"), (self.base, "the motion of the base")]
        known = [(signal.end, name) for signal, name in given if signal is not None]
        return [(self.acting.end, self.acting.source), *known]

    def between(self, start: float, end: float) -> Stretch:
        """The arm in a stretch of time without breaks inside."""
        return Stretch(self, start, end)

    @property
    def width_outside(self) -> int:
        """How many numbers wrench and base are at an instant."""
        return sum(signal.width for signal in (self.wrench, self.base) if signal is not None)

    @cached_property
    def given(self) -> tuple[str, ...]:
        """Which of wrench, at and base there are."""
        return tuple(name for name in ("wrench", "at", "base") if getattr(self, name) is not None)

    def one_state(self, name: str) -> Callable[..., Any]:
        """A method of the dynamics for loops: its inputs by position, then what is outside."""
        if name not in self._builtins:
            self._builtins[name] = self.dyn.of_one_state(name, *self.given)
        return self._builtins[name]

    @cached_property
    def _builtins(self) -> dict[str, Callable[..., Any]]:
        return {}


class Stretch:
    """The arm between two instants within which nothing that acts jumps or bends: one run."""

    def __init__(self, plant: Plant, start: float, end: float) -> None:
        """Choose the pieces of what acts."""
        self.plant, self.dyn = plant, plant.dyn
        self._law = plant.acting.between(start, end)
        self._states = plant.acting.states
        values = {"wrench": plant.wrench, "base": plant.base}
        self._signals = {k: s.between(start, end) for k, s in values.items() if s is not None}
        self._forward, self._resist = plant.one_state("forward"), plant.one_state("resistances")
        self._held_joints: dict[bytes, Any] = {}
        self._bias, self._in_ways = plant.one_state("bias"), plant.one_state("motion_in_ways")

    def outside(self, t: float) -> list[Array]:
        """Wrench, its place and the motion of the base, those that there are."""
        plant, values = self.plant, self._signals
        found = {k: value(t) for k, value in values.items()}
        for name, value in found.items():
            if not np.isfinite(value).all():
                raise Stopped(no_number(name, t, value))
        if plant.at is not None:
            found["at"] = plant.at
        return [found[name] for name in plant.given]

    def acting_outside(self, t: float) -> Array:
        """The numbers of wrench and base, those that there are, one after another."""
        return np.concatenate([np.empty(0), *(value(t) for value in self._signals.values())])

    def torque(self, t: float, x: State) -> tuple[Array, Array]:
        """Torques, and how the states of the controller change."""
        tau, rate = self._law(t, x.q, x.qd, x.z[: self._states])
        if not np.isfinite(tau).all():
            raise Stopped(no_torque(self.plant.acting.source, t, self.dyn.robot, tau))
        if not np.isfinite(rate).all():
            raise Stopped(no_number(f"what {self.plant.acting.source} integrates", t, rate))
        return tau, rate

    def rates(self, t: float, x: State) -> tuple[Array, Array]:
        """Accelerations, friction deciding what sticks, and z'."""
        tau, rate = self.torque(t, x)
        outside = self.outside(t)
        qdd = self._forward(x.q, x.qd, tau, *outside)
        if not np.isfinite(qdd).all():
            raise Stopped(no_acceleration(t, self.dyn.robot, x.q, x.qd))
        taken = self._resist(x.q, x.qd, qdd, *outside) if self.plant.points.count else None
        return qdd, self._with_balance(rate, x, tau, taken, outside)

    def of_step(self) -> Rates:
        """`rates` for the stages of one fixed step: what moves, and what sticks, is decided in the first.

        Otherwise friction would drive a point that is about to stop to and fro from stage to stage. What
        starts has friction in motion from the beginning.
        """
        if not self.plant.points.count:
            return self.rates
        ways: list[Array] = []

        def rates(t: float, x: State) -> tuple[Array, Array]:
            if ways:
                return self.in_ways(t, x, ways[0])[:2]
            qdd, zd = self.rates(t, x)
            points = self.plant.points
            ways.append(points.ways(x.qd, qdd))
            starting = points.dry & (ways[0] != 0) & (points.rates(x.qd) == 0)
            return self.in_ways(t, x, ways[0])[:2] if starting.any() else (qdd, zd)

        return rates

    def in_ways(self, t: float, x: State, ways: Array) -> tuple[Array, Array, Array, Array, Array]:
        """Accelerations, z', what every point takes and the excess of its way, and torques, in given ways."""
        tau, rate = self.torque(t, x)
        outside = self.outside(t)
        if not self.plant.points.count:
            qdd, taken = self._forward(x.q, x.qd, tau, *outside), np.empty(0)
            excess = taken
        else:
            turning = self.plant.points.shaft_ways(x.q, ways)
            qdd, taken, excess = self._in_ways(x.q, x.qd, tau, turning, *outside)
            qdd[self._held(ways)] = 0.0
        if not np.isfinite(qdd).all():
            raise Stopped(no_acceleration(t, self.dyn.robot, x.q, x.qd))
        return qdd, self._with_balance(rate, x, tau, taken, outside), taken, excess, tau

    def _held(self, ways: Array) -> Any:
        """The joints that the points that stick hold."""
        key = ways.tobytes()
        if key not in self._held_joints:
            sticking = np.flatnonzero(self.plant.points.dry & (ways == 0))
            held = self.dyn.held_joints(sticking.tolist()) if len(sticking) else np.empty(0, dtype=int)
            self._held_joints[key] = held
        return self._held_joints[key]

    def _with_balance(
        self, rate: Array, x: State, tau: Array, taken: Array | None, outside: list[Array]
    ) -> Array:
        """z' with the powers of drives, friction and surroundings at its end."""
        powers = np.zeros(self._states + BALANCE)
        powers[: self._states] = rate
        powers[-3] = tau @ x.qd
        if taken is not None and len(taken):
            powers[-2] = self.plant.points.power(x.q, x.qd, taken)
        if outside:
            powers[-1] = (self._bias(x.q, x.qd, *outside) - self.dyn.bias(x.q, x.qd)) @ x.qd
        return powers
