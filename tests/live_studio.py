"""A real studio server in a thread, a page that watches it, and made-up telemetry."""

import asyncio
import json
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from websockets.sync.client import connect

import armdyn as ad
from armdyn.studio.access import Access, new_token
from armdyn.studio.answers import files
from armdyn.studio.folder import Folder
from armdyn.studio.live.part import live_part
from armdyn.studio.server import bound, uvicorn_server
from armdyn.studio.studio import Studio
from log_signals import Sines

PATIENCE = 60.0
"""[s] for what must happen; no test waits so long."""


@contextmanager
def running_studio(folder: Path) -> Iterator[Access]:
    """A server on a free port, until the test is over."""
    listening = bound("127.0.0.1", 0)
    access = Access(new_token(), "127.0.0.1", listening.getsockname()[1])
    server = uvicorn_server(Studio(Folder.of(folder), access, (files.PART, live_part()), workers=0))
    thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[listening])))
    thread.start()
    try:
        until(lambda: server.started)
        yield access
    finally:
        server.should_exit = True
        thread.join(PATIENCE)
        listening.close()
        assert not thread.is_alive()


def until(condition: Callable[[], Any], patience: float = PATIENCE) -> Any:
    """What a condition gives once it holds."""
    ends = time.monotonic() + patience
    while not (found := condition()):
        assert time.monotonic() < ends, "it never came to be"
        time.sleep(0.005)
    return found


class Page:
    """What a page says and hears, without a browser."""

    def __init__(self, access: Access) -> None:
        self._opened = ExitStack()
        opening = connect(
            f"ws://127.0.0.1:{access.port}/ws",
            additional_headers={"Authorization": f"Bearer {access.token}"},
            compression=None,
            proxy=None,
            max_size=None,
        )
        self._socket = self._opened.enter_context(opening)
        self._number = 0
        self.events: list[tuple[dict[str, Any], dict[str, Any]]] = []

    def ask(self, do: str, **content: Any) -> Any:
        """The result, or the sentence of an error."""
        self._number += 1
        self._socket.send(json.dumps({"id": self._number, "do": do, **content}))
        while True:
            said, _ = self._next()
            if said.get("id") == self._number:
                return said["error"]["message"] if "error" in said else said["result"]

    def hear(self, condition: Callable[[dict[str, Any], dict[str, Any]], Any]) -> Any:
        """The first event from now on, with its arrays, for which a condition holds."""
        while True:
            said, arrays = self._next()
            if "event" in said and condition(said, arrays):
                return said, arrays

    def _next(self) -> tuple[dict[str, Any], dict[str, Any]]:
        message = self._socket.recv(timeout=PATIENCE)
        said, arrays = (json.loads(message), {}) if isinstance(message, str) else unframed(message)
        if "event" in said:
            self.events.append((said, arrays))
        return said, arrays

    def close(self) -> None:
        self._opened.close()


def unframed(data: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
    """A binary frame: its JSON and its arrays."""
    magic, length = struct.unpack_from("<II", data)
    assert magic == 0x41524D31
    said = json.loads(data[8 : 8 + length])
    arrays, offset = {}, 8 + length
    for place in (said.get("result") or said)["arrays"]:
        count = int(np.prod(place["shape"]))
        arrays[place["name"]] = np.frombuffer(data, "<f4", count, offset).reshape(place["shape"])
        offset += 4 * count
    assert offset == len(data)
    return said, arrays


def moving(robot: str, seconds: float, rate: float = 100.0) -> tuple[Any, Any, Any, Any]:
    """Instants (t), positions, velocities and torques (t, n) of an arm that swings in sines."""
    arm = ad.load(robot)
    t = np.arange(0.0, seconds, 1 / rate)
    sines = Sines(n=arm.n)
    q, qd, qdd = (sines.at(t, order) for order in range(3))
    return t, q, qd, ad.Dynamics(arm).inverse(q, qd, qdd)
