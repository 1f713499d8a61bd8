"""The tables [axes.NAME] of a study file, and the axes that they describe."""

from __future__ import annotations

import math
from typing import Any

from pydantic import Field

from armdyn.errors import InputError
from armdyn.formats.schema import Coordinate, Table
from armdyn.formats.units import SI, measures, to_si
from armdyn.sweep.axes import Axis, Distribution, Spacing
from armdyn.sweep.study import DesignKind

MOST_VALUES = 10**6
REACH = 6
"""Deviations beyond which a distribution has no values worth drawing."""


class AxisTable(Table):
    """What varies, and which values it takes; numbers are SI, or strings with units."""

    values: tuple[Coordinate, ...] | None = Field(default=None, min_length=1, max_length=MOST_VALUES)
    range: tuple[Coordinate, Coordinate] | None = None
    n: int | None = Field(default=None, ge=2, le=MOST_VALUES, strict=True)
    spacing: Spacing = "linear"
    distribution: Distribution = "uniform"
    mean: Coordinate | None = None
    median: Coordinate | None = None
    deviation: Coordinate | None = None


def axis_of(name: str, table: AxisTable, kind: DesignKind, n: int | None) -> Axis:
    """The axis of a table in a design; a ValueError begins with the field that is wrong.

    `n` is how many values each range of a grid has that does not say so itself.
    """
    _check_fields(table, kind, n)
    units = _Units()
    values = None if table.values is None else units.values(table.values)
    low, high = (None, None) if table.range is None else units.range(table.range)
    if low is not None and high is not None:
        _check_range(low, high, table)
    lognormal = table.distribution == "lognormal"
    mean = units.number("median" if lognormal else "mean", table.median if lognormal else table.mean)
    deviation = _deviation(table, units)
    if lognormal and mean is not None and mean <= 0.0:
        raise ValueError(f"median: {mean:g} has no logarithm, expected more than 0")
    _check_reach(table, low, high, mean, deviation)
    size = (table.n or n) if kind == "grid" and values is None else None
    return Axis(
        name, values, low, high, size, table.spacing, table.distribution, mean, deviation, units.measures
    )


class _Units:
    """Numbers of one axis in SI; their units must measure the same."""

    def __init__(self) -> None:
        self.measures: tuple[str, ...] = ()

    def number(self, field: str, value: float | str | None) -> float | None:
        if value is None or not isinstance(value, str):
            return value
        found = measures(value)
        if not found:
            raise ValueError(f'{field}: "{value}" is not a quantity, expected a number or one with a unit')
        common = tuple(q for q in found if q in self.measures) if self.measures else found
        if not common:
            raise ValueError(f'{field}: "{value}" is not in {SI[self.measures[0]]} as other numbers are')
        self.measures = common
        return self._si(field, value, common[0])

    def _si(self, field: str, value: str, quantity: str) -> float:
        try:
            return to_si(value, quantity)
        except InputError as error:
            raise ValueError(f"{field}: {error}") from error

    def range(self, ends: tuple[float | str, float | str]) -> tuple[Any, Any]:
        return self.number("range", ends[0]), self.number("range", ends[1])

    def values(self, values: tuple[float | str, ...]) -> tuple[Any, ...]:
        """Texts if the first is a text without a unit, numbers otherwise."""
        if isinstance(values[0], str) and not measures(values[0]):
            strange = [value for value in values if not isinstance(value, str)]
            if strange:
                raise ValueError(f"values: {strange[0]} is a number beside texts, expected one kind")
            return values
        return tuple(self.number("values", value) for value in values)


def _check_fields(table: AxisTable, kind: DesignKind, n: int | None) -> None:
    """Refuse what does not go together."""
    given = table.model_fields_set
    normal = table.distribution != "uniform"
    if "values" in given and (more := given - {"values"}):
        raise ValueError(f"{min(more)}: values say it all, leave it out")
    if kind == "grid" and normal:
        raise ValueError('distribution: a grid has none; give range or values, or kind = "random"')
    if kind != "grid" and "n" in given:
        raise ValueError(f"n: a {kind} design has design.n rows; leave it out here")
    if not normal and (odd := given & {"mean", "median", "deviation"}):
        raise ValueError(f'{min(odd)}: a uniform axis has none; add distribution = "normal"')
    if normal and "spacing" in given:
        raise ValueError(f"spacing: a {table.distribution} distribution has none; leave it out")
    if not normal and table.values is None and table.range is None:
        raise ValueError("range: is missing; give range = [low, high] or values = [..]")
    if kind == "grid" and table.values is None and (table.n or n) is None:
        raise ValueError("n: is missing; a grid needs to know how many values the range has")
    center, other = ("median", "mean") if table.distribution == "lognormal" else ("mean", "median")
    if normal and other in given:
        raise ValueError(f"{other}: a {table.distribution} distribution has {center}")
    for field in (center, "deviation") if normal else ():
        if field not in given:
            raise ValueError(f"{field}: is missing; a {table.distribution} distribution needs it")


def _check_range(low: float, high: float, table: AxisTable) -> None:
    if not low < high:
        raise ValueError(f"range: {low:g} is not below {high:g}; give [low, high], or values = [{low:g}]")
    if table.spacing == "log" and low <= 0.0:
        raise ValueError(f"range: {low:g} has no logarithm; start above 0, or leave spacing out")


def _deviation(table: AxisTable, units: _Units) -> float | None:
    if table.deviation is None:
        return None
    if table.distribution == "lognormal":  # of the logarithm: a plain number
        units = _Units()
    deviation = units.number("deviation", table.deviation)
    if deviation is not None and (deviation <= 0.0 or (table.distribution == "lognormal" and units.measures)):
        raise ValueError(f"deviation: {table.deviation} is no deviation, expected a number above 0")
    return deviation


def _check_reach(
    table: AxisTable, low: float | None, high: float | None, mean: float | None, deviation: float | None
) -> None:
    """Refuse a distribution of which almost nothing lies in its range: its quantiles have no digits left."""
    if mean is None or deviation is None:
        return
    scale = math.log if table.distribution == "lognormal" else float
    if table.distribution == "lognormal" and high is not None and high <= 0.0:
        raise ValueError(f"range: {high:g} has no logarithm, expected an end above 0")
    above = low is not None and (low > 0.0 or scale is float) and scale(low) > scale(mean) + REACH * deviation
    if above or (high is not None and scale(high) < scale(mean) - REACH * deviation):
        raise ValueError(f"range: lies more than {REACH} deviations from the mean, almost no value is there")
