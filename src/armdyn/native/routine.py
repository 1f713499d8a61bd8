"""Functions of machine code over arrays, each made once for a processor and kept on disk."""

from __future__ import annotations

import atexit
import ctypes
from collections.abc import Callable, Sequence
from typing import Any

from armdyn.native import cache as kept
from armdyn.native.forking import LOCK
from armdyn.native.llvm import Loaded, object_code
from armdyn.native.processor import Processor
from armdyn.native.versions import key
from armdyn.scalars import Array

_made: dict[tuple[str, Processor], Routine] = {}
atexit.register(_made.clear)  # while LLVM, which must give the memory back, is still there


class Routine:
    """A compiled function of whole numbers, doubles and arrays of doubles that returns a whole number.

    It trusts its caller: arrays of doubles side by side, as long as the function reads. Other threads run
    meanwhile.
    """

    def __init__(self, loaded: Loaded, name: str, kinds: Sequence[type]) -> None:
        """Find the function in loaded code; kinds: int, float or np.ndarray for each argument."""
        self._loaded = loaded
        simple: dict[type, Any] = {int: ctypes.c_int64, float: ctypes.c_double}
        prototype = ctypes.CFUNCTYPE(ctypes.c_int64, *(simple.get(kind, ctypes.c_void_p) for kind in kinds))
        self._function = prototype(loaded.function(name))

    def __call__(self, *arguments: float | Array) -> int:
        """Run it."""
        return self._function(*(a if isinstance(a, (int, float)) else a.ctypes.data for a in arguments))


def routine(name: str, ir: Callable[[int], str], kinds: Sequence[type], processor: Processor) -> Routine:
    """The function of this name: made before, taken from disk, or compiled now.

    Args:
        name: of the function, and of its code among all that is kept.
        ir: writes its module, for vectors of so many doubles.
        kinds: int, float or np.ndarray for each argument.
        processor: for which CPU.
    """
    with LOCK:
        if (name, processor) not in _made:
            code = kept.made_once(
                key("routine", name, repr(processor)),
                lambda: object_code(ir(processor.width), processor, rewrite=True),
            )
            _made[name, processor] = Routine(Loaded(code, processor), name, kinds)
        return _made[name, processor]
