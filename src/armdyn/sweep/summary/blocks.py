"""Rows as they stand in files, in blocks of one size: sums do not depend on how the rows were cut."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any

import numpy as np

from armdyn.sweep.axes import Values
from armdyn.sweep.row_files import INDEX
from armdyn.sweep.store.reader import Results

BLOCK = 1 << 16
"""Rows that are looked at together."""
Block = Mapping[str, Values]
"""Column -> (m) values: floats, NaN where there are none; texts, None where there are none"""


def blocks(results: Results, columns: Sequence[str]) -> Iterator[Block]:
    """The rows that are there in their order, so many at a time."""
    names = [INDEX, *columns]
    waiting: dict[str, list[Values]] = {name: [] for name in names}
    count = 0
    for table in results.tables(names):
        for name in names:
            waiting[name].append(_values(table.column(name)))
        count += table.num_rows
        if count >= BLOCK:
            whole = {name: np.concatenate(parts) for name, parts in waiting.items()}
            full = count - count % BLOCK
            for first in range(0, full, BLOCK):
                yield {name: values[first : first + BLOCK] for name, values in whole.items()}
            waiting = {name: [values[full:]] for name, values in whole.items()}
            count -= full
    if count:
        yield {name: np.concatenate(parts) for name, parts in waiting.items()}


def _values(column: Any) -> Values:
    pa: Any = import_module("pyarrow")
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        return np.array(column.to_pylist(), dtype=object)
    if pa.types.is_boolean(column.type):
        column = column.cast(pa.int8())
    if column.null_count or not pa.types.is_int64(column.type):
        return np.asarray(column.cast(pa.float64()).to_numpy(), dtype=float)
    return np.asarray(column.to_numpy())
