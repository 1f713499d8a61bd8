"""From a program to its tape: what is done when, and which slot holds what."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from armdyn.native.fusion import fused
from armdyn.native.propagation import watched
from armdyn.native.rounds import rounds
from armdyn.native.signature import Signature
from armdyn.native.tape import FIRST, NOTHING, ONE, TOTAL, Kind, Tape
from armdyn.scalars.graph import LEAVES
from armdyn.scalars.program import Program

TOGETHER = 64
"""Results that are written out together: their slots wait, but segments are long."""

COMBINED: dict[str, tuple[int | None, int, int | None, int, int]] = {
    "fma": (0, 1, 2, 0, 0),
    "fms": (0, 1, 2, 0, 1),
    "fnma": (0, 1, 2, 1, 0),
    "mul": (0, 1, None, 0, 0),
    "add": (None, 0, 1, 0, 0),
    "sub": (None, 0, 1, 0, 1),
    "neg": (None, 0, None, 1, 0),
}
"""Operation -> which arguments are a, b, c of (+-a) b + (+-c), None for 1 and 0; the signs, 1 is minus."""
OTHERS = {"div": Kind.DIVIDE, "sqrt": Kind.ROOT, "select": Kind.CHOOSE}

Place = tuple[int, int]
"""Array and element."""


def encoded(program: Program, signature: Signature) -> Tape:
    """The tape of a program; every product and sum rounds as in compiled code."""
    return _Encoder(fused(program), signature).tape()


class _Encoder:
    """A tape that is being written."""

    def __init__(self, program: Program, signature: Signature) -> None:
        watch = watched(program, signature)
        unread = set(watch.inputs) - {o[1:] for o in program.operations if o[0] == "input"}
        reading = tuple(("input", *element) for element in sorted(unread))
        self._program = program = Program(program.operations + reading, program.outputs)
        self._inputs, self._results = _inputs(program, signature), _results(program, signature)
        seen = {
            index for index, o in enumerate(program.operations) if o[0] == "input" and o[1:] in watch.inputs
        }
        self._watched = seen | set(watch.outputs)
        self._constants = _constants(program)
        self._uses = self._all_uses()
        self._words = array("i")
        self._kind, self._count = Kind.END, -1
        self._slot: dict[int, int] = {}
        self._free: list[int] = []
        self._slots = len(FIRST)
        self._waiting: list[int] = []

    def _all_uses(self) -> defaultdict[int, int]:
        """How often each value will be read."""
        uses: defaultdict[int, int] = defaultdict(int)
        for operation in self._program.operations:
            if operation[0] not in LEAVES:
                for a in operation[1:]:
                    uses[a] += 1
        for index in (*self._results, *self._watched):
            uses[index] += 1
        return uses

    def tape(self) -> Tape:
        """The whole tape."""
        for place, index in self._inputs.items():
            self._emit(Kind.READ, *place, self._filled(index))
            self._made(index)
        sines = {o: k for k, o in enumerate(self._program.operations) if o[0] in ("sin", "cos")}
        for indices, angles in rounds(self._program):
            for index in indices:
                self._do(index)
            for angle in angles:
                self._turn(angle, sines.get(("sin", angle)), sines.get(("cos", angle)))
        self._write_waiting()
        self._emit(Kind.END)
        return Tape(np.array(self._words, np.int32), np.array(list(self._constants)), self._slots)

    # Operations ---------------------------------------------------------------------------

    def _do(self, index: int) -> None:
        """Write one operation; angles have had their turn, inputs are there, constants come when needed."""
        kind, *arguments = self._program.operations[index]
        if kind in COMBINED:
            a, b, c, product, addend = COMBINED[kind]
            factor = None if a is None else arguments[a]
            self._combine(index, factor, arguments[b], None if c is None else arguments[c], product, addend)
        elif kind in OTHERS:
            slots = [self._read(a) for a in arguments]
            self._done(arguments)
            self._emit(OTHERS[kind], *slots, self._filled(index))
        elif kind != "const":
            return
        self._made(index)

    def _combine(
        self, index: int, factor: int | None, other: int, addend: int | None, product: int, sign: int
    ) -> None:
        """The value (+-factor) other + (+-addend)."""
        if factor is not None and self._is_constant(other):
            factor, other = other, factor
        given = [k for k in (factor, other, addend) if k is not None]
        a = 0 if factor is None else self._place(factor)
        b, c = self._read(other), NOTHING if addend is None else self._read(addend)
        self._done(given)
        self._emit(Kind.COMBINE, 2 * a + product, b, 2 * c + sign, self._filled(index))

    def _turn(self, angle: int, sine: int | None, cosine: int | None) -> None:
        """Both functions of an angle."""
        slot, wanted = self._read(angle), [k for k in (sine, cosine) if k is not None]
        self._done([angle] * len(wanted))
        places = [self._new_slot() if k is None else self._filled(k) for k in (sine, cosine)]
        self._emit(Kind.ANGLES, slot, *places)
        for index, place in zip((sine, cosine), places, strict=True):
            if index is None:
                self._free.append(place)
            else:
                self._made(index)

    def _made(self, index: int) -> None:
        """Look at a value that is there now, and let it wait to be written out, if it should."""
        if index in self._watched:
            slot = self._read(index)
            self._emit(Kind.COMBINE, 2 * self._constants[0.0], slot, 2 * TOTAL, TOTAL)
            self._done([index])
        if index in self._results:
            self._waiting.append(index)
            if len(self._waiting) == TOGETHER:
                self._write_waiting()

    def _write_waiting(self) -> None:
        """Write out the results that are there."""
        slots = [self._read(index) for index in self._waiting]
        for index, slot in zip(self._waiting, slots, strict=True):
            for place in self._results[index]:
                self._emit(Kind.WRITE, *place, slot)
        self._done(self._waiting)
        self._waiting.clear()

    # Slots --------------------------------------------------------------------------------

    def _new_slot(self) -> int:
        """The slot that was freed last: it is still in the cache."""
        if self._free:
            return self._free.pop()
        self._slots += 1
        return self._slots - 1

    def _filled(self, index: int) -> int:
        """A slot for a new value."""
        slot = self._slot[index] = self._new_slot()
        return slot

    def _read(self, index: int) -> int:
        """The slot of a value; a constant gets one when it is first needed there."""
        slot = self._slot.get(index)
        if slot is None:
            constant = self._constants[self._program.operations[index][1]]
            slot = self._filled(index)
            self._emit(Kind.COMBINE, 2 * constant, ONE, 2 * NOTHING, slot)
        return slot

    def _done(self, indices: Sequence[int]) -> None:
        """Values have been read: free the slots of those that nobody will read again."""
        for index in indices:
            self._uses[index] -= 1
            if not self._uses[index] and index in self._slot:
                self._free.append(self._slot.pop(index))

    def _is_constant(self, index: int) -> bool:
        return self._program.operations[index][0] == "const"

    def _place(self, index: int) -> int:
        """Where a factor is: among the constants, or in a slot behind them."""
        if self._is_constant(index):
            return self._constants[self._program.operations[index][1]]
        return len(self._constants) + self._slot[index]

    def _emit(self, kind: Kind, *words: int) -> None:
        """Go on with a segment, or begin one."""
        if kind is not self._kind:
            self._kind, self._count = kind, len(self._words) + 1
            self._words.extend((kind, 0))
        self._words[self._count] += 1
        self._words.extend(words)


def _constants(program: Program) -> dict[float, int]:
    """Constants in order; 1 is the first."""
    found = {1.0: 0, 0.0: 1}
    for operation in program.operations:
        if operation[0] == "const":
            found.setdefault(operation[1], len(found))
    return found


def _inputs(program: Program, signature: Signature) -> dict[Place, int]:
    """Place -> operation that reads it."""
    arrays = {name: k for k, (name, _) in enumerate(signature.inputs)}
    read = enumerate(program.operations)
    return {(arrays[o[1]], o[2]): index for index, o in read if o[0] == "input"}


def _results(program: Program, signature: Signature) -> dict[int, list[Place]]:
    """Operation -> the places that its value goes to."""
    first, places = (
        len(signature.inputs),
        [(k, e) for k, size in enumerate(signature.sizes) for e in range(size)],
    )
    found: dict[int, list[Place]] = {}
    for index, (k, element) in zip(program.outputs, places, strict=True):
        found.setdefault(index, []).append((first + k, element))
    return found
