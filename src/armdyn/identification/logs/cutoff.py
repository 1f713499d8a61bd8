"""Where in the spectrum of positions the motion ends.

A motion's power of velocity, (2 pi f)^2 |Q(f)|^2, is summed over bands of a sixth of an octave, from low to
high. The motion ends where all but 1e-4 of it is reached; the cutoff is six times that frequency, where the
filter takes 6e-7 off the fastest part and leaves room for what torques have beyond the motion: products of
its sines.

Noise would spoil the sum, as velocity weighs it with f^2. A band counts only if it stands out from the noise
floor, the median of the bands in the two octaves below half the rate, and if it holds more variance than
the encoder's steps can make: step^2/12 in all, which at low speed are no white noise but a sawtooth of any
frequency.
"""

from __future__ import annotations

import math
from importlib import import_module
from typing import Any

import numpy as np

from armdyn.identification.logs.signals import resting
from armdyn.scalars import Array

LOST = 1e-4
"""Share of the power of velocity that may lie beyond the motion's band."""
ROOM = 6.0
"""Cutoff by the end of the motion's band."""
ABOVE_FLOOR = 10.0
"""Times the noise floor: where a band begins to count."""
BANDS_PER_OCTAVE = 6
LARGEST = 0.4
"""Cutoff by rate: so much below half the rate a filter still has its shape."""


def automatic_cutoff(q: Array, steps: Array, rate: float) -> float | None:
    """The cutoff [Hz] for positions (t, n) at a rate [Hz]; None if nothing moves.

    Args:
        q: (t, n) positions of one stretch, evenly sampled.
        steps: (n) of the encoders [rad or m], 0 where there are none.
        rate: [Hz].
    """
    moving = np.flatnonzero(~resting(q))
    ends = [end for k in moving if (end := _end_of_motion(q[:, k], float(steps[k]), rate)) is not None]
    return min(ROOM * max(ends), LARGEST * rate) if ends else None


def encoder_steps(q: Array) -> Array:
    """(n) the smallest step that positions (t, n) ever make: that of the encoder, if there is one."""
    sizes = np.abs(np.diff(q, axis=0))
    smallest = np.where(sizes > 0, sizes, np.inf).min(axis=0)
    return np.where(np.isfinite(smallest), smallest, 0.0)


def _end_of_motion(q: Array, step: float, rate: float) -> float | None:
    """The frequency [Hz] at which a joint's motion ends."""
    frequency, variance = _spectrum(q, rate)
    first = _bands(len(frequency))
    total = np.add.reduceat(variance, first)
    count = np.diff([*first, len(frequency)])
    upper = frequency[first + count - 1]
    floor = np.median((total / count)[upper > rate / 8])
    counts = (total / count > ABOVE_FLOOR * floor) & (total > step**2 / 12)
    power = np.add.reduceat(variance * (2 * np.pi * frequency) ** 2, first) * counts
    if not power.sum() > 0:
        return None
    reached = np.cumsum(power) >= (1 - LOST) * power.sum()
    return float(upper[np.argmax(reached)])


def _spectrum(q: Array, rate: float) -> tuple[Array, Array]:
    """Frequencies [Hz] above 0, and the variance of q at each.

    The Blackman-Harris window lets nothing of a slow motion leak to where velocity weighs it a million times.
    """
    signal: Any = import_module("scipy.signal")
    window = signal.windows.blackmanharris(len(q))
    amplitude = np.fft.rfft(window * signal.detrend(q))[1:]
    variance = 2 * np.abs(amplitude) ** 2 / (len(q) * np.sum(window**2))
    return np.arange(1.0, len(variance) + 1, dtype=float) * rate / len(q), variance


def _bands(count: int) -> Any:
    """Where bands of equal ratio begin among even frequencies; the lowest have one frequency each."""
    edges = 2 ** (np.arange(0.0, BANDS_PER_OCTAVE * math.log2(count + 1), dtype=float) / BANDS_PER_OCTAVE)
    return np.unique(np.floor(edges).astype(int) - 1)
