"""Recordings of a stream as MCAP logs.

A thread of its own writes, so that a slow disk holds up nothing; what it cannot keep up with is counted as
lost. It takes all that waits at once: the more there is, the less each takes. Chunks go to disk as they are
full, two seconds at 100 Hz: a file whose writer was killed lacks its end, and no more than that.
"""

from __future__ import annotations

import queue
import threading
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from armdyn.dynamics import Dynamics
from armdyn.scalars import Array
from armdyn.simulation.files.mcap_messages import INFO
from armdyn.studio.live.stream_file import Entry, Remark, StreamFile, Torques
from armdyn.studio.live.telemetry import Layout, Sample

WAITING = 20_000
"""Entries that may wait: a few seconds at the highest rate, some 10 MB."""
TOGETHER = 1000
"""Entries that are written before it says how far it is."""
LARGEST = 2**32
"""Bytes of a recording, after which it stops: days at 100 Hz."""


@dataclass
class Written:
    """How far a recording is."""

    path: Path
    samples: int = 0
    bytes: int = 0
    lost: int = 0
    """Entries that the disk was too slow for"""
    failure: str | None = None
    """Why it has stopped by itself"""
    open: bool = True


class Recording:
    """A recording in progress."""

    def __init__(self, path: Path, dyn: Dynamics, layout: Layout, about: dict[str, str]) -> None:
        """Begin a file that does not exist yet, for samples of this layout."""
        file = StreamFile(path, dyn, layout, about)
        self.written = Written(path)
        self._queue: queue.Queue[Entry | None] = queue.Queue(WAITING)
        self._thread = threading.Thread(target=self._run, args=(file,), name="recording", daemon=True)
        self._thread.start()

    def sample(self, sample: Sample) -> None:
        """Write a sample as it was sent."""
        self._put(sample)

    def prediction(self, time: float, measured: Array, predicted: Array, residual: Array) -> None:
        """Write what was told at an instant [s]: torques (n) after the filter."""
        self._put(Torques(time, measured, predicted, residual))

    def say(self, time: float, sentence: str, level: int = INFO) -> None:
        """Write a sentence."""
        self._put(Remark(time, sentence, level))

    def stop(self) -> Written:
        """Finish the file; waits until all is on disk."""
        while self._thread.is_alive():
            with suppress(queue.Full):  # a thread that ends by itself meanwhile makes no room
                self._queue.put(None, timeout=0.1)
                self._thread.join()
        return self.written

    def _put(self, entry: Entry) -> None:
        if not self.written.open:
            return
        try:
            self._queue.put_nowait(entry)
        except queue.Full:
            self.written.lost += 1

    # In the thread ----------------------------------------------------------------------------

    def _run(self, file: StreamFile) -> None:
        """Write what waits until it says stop, or the disk cannot take more."""
        written, more = self.written, True
        try:
            with closing(file):
                while more and written.bytes < LARGEST:
                    entries, more = self._waiting()
                    file.write(entries)
                    written.samples += sum(isinstance(entry, Sample) for entry in entries)
                    written.bytes = file.bytes
                if more:
                    written.failure = f"{written.path}: {LARGEST // 2**30} GiB are written, it stops"
                file.finish()
                written.bytes = file.bytes
        except OSError as error:
            written.failure = f"{written.path}: cannot be written, {error.strerror or error}"
        finally:
            written.open = False

    def _waiting(self) -> tuple[list[Entry], bool]:
        """What waits, at least one entry, and whether more may come."""
        found: list[Entry] = []
        entry = self._queue.get()
        while entry is not None:
            found.append(entry)
            if len(found) == TOGETHER or self._queue.empty():
                return found, True
            entry = self._queue.get()
        return found, False
