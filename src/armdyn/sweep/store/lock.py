"""One writer a folder: a lock that the system frees, however its holder ends."""

from __future__ import annotations

import errno
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from armdyn.errors import InputError
from armdyn.sweep.store.layout import LOCK


class FolderBusyError(InputError):
    """Another sweep writes into the folder."""


@contextmanager
def locked(folder: Path) -> Generator[None]:
    """Hold the lock of a folder, which is made if it is not there."""
    import fcntl

    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise InputError(f'folder "{folder}" cannot be written, {error.strerror or error}') from error
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno not in (errno.EWOULDBLOCK, errno.EACCES):
                raise InputError(f'folder "{folder}" cannot be locked, {error.strerror or error}') from error
            message = (
                f'folder "{folder}": another sweep is writing into it; wait for it, or name another folder'
            )
            raise FolderBusyError(message) from error
        yield
    finally:
        os.close(handle)
