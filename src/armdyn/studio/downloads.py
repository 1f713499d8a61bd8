"""Files to be fetched once, under names that no one can guess."""

from __future__ import annotations

import secrets
import shutil
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

MOST = 64
KEPT = 600.0
"""[s] A file that no one fetches is kept so long."""
TYPES = {".csv": "text/csv", ".parquet": "application/vnd.apache.parquet", ".html": "text/html"}


@dataclass(frozen=True)
class Waiting:
    """A file that waits to be fetched."""

    file: Path
    name: str
    since: float

    @property
    def media_type(self) -> str:
        """What the browser is told that it is."""
        return TYPES.get(self.file.suffix, "application/octet-stream")


class Downloads:
    """A folder of the server's own, and what waits there."""

    def __init__(self) -> None:
        """The folder is made when it is first needed."""
        self._folder: Path | None = None
        self._waiting: dict[str, Waiting] = {}

    def new_file(self, suffix: str) -> Path:
        """A place for a file."""
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="armdyn-studio-"))
        return self._folder / f"{secrets.token_hex(8)}{suffix}"

    def add(self, file: Path, name: str) -> str:
        """Let a file be fetched; returns its key."""
        self._forget_old()
        key = secrets.token_urlsafe(24)
        self._waiting[key] = Waiting(file, name, monotonic())
        return key

    def take(self, key: str) -> Waiting | None:
        """A file, if it waits; it does not wait any longer."""
        return self._waiting.pop(key, None)

    def _forget_old(self) -> None:
        now = monotonic()
        old = [key for key, waiting in self._waiting.items() if now - waiting.since > KEPT]
        for key in (*old, *list(self._waiting)[: max(0, len(self._waiting) - MOST + 1)]):
            if waiting := self._waiting.pop(key, None):
                waiting.file.unlink(missing_ok=True)

    @contextmanager
    def kept(self) -> Generator[None]:
        """All files are gone in the end."""
        try:
            yield
        finally:
            self._waiting.clear()
            if self._folder is not None:
                shutil.rmtree(self._folder, ignore_errors=True)
                self._folder = None
