"""Machine code on disk, so that a robot is compiled once.

One file per kernel, named by a digest of everything its code depends on. A file is written beside
its place and then moved there, so that other processes see it whole or not at all; one that is
damaged, foreign, or another kernel's under this name is not used, nor is a folder that others can write.
What many processes want at once, one of them compiles. Where nothing can be written, kernels are compiled
every time.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from armdyn.errors import InputError
from armdyn.native.forking import LOCK
from armdyn.native.trust import distrusted, is_private
from armdyn.native.turns import alone

MAGIC = b"armdyn kernel 2\n"
ENDING = ".kernel"
PART = ".part"
TURN = ".turn"
FORGOTTEN = 3600.0
"""Age of a file [s] whose writer did not live to move it to its place."""
UNSEEN = 0.02
"""Share of the limit that a process may write before it looks at the whole folder again."""
LIMIT = 256 * 1024 * 1024
"""Bytes kept unless ARMDYN_CACHE_LIMIT says otherwise; what was not used longest goes first."""


def folder() -> Path:
    """Where kernels are kept: ARMDYN_CACHE, or the user's folder for such files."""
    if named := os.environ.get("ARMDYN_CACHE"):
        try:
            return Path(named).expanduser()
        except RuntimeError as error:
            raise InputError(f"ARMDYN_CACHE is {named}, expected a folder: {error}") from error
    with LOCK:
        from platformdirs import user_cache_path
    try:
        return user_cache_path("armdyn", appauthor=False)
    except RuntimeError:  # a user without a home
        from tempfile import gettempdir

        return Path(gettempdir()) / f"armdyn-{os.getuid()}"


def limit() -> int:
    """How many bytes are kept."""
    text = os.environ.get("ARMDYN_CACHE_LIMIT", "")
    if not text:
        return LIMIT
    try:
        count = int(text)
    except ValueError:
        count = -1
    if count < 0:
        raise InputError(
            f"ARMDYN_CACHE_LIMIT is {text}, expected a number of bytes (0 keeps nothing, unset {LIMIT})"
        )
    return count


def is_writable() -> bool:
    """Whether kernels can be kept."""
    return unused() is None


def unused() -> str | None:
    """Why no kernels are kept, in words, or None."""
    place = folder()
    try:
        if (reason := distrusted(place)) is not None:
            return reason
        while not place.exists() and place != place.parent:
            place = place.parent
    except (OSError, RuntimeError) as error:  # a name that is too long, links in a circle
        return str(error)
    if not place.is_dir() or not os.access(place, os.W_OK | os.X_OK):
        return f"{place} cannot be written"
    return "ARMDYN_CACHE_LIMIT is 0" if limit() == 0 else None


_unseen: list[int] = []
"""Sizes of what this process has written since it last looked at the folder."""


def read(key: str) -> bytes | None:
    """What was written under this key, if it is there, whole, and nobody else could have written it."""
    place = folder() / (key + ENDING)
    try:
        if not place.is_file() or place.stat().st_size > limit():
            return None
        with place.open("rb") as file:
            private = is_private(os.fstat(file.fileno())) and distrusted(place.parent) is None
            content = file.read() if private else b""
    except (OSError, RuntimeError):
        return None
    if not private:
        return None
    code = _unwrapped(key, content)
    with contextlib.suppress(OSError):
        if code is None:
            place.unlink()
        else:
            os.utime(place)
    return code


def write(key: str, code: bytes) -> bool:
    """Keep some bytes under this key; whether that was possible."""
    with LOCK:
        from tempfile import NamedTemporaryFile
    content = MAGIC + _digest(key, code) + code
    if len(content) > limit() or not is_ready():
        return False
    try:
        home = folder()
        with NamedTemporaryFile(dir=home, suffix=PART, delete=False) as part:
            try:
                part.write(content)
                part.close()
                Path(part.name).replace(home / (key + ENDING))
            except OSError:
                Path(part.name).unlink(missing_ok=True)
                raise
    except OSError:
        return False
    _keep_limit(len(content))
    return True


def _keep_limit(written: int) -> None:
    """Look at the whole folder after the first kernel, and whenever some per cent of the limit are new."""
    first = not _unseen
    _unseen.append(written)
    if first or sum(_unseen) > UNSEEN * limit():
        _unseen[:] = [0]
        _make_room()


def made_once(key: str, make: Callable[[], bytes]) -> bytes:
    """What is kept under this key; if nothing is, one process makes it, and others wait for that."""
    found = read(key)
    if found is None:
        with alone(folder() / (key + TURN)) if is_ready() else contextlib.nullcontext():
            found = read(key)
            if found is None:
                found = make()
                write(key, found)
    return found


def is_ready() -> bool:
    """Whether the folder is there and kernels can be kept in it; it is made if it can be."""
    if not is_writable():
        return False
    try:
        folder().mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return False
    return True


def _unwrapped(key: str, content: bytes) -> bytes | None:
    head = len(MAGIC)
    digest, code = content[head : head + 32], content[head + 32 :]
    return code if content[:head] == MAGIC and _digest(key, code) == digest else None


def _digest(key: str, code: bytes) -> bytes:
    """Of the code and of whose it is: a file under another's name is foreign."""
    return hashlib.sha256(key.encode() + b"\n" + code).digest()


@dataclass(frozen=True)
class Entry:
    """One file of the cache."""

    path: Path
    size: int
    used: float
    """When it was last read or written [s since 1970]."""


def entries() -> list[Entry]:
    """The kernels on disk, the one used longest ago first."""
    return sorted(_listed(ENDING), key=lambda entry: entry.used)


def _listed(*endings: str) -> Iterator[Entry]:
    with contextlib.suppress(OSError):
        for path in folder().iterdir():
            if path.suffix in endings:
                with contextlib.suppress(OSError):  # another process may remove it meanwhile
                    status = path.stat()
                    yield Entry(path, status.st_size, status.st_mtime)


def _make_room() -> None:
    """Remove what was not used longest until the limit is kept with something to spare."""
    for left_over in _listed(PART, TURN):
        if left_over.used < time.time() - FORGOTTEN:
            _remove(left_over)
    kept = entries()
    total = sum(entry.size for entry in kept)
    if total > limit():
        for entry in kept:
            if total <= 0.9 * limit():
                break
            _remove(entry)
            total -= entry.size


def clear() -> int:
    """Remove every kernel, and what writing left behind; how many kernels there were."""
    for left_over in _listed(PART, TURN):
        _remove(left_over)
    return sum(_remove(entry) for entry in entries())


def _remove(entry: Entry) -> bool:
    try:
        entry.path.unlink()
    except OSError:
        return False
    return True
