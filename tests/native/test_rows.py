"""Stores of long results: few enough side by side for a compiler that compares each with the others."""

import itertools

import pytest

from armdyn.native.rows import COMPARED, store_elements
from armdyn.native.writer import Writer

WIDTHS = (2, 4, 8)


@pytest.mark.parametrize("width", WIDTHS)
def test_a_fence_stands_between_every_so_many_stores(width: int) -> None:
    writer, rows = Writer(width, fused=True), [f"%row{k}" for k in range(width)]
    store_elements(writer, rows, {k: f"%x{k}" for k in range(1001)})
    kinds = [line.split()[0] for line in writer.lines if line.split()[0] in ("store", "fence")]
    runs = [(kind, len(list(same))) for kind, same in itertools.groupby(kinds)]
    assert sum(count for kind, count in runs if kind == "store") == 500 * width + width
    assert max(count for kind, count in runs if kind == "store") <= COMPARED + width
    assert {count for kind, count in runs if kind == "fence"} == {1}


@pytest.mark.parametrize("width", WIDTHS)
def test_short_results_have_none(width: int) -> None:
    writer, rows = Writer(width, fused=True), [f"%row{k}" for k in range(width)]
    store_elements(writer, rows, {k: f"%x{k}" for k in range(2 * COMPARED // width)})
    assert not any("fence" in line for line in writer.lines)
