"""What was observed: tau = Y beta at every sample, chunk by chunk so that memory stays bounded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from armdyn.scalars import Array

CHUNK = 4096
"""Samples whose regressor is held at once: some 30 MB for seven joints."""


class Source(Protocol):
    """Where the regressor at samples comes from: evaluated when asked for, or held."""

    def __call__(self, part: slice) -> Array:
        """(c, n, b) of these samples."""
        ...


@dataclass(frozen=True, eq=False)
class Held:
    """A regressor that is held."""

    Y: Array
    """(t, n, b)"""

    def __call__(self, part: slice) -> Array:
        """Of these samples."""
        return self.Y[part]


@dataclass(frozen=True, eq=False)
class Observations:
    """Samples of torques and of the regressor; a row is what one joint shows at one sample."""

    tau: Array
    """(t, n) torques measured, without what is known beforehand"""
    regressor: Source
    unknowns: int
    """b"""
    used: NDArray[np.bool_]
    """(t, n) rows that count: not those of joints that may stick"""
    segments: tuple[slice, ...]
    """Stretches without a gap, in the order of time"""
    memory: Array = field(default_factory=lambda: np.ones(1))
    """Autocorrelation, from lag 0 on, that a filter has given to what was white noise of the torques"""

    def __len__(self) -> int:
        return len(self.tau)

    @property
    def n(self) -> int:
        """Number of joints."""
        return self.tau.shape[1]

    @cached_property
    def rows(self) -> NDArray[np.intp]:
        """How many rows of each joint count: (n)."""
        return np.count_nonzero(self.used, axis=0)

    @cached_property
    def parts(self) -> tuple[slice, ...]:
        """The chunks."""
        return tuple(slice(k, min(k + CHUNK, len(self))) for k in range(0, len(self), CHUNK))

    def chunks(self) -> Iterator[tuple[slice, Array, Array]]:
        """Which samples, their regressor (c, n, b) and torques (c, n); rows that do not count are zero."""
        for part in self.parts:
            counts = self.used[part]
            Y, tau = self.regressor(part), self.tau[part]
            yield part, np.where(counts[..., None], Y, 0.0), np.where(counts, tau, 0.0)

    def predicted(self, beta: Array) -> Array:
        """(t, n) torques, of all rows."""
        return np.concatenate([self.regressor(part) @ beta for part in self.parts])

    def residuals(self, beta: Array) -> Array:
        """(t, n) measured less predicted torques, of all rows, those that do not count included."""
        return self.tau - self.predicted(beta)

    def only(self, kept: NDArray[np.intp]) -> Observations:
        """With some of the unknowns, the others taken to be zero."""

        def some(part: slice) -> Array:
            return self.regressor(part)[..., kept]

        return replace(self, regressor=some, unknowns=len(kept))


def together(first: Observations, second: Observations) -> Observations:
    """Both one after the other: the same unknowns."""
    assert first.unknowns == second.unknowns and first.n == second.n
    end = len(first)

    def regressor(part: slice) -> Array:
        here = first.regressor(slice(part.start, min(part.stop, end))) if part.start < end else None
        there = (
            second.regressor(slice(max(part.start - end, 0), part.stop - end)) if part.stop > end else None
        )
        return np.concatenate([each for each in (here, there) if each is not None])

    later = (slice(part.start + end, part.stop + end) for part in second.segments)
    return Observations(
        np.concatenate([first.tau, second.tau]),
        regressor,
        first.unknowns,
        np.concatenate([first.used, second.used]),
        (*first.segments, *later),
        first.memory,
    )
