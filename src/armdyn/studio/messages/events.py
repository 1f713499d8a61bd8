"""What the server says without being asked."""

from __future__ import annotations

from typing import Literal

from armdyn.studio.messages.answers import FileEntry
from armdyn.studio.messages.model import Message


class FilesChanged(Message):
    """Someone saved a file."""

    event: Literal["files"] = "files"
    files: list[FileEntry]
