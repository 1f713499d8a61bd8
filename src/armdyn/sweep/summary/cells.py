"""Axes in cells: the values of a grid, or equal parts of a range, over which results are gathered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from armdyn.scalars import Array
from armdyn.sweep.axes import Axis, Values
from armdyn.sweep.study import Study

MOST = 48
"""Values of a grid that have cells of their own; more are gathered in equal parts."""
PARTS = 32
REACH = 3.0
"""Deviations from the mean between which a distribution is shown."""


@dataclass(frozen=True, eq=False)
class Cells:
    """The cells of one axis."""

    axis: str
    unit: str
    labels: tuple[str, ...] | None
    """Texts, where the axis has texts"""
    middles: Array
    """(k) the values, or the middles of parts"""
    edges: Array
    """(k + 1)"""
    exact: bool
    """Whether every value has a cell of its own"""

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.middles)

    def places(self, values: Values) -> Any:
        """(m) the cell of each value."""
        if self.labels is not None:
            known = {label: k for k, label in enumerate(self.labels)}
            return np.array([known[str(value)] for value in values], dtype=np.intp)
        return np.clip(np.searchsorted(self.edges, values, side="right") - 1, 0, self.count - 1)


def cells_of(study: Study, units: Mapping[str, str]) -> tuple[Cells, ...]:
    """The cells of every axis that takes more than one value."""
    found = (_cells(axis, study, units.get(axis.name, "")) for axis in study.axes)
    return tuple(cells for cells in found if cells.count > 1)


def _cells(axis: Axis, study: Study, unit: str) -> Cells:
    if axis.text:
        labels = tuple(dict.fromkeys(str(value) for value in axis.values or ()))
        middles = np.arange(float(len(labels)))
        return Cells(axis.name, "", labels, middles, np.arange(len(labels) + 1.0) - 0.5, exact=True)
    if axis.values is not None or study.design.kind == "grid":
        steps = np.unique(np.asarray(axis.on_grid(np.arange(axis.size)), dtype=float))
        if len(steps) <= MOST:
            return Cells(axis.name, unit, None, steps, _between(steps), exact=True)
        return _parts(axis.name, unit, float(steps[0]), float(steps[-1]))
    return _parts(axis.name, unit, *_range(axis))


def _between(steps: Array) -> Array:
    """Edges half way between values."""
    if len(steps) == 1:
        return np.array([steps[0] - 0.5, steps[0] + 0.5])
    inner = 0.5 * (steps[1:] + steps[:-1])
    return np.concatenate([[2 * steps[0] - inner[0]], inner, [2 * steps[-1] - inner[-1]]])


def _parts(name: str, unit: str, low: float, high: float) -> Cells:
    edges = np.linspace(low, high, PARTS + 1)
    return Cells(name, unit, None, 0.5 * (edges[1:] + edges[:-1]), edges, exact=False)


def _range(axis: Axis) -> tuple[float, float]:
    """Where nearly all values of a distribution lie."""
    if axis.distribution == "uniform":
        assert axis.low is not None
        assert axis.high is not None
        return axis.low, axis.high
    assert axis.mean is not None
    assert axis.deviation is not None
    normal = axis.distribution == "normal"
    far = REACH * axis.deviation
    ends = (axis.mean - far, axis.mean + far)
    if not normal:
        ends = (axis.mean * float(np.exp(-far)), axis.mean * float(np.exp(far)))
    low = ends[0] if axis.low is None else max(ends[0], axis.low)
    return float(low), float(ends[1] if axis.high is None else min(ends[1], axis.high))
