"""The studio: what all clients share."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from armdyn.studio.access import Access, signed
from armdyn.studio.clients import Client
from armdyn.studio.downloads import Downloads
from armdyn.studio.folder import Folder
from armdyn.studio.frames import Frame
from armdyn.studio.jobs.workers import Workers
from armdyn.studio.messages.answers import Opened
from armdyn.studio.messages.model import Message
from armdyn.studio.robots import Robots
from armdyn.studio.router import Part, Router

MOST_CLIENTS = 32
THREADS = 4
"""For what is answered at once: one robot that is compiled does not hold up the others."""
Found = TypeVar("Found")


class Studio:
    """One server: folder, robots, workers, clients. What a page shows is known to the page alone."""

    def __init__(
        self,
        folder: Folder,
        access: Access,
        parts: Sequence[Part],
        opened: Opened | None = None,
        workers: int | None = None,
    ) -> None:
        """Not yet running."""
        self.folder, self.access, self.opened, self.parts = folder, access, opened, parts
        self.router = Router(parts)
        self.robots = Robots(folder)
        self.downloads = Downloads()
        self.mesh_secret = access.signature("meshes")
        self.workers = Workers(folder, self.mesh_secret, workers)
        self.clients: set[Client] = set()
        self.one_check = asyncio.Lock()
        """Held while a program is checked: a large one takes seconds, and must not take all threads"""
        self._threads = ThreadPoolExecutor(THREADS, "armdyn-studio")

    async def in_thread(self, function: Callable[[], Found]) -> Found:
        """What a function gives, while others are answered."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, function)

    def in_background(self, function: Callable[[], object]) -> None:
        """Do something that will be needed soon; if it fails, whoever needs it is told then."""
        with contextlib.suppress(RuntimeError):  # the server ends
            self._threads.submit(function)

    def mesh_signature(self, what: str) -> str:
        """What only this server and its workers can make of a text."""
        return signed(self.mesh_secret, what)

    def publish(self, event: Message | Frame) -> None:
        """Tell all clients; those that are too slow miss it."""
        if not self.clients:
            return
        data = event.encoded() if isinstance(event, Frame) else event.model_dump_json()
        for client in tuple(self.clients):
            client.offer(data)

    def close(self) -> None:
        """Let the threads go."""
        self._threads.shutdown(wait=False, cancel_futures=True)
