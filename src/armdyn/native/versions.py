"""What compiled code depends on besides its program: the versions that a cache's keys carry."""

from __future__ import annotations

import contextlib
import hashlib
import os
import platform
import sys
from functools import cache
from pathlib import Path

import numpy as np

from armdyn.native import IMPORTED, llvm


@cache
def versions() -> str:
    """Interpreter, libraries and armdyn's own source files."""
    parts = (
        platform.system(),
        platform.machine(),
        sys.implementation.cache_tag or "",
        np.__version__,
        str(llvm.binding().llvm_version_info),
        _sources(),
    )
    return "/".join(parts)


def _sources() -> str:
    """A digest of the names, sizes and times of armdyn's modules: any edit makes other keys."""
    root = Path(__file__).parents[1]
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*.py")):
        with contextlib.suppress(OSError):  # an editor's lock, a file that is just being replaced
            s = path.stat()
            changed = max(s.st_mtime, s.st_ctime)
            if changed > IMPORTED:  # what runs here may be what the file said before
                digest.update(f"process {os.getpid()} since {IMPORTED}\n".encode())
            times = f"{s.st_mtime_ns} {s.st_ctime_ns}"
            digest.update(f"{path.relative_to(root)} {s.st_size} {s.st_ino} {times}\n".encode())
    return digest.hexdigest()


def key(*parts: object) -> str:
    """The name under which code for these parts is kept; their texts must tell them apart."""
    texts = [versions(), *(str(part) for part in parts)]
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()
