"""A process that reads hostile files, watched: what it opens, runs, imports, sends; its memory and time."""

from __future__ import annotations

import os
import resource
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from armdyn.errors import ArmdynError

MEMORY = 512 * 2**20
"""Bytes above what the process has to begin with."""
SECONDS = 20.0
"""CPU time for one file."""
FORBIDDEN = (
    *("socket.", "subprocess.", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork", "pty."),
    *("exec", "compile", "import", "ctypes.", "marshal.", "pickle.", "webbrowser.", "urllib."),
    *("os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.link", "os.symlink", "os.chmod", "shutil."),
)
"""What reading a file never does."""


class Watch:
    """Says what a process did that reading a file does not need; deaf until `allowing`."""

    def __init__(self) -> None:
        self._allowed: Path | None = None
        self.seen: list[str] = []
        sys.addaudithook(self._hear)

    @contextmanager
    def allowing(self, file: Path) -> Generator[None]:
        """Within it, anything but reading this file is written down."""
        self._allowed = file
        try:
            yield
        finally:
            self._allowed = None

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self._allowed is None:
            return
        if event == "open":
            path, mode, flags = arguments
            known = isinstance(path, int) or str(path) == str(self._allowed)  # a number was opened before
            if not known or (mode or "r").strip("bt") != "r" or flags & (os.O_WRONLY | os.O_RDWR):
                self.seen.append(f"open {path} {mode} {flags}")
        elif event.startswith(FORBIDDEN):
            self.seen.append(f"{event} {str(arguments)[:200]}")


class MisbehavedError(Exception):
    """A reader did what it must not do."""


def limit_memory(extra: int = MEMORY) -> None:
    """Let this process have only so much memory more than it has."""
    size = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (size + extra, size + extra))


def tried(read: Callable[[Path], Any], file: Path, watch: Watch) -> str | None:
    """What a reader says of a file, None if it takes it; anything but a sentence is misbehaviour."""
    begin, said = time.process_time(), None
    with watch.allowing(file):
        try:
            read(file)
        except ArmdynError as error:
            said = str(error)
    spent = time.process_time() - begin
    if spent > SECONDS:
        raise MisbehavedError(f"took {spent:.1f} s")
    if watch.seen:
        raise MisbehavedError("; ".join(watch.seen[:5]))
    if said is not None and (not said.strip() or "Traceback" in said or len(said) > 4000):
        raise MisbehavedError(f"no sentence: {said[:300]!r}")
    return said
