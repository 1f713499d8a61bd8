"""A client: one connection, its requests and jobs; several do not know one another."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from armdyn.errors import ArmdynError
from armdyn.studio.failures import failure_of, fault
from armdyn.studio.frames import Frame
from armdyn.studio.messages.answers import Failure, Progress
from armdyn.studio.messages.model import Message, Request
from armdyn.studio.router import Answer, BadRequestError, Encoded, Handler

if TYPE_CHECKING:
    from armdyn.studio.studio import Studio

MOST_JOBS = 8
"""That one client may have under way or waiting."""
AT_ONCE = 16
"""Quick requests that are answered at once; the next waits unread."""
SLOW = 30.0
"""[s] A client that does not take a message for so long is gone."""
MOST_EVENTS = 8
"""Events that wait for a slow client; the next are dropped."""
ONLY_TEXTS, TRY_AGAIN_LATER = 1003, 1013
"""Codes with which connections are closed."""
log = logging.getLogger("armdyn.studio")


class Client:
    """One page, or one program, that is connected."""

    def __init__(self, socket: WebSocket, studio: Studio) -> None:
        """Not yet accepted."""
        self.studio = studio
        self.dropped = 0
        """Events that it was too slow for"""
        self._socket = socket
        self._sending = asyncio.Lock()
        self._slots = asyncio.Semaphore(AT_ONCE)
        self._jobs: dict[int, asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._events = 0

    async def serve(self) -> None:
        """Take requests until the client leaves; what it has under way ends then."""
        try:
            while (message := await self._socket.receive())["type"] != "websocket.disconnect":
                text = message.get("text")
                if text is None:
                    await self.close(ONLY_TEXTS, "requests are JSON texts")
                    return
                await self._take(text)
        finally:
            for task in (*self._tasks, *self._jobs.values()):
                task.cancel()

    async def _take(self, text: str) -> None:
        try:
            request, handler = self.studio.router.understood(text)
        except BadRequestError as error:
            await self.send(_failed(error.number, Failure(message=str(error))))
            return
        if handler.job:
            await self._take_job(request, handler)
            return
        await self._slots.acquire()
        task = asyncio.create_task(self._answer(request, handler))
        self._tasks.add(task)
        task.add_done_callback(self._answered)

    def _answered(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._slots.release()

    async def _take_job(self, request: Request, handler: Handler) -> None:
        if request.id in self._jobs or len(self._jobs) >= MOST_JOBS:
            busy = f"id {request.id} is in use" if request.id in self._jobs else f"{MOST_JOBS} jobs under way"
            await self.send(_failed(request.id, Failure(message=f"{busy}; wait for one, or cancel it")))
            return
        task = asyncio.create_task(self._answer(request, handler))
        self._jobs[request.id] = task
        task.add_done_callback(lambda _: self._jobs.pop(request.id, None))

    async def _answer(self, request: Request, handler: Handler) -> None:
        try:
            answer = await handler.answer(self, request)
        except ArmdynError as error:
            answer = failure_of(error)
        except asyncio.CancelledError:
            if self._socket.client_state is not WebSocketState.CONNECTED:
                raise
            answer = Failure(message="cancelled", cancelled=True)
        except Exception as error:
            log.exception("a fault while answering")
            answer = fault(error)
        await self.send(encoded(request.id, answer))

    def cancel(self, job: int) -> bool:
        """End a job; whether there was one."""
        task = self._jobs.get(job)
        return task is not None and task.cancel()

    # Sending --------------------------------------------------------------------------------

    async def send(self, data: str | bytes) -> None:
        """Send a message; a client that does not take it in time is let go."""
        try:
            async with asyncio.timeout(SLOW), self._sending:
                if isinstance(data, bytes):
                    await self._socket.send_bytes(data)
                else:
                    await self._socket.send_text(data)
        except TimeoutError:
            await self.close(TRY_AGAIN_LATER, "too slow")
        except (WebSocketDisconnect, RuntimeError):  # it has left meanwhile
            return

    def beside(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Do something as long as the client is there."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def tell(self, request: Request, progress: Progress) -> None:
        """How far a job is."""
        await self.send(f'{{"id":{request.id},"progress":{progress.model_dump_json()}}}')

    def offer(self, data: str | bytes) -> bool:
        """Send an event unless too many wait already: a slow client misses some and holds up no others."""
        if self._events >= MOST_EVENTS:
            self.dropped += 1
            return False
        self._events += 1
        task = asyncio.create_task(self.send(data))
        self._tasks.add(task)
        task.add_done_callback(self._offered)
        return True

    def _offered(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._events -= 1

    async def close(self, code: int, reason: str) -> None:
        """End the connection."""
        with contextlib.suppress(WebSocketDisconnect, RuntimeError, TimeoutError):
            async with asyncio.timeout(1.0):
                await self._socket.close(code, reason)


def encoded(number: int, answer: Answer) -> str | bytes:
    """An answer as it is sent."""
    match answer:
        case Encoded():
            return answer.data
        case Frame():
            return answer.encoded(number)
        case Failure():
            return _failed(number, answer)
        case Message():
            return f'{{"id":{number},"result":{answer.model_dump_json()}}}'


def _failed(number: int | None, failure: Failure) -> str:
    shown = "null" if number is None else str(number)
    return f'{{"id":{shown},"error":{failure.model_dump_json()}}}'
