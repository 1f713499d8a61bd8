"""How far a motion has come at every instant, in steps of constant jerk, from rest to rest."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from armdyn.scalars import Array

HALVINGS = 55
"""By which an instant is found within its step: to rounding."""
NEAR = 0.4
"""Share of a step that is too short for one."""
ROUNDING = 1e-12
"""Share of the whole way, or of the duration, that is none."""


@dataclass(frozen=True, eq=False)
class TimeLaw:
    """s(t) in M steps of constant third derivative; s, its rate y and its acceleration u begin with 0."""

    steps: Array
    """(M) durations [s]"""
    jerk: Array
    """(M) d3s/dt3"""

    @classmethod
    def ending(cls, steps: Array, jerk: Array, length: float) -> TimeLaw:
        """The law nearest to these jerks, in the least squares, that rests at a length in the end."""
        left = np.sum(steps) - np.cumsum(steps)
        # what a jerk of 1 in one step adds to u, y and s at the end
        u, y, s = steps, steps * (left + steps / 2), steps * (left * (left + steps) / 2 + steps * steps / 6)
        scale = np.sum(steps) ** np.arange(3)
        effects = np.stack([u, y, s]) / scale[:, None]
        missing = np.array([0.0, 0.0, length]) / scale - effects @ jerk
        weighted = effects * steps
        change: Array = weighted.T @ np.linalg.solve(effects @ weighted.T, missing)
        return cls(steps, jerk + change)

    def with_steps_at(self, instants: Array) -> TimeLaw:
        """Nearly the same law, with steps that begin at instants (m), and not close to them."""
        inner = self.instants[1:-1]
        near = NEAR * np.minimum(self.steps[1:], self.steps[:-1])
        apart = np.abs(inner[:, None] - instants[None, :]).min(axis=1, initial=np.inf) > near
        every = np.concatenate([[0.0], np.unique(np.concatenate([inner[apart], instants])), [self.duration]])
        _, _, u = self.at(every)
        return TimeLaw.ending(np.diff(every), np.diff(u) / np.diff(every), float(self.states[0, -1]))

    def at_speed(self, r: float) -> TimeLaw:
        """The same at a multiple r of the speed."""
        return replace(self, steps=self.steps / r, jerk=self.jerk * r**3)

    @property
    def duration(self) -> float:
        """[s]."""
        return float(self.instants[-1])

    @cached_property
    def instants(self) -> Array:
        """(M + 1) when the steps begin, and the end."""
        return np.append(0.0, np.cumsum(self.steps))

    @cached_property
    def states(self) -> Array:
        """(3, M + 1) s, y and u at these instants."""
        h = self.steps
        u = np.append(0.0, np.cumsum(self.jerk * h))
        y = np.append(0.0, np.cumsum(h * (u[:-1] + h * self.jerk / 2)))
        s = np.append(0.0, np.cumsum(h * (y[:-1] + h * (u[:-1] / 2 + h * self.jerk / 6))))
        return np.stack([s, y, u])

    def within(self, k: NDArray[np.intp], since: Array) -> tuple[Array, Array, Array]:
        """s, y and u in steps k, some time after their beginning."""
        (s, y, u), j = self.states[:, k], self.jerk[k]
        way = s + since * (y + since * (u / 2 + since * j / 6))
        return way, y + since * (u + since * j / 2), u + since * j

    def at(self, time: Array) -> tuple[Array, Array, Array]:
        """s, y and u at instants (t) between the start and the end."""
        k = np.clip(np.searchsorted(self.instants, time, side="right") - 1, 0, len(self.steps) - 1)
        return self.within(k, time - self.instants[k])

    def when(self, s: Array) -> Array:
        """(t) when it has come as far as s (t)."""
        k = np.clip(np.searchsorted(self.states[0], s, side="right") - 1, 0, len(self.steps) - 1)
        early, late = np.zeros(len(s)), self.steps[k]
        for _ in range(HALVINGS):
            middle = 0.5 * (early + late)
            beyond = self.within(k, middle)[0] > s
            early, late = np.where(beyond, early, middle), np.where(beyond, middle, late)
        near, length = ROUNDING * self.states[0, -1], self.states[0, -1]
        ends = np.where(s <= near, 0.0, self.duration)
        return np.where((s <= near) | (s >= length - near), ends, self.instants[k] + late)
