"""From samples to observations: both sides of the equations filtered, without instants that show nothing.

Around its reversals a joint may stick, and what dry friction takes there is not known: at such instants both
the torque and the row of the regressor are set to zero, tau(t) = Y(t) pi becoming 0 = 0. Then both go through
the same low-pass (parallel filtering) and are thinned out: the equations stay exact, their noise shrinks.
Where fewer instants count there is less noise: equations are scaled so that all have the same.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from armdyn.dynamics import Dynamics
from armdyn.identification.base_parameters import BaseParameters
from armdyn.identification.estimation.observations import CHUNK, Held, Observations
from armdyn.identification.logs import Samples
from armdyn.identification.logs.low_pass import LowPass
from armdyn.scalars import Array

STANDSTILL = 0.05
"""What moves slower than this share of its root mean square speed may stick: its friction is not known."""
MOTIONLESS = 1e-4
"""A joint whose speed is below this share of the fastest joint's does not move: what it shows is noise."""
AROUND = 0.4
"""Periods of the cutoff around a standstill that do not count either: there speeds are smoothed."""
SHOWN = 0.5
"""Share of its noise that must be left for a row to count: with less, neighbours have too much in common."""
MEMORY = 6
"""Periods of the cutoff after which a filter remembers nothing."""


@dataclass(frozen=True)
class Observed:
    """Observations, the samples that they belong to, and torques as people want to see them."""

    samples: Samples
    observations: Observations
    measured: Array
    """(t, n) torques through the filter, at all instants, without what is known beforehand"""
    columns: Columns
    decimate: int | None

    def predicted(self, beta: Array) -> Array:
        """(t, n) torques beside those measured, for values of the unknowns."""
        full = np.concatenate([self.columns(part) @ beta for part in _parts(len(self.columns.samples.time))])
        if math.isinf(self.samples.cutoff):
            return full
        return self.columns.samples.parallel(full, self.decimate)[1]


def observed(
    dyn: Dynamics,
    base: BaseParameters,
    samples: Samples,
    *,
    holding: bool | None = None,
    decimate: int | None = None,
) -> Observed:
    """The observations of base parameters in samples: all of a log, torques raw, unless nothing is filtered.

    With `holding`, ten more unknowns are those of something that the tool's body holds: in these samples
    (True), or not in these but in others that are looked at together with them (False).
    """
    counts = _counting(dyn, samples)
    columns = Columns(dyn, base, samples, holding)
    tau = samples.tau - columns.known()
    if math.isinf(samples.cutoff):
        found = Observations(tau, columns, columns.count, counts, samples.segments)
        return Observed(samples, found, tau, columns, decimate)
    left = samples.thinned(_noise_left(samples, counts), decimate)
    scale = 1 / np.sqrt(np.maximum(left, SHOWN))
    thinned, measured = samples.parallel(tau, decimate)
    _, torques = samples.parallel(np.where(counts, tau, 0.0), decimate)
    rows = [
        samples.parallel(columns.of_joint(j) * counts[:, j, None], decimate)[1] for j in range(tau.shape[1])
    ]  # joint by joint: filtering all at once would take much memory
    found = Observations(
        torques * scale,
        Held(np.stack(rows, axis=1) * scale[..., None]),
        columns.count,
        left > SHOWN,
        thinned.segments,
        memory_of(samples, thinned),
    )
    return Observed(thinned, found, measured, columns, decimate)


def _noise_left(samples: Samples, counts: NDArray[np.bool_]) -> Array:
    """(t, n) share of its noise that a row has after the filter, as some instants do not count."""
    low_pass = LowPass(samples.cutoff, samples.rate)
    return np.concatenate([low_pass.noise_left(counts[part].astype(float)) for part in samples.segments])


def memory_of(samples: Samples, thinned: Samples) -> Array:
    """The autocorrelation that the filter has given to white noise, at the samples that are left."""
    low_pass = LowPass(samples.cutoff, samples.rate)
    lags = math.ceil(MEMORY * thinned.rate / samples.cutoff)
    return low_pass.autocorrelation(round(samples.rate / thinned.rate), lags)


@dataclass(frozen=True)
class Columns:
    """The columns of the unknowns, evaluated at samples when asked for."""

    dyn: Dynamics
    base: BaseParameters
    samples: Samples
    holding: bool | None

    @property
    def held(self) -> list[int]:
        """Columns of the body that carries the tool: what it holds has the same, once more."""
        tool = self.dyn.robot.tool.body
        return [k for k, each in enumerate(self.dyn.parameters) if each.side == "body" and each.owner == tool]

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.base) + (0 if self.holding is None else len(self.held))

    def __call__(self, part: slice) -> Array:
        """(c, n, unknowns) at these samples."""
        whole = self.dyn.regressor(*self._state(part), self._wrench(part))
        Y = self.base.regressor(whole)
        if self.holding is None:
            return Y
        more = whole[..., self.held] if self.holding else np.zeros((*Y.shape[:2], len(self.held)))
        return np.concatenate([Y, more], axis=-1)

    def of_joint(self, j: int) -> Array:
        """(t, b) rows of one joint."""
        return np.concatenate([self(part)[:, j] for part in _parts(len(self.samples.time))])

    def known(self) -> Array:
        """(t, n) torques that are known: of parameters that are not looked for, and of a contact."""
        return np.concatenate([self._known(part) for part in _parts(len(self.samples.time))])

    def _known(self, part: slice) -> Array:
        state, wrench, pi = self._state(part), self._wrench(part), self.dyn.parameter_values
        rest = ~self.base.grouping.any(axis=0)  # what no motion shows is among them, and adds nothing
        Y = self.dyn.regressor(*state, wrench)
        torques = Y[..., rest] @ pi[rest]
        return torques if wrench is None else torques + self.dyn.inverse(*state, wrench) - Y @ pi

    def _state(self, part: slice) -> tuple[Array, Array, Array]:
        return self.samples.q[part], self.samples.qd[part], self.samples.qdd[part]

    def _wrench(self, part: slice) -> Array | None:
        return None if self.samples.wrench is None else self.samples.wrench[part]


def _parts(count: int) -> Iterator[slice]:
    return (slice(k, min(k + CHUNK, count)) for k in range(0, count, CHUNK))


# What counts ----------------------------------------------------------------------------------


def _counting(dyn: Dynamics, samples: Samples) -> NDArray[np.bool_]:
    """(t, n) rows in which nothing sticks that the joint feels; all of them where friction does not count."""
    found = np.ones(samples.qd.shape, dtype=bool)
    if not dyn.friction:
        return found
    for rate, joints in _rates(dyn, samples):
        speed = float(np.sqrt(np.mean(rate**2)))
        moving = np.abs(rate) > STANDSTILL * speed
        found[:, joints] &= moving[:, None]
    speeds = np.sqrt(np.mean(samples.qd**2, axis=0))
    found[:, speeds <= MOTIONLESS * speeds.max(initial=0.0)] = False
    return _without_edges(found, samples)


def _rates(dyn: Dynamics, samples: Samples) -> Iterator[tuple[Array, NDArray[np.intp]]]:
    """Speed (t) of everything that may rub, and the joints that feel it."""
    for j in range(dyn.n):
        yield samples.qd[:, j], np.array([j])
    if any(point.side == "motor" or point.owner is None for point in dyn.friction_points):
        slopes = dyn.friction_gradients(samples.q)
        for k, point in enumerate(dyn.friction_points):
            if point.side == "motor" or point.owner is None:
                felt = np.flatnonzero(np.abs(slopes[:, k]).max(axis=0))
                yield np.einsum("tj,tj->t", slopes[:, k], samples.qd), felt


def _without_edges(counts: NDArray[np.bool_], samples: Samples) -> NDArray[np.bool_]:
    """Standstills made wider, within each segment."""
    around = 0 if math.isinf(samples.cutoff) else math.ceil(AROUND * samples.rate / samples.cutoff)
    ndimage: Any = import_module("scipy.ndimage")
    wide = counts.copy()
    for part in samples.segments:
        wide[part] = ndimage.minimum_filter1d(counts[part].astype(np.uint8), 2 * around + 1, axis=0) > 0
    return wide
