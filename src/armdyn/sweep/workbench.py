"""Where rows are computed: in a worker process, here or on another machine."""

from __future__ import annotations

import os
from dataclasses import dataclass
from time import perf_counter, process_time

import numpy as np

from armdyn.sweep.chunks import Chunk
from armdyn.sweep.designs import Points
from armdyn.sweep.evaluating import evaluated
from armdyn.sweep.inputs import digest
from armdyn.sweep.manifest import Manifest
from armdyn.sweep.quantities import evaluator
from armdyn.sweep.row_files import parquet_bytes
from armdyn.sweep.study import Study
from armdyn.sweep.versions import processor, versions

PILOT_SECONDS = 0.2
"""How long rows must take to be a measure for others."""
SLOW = 10.0
"""[s] A first row that takes so long is not evaluated again to know it better."""
PILOT_ROWS = 65536


@dataclass(frozen=True)
class Computed:
    """A chunk as its worker hands it over."""

    chunk: Chunk
    seconds: float
    without_answer: int
    versions: dict[str, str]
    processor: str
    digest: str
    """Of the data"""
    data: bytes
    """The Parquet file"""


class Workbench:
    """A study ready to be evaluated."""

    def __init__(self, study: Study) -> None:
        """What takes long is done here: robots read, kernels compiled."""
        os.environ["ARMDYN_THREADS"] = "1"  # processes share the machine, not threads
        self._study = study
        self._evaluator = evaluator(study)
        self._points = Points(study)
        self._versions, self._processor = versions(), processor()

    def computed(self, manifest: Manifest, chunk: Chunk) -> Computed:
        """The rows of a chunk as a file."""
        began = perf_counter()
        points, found = evaluated(self._study, self._evaluator, self._points, chunk.first, chunk.stop)
        data = parquet_bytes(manifest, chunk, points, found)
        missing = int(np.sum(found["error"] != None))  # noqa: E711  element by element
        return Computed(
            chunk,
            perf_counter() - began,
            missing,
            self._versions,
            self._processor,
            digest(data),
            data,
        )

    def pilot(self, manifest: Manifest) -> float:
        """What a row takes [s]: ever more are evaluated until they take long enough to tell."""
        most = min(self._study.total, PILOT_ROWS)
        rows = min(self._study.total, self._evaluator.grain)
        spent = self._spent(manifest, rows)
        if spent < SLOW:
            spent = self._spent(manifest, rows)  # the first time, much is loaded
        while spent < PILOT_SECONDS and rows < most:
            rows = min(4 * rows, most)
            spent = self._spent(manifest, rows)
        return spent / rows

    def _spent(self, manifest: Manifest, rows: int) -> float:
        """What so many rows take, from the middle of a grid.

        Processor time: on a machine that others use, a moment's waiting would be taken for slow rows.
        """
        first = (self._study.total - rows) // 2 if self._study.design.kind == "grid" else 0
        began = process_time()
        self.computed(manifest, Chunk(0, first, first + rows))
        return process_time() - began
