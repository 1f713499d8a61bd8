"""Waves that are products of shorter ones: a u v, or a u v + b x y, with u, v, x, y among given hints.

Candidates are compared by their values at a few postures, which for products are products; what agrees
there is multiplied out and compared wave by wave.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
from numpy.typing import NDArray

from armdyn.equations.readable.waves import Waves, added

POSTURES = 6
DIGITS = 8
"""Decimals to which values relative to the first must agree."""
EXACT = 1e-13
"""How near products must come to what is sought, relative to its largest wave."""
FACTORS = (1.0, -1.0, 2.0, -2.0)
"""What the first of two products may be multiplied by, in units."""

Found = tuple[tuple[float, int, int], ...]
"""(factor, hint, hint) of each product"""


@dataclass(frozen=True, eq=False)
class Products:
    """The products of hints, two by two; the first hint is 1."""

    hints: Sequence[Waves]

    @classmethod
    def of(cls, hints: Sequence[Waves], variables: int) -> Products:
        """Those of different hints."""
        one: Waves = {((0,),) * variables: 1.0 + 0j}
        different: dict[frozenset[Any], Waves] = {_shape(one): one}
        for waves in hints:
            if waves:
                different.setdefault(_shape(waves), waves)
        return cls(list(different.values()))

    @cached_property
    def pairs(self) -> list[tuple[int, int]]:
        """The hints of each product."""
        return list(combinations_with_replacement(range(len(self.hints)), 2))

    @cached_property
    def values(self) -> NDArray[np.float64]:
        """(products, postures)."""
        single = np.array([values(waves) for waves in self.hints])
        left, right = np.array(self.pairs).T
        return single[left] * single[right]

    @cached_property
    def _directions(self) -> dict[tuple[float, ...], int]:
        """A product's values relative to the first -> the product."""
        return {_direction(row): i for i, row in reversed(list(enumerate(self.values)))}

    def matching(self, waves: Waves, unit: float = 1.0) -> Iterator[Found]:
        """The ways to write waves as a product, or the sum of two of which one has a simple factor."""
        sought = values(waves)
        at = self._directions.get(_direction(sought))
        if at is not None:
            yield from self._checked(waves, [(float(sought[0] / self.values[at][0]), at)])
            return
        slopes = np.round(self.values[:, 1] / self.values[:, 0], DIGITS)
        for factor in (unit * simple for simple in FACTORS):
            rest = sought - factor * self.values
            for i in np.flatnonzero(np.isin(np.round(rest[:, 1] / rest[:, 0], DIGITS), slopes)):
                j = self._directions.get(_direction(rest[i]))
                if j is not None:
                    yield from self._checked(
                        waves, [(factor, int(i)), (float(rest[i][0] / self.values[j][0]), j)]
                    )

    def _checked(self, waves: Waves, found: list[tuple[float, int]]) -> Iterator[Found]:
        left = dict(waves)
        for factor, i in found:
            u, v = (self.hints[k] for k in self.pairs[i])
            for key, c in u.items():
                for other, d in v.items():
                    at = tuple(added(a, b) for a, b in zip(key, other, strict=True))
                    left[at] = left.get(at, 0) - factor * c * d
        if max(map(abs, left.values())) <= EXACT * max(map(abs, waves.values())):
            yield tuple((factor, *self.pairs[i]) for factor, i in found)


def values(waves: Waves) -> NDArray[np.float64]:
    """The values at a few postures, the same each time."""
    frequencies = np.array([[k for part in key for k in part] for key in waves], dtype=float)
    postures = np.random.default_rng(1974).uniform(-3, 3, (frequencies.shape[1], POSTURES))
    coefficients = np.array(list(waves.values()))
    return (coefficients[:, None] * np.exp(1j * (frequencies @ postures))).sum(axis=0).real


def _direction(row: NDArray[np.float64]) -> tuple[float, ...]:
    first = float(row[0])
    return tuple(round(float(row[i]) / first, DIGITS) for i in range(POSTURES))


def _shape(waves: Waves) -> frozenset[Any]:
    """The same for waves that differ by a factor."""
    scale = waves[min(waves)]
    return frozenset(
        (key, round((c / scale).real, 9), round((c / scale).imag, 9)) for key, c in waves.items()
    )
