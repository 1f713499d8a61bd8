"""Whether there is machine code at all, and how much work goes into it."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar

from armdyn.errors import InputError

_LEFT_TO_NUMPY: ContextVar[bool] = ContextVar("left_to_numpy", default=False)


NUMPY, QUICK, BEST = "0", "quick", "1"
EFFORTS = {QUICK: 0, BEST: 3}
"""LLVM's levels of optimisation. All give the same bits: which operations are fused is said in the code."""


def _asked() -> str:
    asked = os.environ.get("ARMDYN_NATIVE") or BEST
    if asked not in (NUMPY, *EFFORTS):
        expected = "1 (compiled code), quick (sooner compiled, slower) or 0 (NumPy)"
        raise InputError(f"ARMDYN_NATIVE is {asked}, expected {expected}")
    return asked


def is_native() -> bool:
    """Whether programs are compiled; ARMDYN_NATIVE=0 leaves them to NumPy, and so does `left_to_numpy`."""
    return _asked() != NUMPY and not _LEFT_TO_NUMPY.get()


def effort() -> int:
    """How much LLVM works on a kernel, 0 to 3; ARMDYN_NATIVE=quick asks for little."""
    return EFFORTS.get(_asked(), EFFORTS[BEST])


@contextmanager
def left_to_numpy() -> Generator[None]:
    """Nothing is compiled inside, in this thread: for robots of which only few states are asked.

    A `Dynamics` that was used outside keeps what it has compiled; use another one.
    """
    token = _LEFT_TO_NUMPY.set(True)
    try:
        yield
    finally:
        _LEFT_TO_NUMPY.reset(token)
