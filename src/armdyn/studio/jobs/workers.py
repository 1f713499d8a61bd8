"""Worker processes: kept warm, one job each at a time; who waits is served in turn."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import signal
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

from armdyn.errors import ArmdynError
from armdyn.processes.pipe import HEAD, part
from armdyn.studio.folder import Folder
from armdyn.studio.messages.answers import Failure, Progress
from armdyn.studio.messages.model import Message
from armdyn.studio.router import Encoded

MOST = 3
"""Workers unless asked otherwise; no more than processors."""
TOO_OFTEN = 3
"""A worker that cannot even start so often is not started again until it is needed."""
KILL = getattr(signal, "SIGKILL", signal.SIGTERM)
"""The signal that no process can refuse (on Windows, any of them)."""
Told = Callable[[Progress], Awaitable[None]]
log = logging.getLogger("armdyn.studio")


class WorkerLostError(ArmdynError):
    """A worker has ended in the middle of a job."""


class Worker:
    """One process."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        """Started, not yet ready."""
        self._process = process

    @classmethod
    async def created(cls) -> Worker:
        """A process that begins to import what it needs."""
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "armdyn.studio.jobs.worker",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for the server, which ends its workers itself
        )
        return cls(process)

    async def ready(self, about: str) -> None:
        """Wait until it can work."""
        await self.write(part(b"R", about.encode()))
        await self.read()

    async def write(self, data: bytes) -> None:
        """Send a part."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(data)
            await self._process.stdin.drain()
        except ConnectionError as error:
            raise WorkerLostError("a worker process has ended; try again") from error

    async def read(self) -> tuple[bytes, bytes]:
        """The next part that it sends."""
        assert self._process.stdout is not None
        try:
            kind, length = HEAD.unpack(await self._process.stdout.readexactly(HEAD.size))
            return kind, await self._process.stdout.readexactly(length)
        except (asyncio.IncompleteReadError, ConnectionError) as error:
            raise WorkerLostError("the worker process ended in the middle of the job; try again") from error

    def kill(self) -> None:
        """End it at once, however often asked; asyncio's own way waits for what is gone, and complains."""
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._process.pid, KILL)

    async def gone(self) -> None:
        """Wait until it has ended."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        await self._process.wait()


class Workers:
    """Some processes, and the jobs that wait for them."""

    def __init__(self, folder: Folder, secret: str, count: int | None = None) -> None:
        """Not yet running."""
        self.count = max(1, min(MOST, os.cpu_count() or 1)) if count is None else count
        self._about = json.dumps({"folder": str(folder.root), "secret": secret})
        self._idle: asyncio.Queue[Worker] = asyncio.Queue()
        self._all: set[Worker] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._ending = asyncio.Event()

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        """Processes from now on; all have ended in the end."""
        for _ in range(self.count):
            self._start()
        try:
            yield
        finally:
            self._ending.set()
            for worker in self._all:
                worker.kill()
            await asyncio.gather(*self._tasks, *(worker.gone() for worker in self._all))

    def _start(self) -> None:
        """Another process, in the background."""
        self._beside(self._started())

    def _beside(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _started(self) -> None:
        for attempt in range(TOO_OFTEN):
            worker = await Worker.created()
            self._all.add(worker)
            if self._ending.is_set():
                worker.kill()
            try:
                await worker.ready(self._about)
            except WorkerLostError as error:
                self._end(worker)
                if self._ending.is_set():
                    return
                log.warning("a worker process did not start: %s", error)
                await asyncio.sleep(0.1 * 4**attempt)
            else:
                self._idle.put_nowait(worker)
                return

    async def run(self, request: Message, told: Told, **more: str) -> Encoded | Failure:
        """Have a request answered by a worker; cancelled, its process is ended and another started."""
        if self._idle.empty():
            await told(Progress(fraction=None, text="waiting for a worker", queued=True))
            if not self._all and not self._tasks:
                self._start()
        worker = await self._idle.get()
        try:
            await worker.write(part(b"J", json.dumps({"request": request.model_dump(), **more}).encode()))
            answer = await self._followed(worker, told)
        except BaseException:
            self._end(worker)
            self._start()
            raise
        self._idle.put_nowait(worker)
        return answer

    async def _followed(self, worker: Worker, told: Told) -> Encoded | Failure:
        """Pass on how far it is, until there is an answer."""
        while True:
            kind, data = await worker.read()
            match kind:
                case b"P":
                    await told(Progress.model_validate_json(data))
                case b"F":
                    return Failure.model_validate_json(data)
                case b"T":
                    return Encoded(data.decode())
                case _:
                    return Encoded(data)

    def _end(self, worker: Worker) -> None:
        worker.kill()
        self._all.discard(worker)
        self._beside(worker.gone())
