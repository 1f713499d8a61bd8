"""What the studio of a folder remembers from one start to the next: its token and its port.

So a page that has lost its server finds the next one, is still logged in, and goes on; and a link to a view
opens it again. The file is the user's alone (mode 600); one that others could have read or written is not
used.
"""

from __future__ import annotations

import contextlib
import json
import os
import stat
import tempfile
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from armdyn.studio.access import new_token

LEAST_TOKEN = 40
"""Characters of a token that is taken from a file."""


@dataclass(frozen=True)
class Remembered:
    """Token and port."""

    token: str
    port: int | None = None


def remembered(root: Path) -> Remembered:
    """What is known from before of a folder's studio, or a new token."""
    try:
        with _file(root).open("rb") as file:
            if not _is_mine(file.fileno()):
                return Remembered(new_token())
            said: Any = json.loads(file.read(4096))
        token, port = str(said["token"]), int(said["port"])
    except (OSError, ValueError, KeyError, TypeError):
        return Remembered(new_token())
    if len(token) < LEAST_TOKEN or not 0 < port < 2**16:
        return Remembered(new_token())
    return Remembered(token, port)


def remember(root: Path, known: Remembered) -> None:
    """Keep it for the next start; where nothing can be written, the next start is a new one."""
    target = _file(root)
    with contextlib.suppress(OSError):
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.stem}.")  # made with mode 600
        with os.fdopen(handle, "w") as file:
            json.dump({"folder": str(root), "token": known.token, "port": known.port}, file)
        Path(name).replace(target)


def _file(root: Path) -> Path:
    from platformdirs import user_state_path

    named = os.environ.get("ARMDYN_STATE")
    home = Path(named) if named else user_state_path("armdyn", appauthor=False)
    return home / "studio" / f"{sha256(str(root).encode()).hexdigest()[:24]}.json"


def _is_mine(file: int) -> bool:
    """Whether no one else can have read or written it, as far as the system tells."""
    said = os.fstat(file)
    if not hasattr(os, "getuid"):
        return stat.S_ISREG(said.st_mode)
    private = stat.S_IMODE(said.st_mode) & 0o077 == 0
    return stat.S_ISREG(said.st_mode) and said.st_uid == os.getuid() and private
