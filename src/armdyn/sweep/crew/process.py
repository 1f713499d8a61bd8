"""A process of this machine that works for a sweep, seen from the sweep."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from typing import Any

from armdyn.processes.pipe import part, read_part

ALONE = {"ARMDYN_THREADS": "1", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
"""Processes share the machine, not threads."""


class Process:
    """One process; what it says goes to a queue, and None when it has ended."""

    def __init__(self, module: str, arguments: Sequence[str], said: queue.SimpleQueue[Any]) -> None:
        """Start it."""
        self._popen = subprocess.Popen(  # noqa: S603  a module of armdyn
            [sys.executable, "-m", module, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for the sweep, which ends its processes itself
            env={**os.environ, **ALONE},
        )
        self._said = said
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    @property
    def pid(self) -> int:
        """Its number."""
        return self._popen.pid

    def send(self, data: bytes) -> None:
        """A part; one that has ended is told by the queue."""
        assert self._popen.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self._popen.stdin.write(part(b"J", data))
            self._popen.stdin.flush()

    def end(self) -> None:
        """At once, and wait until it has."""
        assert self._popen.stdin is not None
        assert self._popen.stdout is not None
        self._popen.kill()
        self._popen.wait()
        self._thread.join()
        self._popen.stdout.close()
        with contextlib.suppress(BrokenPipeError):
            self._popen.stdin.close()

    def why(self) -> str:
        """How it ended, in words."""
        code = self._popen.wait()
        if code >= 0:
            return f"ended with code {code}"
        name = signal.Signals(-code).name
        return f"was ended by {name}" + (", as happens when memory runs out" if name == "SIGKILL" else "")

    def _listen(self) -> None:
        assert self._popen.stdout is not None
        with contextlib.suppress(OSError, ValueError):
            while (found := read_part(self._popen.stdout)) is not None:
                self._said.put((self, found))
        self._said.put((self, None))
