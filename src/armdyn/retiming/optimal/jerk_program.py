"""A motion of limited jerk as a linear program, about a motion that is known.

At the places where the steps of a law begin the unknowns are x and u. In a step of the way ds and the time t
the jerk j = (u' - u)/t is constant, so that

    x' - x = (u + u') ds k,    k = 1 + (u' - u) t^2/(12 ds):

about 1, and 3/2 where the motion sets out or comes to rest. k is taken from the motion that is known; so is
how the x between two places depends on those at them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any

import numpy as np

from armdyn.retiming.optimal.time_law import TimeLaw
from armdyn.scalars import Array

FARTHEST = 3.0
"""By how much x may change in a round."""


@dataclass(frozen=True, eq=False)
class Places:
    """A motion at the places (M + 1) where its steps (M) begin and end."""

    s: Array
    x: Array
    u: Array

    @classmethod
    def of(cls, law: TimeLaw) -> Places:
        """Of a law."""
        s, y, u = (values.copy() for values in law.states)
        y[[0, -1]], u[[0, -1]] = 0.0, 0.0
        return cls(s, y * y, u)

    @property
    def way(self) -> Array:
        """(M) ds."""
        return np.diff(self.s)

    @property
    def mean(self) -> Array:
        """(M) of x at both ends of a step."""
        return 0.5 * (self.x[1:] + self.x[:-1])

    @cached_property
    def t(self) -> Array:
        """(M) durations of the steps."""
        y = np.sqrt(self.x)
        mean = 0.5 * (y[1:] + y[:-1])
        # ds = t (y + y')/2 - t^2 (u' - u)/12
        root = np.sqrt(np.maximum(mean**2 - np.diff(self.u) * self.way / 3, 0.0))
        return 2 * self.way / (mean + root)

    def law(self, length: float) -> TimeLaw:
        """The law that this is, up to the end of a length."""
        return TimeLaw.ending(self.t, np.diff(self.u) / self.t, length)

    def halfway(self, other: Places) -> Places:
        """Between this and another motion through the same places."""
        return Places(self.s, 0.5 * (self.x + other.x), 0.5 * (self.u + other.u))

    @property
    def moves(self) -> bool:
        """Whether it goes on and on."""
        return bool((self.way > 0).all() and (self.x[1:-1] > 0).all())


@dataclass(frozen=True, eq=False)
class Between:
    """How x and u at a share of every step (M) depend on the unknowns."""

    s: Array
    u: Array
    x: Array
    """As they are"""
    by_u: Any
    """(M, unknown u)"""
    by_x: Any
    """(M, unknown x)"""


class Program:
    """The rows of the program; unknown are x and u at inner places, x by what it was, and t of the steps."""

    def __init__(self, places: Places) -> None:
        """Without rows."""
        self._sparse: Any = import_module("scipy.sparse")
        self.places = places
        self.count = len(places.s) - 1
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
    def one_t(self) -> Any:
        """Each t alone."""
        return self._sparse.eye(self.count, format="csr")

    def stacked(self, parts: Sequence[Any]) -> Any:
        """Rows below one another."""
        return self._sparse.vstack(parts, format="csr")

    @cached_property
    def mean(self) -> Any:
        """(M) the mean of x in a step by what it was."""
        return self.scaled(0.5 / self.places.mean, self.x[0] + self.x[1])

    def between(self, share: float) -> Between:
        """At a share of the time of every step."""
        places, since = self.places, share * self.places.t
        u, y, j = places.u[:-1], np.sqrt(places.x[:-1]), np.diff(places.u) / places.t
        s = places.s[:-1] + since * (y + since * (u / 2 + since * j / 6))
        s, x = np.clip(s, places.s[:-1], places.s[1:]), np.maximum(y + since * (u + since * j / 2), 0.0) ** 2
        u = u + since * j
        straight = (1 - share) * self.places.x[:-1] + share * self.places.x[1:]
        ratio = np.where(straight > 0, x / np.where(straight > 0, straight, 1.0), 1.0)
        by_x = self.scaled(ratio, (1 - share) * self.x[0] + share * self.x[1])
        return Between(s, u, x, (1 - share) * self.u[0] + share * self.u[1], by_x)

    def solved(self) -> Places | None:
        """The shortest motion through the same places, or None if there is no answer."""
        optimize: Any = import_module("scipy.optimize")  # slow to import: only where it is needed
        places, inner = self.places, self.count - 1
        # x' - x = (u + u') ds k
        bend = 1 + np.diff(places.u) * places.t**2 / (12 * places.way)
        largest = np.maximum(places.x[1:], places.x[:-1])
        by_x = self.scaled(1 / largest, self.x[1] - self.x[0])
        by_u = self.scaled(-bend * places.way / largest, self.u[0] + self.u[1])
        bounds = np.full((2 * inner + self.count, 2), (-np.inf, np.inf))
        bounds[:inner] = 1 / FARTHEST, FARTHEST
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
        return Places(places.s, x, u)
