"""The code that runs a tape over rows of arrays, as LLVM IR.

It has the functions that `lowering` writes for a program, `batch`, and `block` for one state, and runs
whatever tape it is given. A slot holds one number of V W states, in V vectors, so that reading an instruction costs
little beside doing it; the rows that are left over are done W at a time.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from armdyn.native.llvm import Loaded
from armdyn.native.signature import Signature
from armdyn.native.sines import LIBRARY, scratch, sines_and_cosines
from armdyn.native.tape import FIRST, TOTAL, WORDS, Kind, Tape
from armdyn.native.writer import Writer

PROBED = '"probe-stack"="inline-asm"'
"""Slots may need more than a page of stack: then every page is touched on the way."""


CACHE = 1 << 18
"""Bytes of slots that a processor's second cache surely holds beside all else."""


def player_ir(signature: Signature, width: int, vectors: int, has_fma: bool) -> str:
    """The module with `batch` for blocks of so many vectors, and `block` if a vector is one state."""
    arrays = len(signature.inputs) + len(signature.results)
    head = [
        *Writer(width, has_fma).declarations(),
        LIBRARY,
        '!0 = !{!"branch_weights", i32 1, i32 1000000}',
        "@tape = global [5 x i64] zeroinitializer",
    ]
    players = [_Player(Writer(width, has_fma), count, vectors).text() for count in sorted({1, vectors})]
    one_state = [_block(arrays)] if width == 1 else []
    return "\n".join([*head, *players, _batch(width, vectors, arrays), *one_state])


def vectors(tape: Tape, width: int) -> int:
    """How many vectors a slot has: the more the better as long as the slots stay in the cache."""
    if width == 1:
        return 1
    return next((v for v in (4, 2) if 8 * v * width * tape.slots <= CACHE), 1)


def play(loaded: Loaded, tape: Tape, width: int) -> NDArray[np.int32]:
    """Give a player its tape; whoever runs it keeps the tape and the words that this returns."""
    words, room = tape.placed(width, vectors(tape, width)), tape.before_slots(width)
    table = (ctypes.c_int64 * 5).from_address(loaded.data("tape"))
    table[:] = [
        words.ctypes.data,
        tape.constants.ctypes.data,
        len(tape.constants),
        room,
        room + 8 * width * vectors(tape, width) * tape.slots,
    ]
    return words


class _Player:
    """The function that runs a tape for `vectors` times W rows; slots have room for as many or more."""

    def __init__(self, w: Writer, vectors: int, room: int) -> None:
        self.w, self._vectors = w, vectors
        self._vector, self._slot = 8 * w.width, 8 * w.width * room  # bytes
        self._segment = 0

    def text(self) -> str:
        """The function: i64 play(ptr room, ptr slots, ptr arrays), whether anything looks suspicious."""
        w = self.w
        self._room = scratch(w)
        self._at = w.new("alloca ptr")
        w.do(f"store ptr {w.new('load ptr, ptr @tape')}, ptr {self._at}")
        for slot, value in enumerate(FIRST):
            self._store(self._slot_at(str(slot)), [w.constant(value)] * self._vectors)
        w.do("br label %next")
        self._write_segments()
        w.start("end")
        self._return_suspicion()
        name, wide = f"@play{self._vectors}", 64 * w.width
        attributes = f'noinline nounwind "min-legal-vector-width"="{wide}" "prefer-vector-width"="{wide}"'
        head = f"define internal i64 {name}(ptr %room, ptr %slots, ptr noalias %arrays) "
        return "\n".join([f"{head} {attributes} {PROBED} {{", "entry:", *w.lines, "}"])

    # Segments -----------------------------------------------------------------------------

    def _write_segments(self) -> None:
        w = self.w
        steps: dict[Kind, Callable[[list[str]], None]] = {
            Kind.COMBINE: self._combine,
            Kind.ANGLES: self._angles,
            Kind.DIVIDE: self._divide,
            Kind.ROOT: self._root,
            Kind.CHOOSE: self._choose,
            Kind.READ: self._read,
            Kind.WRITE: self._write,
        }
        w.start("next")
        at = w.new(f"load ptr, ptr {self._at}")
        kind, count = self._words(at, 2)
        first = w.new(f"getelementptr i32, ptr {at}, i64 2")
        cases = " ".join(f"i64 {k:d}, label %segment{k:d}" for k in steps)
        w.do(f"switch i64 {kind}, label %end [ {cases} ]")
        for k, step in steps.items():
            self._write_segment(k, first, count, step)

    def _write_segment(self, kind: Kind, first: str, count: str, step: Callable[[list[str]], None]) -> None:
        """A loop over the instructions of a segment."""
        w, size = self.w, WORDS[kind]
        w.start(f"segment{kind:d}")
        last = w.new(f"getelementptr i32, ptr {first}, i64 {w.new(f'mul i64 {count}, {size}')}")
        w.do(f"store ptr {last}, ptr {self._at}")
        self._loop(f"do{kind:d}", first, last, 4 * size, lambda at: step(self._words(at, size)))
        w.do("br label %next")

    def _loop(self, name: str, first: str, last: str, step: int, body: Callable[[str], None]) -> None:
        """From one address to another; there is always something to do."""
        w, before = self.w, self.w.block
        w.do(f"br label %{name}")
        w.start(name)
        position = len(w.lines)
        at, following = f"%{name}.at", f"%{name}.next"
        body(at)
        w.do(f"{following} = getelementptr i8, ptr {at}, i64 {step}")
        w.lines.insert(position, f"  {at} = phi ptr [ {first}, %{before} ], [ {following}, %{w.block} ]")
        done = w.new(f"icmp eq ptr {following}, {last}")
        w.do(f"br i1 {done}, label %{name}.done, label %{name}")
        w.start(f"{name}.done")

    def _words(self, at: str, count: int) -> list[str]:
        """The words at an address."""
        w = self.w
        places = [w.new(f"getelementptr i32, ptr {at}, i64 {k}") for k in range(count)]
        return [w.new(f"zext i32 {w.new(f'load i32, ptr {place}')} to i64") for place in places]

    # Slots --------------------------------------------------------------------------------

    def _slot_at(self, slot: str) -> str:
        w = self.w
        return w.new(f"getelementptr i8, ptr %slots, i64 {w.new(f'mul i64 {slot}, {self._slot}')}")

    def _load(self, place: str, step: str | None = None) -> list[str]:
        """The vectors from an address on, so many bytes apart."""
        w, found = self.w, [self.w.load(self.w.type, place)]
        for k in range(1, self._vectors):
            if step is None:
                following = w.new(f"getelementptr i8, ptr {place}, i64 {k * self._vector}")
            else:
                place = following = w.new(f"getelementptr i8, ptr {place}, i64 {step}")
            found.append(w.load(w.type, following))
        return found

    def _store(self, place: str, values: list[str]) -> None:
        for k, value in enumerate(values):
            here = self.w.new(f"getelementptr i8, ptr {place}, i64 {k * self._vector}")
            self.w.store(self.w.type, value, here)

    # Instructions -------------------------------------------------------------------------

    def _combine(self, words: list[str]) -> None:
        """The value (+-a) b + (+-c)."""
        w = self.w
        factor, b, addend, d = words
        place, offset = (w.new(f"and i64 {word}, -8") for word in (factor, addend))
        between = w.new(f"mul i64 {w.new(f'and i64 {factor}, 2')}, {self._vector // 2}")  # 0 for a constant
        a, c = self._load(self._byte(place), between), self._load(self._byte(offset))
        values = zip(self._signed(a, factor), self._load(self._byte(b)), self._signed(c, addend), strict=True)
        self._store(self._byte(d), [w.fma(*three) for three in values])

    def _byte(self, offset: str) -> str:
        return self.w.new(f"getelementptr i8, ptr %room, i64 {offset}")

    def _signed(self, values: list[str], word: str) -> list[str]:
        """The values, their signs changed where the word is odd."""
        w = self.w
        sign = w.new(f"shl i64 {word}, 63")
        if w.width > 1:
            one = w.new(f"insertelement {w.integers} poison, i64 {sign}, i64 0")
            sign = w.new(
                f"shufflevector {w.integers} {one}, {w.integers} poison, <{w.width} x i32> zeroinitializer"
            )
        return [w.as_doubles(w.on_integers("xor", w.as_integers(value), sign)) for value in values]

    def _each_vector(self, slots: list[str], body: Callable[[list[str]], None]) -> None:
        """A loop over the vectors of some slots, given where each is."""
        w = self.w
        self._segment += 1
        places = [self._slot_at(slot) for slot in slots]
        last = w.new(f"getelementptr i8, ptr {places[0]}, i64 {self._vectors * self._vector}")
        others = [w.new(f"ptrtoint ptr {place} to i64") for place in places]
        apart = [w.new(f"sub i64 {other}, {others[0]}") for other in others]

        def do(at: str) -> None:
            body([w.new(f"getelementptr i8, ptr {at}, i64 {offset}") for offset in apart])

        self._loop(f"each{self._segment}", places[0], last, self._vector, do)

    def _angles(self, words: list[str]) -> None:
        w = self.w

        def do(places: list[str]) -> None:
            x = w.load(w.type, places[0])
            ((sine, cosine),) = sines_and_cosines(w, [x], self._room, "")
            w.store(w.type, sine, places[1])
            w.store(w.type, cosine, places[2])

        self._each_vector(words, do)

    def _computed(self, words: list[str], function: Callable[..., str]) -> None:
        """The value of a function of all slots but the last, into the last."""
        w = self.w

        def do(places: list[str]) -> None:
            *given, result = places
            w.store(w.type, function(*(w.load(w.type, place) for place in given)), result)

        self._each_vector(words, do)

    def _divide(self, words: list[str]) -> None:
        self._computed(words, lambda a, b: self.w.binary("fdiv", a, b))

    def _root(self, words: list[str]) -> None:
        self._computed(words, lambda a: self.w.function("sqrt", a))

    def _choose(self, words: list[str]) -> None:
        w = self.w
        self._computed(words, lambda f, a, b: w.choose(w.compare("ogt", f, w.constant(0.0)), a, b))

    # Rows ---------------------------------------------------------------------------------

    def _read(self, words: list[str]) -> None:
        self._each_row(words, lambda here, row: self.w.do(f"store double {self._double(row)}, ptr {here}"))

    def _write(self, words: list[str]) -> None:
        self._each_row(words, lambda here, row: self.w.do(f"store double {self._double(here)}, ptr {row}"))

    def _double(self, place: str) -> str:
        return self.w.new(f"load double, ptr {place}")

    def _each_row(self, words: list[str], body: Callable[[str, str], None]) -> None:
        """Between the rows of an array's element and the lanes of a slot."""
        w = self.w
        array, element, slot = words
        place = w.new(f"getelementptr i64, ptr %arrays, i64 {w.new(f'mul i64 {array}, 2')}")
        start = w.new(f"load ptr, ptr {place}")
        stride = w.new(f"load i64, ptr {w.new(f'getelementptr i64, ptr {place}, i64 1')}")
        row = w.new(f"getelementptr double, ptr {start}, i64 {element}")
        here = self._slot_at(slot)
        for k in range(w.width * self._vectors):
            body(w.address(here, k), row)
            row = w.new(f"getelementptr i8, ptr {row}, i64 {stride}")

    def _return_suspicion(self) -> None:
        """1 if anything watched was not finite in any lane: zero times it is then not zero."""
        w = self.w
        found = "0"
        for total in self._load(self._slot_at(str(TOTAL))):
            bad = w.new(f"zext i1 {w.any(w.compare('uno', total, w.constant(0.0)))} to i64")
            found = w.new(f"or i64 {found}, {bad}")
        w.do(f"ret i64 {found}")


def _block(arrays: int) -> str:
    """The function `block`: one row."""
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


def _batch(width: int, vectors: int, arrays: int) -> str:
    """The function `batch`: room for constants and slots, then blocks; the last may do some rows again."""
    w = Writer(width, fused=True)
    kind, rows = w.type, width * vectors
    constants, count, before, size = (
        w.new(f"load {t}, ptr getelementptr (i64, ptr @tape, i64 {k})")
        for k, t in enumerate(("ptr", "i64", "i64", "i64"), 1)
    )
    room = w.new(f"alloca i8, i64 {size}, align 64")
    first = w.new(f"getelementptr i8, ptr {room}, i64 {before}")
    here = w.new(f"alloca [{2 * arrays} x i64]")
    w.do("br label %copy")
    w.start("copy")
    w.do("%k = phi i64 [ 0, %entry ], [ %k1, %copy ]")
    number = w.new(f"load double, ptr {w.new(f'getelementptr double, ptr {constants}, i64 %k')}")
    to = w.new(f"getelementptr {kind}, ptr {room}, i64 %k")
    if width > 1:
        one = w.new(f"insertelement {kind} poison, double {number}, i64 0")
        number = w.new(f"shufflevector {kind} {one}, {kind} poison, <{width} x i32> zeroinitializer")
    w.store(kind, number, to)
    w.do("%k1 = add i64 %k, 1")
    w.do(f"%copied = icmp eq i64 %k1, {count}")
    w.do("br i1 %copied, label %ask, label %copy")
    w.start("ask")
    w.do("%row = phi i64 [ 0, %copy ], [ %after, %did ]")
    w.do("%found = phi i64 [ 0, %copy ], [ %sum, %did ]")
    left = w.new("sub i64 %rows, %row")
    w.do(f"%many = icmp sge i64 {left}, {rows}")
    w.do(f"%narrow = icmp slt i64 {left}, {width}")
    w.do(f"%last = sub i64 %rows, {width}")
    w.do("%start = select i1 %narrow, i64 %last, i64 %row")
    for k in range(arrays):
        place, stride = (w.new(f"getelementptr i64, ptr %arrays, i64 {2 * k + j}") for j in (0, 1))
        pointer, bytes_ = w.new(f"load ptr, ptr {place}"), w.new(f"load i64, ptr {stride}")
        moved = w.new(f"getelementptr i8, ptr {pointer}, i64 {w.new(f'mul i64 %start, {bytes_}')}")
        w.do(f"store ptr {moved}, ptr {w.new(f'getelementptr i64, ptr {here}, i64 {2 * k}')}")
        w.do(f"store i64 {bytes_}, ptr {w.new(f'getelementptr i64, ptr {here}, i64 {2 * k + 1}')}")
    w.do("br i1 %many, label %block, label %vector")
    for label, count_ in (("block", vectors), ("vector", 1)):
        w.start(label)
        w.do(f"%{label}.found = call i64 @play{count_}(ptr {room}, ptr {first}, ptr {here})")
        w.do(f"%{label}.after = add i64 %start, {width * count_}")
        w.do("br label %did")
    w.start("did")
    for name in ("found", "after"):
        into = {"found": "new", "after": "after"}[name]
        w.do(f"%{into} = phi i64 [ %block.{name}, %block ], [ %vector.{name}, %vector ]")
    w.do("%sum = add i64 %found, %new")
    w.do("%done = icmp sge i64 %after, %rows")
    w.do("br i1 %done, label %end, label %ask")
    w.start("end")
    w.do("ret i64 %sum")
    return "\n".join(
        [f"define i64 @batch(i64 %rows, ptr %arrays) nounwind {PROBED} {{", "entry:", *w.lines, "}"]
    )
