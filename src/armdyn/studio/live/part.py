"""The live part of a studio: where telemetry comes in, and what pages ask about it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from armdyn.errors import InputError
from armdyn.studio.clients import Client
from armdyn.studio.live.alarm import Threshold, threshold_of
from armdyn.studio.live.endpoint import REFUSED, Connection
from armdyn.studio.live.hub import Entry, Hub, finish, record
from armdyn.studio.live.prediction import Prediction
from armdyn.studio.live.telemetry import PATH
from armdyn.studio.live.watching import Watcher, stream_of, streams_of, watch, watch_streams
from armdyn.studio.messages.events import FilesChanged
from armdyn.studio.messages.live import (
    LiveAlarmRequest,
    LiveRecording,
    LiveRecordRequest,
    LiveRequest,
    LiveScene,
    LiveSettingsRequest,
    LiveThreshold,
    LiveWatchRequest,
    LiveWatchResult,
)
from armdyn.studio.messages.settings import Settings
from armdyn.studio.poses import bodies_and_tool
from armdyn.studio.router import Handler, Part
from armdyn.studio.studio import Studio


@dataclass
class Watching:
    """What a page watches."""

    streams: asyncio.Task[None]
    """Tells which streams there are"""
    samples: asyncio.Task[None] | None = None
    name: str | None = None


def live_part() -> Part:
    """A part with streams of its own."""
    live = Live()
    return Part(
        {
            "live_watch": Handler(live.watch),
            "live_record": Handler(live.record),
            "live_alarm": Handler(live.set_alarm),
            "live_settings": Handler(live.set_settings),
        },
        (WebSocketRoute(PATH, live.telemetry),),
        live.running,
    )


class Live:
    """Streams of one studio, and the pages that watch them."""

    def __init__(self) -> None:
        """Nobody sends, nobody watches."""
        self.hub = Hub()
        self._pages: WeakKeyDictionary[Client, Watching] = WeakKeyDictionary()

    @asynccontextmanager
    async def running(self, _studio: Studio) -> AsyncGenerator[None]:
        """Finish recordings when the server ends."""
        try:
            yield
        finally:
            await asyncio.to_thread(self.hub.close)

    async def telemetry(self, socket: WebSocket) -> None:
        """A sender: a program that has the token, never a page that is only logged in."""
        studio: Studio = socket.app.state.studio
        if not studio.access.has_token(socket.headers):
            await socket.close(REFUSED)
            return
        await Connection(
            socket, self.hub, lambda name, settings: studio.robots.ready(name, settings).dyn
        ).serve()

    # What pages ask ---------------------------------------------------------------------------

    async def watch(self, client: Client, request: LiveWatchRequest) -> LiveWatchResult:
        """Watch a stream, or no longer."""
        page = self._pages.get(client)
        if page is not None and page.samples is not None:
            page.samples.cancel()
            page.samples = page.name = None
        if not request.on:
            if page is not None:
                page.streams.cancel()
                del self._pages[client]
            return LiveWatchResult(streams=streams_of(self.hub), watching=None)
        if page is None:
            page = Watching(client.beside(watch_streams(self.hub, client.send)))
            self._pages[client] = page
        if not self.hub.entries:
            return LiveWatchResult(streams=[], watching=None)
        entry = self.hub.entry(request.stream)
        watcher = Watcher.of(
            entry, lambda q: bodies_and_tool(entry.stream.prediction.dyn, q), request.seconds
        )
        page.samples, page.name = client.beside(watch(watcher, client.send)), entry.stream.name
        return LiveWatchResult(streams=streams_of(self.hub), watching=scene_of(entry))

    async def record(self, client: Client, request: LiveRecordRequest) -> LiveRecording:
        """Begin a recording, or finish it."""
        entry, studio = self._entry(client, request), client.studio
        if request.on:
            path = studio.folder.inside(request.path or _file_name(entry), (".mcap",))
            recording = await studio.in_thread(lambda: record(entry, path))
        else:
            recording = entry.stream.recording
            if recording is None or not recording.written.open:
                raise InputError("nothing is being recorded; begin a recording first")
            await studio.in_thread(lambda: finish(entry))
        found, _ = await studio.in_thread(studio.folder.listing)
        studio.publish(FilesChanged(files=found))
        said: dict[str, Any] = {
            **vars(recording.written),
            "path": studio.folder.name_of(recording.written.path),
        }
        return LiveRecording(**said)

    async def set_alarm(self, client: Client, request: LiveAlarmRequest) -> LiveThreshold:
        """Other thresholds."""
        stream = self._entry(client, request).stream
        absolute: Any = request.absolute
        if absolute is not None and len(absolute) == 1:
            absolute = absolute[0]
        threshold = threshold_of(
            stream.largest, share=request.share, absolute=absolute, duration=request.duration
        )
        stream.alarm_beyond(threshold)
        return _told(threshold)

    async def set_settings(self, client: Client, request: LiveSettingsRequest) -> LiveScene:
        """Predict with another payload, or look through another window."""
        entry = self._entry(client, request)
        if request.settings.locked:
            raise InputError("a running robot has all its joints, expected none of them locked")
        studio, stream = client.studio, entry.stream
        window = stream.options.window if request.window is None else request.window
        options = replace(stream.options, window=window, velocity=request.velocity)
        prediction = await studio.in_thread(lambda: _prediction(studio, entry.robot, request.settings))
        stream.predict_with(prediction, options)
        entry.settings = request.settings
        stream.say("settings", f"predicted with {_settings_said(request.settings)}")
        return scene_of(entry)

    def _entry(self, client: Client, request: LiveRequest) -> Entry:
        page = self._pages.get(client)
        return self.hub.entry(request.stream or (None if page is None else page.name))


# Words ----------------------------------------------------------------------------------------


def scene_of(entry: Entry) -> LiveScene:
    """A stream as a page needs it to begin with."""
    stream = entry.stream
    return LiveScene(
        stream=stream_of(entry),
        joints=list(stream.robot.joint_names),
        units=["N" if joint.kind == "prismatic" else "N m" for joint in stream.robot.joints],
        fields=list(entry.fields),
        threshold=_told(stream.alarm.threshold),
        settings=entry.settings,
        window=stream.options.window,
        velocity=stream.options.velocity,
    )


def _told(threshold: Threshold) -> LiveThreshold:
    limits = [x if np.isfinite(x) else None for x in threshold.limits.tolist()]
    return LiveThreshold(limits=limits, duration=threshold.duration)


def _settings_said(settings: Settings) -> str:
    return ", ".join(
        f"{name} {value}" for name, value in settings.model_dump(exclude_defaults=True).items()
    ) or ("the robot as its file says")


def _file_name(entry: Entry) -> str:
    name = "".join(c if c.isalnum() or c in "-_" else "_" for c in entry.stream.name)[:60]
    return f"{name}-{datetime.now().astimezone():%Y%m%d-%H%M%S}.mcap"


# Numbers --------------------------------------------------------------------------------------


def _prediction(studio: Studio, robot: str, settings: Settings) -> Prediction:
    dyn = studio.robots.ready(robot, settings).dyn
    wrench, at = (None if x is None else np.array(x) for x in (settings.wrench, settings.at))
    return Prediction(dyn, wrench, at)
