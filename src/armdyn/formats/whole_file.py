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
def whole_file(path: Path) -> Generator[IO[bytes]]:
    """A file to write into, which takes its place once all is written: a full disk leaves what was there."""
    target = path
    try:
        target = path.resolve()  # a link stays a link
        mode = target.stat().st_mode & 0o777 if target.exists() else _usual_mode()
        with tempfile.NamedTemporaryFile(dir=target.parent, prefix=f".{target.name}.", delete=False) as file:
            temporary = Path(file.name)
            try:
                yield file.file
                file.flush()
                temporary.chmod(mode)
                temporary.replace(target)
            except BaseException:
                temporary.unlink()
                raise
    except (OSError, RuntimeError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise InputError(f"{target}: cannot be written, {why or error}") from error


def _usual_mode() -> int:
    """What a new file may be read and written by, as the user has set it."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
