"""Whether there is machine code at all."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar

from armdyn.errors import InputError

_LEFT_TO_NUMPY: ContextVar[bool] = ContextVar("left_to_numpy", default=False)


def is_native() -> bool:
    """Whether programs are compiled; ARMDYN_NATIVE=0 leaves them to NumPy, and so does `left_to_numpy`."""
    asked = os.environ.get("ARMDYN_NATIVE") or "1"
    if asked not in ("0", "1"):
        raise InputError(f"ARMDYN_NATIVE is {asked}, expected 1 (compiled code) or 0 (NumPy)")
    return asked == "1" and not _LEFT_TO_NUMPY.get()


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
