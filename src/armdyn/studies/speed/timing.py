"""Calls that take turns on the clock: the best and the median of many samples each.

What disturbs a machine for a moment disturbs all calls alike, because they alternate, sample by sample.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from statistics import median
from timeit import Timer
from typing import Any, cast

import numpy as np

from armdyn.scalars import Array

NANOSECONDS = 1e9


@dataclass(frozen=True)
class Effort:
    """How long to measure: samples of a least length, as many as fit into a time."""

    rounds: int
    """Samples of each call, at most."""
    fewest: int
    """Samples of each call, at least."""
    seconds: float
    """After so long no further round begins, once there are the fewest."""
    sample: float
    """Length of a sample [s]: a short call is repeated until it is as long."""


FULL = Effort(rounds=100, fewest=7, seconds=1.0, sample=8e-3)
QUICK = Effort(rounds=15, fewest=3, seconds=0.2, sample=5e-4)


@dataclass(frozen=True)
class Call:
    """A function with its arguments, called as a user would: `pin.rnea(..)`, `dyn.inverse(..)`."""

    label: str
    """What is called, for people."""
    owner: Any
    """A module or an object that has the function."""
    name: str
    """Of the function, which is looked up at every call."""
    arguments: tuple[Any, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    read: Callable[[], Any] | None = None
    """Where the results are, if the function does not return them."""

    def results(self) -> list[Array]:
        """Call once; what came out, one array for each result."""
        returned = self.once()
        value = returned if self.read is None else self.read()
        parts = cast("tuple[Any, ...]", value) if isinstance(value, tuple) else (value,)
        return [np.array(part) for part in parts]

    def once(self) -> Any:
        """Call once; what it returns."""
        return getattr(self.owner, self.name)(*self.arguments, **self.options)

    def timer(self) -> Timer:
        """A timer of nothing but the call: owner and arguments are names, as in a user's loop."""
        positions = dict(zip((f"argument{k}" for k in count()), self.arguments, strict=False))
        words = [*positions, *(f"{name}={name}" for name in self.options)]
        names = {**positions, **self.options, "owner": self.owner}
        return Timer(f"owner.{self.name}({', '.join(words)})", globals=names)


@dataclass(frozen=True)
class Times:
    """How long one call took, sample by sample [ns]."""

    samples: tuple[float, ...]

    @property
    def best(self) -> float:
        """The shortest: what the call takes when nothing disturbs."""
        return min(self.samples)

    @property
    def median(self) -> float:
        """The middle one: what the call takes on this machine as it is."""
        return median(self.samples)

    def median_ratio(self, other: Times) -> float:
        """How many times longer than the other, in the middle one of the rounds."""
        return median(a / b for a, b in zip(self.samples, other.samples, strict=True))


def take_turns(calls: Sequence[Call], effort: Effort) -> list[Times]:
    """The times of each call; all are sampled once in every round.

    The first call of anything may compile it: who is timed here should have been called before.
    """
    timers = [call.timer() for call in calls]
    numbers = [_repeats(timer, effort.sample) for timer in timers]
    samples: list[list[float]] = [[] for _ in calls]
    end = time.perf_counter() + effort.seconds
    for done in range(effort.rounds):
        if done >= effort.fewest and time.perf_counter() > end:
            break
        for timer, number, taken in zip(timers, numbers, samples, strict=True):
            if number > 1:  # not counted: a short call first brings its data back into the caches
                timer.timeit(number)
            taken.append(timer.timeit(number) / number * NANOSECONDS)
    return [Times(tuple(taken)) for taken in samples]


def best_time(call: Callable[[], Any], rounds: int) -> float:
    """The best time of one call among so many [s]."""
    return min(Timer(call).repeat(rounds, 1))


def _repeats(timer: Timer, seconds: float) -> int:
    """How often to call for a sample of about that length."""
    number = 1
    while (taken := timer.timeit(number)) < 0.5 * seconds:
        number = max(2 * number, int(number * seconds / max(taken, 1e-7)) // 2)
    return number
