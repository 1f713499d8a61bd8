"""A program as data, run by a small compiled player where straight-line code would take too long to compile.

Nearly every operation is a b + c with signs: a sum is 1 a + b, a product a b - 0. So nearly all instructions
are of one kind, and the processor need not guess which comes next. Values live in slots, which are used
again as soon as nobody needs what is in them; constants stand before the slots.

The words of a tape are segments: a kind, a count, and so many times what that kind takes:

    COMBINE  a b c d    d = (+-a) b + (+-c); a = 2 place + sign, c = 2 slot + sign, b and d are slots
    ANGLES   x s c      sine and cosine
    DIVIDE   a b d      d = a / b
    ROOT     a d        d = sqrt(a)
    CHOOSE   f a b d    d = a where f > 0, else b
    READ     k e d      element e of array k
    WRITE    k e a      the same, out
    END

A place is a constant, counted from 0, or a slot, counted on from there.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from armdyn.scalars.program import Array


class Kind(IntEnum):
    """The kinds of segments."""

    END = 0
    COMBINE = 1
    ANGLES = 2
    DIVIDE = 3
    ROOT = 4
    CHOOSE = 5
    READ = 6
    WRITE = 7


WORDS = {
    Kind.COMBINE: 4,
    Kind.ANGLES: 3,
    Kind.DIVIDE: 3,
    Kind.ROOT: 2,
    Kind.CHOOSE: 4,
    Kind.READ: 3,
    Kind.WRITE: 3,
}
"""Words of one instruction."""

NOTHING, ONE, TOTAL = 0, 1, 2
"""Slots that are there from the beginning: -0.0, 1.0, and 0.0, to which whatever is watched is added."""
FIRST = (-0.0, 1.0, 0.0)

LINE = 64
"""Bytes in a line of the processor's cache."""

_HEAD = struct.Struct("<qqq")


@dataclass(frozen=True)
class Tape:
    """The words, the constants, and how many slots there are."""

    words: NDArray[np.int32]
    constants: Array
    slots: int

    def before_slots(self, width: int) -> int:
        """Bytes that the constants take, as vectors: the slots begin at a line of the cache."""
        return -(-len(self.constants) * 8 * width // LINE) * LINE

    def placed(self, width: int, vectors: int) -> NDArray[np.int32]:
        """The words with bytes from the first constant on for a, b, c and d of COMBINE.

        The lowest bit of a and c is still the sign, the second of a says that it is a slot.
        """
        words, at = self.words.copy(), 0
        known, start, size = len(self.constants), self.before_slots(width), 8 * width * vectors
        while (kind := Kind(words[at])) is not Kind.END:
            first, at = at + 2, at + 2 + WORDS[kind] * int(words[at + 1])
            if kind is Kind.COMBINE:
                a, b, c, d = words[first:at].reshape(-1, 4).T
                place, slot = a >> 1, (a >> 1) - known
                a[:] = a & 1 | np.where(slot < 0, place * 8 * width, start + slot * size | 2)
                c[:] = c & 1 | start + (c >> 1) * size
                b[:], d[:] = start + b * size, start + d * size
        return words

    def to_bytes(self) -> bytes:
        """As it is kept on disk."""
        head = _HEAD.pack(len(self.words), len(self.constants), self.slots)
        return head + self.constants.tobytes() + self.words.tobytes()

    @staticmethod
    def from_bytes(data: bytes) -> Tape:
        """What `to_bytes` made."""
        words, constants, slots = _HEAD.unpack_from(data)
        numbers = np.frombuffer(data, np.float64, constants, _HEAD.size)
        return Tape(np.frombuffer(data, np.int32, words, _HEAD.size + 8 * constants), numbers, slots)
