"""From samples to observations: the regressor filtered as torques were, rows that show nothing left out.

Torques have gone through a low-pass, and lost the edges that dry friction gives them. The regressor at the
same motion has edges still: it goes through the same filter (parallel filtering), and both are thinned out
together.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from armdyn.dynamics import Dynamics
from armdyn.identification.base_parameters import BaseParameters
from armdyn.identification.estimation.observations import CHUNK, Held, Observations
from armdyn.identification.logs import Samples
from armdyn.identification.logs.low_pass import LowPass
from armdyn.scalars import Array

STANDSTILL = 0.02
"""A joint slower than this share of its root mean square speed may stick: its dry friction is not known."""
MOTIONLESS = 1e-4
"""A joint whose speed is below this share of the fastest joint's does not move: what it shows is noise."""
MEMORY = 30
"""Samples, thinned out, after which a filter remembers nothing."""


@dataclass(frozen=True)
class Observed:
    """Observations, and the samples that they belong to."""

    samples: Samples
    observations: Observations


def observed(
    dyn: Dynamics,
    base: BaseParameters,
    samples: Samples,
    *,
    holding: bool | None = None,
    decimate: int | None = None,
) -> Observed:
    """The observations of base parameters in samples, which are all those of a log (decimate=1) if filtered.

    With `holding`, ten more unknowns are those of something that the tool's body holds: in these samples
    (True), or not in these but in others that are looked at together with them (False).
    """
    columns = _Columns(dyn, base, samples, holding)
    if math.isinf(samples.cutoff):
        tau = samples.tau - columns.known(slice(0, len(samples.time)))
        found = Observations(tau, columns, columns.count, _counting(dyn, samples.qd), samples.segments)
        return Observed(samples, found)
    thinned, Y = _filtered(samples, columns, decimate)
    _, known = samples.parallel(columns.known(slice(0, len(samples.time))), decimate)
    _, moving = samples.parallel(_counting(dyn, samples.qd).astype(float), decimate)
    used = moving > 0.5  # a row that has more of rest than of motion in it does not count
    memory = memory_of(samples, thinned)
    found = Observations(thinned.tau - known, Held(Y), columns.count, used, thinned.segments, memory)
    return Observed(thinned, found)


def memory_of(samples: Samples, thinned: Samples) -> Array:
    """The autocorrelation that the filter has given to white noise, at the samples that are left."""
    low_pass = LowPass(samples.cutoff, samples.rate)
    return low_pass.autocorrelation(round(samples.rate / thinned.rate), MEMORY)


def _filtered(samples: Samples, columns: _Columns, decimate: int | None) -> tuple[Samples, Array]:
    """The regressor through the filter, joint by joint: all joints at once would take much memory."""
    rows: list[Array] = []
    thinned = samples
    for j in range(samples.q.shape[1]):
        thinned, row = samples.parallel(
            np.concatenate([columns(part)[:, j] for part in _parts(samples)]), decimate
        )
        rows.append(row)
    return thinned, np.stack(rows, axis=1)


def _parts(samples: Samples) -> Iterator[slice]:
    count = len(samples.time)
    return (slice(k, min(k + CHUNK, count)) for k in range(0, count, CHUNK))


@dataclass(frozen=True)
class _Columns:
    """The columns of the unknowns, evaluated at samples when asked for."""

    dyn: Dynamics
    base: BaseParameters
    samples: Samples
    holding: bool | None

    @property
    def held(self) -> list[int]:
        """Columns of the body that carries the tool: what it holds has the same, once more."""
        side = [
            each.side == "body" and each.owner == self.dyn.robot.tool.body for each in self.dyn.parameters
        ]
        return np.flatnonzero(side).tolist()

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.base) + (0 if self.holding is None else len(self.held))

    def __call__(self, part: slice) -> Array:
        whole = self.dyn.regressor(*self._state(part), self._wrench(part))
        Y = self.base.regressor(whole)
        if self.holding is None:
            return Y
        more = whole[..., self.held] if self.holding else np.zeros((*Y.shape[:2], len(self.held)))
        return np.concatenate([Y, more], axis=-1)

    def known(self, part: slice) -> Array:
        """(c, n) torques that are known beforehand: those of a contact that was measured."""
        if self.samples.wrench is None:
            return np.zeros(self.samples.tau[part].shape)
        state, wrench = self._state(part), self._wrench(part)
        return self.dyn.inverse(*state, wrench) - self.dyn.inverse(*state)

    def _state(self, part: slice) -> tuple[Array, Array, Array]:
        return self.samples.q[part], self.samples.qd[part], self.samples.qdd[part]

    def _wrench(self, part: slice) -> Array | None:
        return None if self.samples.wrench is None else self.samples.wrench[part]


def _counting(dyn: Dynamics, qd: Array) -> NDArray[np.bool_]:
    """(t, n) the rows of joints that surely move, and all of them where friction does not count."""
    if not dyn.friction:
        return np.ones(qd.shape, dtype=bool)
    speed = np.sqrt(np.mean(qd**2, axis=0))
    return (np.abs(qd) > STANDSTILL * speed) & (speed > MOTIONLESS * speed.max(initial=0.0))
