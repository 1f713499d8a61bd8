"""One process makes what many want; the others wait for it, but not for ever.

A file beside the one that is being made is locked by who makes it. The system gives the lock back when its
holder ends, however it ends. Where files cannot be locked, or the holder takes too long (it may have been
stopped), everybody makes it for himself: work done twice, and nothing worse.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Generator
from pathlib import Path

PATIENCE = 30.0
"""Seconds to wait for another process: ten times what the longest code takes to compile."""
OFTEN = 0.005
"""Seconds between two looks at the lock."""


@contextlib.contextmanager
def alone(place: Path) -> Generator[None]:
    """Hold the lock on a file, made for that and removed afterwards, if it can be had."""
    held = _held(place)
    try:
        yield
    finally:
        if held is not None:
            with contextlib.suppress(OSError):
                place.unlink()
            os.close(held)


def _held(place: Path) -> int | None:
    """The open file that is locked, or None if that is not possible."""
    try:
        import fcntl

        file = os.open(place, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except (ImportError, OSError):
        return None
    until = time.monotonic() + PATIENCE
    try:
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() > until:
                    break
                time.sleep(OFTEN)
            else:
                return file
    except OSError:  # no locks on this file system
        pass
    except BaseException:  # interrupted while waiting
        os.close(file)
        raise
    os.close(file)
    return None
