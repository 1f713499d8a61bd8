"""Real C compilers for the tests of what is exported."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

COMPILERS = [name for name in ("gcc", "clang") if shutil.which(name)]
STRICT = [
    *("-std=c99", "-pedantic", "-Werror", "-Wall", "-Wextra", "-Wconversion", "-Wdouble-promotion"),
    *("-Wshadow", "-Wstrict-prototypes", "-Wmissing-prototypes"),
]
"""Every warning is an error."""
needs_compiler = pytest.mark.skipif(not COMPILERS, reason="neither gcc nor clang is here")


def one_of(k: int) -> str:
    """Compilers in turn."""
    return COMPILERS[k % len(COMPILERS)]


def built(folder: Path, sources: Sequence[str], compiler: str, *more: str) -> Path:
    """An executable, or with `-shared` a library, of the files named."""
    target = folder / f"{Path(sources[-1]).stem}_{compiler}"
    run([compiler, *STRICT, "-O0", *more, "-o", str(target), *sources, "-lm"], folder)
    return target


def run(command: Sequence[str], folder: Path) -> str:
    """What a command prints; the test fails with all that it said if it fails."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}\n{done.stderr}"
    return done.stdout


class Library:
    """Functions in C, called on one state at a time."""

    def __init__(self, folder: Path, source: str, *, single: bool = False) -> None:
        """Compile the source file."""
        self.kind: Any = np.float32 if single else np.float64
        self.path = built(folder, [source], COMPILERS[0], "-shared", "-fPIC")
        self._functions = ctypes.CDLL(str(self.path))

    def __call__(
        self, name: str, inputs: Sequence[np.ndarray], *shapes: tuple[int, ...]
    ) -> tuple[int, list[np.ndarray]]:
        """The status and the results of a function."""
        given = [np.ascontiguousarray(x, dtype=self.kind) for x in inputs]
        results = [np.full(shape, np.nan, dtype=self.kind) for shape in shapes]
        status = getattr(self._functions, name)(
            *(a.ctypes.data_as(ctypes.c_void_p) for a in (*given, *results))
        )
        return status, results
