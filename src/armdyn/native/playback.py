"""Tapes in place of straight-line code: the module that plays one, with the functions that `lowering` writes.

    i64 block(inputs.., results..)      one row; there if vectors are of one state
    i64 batch(i64 rows, ptr arrays)     rows >= W; arrays: pointer and bytes between rows of each

Blocks of V vectors as long as there are rows for them, then one vector at a time.
"""

from __future__ import annotations

import ctypes

import numpy as np
from numpy.typing import NDArray

from armdyn.native.llvm import Loaded, NativeError
from armdyn.native.lowering import PROBED
from armdyn.native.player import Player
from armdyn.native.signature import Signature
from armdyn.native.sines import LIBRARY
from armdyn.native.tape import Tape
from armdyn.native.writer import Writer

CACHE = 1 << 18
"""Bytes of slots that a processor's second cache surely holds beside all else."""
STACK = 1 << 21
"""Bytes of the stack that constants and slots may take: threads have four times as much."""
TABLE = ("words", "constants", "count", "before", "size")
"""What a player is told: where its words and constants are, how many constants, bytes of room before the
slots and in all."""


def grouping(tape: Tape, width: int) -> tuple[int, int]:
    """(states in a vector, vectors in a slot) for code that is given `width` rows or more.

    Four vectors of all these rows, fewer where the slots would leave the cache; shorter vectors where slots
    and constants would not fit on the stack.
    """
    values = tape.slots + len(tape.constants)
    lanes = width
    while 8 * lanes * values > STACK and lanes > 1:
        lanes //= 2
    if 8 * lanes * values > STACK:
        raise NativeError(
            f"a program that keeps {tape.slots} values at a time, expected at most {STACK // 8}; "
            "set ARMDYN_NATIVE=0 to use NumPy"
        )
    several = (v for v in (4, 2) if width > 1 and 8 * v * lanes * tape.slots <= CACHE)
    return lanes, next(several, 1)


def play(loaded: Loaded, tape: Tape, lanes: int, vectors: int) -> NDArray[np.int32]:
    """Give a player its tape; whoever runs it keeps the tape and the words that this returns."""
    words, before = tape.placed(lanes, vectors), tape.before_slots(lanes)
    size = before + 8 * lanes * vectors * tape.slots
    table = (ctypes.c_int64 * len(TABLE)).from_address(loaded.data("tape"))
    table[:] = [words.ctypes.data, tape.constants.ctypes.data, len(tape.constants), before, size]
    return words


def player_ir(signature: Signature, lanes: int, vectors: int, has_fma: bool) -> str:
    """The module that plays tapes, with so many states in a vector and vectors in a slot."""
    arrays = len(signature.inputs) + len(signature.results)
    head = [
        *Writer(lanes, has_fma).declarations(),
        LIBRARY,
        '!0 = !{!"branch_weights", i32 1, i32 1000000}',
        f"@tape = global [{len(TABLE)} x i64] zeroinitializer",
    ]
    players = [Player(Writer(lanes, has_fma), count, vectors).text() for count in sorted({1, vectors})]
    batch = _Batch(Writer(lanes, has_fma), vectors, arrays).text()
    return "\n".join([*head, *players, batch, *([_block(arrays)] if lanes == 1 else [])])


class _Batch:
    """The function `batch`: room for constants and slots, then block after block."""

    def __init__(self, w: Writer, vectors: int, arrays: int) -> None:
        self.w, self._vectors, self._arrays = w, vectors, arrays

    def text(self) -> str:
        """The function; the last vector may do some rows again."""
        w = self.w
        room = w.new(f"alloca i8, i64 {self._known('size', 'i64')}, align 64")
        slots = w.new(f"getelementptr i8, ptr {room}, i64 {self._known('before', 'i64')}")
        here = w.new(f"alloca [{2 * self._arrays} x i64]")
        self._copy_constants(room)
        w.start("ask")
        w.do("%row = phi i64 [ 0, %copy ], [ %after, %did ]")
        w.do("%found = phi i64 [ 0, %copy ], [ %sum, %did ]")
        left, last = w.new("sub i64 %rows, %row"), w.new(f"sub i64 %rows, {w.width}")
        few = w.new(f"icmp slt i64 {left}, {w.width}")
        start = w.new(f"select i1 {few}, i64 {last}, i64 %row")
        self._point(here, start)
        many = w.new(f"icmp sge i64 {left}, {w.width * self._vectors}")
        w.do(f"br i1 {many}, label %block, label %vector")
        for label, count in (("block", self._vectors), ("vector", 1)):
            w.start(label)
            w.do(f"%{label}.new = call i64 @play{count}(ptr {room}, ptr {slots}, ptr {here})")
            w.do(f"%{label}.after = add i64 {start}, {w.width * count}")
            w.do("br label %did")
        w.start("did")
        for name in ("new", "after"):
            w.do(f"%{name} = phi i64 [ %block.{name}, %block ], [ %vector.{name}, %vector ]")
        w.do("%sum = add i64 %found, %new")
        w.do(f"br i1 {w.new('icmp sge i64 %after, %rows')}, label %end, label %ask")
        w.start("end")
        w.do("ret i64 %sum")
        head = f"define i64 @batch(i64 %rows, ptr %arrays) nounwind {PROBED} {{"
        return "\n".join([head, "entry:", *w.lines, "}"])

    def _known(self, name: str, kind: str) -> str:
        place = f"getelementptr (i64, ptr @tape, i64 {TABLE.index(name)})"
        return self.w.new(f"load {kind}, ptr {place}")

    def _copy_constants(self, room: str) -> None:
        """Every constant as a vector."""
        w = self.w
        constants, count = self._known("constants", "ptr"), self._known("count", "i64")
        w.do("br label %copy")
        w.start("copy")
        w.do("%k = phi i64 [ 0, %entry ], [ %k.next, %copy ]")
        number = w.load("double", w.new(f"getelementptr double, ptr {constants}, i64 %k"))
        w.store(w.type, w.everywhere("double", number), w.new(f"getelementptr {w.type}, ptr {room}, i64 %k"))
        w.do("%k.next = add i64 %k, 1")
        w.do(f"br i1 {w.new(f'icmp eq i64 %k.next, {count}')}, label %ask, label %copy")

    def _point(self, here: str, start: str) -> None:
        """The arrays from a row on."""
        w = self.w
        for k in range(0, 2 * self._arrays, 2):
            place, between = (w.new(f"getelementptr i64, ptr %arrays, i64 {j}") for j in (k, k + 1))
            pointer, stride = w.new(f"load ptr, ptr {place}"), w.new(f"load i64, ptr {between}")
            moved = w.new(f"getelementptr i8, ptr {pointer}, i64 {w.new(f'mul i64 {start}, {stride}')}")
            w.do(f"store ptr {moved}, ptr {w.new(f'getelementptr i64, ptr {here}, i64 {k}')}")
            w.do(f"store i64 {stride}, ptr {w.new(f'getelementptr i64, ptr {here}, i64 {k + 1}')}")


def _block(arrays: int) -> str:
    """The function `block`, for one row."""
    parameters = ", ".join(f"ptr %p{k}, i64 %s{k}" for k in range(arrays))
    lines = [f"define i64 @block({parameters}) nounwind {{", f"  %table = alloca [{2 * arrays} x i64]"]
    for k in range(arrays):
        lines += [
            f"  %pa{k} = getelementptr i64, ptr %table, i64 {2 * k}",
            f"  store ptr %p{k}, ptr %pa{k}",
            f"  %sa{k} = getelementptr i64, ptr %table, i64 {2 * k + 1}",
            f"  store i64 %s{k}, ptr %sa{k}",
        ]
    return "\n".join([*lines, "  %found = call i64 @batch(i64 1, ptr %table)", "  ret i64 %found", "}"])
