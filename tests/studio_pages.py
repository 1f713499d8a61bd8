"""A studio in a thread, and pages that talk to it over real sockets."""

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
from websockets.sync.client import ClientConnection, connect

from armdyn.studio.frames import unpacked
from armdyn.studio.launch import Asked, launched
from armdyn.studio.messages.model import Message

PATIENCE = 120.0
"""[s] Longest wait for an answer; a machine may be busy, and what was never computed is compiled first."""


class RunningStudio:
    """A server in a thread of its own."""

    def __init__(self, folder: Path, **asked: Any) -> None:
        asked = {"workers": 1, **asked}
        self.launched = launched(Asked(folder=folder, **asked))
        self.access = self.launched.studio.access
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._end = asyncio.Event()
        await self.launched.serve(self._ready.set, self._end)

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._ready.wait(PATIENCE)
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.access.port}"

    @property
    def url(self) -> str:
        return f"http://{self.address}"

    @property
    def cookie(self) -> str:
        return f"{self.access.cookie_name}={self.access.cookie}"

    def connection(self, **headers: str) -> ClientConnection:
        """As a browser connects, but for the headers given; those that are empty are left out."""
        usual = {"Cookie": self.cookie, "Origin": self.url}
        sent = {name: value for name, value in (usual | headers).items() if value}
        return connect(
            f"ws://{self.address}/ws", max_size=None, additional_headers=sent, compression=None, proxy=None
        )

    def publish(self, event: Message) -> None:
        """Tell all pages."""
        self._loop.call_soon_threadsafe(self.launched.studio.publish, event)

    @contextmanager
    def page(self) -> Iterator["Page"]:
        with self.connection() as socket:
            yield Page(socket)


class Failed(Exception):  # noqa: N818  no mistake of anyone
    """What a page is told instead of an answer."""

    def __init__(self, error: dict[str, Any]) -> None:
        self.error = error
        super().__init__(error["message"])


class Page:
    """One connection, one request after the other."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.last = 0
        self.progress: list[dict[str, Any]] = []
        self.events: list[dict[str, Any]] = []

    def send(self, do: str, **request: Any) -> int:
        self.last += 1
        self.socket.send(json.dumps({"id": self.last, "do": do, **request}))
        return self.last

    def receive(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """The next message, and its arrays."""
        data = self.socket.recv(timeout=PATIENCE)
        if isinstance(data, str):
            return json.loads(data), {}
        text, rest = unpacked(data)
        message, arrays, start = json.loads(text), {}, 0
        for place in message.get("result", message)["arrays"]:
            count = int(np.prod(place["shape"]))
            arrays[place["name"]] = np.frombuffer(rest, "<f4", count, start).reshape(place["shape"])
            start += 4 * count
        assert start == len(rest)
        return message, arrays

    def answer(self, number: int) -> tuple[dict[str, Any], dict[str, Any]]:
        """The answer to a request, with arrays; others are waited out."""
        while True:
            message, arrays = self.receive()
            if "event" in message:
                self.events.append(message)
            elif "progress" in message:
                self.progress.append(message)
            elif message["id"] == number and "error" in message:
                raise Failed(message["error"])
            elif message["id"] == number:
                return message["result"], arrays

    def ask(self, do: str, **request: Any) -> dict[str, Any]:
        return self.answer(self.send(do, **request))[0]

    def ask_arrays(self, do: str, **request: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        return self.answer(self.send(do, **request))
