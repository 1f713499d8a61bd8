"""Pages that watch a stream: batches of samples, as many as a page takes, and no more than 50 a second.

A page has no queue: it has a place in the stream's history. One that is slow finds more rows the next time,
or that the oldest are gone.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from armdyn.scalars import Array
from armdyn.studio.frames import packed, places
from armdyn.studio.live.history import CAPACITY
from armdyn.studio.live.hub import Entry, Hub
from armdyn.studio.live.stream import COLUMNS
from armdyn.studio.messages.live import (
    LiveBatch,
    LiveEvent,
    LiveRecording,
    LiveStatus,
    LiveStream,
    LiveStreams,
)

BETWEEN = 0.02
"""[s] between batches."""
STATUS = 0.2
"""[s] between words on how the stream is doing."""
AT_LEAST = 0.5
"""[s] after which a batch comes even if it is empty."""
MOST_ROWS = 4000
"""Of a batch."""

Send = Callable[[str | bytes], Awaitable[None]]
Poses = Callable[[Array], Array]
"""(bodies + 1, 7) of the bodies and the tool, at positions (n)."""


@dataclass
class Watcher:
    """A page's place in a stream."""

    entry: Entry
    poses: Poses
    row: int
    """The next row of the history"""
    event: int
    """The next event"""
    sent: float = -np.inf
    """[s] when the last batch was"""
    told: float = -np.inf
    """[s] when it last said how the stream is doing"""

    @classmethod
    def of(cls, entry: Entry, poses: Poses, seconds: float) -> Watcher:
        """Begin with some seconds of the past."""
        history, period = entry.stream.history, entry.stream.continuity.period
        rows = 0 if period is None else min(CAPACITY, round(seconds / period))
        return cls(entry, poses, max(history.first, history.count - rows), 0)

    def batch(self, now: float) -> bytes | None:
        """What is new, or how it is doing; None: nothing to say yet."""
        stream = self.entry.stream
        news = stream.history.count > self.row or stream.event_count > self.event
        if not news and now - self.sent < AT_LEAST:
            return None
        rows, skipped = stream.history.since(self.row, MOST_ROWS)
        events = [LiveEvent(**vars(event)) for event in stream.events_since(self.event)]
        self.row, self.event, self.sent = stream.history.count, stream.event_count, now
        status = None
        if events or now - self.told >= STATUS or not len(rows):
            status, self.told = status_of(self.entry), now
        begin = float(rows[0, 0]) if len(rows) else 0.0
        arrays = self._arrays(rows, begin)
        message = LiveBatch(
            stream=stream.name,
            begin=begin,
            skipped=skipped,
            status=status,
            events=events,
            arrays=places(arrays),
        )
        return packed(message.model_dump_json(), arrays)

    def _arrays(self, rows: Array, begin: float) -> dict[str, NDArray[np.float64]]:
        n = self.entry.stream.robot.n
        found: dict[str, Array] = {"time": rows[:, 0] - begin}
        for k, name in enumerate(COLUMNS):
            found[name] = rows[:, 1 + k * n : 1 + (k + 1) * n]
        known = found["q"][np.isfinite(found["q"]).all(axis=1)]
        if len(known):
            found["poses"] = self.poses(known[-1])
        return found


async def watch(watcher: Watcher, send: Send) -> None:
    """Send batches for ever; a page that does not take them yet is waited for."""
    while True:
        data = watcher.batch(monotonic())
        if data is not None:
            await send(data)
        await asyncio.sleep(BETWEEN)


async def watch_streams(hub: Hub, send: Send) -> None:
    """Say which streams there are whenever one comes or goes."""
    told = -1
    while True:
        if hub.version != told:
            told = hub.version
            await send(LiveStreams(streams=streams_of(hub)).model_dump_json())
        await asyncio.sleep(10 * BETWEEN)


def streams_of(hub: Hub) -> list[LiveStream]:
    """All streams, the one that was begun last first."""
    return [stream_of(entry) for entry in reversed(hub.entries.values())]


def stream_of(entry: Entry) -> LiveStream:
    """A stream as pages are told of it."""
    stream = entry.stream
    return LiveStream(name=stream.name, number=entry.number, robot=entry.robot, connected=stream.connected)


def status_of(entry: Entry) -> LiveStatus:
    """How a stream is doing, as pages are told."""
    said = entry.stream.status()
    recording = said.pop("recording")
    return LiveStatus(**said, recording=None if recording is None else LiveRecording(**recording))
