"""A time law made shorter by linear programs, each about the law before.

At the places where the steps of a law begin the unknowns are x and u. In a step of the way ds and the time t
the jerk j = (u' - u)/t is constant, so that x' - x = (u + u') ds k with k = 1 + (u' - u) t^2/(12 ds): about
1, and 3/2 where the motion sets out or comes to rest. Divided by the mean rate ds/t, which goes with the root
of x, the limit of a joint's jerk is linear in u and x but for its right side,

    q''' x + 3 q'' u + q' (u' - u)/ds <= J t/ds,

which is convex in x: its tangent is below, and what keeps it keeps the limit.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any

import numpy as np

from armdyn.retiming.optimal.rows import rows
from armdyn.retiming.optimal.smoothing import kept
from armdyn.retiming.optimal.stretches import Stretch
from armdyn.retiming.optimal.time_law import TimeLaw
from armdyn.retiming.torques import Course
from armdyn.scalars import Array

ROUNDS = 12
SETTLED = 2e-4
"""By which a round must shorten the motion, relative, to be followed by another."""
FARTHEST = 3.0
"""By how much x may change in a round."""
TANGENTS = np.array([0.35, 0.5, 0.7, 0.85, 1.0, 1.2, 1.4, 2.0, 2.8])
"""Multiples of x at which the duration of a step, which is convex, is taken by its tangents."""
JERK_AT, LIMITS_AT = (0.01, 0.99), (0.01, 0.5)
"""Shares of a step at which the program keeps limits."""
SHARES = (1.0, 0.5, 0.2)
"""Of the change that a program proposes, tried one after the other."""


@dataclass(frozen=True, eq=False)
class _Places:
    """A law at the places (M + 1) where its steps (M) begin and end."""

    s: Array
    x: Array
    u: Array
    t: Array
    """(M) durations"""

    @classmethod
    def of(cls, law: TimeLaw) -> _Places:
        s, y, u = law.states
        x = y * y
        x[[0, -1]], u = 0.0, np.append(np.append(0.0, u[1:-1]), 0.0)
        return cls(s, x, u, law.steps)

    @property
    def way(self) -> Array:
        """(M) ds."""
        return np.diff(self.s)

    @property
    def mean(self) -> Array:
        """(M) of x at both ends of a step."""
        return 0.5 * (self.x[1:] + self.x[:-1])

    def towards(self, x: Array, u: Array, share: float, length: float) -> TimeLaw:
        """The law with x and u changed by a share of the difference."""
        x, u = self.x + share * (x - self.x), self.u + share * (u - self.u)
        steps = self.t * np.sqrt(self.mean / (0.5 * (x[1:] + x[:-1])))
        return TimeLaw.ending(steps, np.diff(u) / steps, length)


def shortened(stretch: Stretch, law: TimeLaw, jerk: Array) -> TimeLaw:
    """The law, or one that is shorter; it keeps the limits as `kept` looks at them."""
    for _ in range(ROUNDS):
        better = _better(stretch, law, jerk)
        if better is None:
            return law
        gained, law = 1 - better.duration / law.duration, better
        if gained < SETTLED:
            return law
    return law


def _better(stretch: Stretch, law: TimeLaw, jerk: Array) -> TimeLaw | None:
    """A shorter law than this, if one is found."""
    places = _Places.of(law)
    if not ((places.way > 0).all() and (places.x[1:-1] > 0).all()):
        return None
    proposed = _proposed(stretch, law, jerk)
    if proposed is None:
        return None
    for share in SHARES:
        found = kept(stretch, places.towards(*proposed, share, stretch.length), jerk)
        if found is not None and found.duration < law.duration:
            return found
    return None


# The linear program ---------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Between:
    """How x and u at a share of every step (M) depend on the unknowns."""

    s: Array
    u: Array
    x: Array
    """As they are"""
    by_u: Any
    """(M, unknown u)"""
    by_x: Any
    """(M, unknown x)"""


class _Program:
    """The rows of the program; unknown are x and u at inner places, x by what it was, and t of the steps."""

    def __init__(self, law: TimeLaw) -> None:
        self._sparse: Any = import_module("scipy.sparse")
        self.law, self.places = law, _Places.of(law)
        self.count = len(law.steps)
        self.unit = float(np.abs(self.places.u).max())
        inner = self._sparse.eye(self.count + 1, format="csr")[:, 1:-1]  # x and u are 0 at both ends
        x, u = self._sparse.diags(self.places.x) @ inner, self.unit * inner
        self.x, self.u = (x[:-1], x[1:]), (u[:-1], u[1:])
        self.rows: list[Any] = []
        self.most: list[Array] = []

    def add(self, by_x: Any, by_u: Any, by_t: Any, most: Array) -> None:
        """Rows that keep below what is given."""
        self.rows.append(self._sparse.hstack([by_x, by_u, by_t]))
        self.most.append(most)

    def scaled(self, factors: Array, rows: Any) -> Any:
        """Each row by its factor."""
        return self._sparse.diags(factors) @ rows

    @cached_property
    def no_t(self) -> Any:
        """Rows without t."""
        return self._sparse.csr_matrix((self.count, self.count))

    @cached_property
    def mean(self) -> Any:
        """(M) the mean of x in a step by what it was."""
        return self.scaled(0.5 / self.places.mean, self.x[0] + self.x[1])

    def between(self, share: float) -> _Between:
        """At a share of the time of every step."""
        s, y, u = self.law.within(np.arange(self.count), share * self.law.steps)
        x = y * y
        straight = (1 - share) * self.places.x[:-1] + share * self.places.x[1:]
        ratio = np.where(straight > 0, x / np.where(straight > 0, straight, 1.0), 1.0)
        by_x = self.scaled(ratio, (1 - share) * self.x[0] + share * self.x[1])
        return _Between(s, u, x, (1 - share) * self.u[0] + share * self.u[1], by_x)

    def solved(self, high: Array) -> tuple[Array, Array] | None:
        """x and u (M + 1) of the shortest motion, or None if there is no answer."""
        optimize: Any = import_module("scipy.optimize")  # slow to import: only where it is needed
        places, inner = self.places, self.count - 1
        # x' - x = (u + u') ds k
        bend = 1 + np.diff(places.u) * places.t**2 / (12 * places.way)
        largest = np.maximum(places.x[1:], places.x[:-1])
        by_x = self.scaled(1 / largest, self.x[1] - self.x[0])
        by_u = self.scaled(-bend * places.way / largest, self.u[0] + self.u[1])
        bounds = np.full((2 * inner + self.count, 2), (-np.inf, np.inf))
        bounds[:inner] = np.stack(
            [np.full(inner, 1 / FARTHEST), np.clip(high, 1 / FARTHEST, FARTHEST)], axis=1
        )
        found = optimize.linprog(
            np.append(np.zeros(2 * inner), places.t / places.t.sum()),
            self._sparse.vstack(self.rows, format="csr"),
            np.concatenate(self.most),
            self._sparse.hstack([by_x, by_u, self.no_t], format="csr"),
            np.zeros(self.count),
            bounds,
            "highs",
        )
        if found.x is None:
            return None
        x, u = np.zeros(self.count + 1), np.zeros(self.count + 1)
        x[1:-1], u[1:-1] = found.x[:inner] * places.x[1:-1], found.x[inner : 2 * inner] * self.unit
        return x, u


def _proposed(stretch: Stretch, law: TimeLaw, jerk: Array) -> tuple[Array, Array] | None:
    """x and u (M + 1) of the shortest motion as the linear program sees it, or None if it is not solved."""
    program = _Program(law)
    for part in TANGENTS:  # t relative to what it was: x^-1/2 by its tangents
        by_t: Any = import_module("scipy.sparse").eye(program.count)
        program.add(
            -0.5 * part**-1.5 * program.mean,
            0 * program.u[0],
            -by_t,
            np.full(program.count, -1.5 * part**-0.5),
        )
    for share in JERK_AT:
        _add_jerk(program, stretch, share, jerk)
    for share in LIMITS_AT:
        _add_limits(program, stretch, share)
    q, first, second, _ = stretch.at(program.places.s[1:-1])
    largest = stretch.limits(Course(q, first, first, second)).largest_rate
    return program.solved(largest**2 / program.places.x[1:-1])


def _add_jerk(program: _Program, stretch: Stretch, share: float, jerk: Array) -> None:
    """Limits of the jerk at a share of every step."""
    here, places = program.between(share), program.places
    _, *slopes = stretch.at(here.s)
    rate = places.way / places.t
    step = program.u[1] - program.u[0]
    for first, second, third, limit in zip(*(slope.T for slope in slopes), jerk, strict=True):
        by_u = program.scaled(first * rate / (limit * places.way), step)
        by_u = by_u + program.scaled(3 * second * rate / limit, here.by_u)
        by_x = program.scaled(third * rate / limit, here.by_x)
        for side in (1, -1):  # the root of x on the right by its tangent
            program.add(
                side * by_x + 0.5 * program.mean, side * by_u, program.no_t, np.full(program.count, 1.5)
            )


def _add_limits(program: _Program, stretch: Stretch, share: float) -> None:
    """All other limits at a share of every step, by their tangents."""
    here = program.between(share)
    q, first, second, _ = stretch.at(here.s)
    a, b, c = rows(stretch.limits(Course(q, first, first, second)), here.u, here.x)
    for by_u, by_x, most in zip(a.T, b.T, c.T, strict=True):
        program.add(program.scaled(by_x, here.by_x), program.scaled(by_u, here.by_u), program.no_t, most)
