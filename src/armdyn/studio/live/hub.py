"""All streams of a studio: who sends them, which there are, which was begun last."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from time import monotonic
from typing import Protocol

from armdyn.dynamics import Dynamics
from armdyn.errors import InputError, suggestion
from armdyn.studio.live.prediction import Prediction
from armdyn.studio.live.recording import Recording
from armdyn.studio.live.stream import Stream
from armdyn.studio.live.telemetry import Hello, layout_of
from armdyn.studio.messages.settings import Settings

MOST_STREAMS = 8
SILENT = 2.0
"""[s] A sender that has sent nothing for so long makes room for another one of its name."""

ModelOf = Callable[[str, Settings], Dynamics]
"""A robot by its name, as settings change it."""


class Sender(Protocol):
    """Who sends a stream; another one of the same name takes its place."""

    def replaced(self) -> None:
        """End it."""
        ...


@dataclass
class Entry:
    """A stream, and what belongs to it."""

    stream: Stream
    robot: str
    """How to ask for it"""
    fields: tuple[str, ...]
    number: int
    """Its own: another robot that sends under the same name has another"""
    settings: Settings = field(default_factory=Settings)
    sender: Sender | None = None


class Hub:
    """The streams by name; those whose sender has left stay until there are too many."""

    def __init__(self) -> None:
        """None yet."""
        self.entries: dict[str, Entry] = {}
        self.version = 0
        """Counts what came and went"""
        self._numbers = count()

    def entry(self, name: str | None) -> Entry:
        """A stream by its name, by default the one that was begun last."""
        if not self.entries:
            raise InputError("no robot sends telemetry; connect one, the page on live robots says how")
        if name is None:
            return next(reversed(self.entries.values()))
        if name not in self.entries:
            hint = suggestion(name, self.entries)
            raise InputError(f'no stream "{name}"; {hint}there are {", ".join(self.entries)}')
        return self.entries[name]

    def prepared(self, hello: Hello, model: ModelOf) -> Entry:
        """The stream that a hello begins, or goes on with: that of its name, if it is of the same kind.

        Takes a while for a robot that is seen for the first time; call it in a thread.
        """
        name = hello.name or hello.robot
        old = self.entries.get(name)
        if old is not None and (old.robot, old.fields) == (hello.robot, hello.fields):
            return old
        dyn = model(hello.robot, Settings())
        layout = layout_of(hello.fields, dyn.n, len(dyn.robot.drives), dyn.robot.name)
        stream = Stream(name, layout, Prediction(dyn))
        return Entry(stream, hello.robot, hello.fields, next(self._numbers))

    def enter(self, entry: Entry, sender: Sender) -> list[Entry]:
        """A sender sends a stream from now on; those that have to go for it, to be finished.

        A name that another one sends under is refused, unless that one is silent.
        """
        name = entry.stream.name
        old = self.entries.get(name)
        if old is not None and old.sender is not None:
            if monotonic() - old.stream.arrival.last < SILENT:
                raise InputError(f'"{name}" is sent by another connection, expected another name=')
            old.sender.replaced()
        gone = self._room() if old is None else [old] if old is not entry else []
        for each in gone:
            del self.entries[each.stream.name]
        self.entries.pop(name, None)
        entry.sender = sender
        self.entries[name] = entry  # the last one
        entry.stream.connect(on=True)
        self.version += 1
        return gone

    def leave(self, entry: Entry, sender: Sender) -> None:
        """A sender has gone; unless another has taken its place."""
        if entry.sender is sender:
            entry.sender = None
            entry.stream.connect(on=False)
            self.version += 1

    def _room(self) -> list[Entry]:
        """What has to go so that there is room for one more."""
        if len(self.entries) < MOST_STREAMS:
            return []
        gone = next((entry for entry in self.entries.values() if entry.sender is None), None)
        if gone is None:
            raise InputError(f"{MOST_STREAMS} robots send telemetry already; stop one of them first")
        return [gone]

    def close(self) -> None:
        """Finish all recordings."""
        for entry in self.entries.values():
            finish(entry)


def record(entry: Entry, path: Path) -> Recording:
    """Begin a recording of a stream."""
    stream = entry.stream
    if stream.recording is not None and stream.recording.written.open:
        raise InputError(f"{stream.recording.written.path.name} is being recorded; stop it first")
    dyn = stream.prediction.dyn
    about = {
        "stream": stream.name,
        "drives": ", ".join(drive.name for drive in dyn.robot.drives),
        "motors": dyn.motors,
        "friction": "on" if dyn.friction else "off",
        "settings": entry.settings.model_dump_json(),
    }
    stream.recording = Recording(path, dyn, stream.layout, about)
    stream.say("recording", f"{path.name} is being recorded")
    return stream.recording


def finish(entry: Entry) -> None:
    """Finish the recording of a stream, if there is one; waits for the disk, and stays to be told of."""
    recording = entry.stream.recording
    if recording is not None and recording.written.open:
        recording.stop()
        entry.stream.say("recording", f"{recording.written.path.name} is finished")
