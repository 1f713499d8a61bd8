"""The folder that an export goes to, and files in it: whole, or as they were."""

from __future__ import annotations

import os
from pathlib import Path

from armdyn.errors import InputError
from armdyn.formats.whole_file import whole_file


def made_folder(folder: str | os.PathLike[str]) -> Path:
    """The folder, made if it is not there."""
    path = Path(folder)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError) as error:
        raise InputError(f"{path}: a file stands where the folder should be; name another folder") from error
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise InputError(f"{path}: the folder cannot be made, {why}; name another folder") from error
    return path


def write(file: Path, content: bytes) -> Path:
    """Write a file whole, in place of one that is there."""
    with whole_file(file) as sink:
        sink.write(content)
    return file
