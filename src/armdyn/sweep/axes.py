"""Axes: what a study varies, and which values each takes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from armdyn.scalars import Array

Values = NDArray[Any]
"""(m) numbers or texts"""
Spacing = Literal["linear", "log"]
Distribution = Literal["uniform", "normal", "lognormal"]
LEAST = 2.0**-54
"""Where a quantile of 0 would be infinite, a random number is not smaller than this."""


@dataclass(frozen=True)
class Axis:
    """One quantity that varies: listed values, a range, or a distribution."""

    name: str
    """As in the file: `q2`, `payload.mass`, `program`"""
    values: tuple[float | str, ...] | None = None
    """Listed values in SI, or texts such as names of programs"""
    low: float | None = None
    high: float | None = None
    """The ends of a range [SI]; of a distribution without values beyond them"""
    n: int | None = None
    """How many values a grid takes from the range, both ends among them"""
    spacing: Spacing = "linear"
    distribution: Distribution = "uniform"
    mean: float | None = None
    """Of a normal distribution [SI]; the median of a lognormal one"""
    deviation: float | None = None
    """Standard deviation [SI]; of the natural logarithm for a lognormal distribution"""
    measures: tuple[str, ...] = ()
    """What the units in the file measure, as `formats.units.SI` names it: ("length",); nothing where all
    numbers are plain"""

    @property
    def text(self) -> bool:
        """Whether the values are texts."""
        return self.values is not None and isinstance(self.values[0], str)

    @property
    def size(self) -> int:
        """How many values a grid takes."""
        return len(self.values) if self.values is not None else self.n or 1

    def on_grid(self, places: NDArray[np.int64]) -> Values:
        """(m) values at these places of a grid, 0 .. size - 1."""
        return self._steps[places]

    def at_quantiles(self, u: Array) -> Values:
        """(m) values of which a share u in [0, 1) of all are smaller."""
        if self.values is not None:
            return self._steps[np.minimum((u * self.size).astype(np.int64), self.size - 1)]
        match self.distribution:
            case "normal":
                return self._center + self._deviation * self._normal(u, lambda bound: bound)
            case "lognormal":
                return self._center * np.exp(self._deviation * self._normal(u, np.log))
            case "uniform":
                return self._between(u)

    def _between(self, u: Array) -> Array:
        low, high = self._range
        if self.spacing == "linear":
            return low + (high - low) * u
        return low * np.exp(np.log(high / low) * u)

    def _normal(self, u: Array, scale: Callable[[float], float]) -> Array:
        """Standard normal numbers, none beyond the ends of the range (on `scale`) where there is one."""
        special: Any = import_module("scipy.special")
        below, above = 0.0, 1.0
        center = scale(self._center)
        if self.low is not None and (self.low > 0.0 or self.distribution == "normal"):
            below = float(special.ndtr((scale(self.low) - center) / self._deviation))
        if self.high is not None:
            above = float(special.ndtr((scale(self.high) - center) / self._deviation))
        return special.ndtri(np.clip(below + (above - below) * u, LEAST, 1.0 - LEAST))

    @cached_property
    def _steps(self) -> Values:
        """All values of a grid, computed at once: a value does not depend on who asks for it."""
        if self.values is not None:
            return np.array(self.values, dtype=object if self.text else float)
        share = np.arange(self.size) / max(1, self.size - 1)
        steps = self._between(share)
        steps[-1] = self._range[1]
        return steps

    @property
    def _range(self) -> tuple[float, float]:
        assert self.low is not None
        assert self.high is not None
        return self.low, self.high

    @property
    def _center(self) -> float:
        assert self.mean is not None
        return self.mean

    @property
    def _deviation(self) -> float:
        assert self.deviation is not None
        return self.deviation
