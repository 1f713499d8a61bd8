"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from armdyn.errors import InputError


@contextmanager
def whole_file(path: Path, *, durable: bool = False) -> Generator[IO[bytes]]:
    """A file to write into, which takes its place once all is written: a full disk leaves what was there.

    A device, a pipe or a read-only file is refused: nothing but a file that may be written is replaced.
    A `durable` file is on the disk before it takes its place, and its name is when this ends: a power cut
    leaves all of it or nothing.
    """
    target = _resolved(path)
    try:
        mode = _mode(target)
        with tempfile.NamedTemporaryFile(dir=target.parent, prefix=f".{target.name}.", delete=False) as file:
            temporary = Path(file.name)
            try:
                yield file.file
                file.flush()
                temporary.chmod(mode)
                if durable:
                    os.fsync(file.fileno())
                temporary.replace(target)
            except BaseException:
                temporary.unlink()
                raise
        if durable:
            sync_folder(target.parent)
    except OSError as error:
        raise _unwritable(target, error.strerror or str(error)) from error


def sync_folder(folder: Path) -> None:
    """Have the names in a folder on the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _resolved(path: Path) -> Path:
    """Where the file is: a link stays a link."""
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise _unwritable(path, why or str(error)) from error


def _mode(target: Path) -> int:
    """What the file may be read and written by, as it is or as the user has set it for new ones."""
    if not target.exists():
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
    if target.is_dir():
        raise _unwritable(target, "Is a directory")
    if not target.is_file():
        raise _unwritable(target, "it is a device or a pipe, expected a file")
    if not os.access(target, os.W_OK):
        raise _unwritable(target, "it is read-only; name another file")
    return target.stat().st_mode & 0o777


def _unwritable(target: Path, why: str) -> InputError:
    return InputError(f"{target}: cannot be written, {why}")
