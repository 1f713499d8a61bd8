"""Designs: the points of a study by their numbers. Row i depends on the study and on i only."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from armdyn.scalars import Array
from armdyn.sweep.axes import Values
from armdyn.sweep.study import Study

SOBOL_BITS = 32
"""Of a Sobol number: there are 2**32 points, more cannot be jumped over in SciPy."""
PHILOX_WORDS = 4
"""Random numbers that one step of the counter gives."""


class Points:
    """The points of a study; asked for rows in growing order, it is fastest."""

    def __init__(self, study: Study) -> None:
        """Nothing computed yet."""
        self._study = study
        self._drawn: Callable[[int, int], Array] = (
            _Sobol(study) if study.design.kind == "sobol" else lambda a, b: _random(study, a, b)
        )

    def rows(self, first: int, stop: int) -> dict[str, Values]:
        """By axis: (m) values of the rows first .. stop - 1."""
        if self._study.design.kind == "grid":
            return _grid(self._study, np.arange(first, stop))
        u = self._drawn(first, stop)
        return {axis.name: axis.at_quantiles(u[:, k].copy()) for k, axis in enumerate(self._study.axes)}


def _grid(study: Study, index: NDArray[np.int64]) -> dict[str, Values]:
    """A number in mixed radix: the last axis of the file varies fastest."""
    points: dict[str, Values] = {}
    for axis in reversed(study.axes):
        index, places = np.divmod(index, axis.size)
        points[axis.name] = axis.on_grid(places)
    return {axis.name: points[axis.name] for axis in study.axes}


def _random(study: Study, first: int, stop: int) -> Array:
    """Numbers by counter: every row has steps of its own, whoever draws it."""
    steps = -(-len(study.axes) // PHILOX_WORDS)
    generator = np.random.Generator(np.random.Philox(study.seed).advance(first * steps))
    return generator.random((stop - first, PHILOX_WORDS * steps))


class _Sobol:
    """A scrambled Sobol sequence, which is walked: jumps ahead take time, a jump back starts again."""

    def __init__(self, study: Study) -> None:
        self._study = study
        self._engine: Any = None
        self._at = 0

    def __call__(self, first: int, stop: int) -> Array:
        if self._engine is None or first < self._at:
            qmc: Any = import_module("scipy.stats.qmc")
            self._engine = qmc.Sobol(len(self._study.axes), bits=SOBOL_BITS, rng=self._study.seed)
            self._at = 0
        if first > self._at:
            self._engine.fast_forward(first - self._at)
        parts: list[Array] = [self._engine.random(1)]  # a first draw of several is warned about
        if stop - first > 1:
            parts.append(self._engine.random(stop - first - 1))
        self._at = stop
        return np.concatenate(parts)
