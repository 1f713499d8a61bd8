"""A Dask cluster on this machine: a scheduler and workers, each a process that may die."""

from __future__ import annotations

import queue
from typing import Any

from armdyn.sweep.crew.outcomes import CrewLostError
from armdyn.sweep.crew.process import Process

MEMBER = "armdyn.sweep.crew.member"


class LocalCluster:
    """A scheduler and its workers."""

    def __init__(self, workers: int) -> None:
        """Start them; workers join when they are ready."""
        self._said: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.scheduler = Process(MEMBER, ["scheduler"], self._said)
        self._workers: list[Process] = []
        _, found = self._said.get()
        if found is None:
            why = self.scheduler.why()
            self.scheduler.end()
            raise CrewLostError(f"the Dask scheduler did not start; it {why}")
        self.address: str = found[1].decode()
        for _ in range(workers):
            self._start()

    @property
    def pids(self) -> list[int]:
        """The numbers of the workers' processes."""
        return [worker.pid for worker in self._workers]

    def alive(self) -> bool:
        """Whether the scheduler is; workers that have died are replaced."""
        while not self._said.empty():
            process, found = self._said.get()
            if found is not None:
                continue
            if process is self.scheduler:
                return False
            if process in self._workers:
                self._workers.remove(process)
                process.end()
                self._start()
        return True

    def end(self) -> None:
        """All of them, at once."""
        for process in (*self._workers, self.scheduler):
            process.end()

    def _start(self) -> None:
        self._workers.append(Process(MEMBER, ["worker", self.address], self._said))
