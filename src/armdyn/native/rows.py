"""Between rows of memory and vectors of one element each: transposes in registers.

A vector holds the same element of W states, in the lane order ORDER[W], which costs the fewest
shuffles and is the same for everything a kernel loads and stores.
"""

from __future__ import annotations

from collections.abc import Mapping

from armdyn.native.writer import Writer

ORDER = {1: [0], 2: [0, 1], 4: [0, 1, 2, 3], 8: [0, 1, 4, 5, 2, 3, 6, 7]}
"""Width -> the row in each lane."""
COMPARED = 128
"""Stores between two fences: LLVM's schedulers compare every store with all since the last fence, and would
take seconds over the thousands of a long result. A fence makes no instruction."""


def row_pointers(w: Writer, pointer: str, stride: str) -> list[str]:
    """The beginnings of W rows that lie `stride` bytes apart."""
    pointers = [pointer]
    for row in range(1, w.width):
        offset = w.new(f"mul i64 {stride}, {row}")
        pointers.append(w.new(f"getelementptr i8, ptr {pointer}, i64 {offset}"))
    return pointers


def load_elements(w: Writer, rows: list[str], size: int, used: set[int]) -> dict[int, str]:
    """Element -> its vector, for the elements that are used."""
    if w.width == 1:
        return {k: w.load("double", w.address(rows[0], k)) for k in sorted(used)}
    found: dict[int, str] = {}
    start = 0
    while start < size:
        left = size - start
        if w.width == 8 and size >= 4 and left >= 3:
            start = min(start, size - 4)  # the last elements are read twice rather than one by one
            columns = _four_columns(w, rows, start)
        elif size >= 2:
            start = min(start, size - 2)
            columns = _two_columns(w, rows, start)
        else:
            columns = [_one_column(w, rows, start)]
        found.update((start + k, column) for k, column in enumerate(columns))
        start += len(columns)
    return {k: found[k] for k in sorted(used)}


def _four_columns(w: Writer, rows: list[str], start: int) -> list[str]:
    quads = [w.load("<4 x double>", w.address(row, start)) for row in rows]
    halves = [w.shuffle(4, quads[k], quads[k + 4], list(range(8))) for k in range(4)]
    low = [_interleaved(w, halves[k], halves[k + 1], 0) for k in (0, 2)]
    high = [_interleaved(w, halves[k], halves[k + 1], 1) for k in (0, 2)]
    first, second = [0, 1, 4, 5, 8, 9, 12, 13], [2, 3, 6, 7, 10, 11, 14, 15]
    pairs = ((low, first), (high, first), (low, second), (high, second))
    return [w.shuffle(8, pair[0], pair[1], pick) for pair, pick in pairs]


def _two_columns(w: Writer, rows: list[str], start: int) -> list[str]:
    pairs = [w.load("<2 x double>", w.address(rows[row], start)) for row in ORDER[w.width]]
    even, odd = _joined(w, pairs[0::2]), _joined(w, pairs[1::2])
    return [_interleaved(w, even, odd, 0), _interleaved(w, even, odd, 1)]


def _one_column(w: Writer, rows: list[str], start: int) -> str:
    column = "poison"
    for lane, row in enumerate(ORDER[w.width]):
        element = w.load("double", w.address(rows[row], start))
        column = w.new(f"insertelement {w.type} {column}, double {element}, i32 {lane}")
    return column


def _joined(w: Writer, parts: list[str]) -> str:
    """Vectors one after the other as one."""
    lanes = 2
    while len(parts) > 1:
        everything = list(range(2 * lanes))
        parts = [w.shuffle(lanes, a, b, everything) for a, b in zip(parts[0::2], parts[1::2], strict=True)]
        lanes *= 2
    return parts[0]


def _interleaved(w: Writer, a: str, b: str, odd: int) -> str:
    """a0 b0 a2 b2 .., or with the odd elements a1 b1 a3 b3 .."""
    pick = [lane + source for lane in range(odd, w.width, 2) for source in (0, w.width)]
    return w.shuffle(w.width, a, b, pick)


def store_elements(w: Writer, rows: list[str], values: Mapping[int, str]) -> None:
    """Write the elements 0, 1, .. of W rows."""
    if w.width == 1:
        for k, value in values.items():
            if k and k % COMPARED == 0:
                w.fence()
            w.store("double", value, w.address(rows[0], k))
        return
    size = len(values)
    for start in range(0, size - 1, 2):
        if start and start // 2 * w.width % COMPARED == 0:
            w.fence()
        a, b = values[start], values[start + 1]
        for odd in (0, 1):
            _store_pairs(w, rows, start, _interleaved(w, a, b, odd), odd)
    if size % 2:
        for lane, row in enumerate(ORDER[w.width]):
            element = w.new(f"extractelement {w.type} {values[size - 1]}, i32 {lane}")
            w.store("double", element, w.address(rows[row], size - 1))


def _store_pairs(w: Writer, rows: list[str], start: int, pairs: str, odd: int) -> None:
    for k, row in enumerate(ORDER[w.width][odd::2]):
        pair = w.shuffle(w.width, pairs, "poison", [2 * k, 2 * k + 1])
        w.store("<2 x double>", pair, w.address(rows[row], start))
