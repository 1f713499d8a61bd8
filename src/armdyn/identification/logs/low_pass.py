"""A low-pass without lag: a Butterworth filter forth and back.

Forth and back the gain of a filter of fourth order at frequency f is 1/(1 + (f/cutoff)^8), as long as both
are well below half the rate: 1/2 at the cutoff, 1 - 6e-7 at a sixth of it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any

import numpy as np

from armdyn.scalars import Array

ORDER = 4
SETTLED = 3.0
"""Periods of the cutoff frequency after which what an end has stirred up has died away, to 7e-4: the slowest
pair of poles decays as exp(-sin(pi/8) 2 pi cutoff t)."""


@dataclass(frozen=True)
class LowPass:
    """A zero-phase low-pass for signals at a rate [Hz]; with an infinite cutoff [Hz] nothing is filtered."""

    cutoff: float
    rate: float

    @property
    def settling(self) -> float:
        """How long [s] at both ends of a stretch the filter has not settled."""
        return SETTLED / self.cutoff

    def autocorrelation(self, step: int, lags: int) -> Array:
        """(lags + 1) of white noise after the filter, at samples so many steps apart."""
        if math.isinf(self.cutoff):
            return np.eye(1, lags + 1)[0]
        response = np.pad(self.response, step * lags)
        found = np.array(
            [response[step * k :] @ response[: len(response) - step * k] for k in range(lags + 1)]
        )
        return found / found[0]

    def noise_left(self, counts: Array) -> Array:
        """(t, ..) of the variance of filtered white noise, the share left if some samples are zero."""
        signal: Any = import_module("scipy.signal")
        weights = self.response**2 / np.sum(self.response**2)
        shares = signal.fftconvolve(
            counts, weights.reshape(-1, *[1] * (counts.ndim - 1)), mode="same", axes=0
        )
        return np.clip(shares, 0.0, 1.0)

    @cached_property
    def response(self) -> Array:
        """What becomes of an impulse, until nothing is left of it on both sides."""
        half = math.ceil(3 * self.settling * self.rate)
        impulse = np.zeros(2 * half + 1)
        impulse[half] = 1.0
        return self.filtered(impulse)

    def filtered(self, x: Array) -> Array:
        """x: (t, ..), filtered without lag; at an end it is continued by its reflection in the last point."""
        if math.isinf(self.cutoff):
            return x
        signal: Any = import_module("scipy.signal")
        sections = signal.butter(ORDER, self.cutoff, fs=self.rate, output="sos")
        padding = min(len(x) - 1, math.ceil(2 * self.settling * self.rate))
        middle = np.mean(x, axis=0)  # a constant passes: taken away, it costs no digits
        return signal.sosfiltfilt(sections, x - middle, axis=0, padlen=padding) + middle
