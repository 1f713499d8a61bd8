"""The MCAP file of a stream: what was measured, what was predicted, what was said.

Topics: `/state` every sample as it was sent (`identify` reads it), `/prediction` measured, predicted and
residual torques after the filter, `/joint_states` and `/tf` for viewers, 25 times a second, `/log` alarms,
gaps and settings.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from armdyn.dynamics import Dynamics
from armdyn.errors import InputError
from armdyn.scalars import Array
from armdyn.simulation.files.mcap_messages import (
    NUMBERS,
    Frame,
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
VIEWED = 0.04
"""[s] between frames for viewers."""


@dataclass(frozen=True, slots=True)
class Torques:
    """What was told at an instant [s]: joint torques (n) after the filter."""

    time: float
    measured: Array
    predicted: Array
    residual: Array


@dataclass(frozen=True, slots=True)
class Remark:
    """A sentence, at an instant [s]."""

    time: float
    text: str
    level: int


Entry = Sample | Torques | Remark


class StreamFile:
    """A file being written; what is on disk is whole chunks."""

    def __init__(self, path: Path, dyn: Dynamics, layout: Layout, about: dict[str, str]) -> None:
        """Begin a file that does not exist yet, for samples of this layout."""
        if path.suffix.lower() != ".mcap":
            raise InputError(f'recording "{path}" ends in "{path.suffix}", expected .mcap')
        mcap: Any = import_module("mcap.writer")
        try:
            self._sink = path.open("xb")
        except FileExistsError as error:
            raise InputError(f"{path}: is there already, expected a new file; name another") from error
        except OSError as error:
            raise InputError(f"{path}: cannot be written, {error.strerror or error}") from error
        self._dyn, self._layout = dyn, layout
        self._viewed = -math.inf
        self._writer: Any = mcap.Writer(self._sink, chunk_size=CHUNK)
        self._writer.start(profile="", library=f"armdyn {version('armdyn')}")
        torques = dict.fromkeys(("measured", "predicted", "residual"), NUMBERS)
        self._channels = registered(
            self._writer,
            schemas(dict.fromkeys(layout.widths, NUMBERS))
            | {"/prediction": ("armdyn.Prediction", {"type": "object", "properties": torques})},
        )
        robot = dyn.robot
        self._writer.add_metadata(
            "armdyn", {"robot": robot.name, "joints": ", ".join(robot.joint_names), **about}
        )
        self._sink.flush()

    @property
    def bytes(self) -> int:
        """Bytes of the file."""
        return self._sink.tell()

    def write(self, entries: Sequence[Entry]) -> None:
        """Write what has come, in its order; the frames of all at once take little longer than of one."""
        viewed = self._to_view(entries)
        rows = {id(sample): row for row, sample in enumerate(viewed)}
        q = self._layout.places["q"]
        placed = frames(self._dyn, np.array([sample.values[q] for sample in viewed])) if viewed else []
        for entry in entries:
            match entry:
                case Sample():
                    self._write_sample(entry)
                    if id(entry) in rows:
                        self._write_view(entry, placed, rows[id(entry)])
                case Torques():
                    self._write_torques(entry)
                case Remark():
                    content = log_message(
                        nanoseconds(entry.time), entry.level, entry.text, self._dyn.robot.name
                    )
                    self._message("/log", entry.time, content)
        self._sink.flush()

    def finish(self) -> None:
        """Write its end; returns when all is on disk."""
        self._writer.finish()
        self._sink.flush()
        os.fsync(self._sink.fileno())

    def close(self) -> None:
        """Write no more, whatever there is of it."""
        self._sink.close()

    def _to_view(self, entries: Sequence[Entry]) -> list[Sample]:
        """The samples that viewers get."""
        found: list[Sample] = []
        for entry in entries:
            if isinstance(entry, Sample) and abs(entry.time - self._viewed) >= VIEWED - 1e-6:
                self._viewed = entry.time
                found.append(entry)
        return found

    def _message(self, topic: str, time: float, content: dict[str, Any]) -> None:
        at = nanoseconds(time)
        self._writer.add_message(self._channels[topic], log_time=at, data=written(content), publish_time=at)

    def _write_sample(self, sample: Sample) -> None:
        numbers = sample.values.tolist()
        found = {name: numbers[place] for name, place in self._layout.places.items()}
        self._message("/state", sample.time, {"timestamp": stamp(nanoseconds(sample.time)), **found})

    def _write_view(self, sample: Sample, placed: list[Frame], row: int) -> None:
        """Joints and frames, as viewers know them."""
        at = nanoseconds(sample.time)
        found = {name: sample.values[place] for name, place in self._layout.places.items()}
        joints = joints_message(
            at,
            self._dyn.robot.joint_names,
            position=found["q"],
            velocity=found.get("qd"),
            effort=found.get("tau"),
        )
        self._message("/joint_states", sample.time, joints)
        self._message("/tf", sample.time, frames_message(at, placed, row))

    def _write_torques(self, told: Torques) -> None:
        lists = {
            "measured": told.measured.tolist(),
            "predicted": told.predicted.tolist(),
            "residual": told.residual.tolist(),
        }
        # JSON knows no NaN: what is not known is left out
        known = {name: values for name, values in lists.items() if all(map(math.isfinite, values))}
        self._message("/prediction", told.time, {"timestamp": stamp(nanoseconds(told.time)), **known})
