"""The function that runs a tape over a block of rows, as LLVM IR.

A slot holds one number of V W states, in V vectors, so that reading an instruction costs little beside
doing it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from armdyn.native.lowering import PROBED
from armdyn.native.sines import scratch, sines_and_cosines
from armdyn.native.tape import FIRST, TOTAL, WORDS, Kind
from armdyn.native.writer import Writer


class Player:
    """The function that runs a tape for `vectors` times W rows; slots have room for as many or more."""

    def __init__(self, w: Writer, vectors: int, room: int) -> None:
        """Write for blocks of `vectors`, with slots of `room` vectors."""
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
        sign = w.everywhere("i64", w.new(f"shl i64 {word}, 63"))
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
        self._computed(words, partial(self.w.binary, "fdiv"))

    def _root(self, words: list[str]) -> None:
        self._computed(words, partial(self.w.function, "sqrt"))

    def _choose(self, words: list[str]) -> None:
        w = self.w

        def chosen(flag: str, a: str, b: str) -> str:
            return w.choose(w.compare("ogt", flag, w.constant(0.0)), a, b)

        self._computed(words, chosen)

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
