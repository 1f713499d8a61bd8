"""What compiled code depends on besides its program: the versions that a cache's keys carry."""

from __future__ import annotations

import hashlib
import platform
import sys
from functools import cache
from pathlib import Path

import numpy as np

from armdyn.native import llvm


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
        status = path.stat()
        digest.update(f"{path.relative_to(root)} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def key(*parts: object) -> str:
    """The name under which code for these parts is kept; their texts must tell them apart."""
    texts = [versions(), *(str(part) for part in parts)]
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()
