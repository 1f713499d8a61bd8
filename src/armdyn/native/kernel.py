"""A program compiled: wide vectors for batches, one state at a time for single calls.

A program of up to LONGEST operations becomes straight-line code. One that would take too long to compile
becomes a tape, data that a small player runs: two to six times slower, and there at once. Both give the
same bits.
"""

from __future__ import annotations

import ctypes
import os
import sys
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from armdyn.native import cache as kept
from armdyn.native.builtin import builtin, filler, give_addresses, set_wide
from armdyn.native.encoding import encoded
from armdyn.native.entry import call_ir, fill_ir
from armdyn.native.forking import LOCK
from armdyn.native.interpreter import Layout, layout
from armdyn.native.llvm import Loaded, object_code
from armdyn.native.lowering import kernel_ir
from armdyn.native.playback import grouping, play, player_ir
from armdyn.native.processor import Processor, host
from armdyn.native.setting import effort
from armdyn.native.signature import Signature
from armdyn.native.tape import WORDS, Kind, Tape
from armdyn.native.versions import key
from armdyn.scalars.batch import FEWEST
from armdyn.scalars.program import Array, Program

_kernels: weakref.WeakSet[Kernel] = weakref.WeakSet()


def _unlock_kernels() -> None:
    """A forked process may have been made while another thread held a lock."""
    for kernel in _kernels:
        kernel.unlock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_unlock_kernels)

PIECE = 1 << 16
"""States in one go; between them a run can be interrupted: after a millisecond for the torques of six joints,
after half a second for the longest straight-line code. Of tapes that are longer, fewer."""
LONGEST = 30_000
"""Operations up to which a program becomes straight-line code: two or three seconds of compiling."""


class Kernel:
    """Machine code for one program, made or taken from disk when it is first needed.

    Args:
        signature: inputs and results.
        trace: gives the program; asked only if its code is not on disk.
        recipe: what determines the program, as text; by default the program itself.
        processor: for which CPU; by default this one.
        width: states in a vector of the code for batches; by default what the CPU's vectors hold.
        longest: operations up to which there is straight-line code; by default LONGEST.
    """

    def __init__(
        self,
        signature: Signature,
        trace: Callable[[], Program],
        recipe: str | None = None,
        processor: Processor | None = None,
        width: int | None = None,
        longest: int | None = None,
    ) -> None:
        """Remember what to compile."""
        self.signature = signature
        self.processor = processor or host()
        self.width = width or self.processor.width
        self.longest = LONGEST if longest is None else longest
        self._trace = trace
        self._program: Program | None = None
        self._recipe = recipe
        self._lock = Lock()
        self._codes: dict[int, _Code] = {}
        _kernels.add(self)

    @property
    def program(self) -> Program:
        """What is computed; traced when it is first asked for."""
        if self._program is None:
            self._program = self._trace()
        return self._program

    @property
    def breaks(self) -> bool:
        """Whether finite inputs may give what is not finite."""
        code = self._codes.get(self.width) or self._codes.get(1)
        return self.program.breaks if code is None else code.breaks

    @property
    def piece(self) -> int:
        """Rows to be run in one go, of many."""
        return self._code(self.width).piece

    @property
    def is_taped(self) -> bool:
        """Whether it plays a tape instead of being straight-line code."""
        return self._code(self.width).words is not None

    def run(self, inputs: Mapping[str, Array], *results: Array) -> bool:
        """Fill rows of results from rows of inputs, doubles side by side; whether any wants a second look."""
        rows = len(results[0])
        code = self._code(self.width if rows >= self.width else 1)
        return rows > 0 and code.fill(*(inputs[name] for name, _ in self.signature.inputs), *results)

    def builtin(self, name: str, doc: str, otherwise: Callable[..., Any], *, one_state: bool) -> Any:
        """A builtin for one state, or for small batches, that leaves all else to `otherwise`."""
        return builtin(self._code(1 if one_state else self.width).loaded, name, doc, otherwise, self)

    def has_builtin(self, *, one_state: bool) -> bool:
        """Whether builtins can be used here, and code of that kind has been needed already."""
        return layout() is not None and (1 if one_state else self.width) in self._codes

    def unlock(self) -> None:
        """Forget who is compiling: in a new process nobody is."""
        self._lock = Lock()

    def _code(self, width: int) -> _Code:
        if width not in self._codes:
            with LOCK, self._lock:
                self._make(width)
        return self._codes[width]

    def _make(self, width: int) -> None:
        if width not in self._codes:
            self._codes[width] = self._made(width)
            if layout() is not None and self._codes.keys() >= {1, self.width}:
                set_wide(self._codes[1].loaded, self._codes[self.width].loaded.function("batch"))

    def _made(self, width: int) -> _Code:
        """The code for vectors of this width, from disk or compiled now."""
        known = layout()
        name = self._key(width, self.width, known and known.fields, effort())
        stored = kept.made_once(name, lambda: self._stored(width, known))
        breaks, lanes, vectors = stored[:3]
        loaded = Loaded(stored[3:], self.processor)
        words = play(loaded, self._tape, lanes, vectors) if lanes else None
        return _Code.of(loaded, bool(breaks), words, known)

    def _stored(self, width: int, known: Layout | None) -> bytes:
        """What is kept of the code: whether it breaks, how a tape is grouped, the object file."""
        taped = len(self.program.operations) > self.longest
        group = grouping(self._tape, width) if taped else (0, 0)
        ir = self._player_ir(*group) if taped else self._straight_ir(width)
        return bytes([self.program.breaks, *group]) + self._compiled(ir, width, known)

    def _key(self, *parts: object) -> str:
        """The name under which something that is made of the program is kept."""
        recipe = self._recipe or repr(self.program)
        return key(repr(self.processor), self.signature, recipe, self.longest, *parts)

    @cached_property
    def _tape(self) -> Tape:
        """The program as data, from disk or encoded now."""
        stored = kept.made_once(self._key("tape"), lambda: encoded(self.program, self.signature).to_bytes())
        return Tape.from_bytes(stored)

    def _straight_ir(self, width: int) -> str:
        return kernel_ir(self.program, self.signature, width, self.processor.fused)

    def _player_ir(self, lanes: int, vectors: int) -> str:
        return player_ir(self.signature, lanes, vectors, self.processor.fused)

    def _compiled(self, ir: str, width: int, known: Layout | None) -> bytes:
        parts = [ir]
        if known is not None:
            parts.append(fill_ir(self.signature, known))
            parts.append(call_ir(self.signature, known, width, self.width))
        return object_code("\n".join(parts), self.processor, optimisation=effort())


@dataclass(frozen=True)
class _Code:
    """Loaded code, ready to be called."""

    loaded: Loaded
    breaks: bool
    fill: Callable[..., bool]
    """Runs on arrays (rows, size), inputs and then results; whether a row wants a second look."""
    words: NDArray[np.int32] | None
    """Of the tape that it plays, if it is a player."""

    @staticmethod
    def of(loaded: Loaded, breaks: bool, words: NDArray[np.int32] | None, known: Layout | None) -> _Code:
        """The functions of the loaded code, with the C library's given to it."""
        table = (ctypes.c_void_p * 2).from_address(loaded.data("library"))
        table[:] = _library_sines()
        if known is None:
            return _Code(loaded, breaks, _plain_filler(loaded), words)
        give_addresses(loaded, known)
        return _Code(loaded, breaks, filler(loaded), words)

    @property
    def piece(self) -> int:
        """Rows to be run in one go: about as much work as the longest straight-line code has with PIECE."""
        if self.words is None:
            return PIECE
        instructions = len(self.words) // WORDS[Kind.COMBINE]
        return max(PIECE * LONGEST // max(instructions, LONGEST), FEWEST)


def _plain_filler(loaded: Loaded) -> Callable[..., bool]:
    """What `filler` gives, through ctypes, for any Python and NumPy."""
    prototype = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p)
    batch = prototype(loaded.function("batch"))

    def fill(*arrays: Array) -> bool:
        places = (ctypes.c_int64 * (2 * len(arrays)))()
        for k, array in enumerate(arrays):
            places[2 * k], places[2 * k + 1] = array.ctypes.data, array.strides[0]
        return batch(len(arrays[-1]), places) > 0

    return fill


@cache
def _library_sines() -> list[int]:
    """The addresses of the C library's sin and cos."""
    library = ctypes.CDLL("ucrtbase" if sys.platform == "win32" else None)
    return [ctypes.cast(function, ctypes.c_void_p).value or 0 for function in (library.sin, library.cos)]
