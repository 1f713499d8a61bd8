"""A run under way: where it is, and what it has recorded so far."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from armdyn.dynamics.fixed_step import State
from armdyn.scalars import Array
from armdyn.simulation.events import Event
from armdyn.simulation.plant import Plant, Stretch

IntegratorName = Literal["euler", "semi_implicit", "rk4", "dop853", "lsoda"]
Watch = Callable[[float], None]
"""Told the time [s] that a run has reached, again and again."""


@dataclass(frozen=True)
class Settings:
    """How a run is integrated."""

    integrator: IntegratorName
    dt: float
    """[s] the fixed step; an adaptive integrator takes no longer ones"""
    every: int
    """Steps of dt between two samples"""
    rtol: float
    atol: float

    def sample_time(self, k: int) -> float:
        """When sample k is, from 0 [s]."""
        return k * self.every * self.dt


class Now(NamedTuple):
    """Where a run is: replaced as a whole, so that an interrupt finds all of it or none."""

    t: float
    """[s]"""
    step: int
    """How many fixed steps are behind it"""
    x: State
    ways: Array
    """(points) 1 or -1 for a friction point that moves so, 0 for one at rest"""
    came: Array
    """(points) the ways of those that a fixed step has just brought to rest, 0 of the others"""
    beyond: Array
    """(n) -1 or 1 for a joint below or above its range"""
    decided: bool
    """Whether the ways are known to hold under what acts now"""
    samples: int = 0
    """How many have been recorded"""
    happened: int = 0
    """How many events there were"""


class Course:
    """A run under way."""

    def __init__(self, plant: Plant, settings: Settings, now: Now, record: Record) -> None:
        """Begin, or go on."""
        self.plant, self.settings, self.now, self.record = plant, settings, now, record
        self.events: list[Event] = []

    def reach(self, **changes: Any) -> None:
        """The run has come so far, with what has been recorded."""
        self.now = self.now._replace(samples=self.record.count, happened=len(self.events), **changes)

    def stretches(self, until: float) -> Stretches:
        """The plant from now on."""
        return Stretches(self.plant, self.now.t, until)

    def note(self, events: Iterable[Event]) -> None:
        """Something has happened."""
        self.events.extend(events)


class Record:
    """Samples one after another, in one array that grows."""

    def __init__(self, n: int, states: int, outside: int) -> None:
        """Nothing yet, of n joints, so many other states, and so many numbers of what acts from outside."""
        self._cuts: Any = np.cumsum([1, n, n, n, n, states])
        self._rows: Array = np.empty((256, 1 + 4 * n + states + outside))
        self.count = 0

    def add(self, t: float, x: State, qdd: Array, tau: Array, outside: Array) -> None:
        """One more sample."""
        if self.count == len(self._rows):
            self._grow(np.empty((0, self._rows.shape[1])))
        self._rows[self.count] = np.concatenate([(t,), x.q, x.qd, qdd, tau, x.z, outside])
        self.count += 1

    def extend(self, time: Array, *columns: Array) -> None:
        """Samples of an earlier run: q, qd, qdd, tau, the other states, and what acted from outside."""
        rows = np.column_stack([time, *columns])
        self._grow(rows)
        self.count += len(rows)

    def _grow(self, rows: Array) -> None:
        """Take rows behind those that there are, and make room."""
        self._rows = np.concatenate([self._rows[: self.count], rows, np.empty(self._rows.shape)])

    def columns(self, count: int) -> list[Array]:
        """Time (t), q, qd, qdd, tau (t, n), other states and what acts of the first so many samples."""
        time, *others = np.split(self._rows[:count].copy(), self._cuts, axis=1)
        return [time[:, 0], *others]


class Stretches:
    """The stretches of a plant, one after another."""

    def __init__(self, plant: Plant, start: float, end: float) -> None:
        """Cut the time from start to end at the breaks."""
        inside = plant.breaks[(plant.breaks > start) & (plant.breaks < end)]
        self._plant = plant
        self._cuts: Any = np.concatenate([[start], inside, [end]])
        self._at: int = -1
        self._stretch: Stretch | None = None

    def around(self, t: float) -> Stretch:
        """The stretch in which an instant lies."""
        k = min(max(int(np.searchsorted(self._cuts, t, side="right")) - 1, 0), len(self._cuts) - 2)
        if self._stretch is None or k != self._at:
            self._at = k
            self._stretch = self._plant.between(float(self._cuts[k]), float(self._cuts[k + 1]))
        return self._stretch

    def end_of(self, t: float) -> float:
        """Where the stretch that begins at t, or in which it lies, ends."""
        k = min(int(np.searchsorted(self._cuts, t, side="right")), len(self._cuts) - 1)
        return float(self._cuts[k])
