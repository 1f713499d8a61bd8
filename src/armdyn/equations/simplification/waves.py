"""Quantities and monomials as sums of waves x^p e^(i k.q), and their means over a box of joints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from armdyn.extremes.terms import Terms
from armdyn.scalars import Array
from armdyn.scalars.harmonic import Harmonic

Digits = tuple[tuple[str, int], ...]
Wave = tuple[Digits, Digits]
"""(powers, frequencies) by name, the names in order."""
Waves = dict[Wave, complex]
"""A real function: k and -k both stand in it, with conjugate coefficients."""

WHOLE_TURN = 1e-9
"""What a range may lack of a whole number of periods to be taken for it."""


@dataclass(frozen=True)
class Joints:
    """The joints that a function depends on, each with its range; angles that are multiples of them."""

    names: tuple[str, ...]
    box: Array
    """(n, 2)"""
    scaled: Mapping[str, tuple[tuple[str, float], ...]]
    """Angles that turn at no whole number of times their joints: name -> (joint, factor)."""

    def powers(self, waves: Sequence[Wave]) -> NDArray[np.int64]:
        """(m, n) the powers of the joints."""
        result = np.zeros((len(waves), len(self.names)), dtype=np.int64)
        for row, (powers, _) in enumerate(waves):
            for name, p in powers:
                result[row, self.names.index(name)] = p
        return result

    def frequencies(self, waves: Sequence[Wave]) -> Array:
        """(m, n) the frequencies of the joints."""
        result: Array = np.zeros((len(waves), len(self.names)))
        for row, (_, frequencies) in enumerate(waves):
            for name, k in frequencies:
                for joint, factor in self.scaled.get(name, ((name, 1.0),)):
                    result[row, self.names.index(joint)] += k * factor
        return result

    def means(self, rows: Sequence[Wave], columns: Sequence[Wave]) -> NDArray[np.complex128]:
        """(r, c) the means of the products of two waves over the box."""
        ours = np.concatenate([self.powers(rows), self.frequencies(rows)], axis=1)
        theirs = np.concatenate([self.powers(columns), self.frequencies(columns)], axis=1)
        n = len(self.names)
        result = np.ones((len(rows), len(columns)), dtype=np.complex128)
        for j, (low, high) in enumerate(self.box.tolist()):
            a, at = np.unique(ours[:, [j, n + j]], axis=0, return_inverse=True)
            b, bt = np.unique(theirs[:, [j, n + j]], axis=0, return_inverse=True)
            table = np.array([[mean(int(p + r), k + m, low, high) for r, m in b] for p, k in a])
            if (table != 1).any():
                result *= table[at.reshape(-1)[:, None], bt.reshape(-1)[None, :]]
        return result


def mean(power: int, frequency: float, low: float, high: float) -> complex:
    """The mean of x^p e^(i k x) over a range."""
    width = high - low
    if not width:
        return low**power * complex(np.exp(1j * frequency * low))
    if not frequency:
        return (high ** (power + 1) - low ** (power + 1)) / ((power + 1) * width)
    if not power:
        turns = frequency * width / (2 * np.pi)
        if abs(turns - round(turns)) <= WHOLE_TURN * max(1.0, abs(turns)) and round(turns):
            return 0j
        return complex(np.exp(0.5j * frequency * (low + high)) * np.sinc(turns))
    # the integral by parts: x^p e^(ikx) / (ik) - p / (ik) times that of x^(p-1) e^(ikx)
    ends = high**power * np.exp(1j * frequency * high) - low**power * np.exp(1j * frequency * low)
    return complex((ends / width - power * mean(power - 1, frequency, low, high)) / (1j * frequency))


def waves(quantity: Harmonic) -> Waves:
    """The waves of a quantity."""
    result: Waves = {}
    for c, digits in quantity.digits():
        powers = tuple(sorted((name, d) for name, angle, d in digits if not angle))
        frequencies = tuple(sorted((name, d) for name, angle, d in digits if angle))
        result[powers, frequencies] = result.get((powers, frequencies), 0) + c
    return result


def product(a: Waves, b: Waves) -> Waves:
    """The product of two functions."""
    result: Waves = {}
    for (powers, frequencies), c in a.items():
        for (more, others), d in b.items():
            key = (_joined(powers, more), _joined(frequencies, others))
            result[key] = result.get(key, 0) + c * d
    return {key: c for key, c in result.items() if c}


def _joined(a: Digits, b: Digits) -> Digits:
    if not a or not b:
        return a or b
    joined = dict(a)
    for name, d in b:
        joined[name] = joined.get(name, 0) + d
    return tuple(sorted((name, d) for name, d in joined.items() if d))


def terms(function: Waves, joints: Joints) -> Terms:
    """A function as real terms in the joints, in their order."""
    keys = list(function)
    c = np.array([function[key] for key in keys], dtype=np.complex128)
    return Terms(joints.frequencies(keys), joints.powers(keys), c.real, -c.imag).merged()


def settled(function: Waves, joints: Joints) -> Waves:
    """A function with joints that cannot move at their places, as numbers."""
    places = {
        name: low for name, (low, high) in zip(joints.names, joints.box.tolist(), strict=True) if low == high
    }
    if not places:
        return function
    result: Waves = {}
    for (powers, frequencies), c in function.items():
        factor = c
        for name, p in powers:
            factor *= places[name] ** p if name in places else 1.0
        for name, k in frequencies:
            factor *= np.exp(1j * k * places[name]) if name in places else 1.0
        key = (
            tuple((name, p) for name, p in powers if name not in places),
            tuple((name, k) for name, k in frequencies if name not in places),
        )
        result[key] = result.get(key, 0) + complex(factor)
    return result
