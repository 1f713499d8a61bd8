"""What an evaluator is: the columns that it fills, row by row independent of how rows are put together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np

from armdyn.sweep.axes import Values

Kind = Literal["float", "int", "bool", "text"]
ERROR = "error"
"""The column of sentences: why a row has no answer, None where it has one."""


@dataclass(frozen=True)
class Column:
    """A result of a study."""

    name: str
    unit: str
    """SI; "1" where it has none"""
    kind: Kind = "float"


class Evaluator(Protocol):
    """What evaluates the rows of a study."""

    @property
    def columns(self) -> tuple[Column, ...]:
        """What it fills besides `error`."""
        ...

    @property
    def grain(self) -> int:
        """How many rows are worth evaluating together."""
        ...

    def evaluate(self, points: Mapping[str, Values]) -> dict[str, Values]:
        """Results (m) of points (m), by column; a row depends on its own point only, to the last bit.

        Numbers are floats, NaN where there are none; texts are None where there are none. The column
        `error` says why a row has no answer.
        """
        ...


def empty_rows(columns: Sequence[Column], count: int) -> dict[str, Values]:
    """Rows without answers, to be filled."""
    rows: dict[str, Values] = {
        column.name: np.full(count, None, dtype=object)
        if column.kind == "text"
        else np.full(count, np.nan, dtype=float)
        for column in columns
    }
    return {**rows, ERROR: np.full(count, None, dtype=object)}


def row_count(points: Mapping[str, Values]) -> int:
    """How many points there are."""
    return len(next(iter(points.values())))


def filled(rows: dict[str, Values], row: int, found: Mapping[str, Any]) -> None:
    """Write the answers of one row; None is no answer."""
    for name, value in found.items():
        rows[name][row] = np.nan if value is None and rows[name].dtype == float else value
