"""Recordings of a stream as MCAP logs: what was measured, what was predicted, what was said.

A thread of its own writes, so that a slow disk holds up nothing; what it cannot keep up with is counted as
lost. Chunks go to disk as they are full, two seconds at 100 Hz: a file whose writer was killed lacks its end,
and no more than that.

Topics: `/state` every sample as it was sent (`identify` reads it), `/prediction` measured, predicted and
residual torques after the filter, `/joint_states` and `/tf` for viewers, 25 times a second, `/log` alarms,
gaps and settings.
"""

from __future__ import annotations

import math
import os
import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import IO, Any

import numpy as np

from armdyn.dynamics import Dynamics
from armdyn.errors import InputError
from armdyn.scalars import Array
from armdyn.simulation.files.mcap_messages import (
    INFO,
    NUMBERS,
    frames,
    frames_message,
    joints_message,
    log_message,
    nanoseconds,
    registered,
    schemas,
    stamp,
    written,
)
from armdyn.studio.live.telemetry import Layout, Sample

CHUNK = 256 * 1024
"""Bytes of messages that are written together."""
WAITING = 5000
"""Things to write that may wait."""
LARGEST = 2**32
"""Bytes of a recording, after which it stops: days at 100 Hz."""
VIEWED = 0.04
"""[s] between frames for viewers."""


@dataclass
class Written:
    """How far a recording is."""

    path: Path
    samples: int = 0
    bytes: int = 0
    lost: int = 0
    """Things that the disk was too slow for"""
    failure: str | None = None
    """Why it has stopped by itself"""
    open: bool = True


@dataclass(frozen=True)
class _Writing:
    """What the thread writes with."""

    writer: Any
    channels: dict[str, int]
    sink: IO[bytes]
    viewed: list[float] = field(default_factory=lambda: [-math.inf])


class Recording:
    """A recording in progress."""

    def __init__(self, path: Path, dyn: Dynamics, layout: Layout, about: dict[str, str]) -> None:
        """Begin a file that does not exist yet, for samples of this layout."""
        if path.suffix.lower() != ".mcap":
            raise InputError(f'recording "{path}" ends in "{path.suffix}", expected .mcap')
        self.written = Written(path)
        self._dyn, self._layout = dyn, layout
        self._queue: queue.Queue[Callable[[_Writing], None] | None] = queue.Queue(WAITING)
        writing = self._begun(path, about)
        self._thread = threading.Thread(target=self._run, args=(writing,), name="recording", daemon=True)
        self._thread.start()

    def sample(self, sample: Sample) -> None:
        """Write a sample as it was sent."""
        self._put(lambda writing: self._write_sample(writing, sample))

    def prediction(self, time: float, measured: Array, predicted: Array, residual: Array) -> None:
        """Write what was told at an instant [s]: torques (n) after the filter."""
        named = {"measured": measured, "predicted": predicted, "residual": residual}
        self._put(lambda writing: self._write_prediction(writing, time, named))

    def say(self, time: float, sentence: str, level: int = INFO) -> None:
        """Write a sentence."""
        name = self._dyn.robot.name
        self._put(
            lambda writing: self._write(
                writing, "/log", time, log_message(nanoseconds(time), level, sentence, name)
            )
        )

    def stop(self) -> Written:
        """Finish the file; waits until all is on disk."""
        if self._thread.is_alive():
            self._queue.put(None)
            self._thread.join()
        return self.written

    # Writing, in the thread -------------------------------------------------------------------

    def _begun(self, path: Path, about: dict[str, str]) -> _Writing:
        mcap: Any = import_module("mcap.writer")
        try:
            sink = path.open("xb")
        except FileExistsError as error:
            raise InputError(f"{path}: is there already, expected a new file; name another") from error
        except OSError as error:
            raise InputError(f"{path}: cannot be written, {error.strerror or error}") from error
        writer: Any = mcap.Writer(sink, chunk_size=CHUNK)
        writer.start(profile="", library=f"armdyn {version('armdyn')}")
        predicted = {
            "type": "object",
            "properties": dict.fromkeys(("measured", "predicted", "residual"), NUMBERS),
        }
        channels = registered(
            writer,
            schemas(dict.fromkeys(self._layout.widths, NUMBERS))
            | {"/prediction": ("armdyn.Prediction", predicted)},
        )
        robot = self._dyn.robot
        writer.add_metadata("armdyn", {"robot": robot.name, "joints": ", ".join(robot.joint_names), **about})
        sink.flush()
        return _Writing(writer, channels, sink)

    def _put(self, what: Callable[[_Writing], None]) -> None:
        if not self.written.open:
            return
        try:
            self._queue.put_nowait(what)
        except queue.Full:
            self.written.lost += 1

    def _run(self, writing: _Writing) -> None:
        """Write what is in the queue until it says stop, or the disk cannot take more."""
        try:
            with writing.sink as sink:
                while (what := self._queue.get()) is not None and self.written.bytes < LARGEST:
                    what(writing)
                    if sink.tell() != self.written.bytes:
                        sink.flush()
                        self.written.bytes = sink.tell()
                if what is not None:
                    self.written.failure = (
                        f"{self.written.path}: {LARGEST // 2**30} GiB are written, it stops"
                    )
                writing.writer.finish()
                sink.flush()
                os.fsync(sink.fileno())
                self.written.bytes = sink.tell()
        except OSError as error:
            self.written.failure = f"{self.written.path}: cannot be written, {error.strerror or error}"
        finally:
            self.written.open = False

    def _write(self, writing: _Writing, topic: str, time: float, content: dict[str, Any]) -> None:
        at = nanoseconds(time)
        writing.writer.add_message(
            writing.channels[topic], log_time=at, data=written(content), publish_time=at
        )

    def _write_sample(self, writing: _Writing, sample: Sample) -> None:
        at = nanoseconds(sample.time)
        found = {name: sample.values[place] for name, place in self._layout.places.items()}
        lists = {name: values.tolist() for name, values in found.items()}
        self._write(writing, "/state", sample.time, {"timestamp": stamp(at), **lists})
        self.written.samples += 1
        if abs(sample.time - writing.viewed[0]) >= VIEWED - 1e-6:
            writing.viewed[0] = sample.time
            self._write_view(writing, sample.time, found)

    def _write_view(self, writing: _Writing, time: float, found: dict[str, Array]) -> None:
        """Joints and frames, as viewers know them."""
        at = nanoseconds(time)
        joints = joints_message(
            at,
            self._dyn.robot.joint_names,
            position=found["q"],
            velocity=found.get("qd"),
            effort=found.get("tau"),
        )
        self._write(writing, "/joint_states", time, joints)
        self._write(writing, "/tf", time, frames_message(at, frames(self._dyn, found["q"][None]), 0))

    def _write_prediction(self, writing: _Writing, time: float, named: dict[str, Array]) -> None:
        # JSON knows no NaN: what is not known is left out
        known = {name: values.tolist() for name, values in named.items() if np.isfinite(values).all()}
        self._write(writing, "/prediction", time, {"timestamp": stamp(nanoseconds(time)), **known})
