"""Worker processes on this machine."""

from __future__ import annotations

import queue
from collections import deque
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from armdyn.errors import InputError
from armdyn.sweep.chunks import Chunk
from armdyn.sweep.crew.messages import chunk_bytes, computed_of, setup_bytes
from armdyn.sweep.crew.outcomes import CrewLostError, Faulty, Lost, Outcome
from armdyn.sweep.crew.process import Process
from armdyn.sweep.manifest import Manifest
from armdyn.sweep.study import Study

WORKER = "armdyn.sweep.crew.worker"
TOO_OFTEN = 3
"""So many deaths of each worker, one after the other without an answer, and the crew gives up."""


class LocalCrew:
    """Some processes, kept warm; one that dies is replaced."""

    def __init__(self, study: Study, manifest: Manifest, workers: int) -> None:
        """Start them."""
        self._setup = setup_bytes(study, manifest)
        self._said: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._held: dict[Process, deque[Chunk]] = {}
        self._deaths = 0
        for _ in range(workers):
            self._start()

    @property
    def size(self) -> int:
        """How many processes there are."""
        return len(self._held)

    @property
    def pids(self) -> list[int]:
        """Their numbers."""
        return [process.pid for process in self._held]

    def submit(self, chunk: Chunk) -> None:
        """Give a chunk to who has least to do."""
        process = min(self._held, key=lambda one: len(self._held[one]))
        self._held[process].append(chunk)
        process.send(chunk_bytes(chunk))

    def outcomes(self, seconds: float) -> list[Outcome]:
        """What has become of chunks; waits no longer than this for the first."""
        try:
            process, found = self._said.get(timeout=seconds)
        except queue.Empty:
            return []
        return self._replaced(process) if found is None else [self._answer(process, *found)]

    def end(self) -> None:
        """All of them, at once."""
        for process in self._held:
            process.end()

    def _answer(self, process: Process, kind: bytes, data: bytes) -> Outcome:
        self._deaths = 0
        if not self._held[process]:  # before the first chunk: the study itself is refused
            raise InputError(data.decode())
        chunk = self._held[process].popleft()
        return computed_of(data) if kind == b"B" else Faulty(chunk, data.decode())

    def _replaced(self, process: Process) -> list[Outcome]:
        """Another process in place of one that has died; the chunk it worked on may be why."""
        held, why = self._held.pop(process), process.why()
        self._deaths += 1
        if self._deaths > TOO_OFTEN * (1 + len(self._held)):
            raise CrewLostError(f"worker processes die again and again; the last {why}")
        process.end()
        self._start()
        return [Lost(chunk, k == 0, why) for k, chunk in enumerate(held)]

    def _start(self) -> None:
        process = Process(WORKER, (), self._said)
        self._held[process] = deque()
        process.send(self._setup)


@contextmanager
def local_crew(study: Study, manifest: Manifest, workers: int) -> Generator[LocalCrew]:
    """Processes from here on; all have ended in the end."""
    crew = LocalCrew(study, manifest, workers)
    try:
        yield crew
    finally:
        crew.end()


def timed(study: Study, manifest: Manifest) -> float:
    """What a row takes [s], timed in a process of its own."""
    said: queue.SimpleQueue[Any] = queue.SimpleQueue()
    for _ in range(TOO_OFTEN):
        process = Process(WORKER, (), said)
        try:
            process.send(setup_bytes(study, manifest))
            _, found = said.get()
            if found is not None:
                kind, data = found
                if kind == b"F":
                    raise InputError(data.decode())
                return float(data)
            why = process.why()
        finally:
            process.end()
    raise CrewLostError(f"worker processes die while the first rows are timed; the last {why}")  # pyright: ignore[reportPossiblyUnboundVariable]
