"""What was observed: tau = Y_b beta at every sample, evaluated chunk by chunk so that memory stays bounded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from armdyn.dynamics import Dynamics
from armdyn.identification.base_parameters import BaseParameters
from armdyn.scalars import Array

CHUNK = 4096
"""Samples whose regressor is held at once: some 30 MB for seven joints."""
STANDSTILL = 0.02
"""A joint slower than this share of its root mean square speed may stick: its dry friction is not known."""


@dataclass(frozen=True)
class Observations:
    """Samples of a motion and of its torques, and the combinations of parameters that they are to tell.

    Rows are what one joint shows at one sample. What is known beforehand (a contact) is taken from the torques.
    """

    dyn: Dynamics
    base: BaseParameters
    q: Array
    """(t, n)"""
    qd: Array
    qdd: Array
    tau: Array
    """(t, n) torques measured"""
    used: NDArray[np.bool_]
    """(t, n) rows that count: not those of joints that may stick"""
    segments: tuple[slice, ...]
    """Stretches without a gap, in time's order."""
    wrench: Array | None = None
    """(t, 6) what the tool exerted"""
    payload: tuple[int, ...] = ()
    """Columns of the regressor that count once more, as parameters of what is held in part of the samples."""
    holding: NDArray[np.bool_] | None = None
    """(t) where it is held"""

    def __len__(self) -> int:
        return len(self.q)

    @property
    def n(self) -> int:
        """Number of joints."""
        return self.dyn.n

    @property
    def unknowns(self) -> int:
        """Number of parameters to estimate."""
        return len(self.base) + len(self.payload)

    @cached_property
    def rows(self) -> NDArray[np.intp]:
        """(n) how many rows of each joint count"""
        return np.count_nonzero(self.used, axis=0)

    def chunks(self) -> Iterator[tuple[slice, Array, Array]]:
        """Which samples, their regressor (c, n, unknowns) and torques (c, n); rows that do not count are 0."""
        for start in range(0, len(self), CHUNK):
            part = slice(start, min(start + CHUNK, len(self)))
            Y, known = self._regressor(part)
            tau, counts = self.tau[part] - known, self.used[part]
            yield part, np.where(counts[..., None], Y, 0.0), np.where(counts, tau, 0.0)

    def residuals(self, beta: Array) -> Array:
        """(t, n) measured less predicted torques, of all rows, those that do not count included."""
        found = np.empty((len(self), self.n))
        for start in range(0, len(self), CHUNK):
            part = slice(start, min(start + CHUNK, len(self)))
            Y, known = self._regressor(part)
            found[part] = self.tau[part] - known - Y @ beta
        return found

    def _regressor(self, part: slice) -> tuple[Array, Array]:
        """Columns of the unknowns, and the torques that are known beforehand."""
        state = self.q[part], self.qd[part], self.qdd[part]
        wrench = None if self.wrench is None else self.wrench[part]
        whole = self.dyn.regressor(*state, wrench)
        known = np.zeros(whole.shape[:2])
        if wrench is not None:
            known = self.dyn.inverse(*state, wrench) - whole @ self.dyn.parameter_values
        Y = self.base.regressor(whole)
        if self.payload:
            assert self.holding is not None
            held = whole[..., list(self.payload)] * self.holding[part][:, None, None]
            Y = np.concatenate([Y, held], axis=-1)
        return Y, known


def moving(dyn: Dynamics, qd: Array, standstill: float = STANDSTILL) -> NDArray[np.bool_]:
    """(t, n) the rows of joints that surely move, and of all joints where friction does not count."""
    if not dyn.friction:
        return np.ones(qd.shape, dtype=bool)
    speed = np.sqrt(np.mean(qd**2, axis=0))
    return np.abs(qd) > standstill * speed
