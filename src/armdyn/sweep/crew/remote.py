"""Chunks computed by a Dask worker, on a machine that has nothing but armdyn."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from armdyn.sweep.chunks import Chunk
from armdyn.sweep.crew.messages import computed_bytes, setup_of
from armdyn.sweep.inputs import digest, with_copies
from armdyn.sweep.manifest import Manifest
from armdyn.sweep.workbench import Workbench

_own = threading.local()
"""Of a thread: the workbench of its last study."""


def computed_remotely(setup: bytes, files: Mapping[str, bytes], chunk: Mapping[str, int]) -> bytes:
    """A chunk of a study whose text and files have travelled with it."""
    bench, manifest = _bench(setup, files)
    return computed_bytes(bench.computed(manifest, Chunk(**chunk)))


def plain_chunk(chunk: Chunk) -> dict[str, int]:
    """A chunk as it travels."""
    return asdict(chunk)


def _bench(setup: bytes, files: Mapping[str, bytes]) -> tuple[Workbench, Manifest]:
    mark = digest(setup)
    if getattr(_own, "mark", None) != mark:
        study, manifest = setup_of(setup)
        _own.folder = tempfile.TemporaryDirectory(prefix="armdyn-")
        _own.ready = Workbench(with_copies(study, files, Path(_own.folder.name))), manifest
        _own.mark = mark
    return _own.ready
