"""The address that telemetry is sent to: `/telemetry`, a websocket for programs that have the studio's token.

A sample that makes no sense is answered by one sentence, and the stream goes on; sentences come at most once
a second, with the number of samples that they stand for.
"""

from __future__ import annotations

import asyncio
import json
from time import monotonic
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from armdyn.errors import ArmdynError, InputError
from armdyn.studio.live.hub import Entry, Hub, ModelOf, finish
from armdyn.studio.live.telemetry import (
    LARGEST_FRAME,
    MOST_PER_SECOND,
    Sample,
    hello_of,
    sample_of_text,
    samples_of_bytes,
)

PATIENCE = 10.0
"""[s] within which a hello must come."""
BETWEEN_PROBLEMS = 1.0
"""[s]"""
AT_ONCE = 50
"""Samples that are looked at before others have their turn."""
REFUSED = 1008
"""Code of a connection that is ended for what it said."""


class Connection:
    """One sender."""

    def __init__(self, socket: WebSocket, hub: Hub, model: ModelOf) -> None:
        """Not yet accepted."""
        self._socket, self._hub, self._model = socket, hub, model
        self._complaints = Complaints()
        self._allowance = Allowance()
        self._ending: asyncio.Task[None] | None = None

    async def serve(self) -> None:
        """Take a hello and samples until the sender leaves."""
        await self._socket.accept()
        try:
            entry = await self._begun()
        except (ArmdynError, TimeoutError) as error:
            sentence = str(error) or f"no hello within {PATIENCE:g} s, expected one first"
            await self._say(problem=sentence, refused=True)
            await self._socket.close(REFUSED)
            return
        except WebSocketDisconnect:
            return
        try:
            while True:
                await self._take(await self._received(), entry)
        except WebSocketDisconnect:
            pass
        finally:
            self._hub.leave(entry, self)

    def replaced(self) -> None:
        """Another one sends this stream from now on."""
        self._ending = asyncio.create_task(
            self._socket.close(REFUSED, "another connection sends this stream")
        )

    async def _begun(self) -> Entry:
        async with asyncio.timeout(PATIENCE):
            message = await self._received()
        if not isinstance(message, str):
            raise InputError("the first message is binary, expected a hello as JSON text")
        hello = hello_of(message)
        entry = await asyncio.to_thread(self._hub.prepared, hello, self._model)
        for gone in self._hub.enter(entry, self):
            await asyncio.to_thread(finish, gone)
        robot = entry.stream.robot
        await self._say(
            welcome={
                "stream": entry.stream.name,
                "joints": list(robot.joint_names),
                "drives": [drive.name for drive in robot.drives],
                "widths": dict(entry.stream.layout.widths),
                "most_per_second": MOST_PER_SECOND,
            }
        )
        return entry

    async def _received(self) -> str | bytes:
        """The next message, one that is too large refused."""
        while True:
            message = await self._socket.receive()
            if message["type"] == "websocket.disconnect":
                raise WebSocketDisconnect(message.get("code", 1006))
            text: str | None = message.get("text")
            data: str | bytes = text if text is not None else message.get("bytes") or b""
            if len(data) <= LARGEST_FRAME:
                return data
            await self._complain(
                f"message of {len(data)} bytes, expected {LARGEST_FRAME} or less; send fewer at once"
            )

    async def _take(self, message: str | bytes, entry: Entry) -> None:
        stream = entry.stream
        try:
            if isinstance(message, str):
                found: list[Sample | InputError] = [sample_of_text(message, stream.layout)]
            else:
                found = samples_of_bytes(message, stream.layout)
        except InputError as error:
            found = [error]
        for k, sample in enumerate(found, start=1):
            if k % AT_ONCE == 0:
                await asyncio.sleep(0)  # others have their turn
            if isinstance(sample, Sample) and not self._allowance.take(monotonic()):
                sample = InputError(f"more than {MOST_PER_SECOND} samples a second, expected fewer")  # noqa: PLW2901
            if isinstance(sample, Sample):
                stream.take(sample)
            else:
                stream.refuse()
                await self._complain(str(sample), entry)

    async def _complain(self, sentence: str, entry: Entry | None = None) -> None:
        count = self._complaints.due(monotonic())
        if not count:
            return
        if entry is not None:
            entry.stream.say("problem", sentence)
        await self._say(problem=sentence, count=count)

    async def _say(self, **content: Any) -> None:
        await self._socket.send_text(json.dumps(content))


class Complaints:
    """How often to complain: at once, then at most once a second."""

    def __init__(self) -> None:
        """Nothing was wrong yet."""
        self._waiting = 0
        self._last = -BETWEEN_PROBLEMS

    def due(self, now: float) -> int:
        """Of how many problems to speak now; 0: of none yet."""
        self._waiting += 1
        if now - self._last < BETWEEN_PROBLEMS:
            return 0
        count, self._waiting, self._last = self._waiting, 0, now
        return count


class Allowance:
    """How many samples may come: so many a second, those of one second at once."""

    def __init__(self) -> None:
        """A second's worth."""
        self._left = float(MOST_PER_SECOND)
        self._last = monotonic()

    def take(self, now: float) -> bool:
        """Whether one more is allowed."""
        self._left = min(MOST_PER_SECOND, self._left + (now - self._last) * MOST_PER_SECOND)
        self._last = now
        if self._left < 1:
            return False
        self._left -= 1
        return True
