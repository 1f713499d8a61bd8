"""Whether there is machine code at all."""

from __future__ import annotations

import os

from armdyn.errors import InputError


def is_native() -> bool:
    """Whether programs are compiled; ARMDYN_NATIVE=0 leaves them to NumPy."""
    asked = os.environ.get("ARMDYN_NATIVE") or "1"
    if asked not in ("0", "1"):
        raise InputError(f"ARMDYN_NATIVE is {asked}, expected 1 (compiled code) or 0 (NumPy)")
    return asked == "1"
