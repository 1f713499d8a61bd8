"""Samples from which parameters are told: filtered, differentiated, without the ends, thinned out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from armdyn.errors import InputError, ShapeError
from armdyn.identification.logs.low_pass import LowPass
from armdyn.identification.whole_numbers import whole_number
from armdyn.scalars import Array

PER_CUTOFF = 2.5
"""Samples that are kept in a period of the cutoff frequency: a little more than determine what is left."""


@dataclass(frozen=True, eq=False)
class Samples:
    """A motion and its torques, all through one zero-phase low-pass; (t) samples, even within a segment."""

    time: Array
    """(t) [s]"""
    q: Array
    """(t, n) joint positions [rad or m]"""
    qd: Array
    """(t, n) joint velocities"""
    qdd: Array
    """(t, n) joint accelerations"""
    tau: Array
    """(t, n) joint torques [N m or N]"""
    wrench: Array | None
    """(t, 6) as in `Log`"""
    sensor: Array | None
    """(t, 6) as in `Log`"""
    segments: tuple[slice, ...]
    """Which samples follow one another without a gap"""
    rate_before: float
    """[Hz] of the log"""
    rate: float
    """[Hz] of the samples"""
    cutoff: float
    """[Hz] at which the filter leaves one half; infinite if nothing was filtered"""
    notes: tuple[str, ...] = ()
    """What the log says, and what was chosen"""

    def parallel(self, values: ArrayLike, decimate: int | None = None) -> tuple[Samples, Array]:
        """Values at every sample through the filter that the torques went through, and their samples.

        A regressor evaluated on the filtered motion still has sharp edges, such as the sign of a velocity,
        that torques have no longer. Parallel filtering takes them off on both sides: `prepared(..,
        decimate=1)`, the regressor at its samples, then this. Ends where the filter has not settled are left
        out.

        Args:
            values: (t, ..) at the samples.
            decimate: keep one sample in so many; by default 2.5 in a period of the cutoff.
        """
        array = np.asarray(values, dtype=float)
        if array.shape[:1] != self.time.shape:
            expected = f"({len(self.time)}, ..)"
            raise ShapeError("values", array.shape, f"there are {len(self.time)} samples", expected)
        if self.rate != self.rate_before:
            raise InputError("samples are thinned out already, expected all of them; prepare with decimate=1")
        low_pass = LowPass(self.cutoff, self.rate)
        flat = array.reshape(len(array), -1)
        pieces, kept, factor = self._settled(decimate)
        filtered = [
            low_pass.filtered(flat[part])[rows - part.start] for part, rows in zip(pieces, kept, strict=True)
        ]
        return self._at(kept, self.rate / factor), np.concatenate(filtered).reshape(-1, *array.shape[1:])

    def thinned(self, values: Array, decimate: int | None = None) -> Array:
        """Values (t, ..) at the samples that `parallel` keeps."""
        return values[np.concatenate(self._settled(decimate)[1])]

    def _settled(self, decimate: int | None) -> tuple[list[slice], list[NDArray[np.intp]], int]:
        """Segments long enough to filter, their samples where the filter has settled, and of how many one."""
        ends = int(np.ceil(LowPass(self.cutoff, self.rate).settling * self.rate))
        factor = decimation(decimate, self.cutoff, self.rate)
        pieces = [part for part in self.segments if part.stop - part.start > 2 * ends + 1]
        if not pieces:
            raise InputError("no stretch of samples is long enough to filter again; record longer")
        kept = [np.arange(part.start + ends, part.stop - ends, factor, dtype=np.intp) for part in pieces]
        return pieces, kept, factor

    def _at(self, kept: list[NDArray[np.intp]], rate: float) -> Samples:
        """These samples of each segment."""
        rows = np.concatenate(kept)
        names = ("time", "q", "qd", "qdd", "tau", "wrench", "sensor")
        arrays = {name: None if (x := getattr(self, name)) is None else x[rows] for name in names}
        return replace(self, **arrays, segments=side_by_side([len(each) for each in kept]), rate=rate)


def decimation(decimate: int | None, cutoff: float, rate: float) -> int:
    """Of how many samples one is kept."""
    if decimate is None:
        return max(1, int(rate / (PER_CUTOFF * cutoff)))
    return whole_number("decimate", decimate)


def side_by_side(lengths: list[int]) -> tuple[slice, ...]:
    """Slices of these lengths, one after another."""
    ends = np.cumsum([0, *lengths]).tolist()
    return tuple(slice(first, last) for first, last in pairwise(ends))
