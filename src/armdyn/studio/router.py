"""Requests find who answers them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from pydantic import ValidationError
from pydantic_core import from_json
from starlette.routing import BaseRoute

from armdyn.errors import InputError
from armdyn.studio.frames import Frame
from armdyn.studio.messages.model import Message, Request
from armdyn.studio.messages.table import REQUESTS

if TYPE_CHECKING:
    from armdyn.studio.clients import Client
    from armdyn.studio.studio import Studio


@dataclass(frozen=True)
class Encoded:
    """An answer as it is sent, made elsewhere."""

    data: str | bytes


Answer = Message | Frame | Encoded
Answering = Callable[["Client", Any], Awaitable[Answer]]


@dataclass(frozen=True)
class Handler:
    """Who answers a request."""

    answer: Answering
    """(client, checked request) -> answer; an ArmdynError is told in its place"""
    job: bool = False
    """Whether it may take long: it can be cancelled, and the client goes on asking meanwhile"""


def _nothing_runs(_studio: Studio) -> AbstractAsyncContextManager[Any]:
    return nullcontext()


@dataclass(frozen=True)
class Part:
    """A part of the studio: what it answers, which addresses it has, what runs beside."""

    handlers: Mapping[str, Handler]
    """By request, as `messages.table` has them"""
    routes: Sequence[BaseRoute] = ()
    """Behind the guard: who comes here is logged in"""
    running: Callable[[Studio], AbstractAsyncContextManager[Any]] = field(default=_nothing_runs)
    """Entered when the server starts, left when it ends"""


class BadRequestError(InputError):
    """A message that is no request, with its id as far as that is known."""

    def __init__(self, message: str, number: int | None = None) -> None:
        """Keep the id beside the sentence."""
        self.number = number
        super().__init__(message)


class Router:
    """All handlers by name."""

    def __init__(self, parts: Sequence[Part]) -> None:
        """Those of all parts."""
        self._handlers = {name: handler for part in parts for name, handler in part.handlers.items()}

    def understood(self, text: str) -> tuple[Request, Handler]:
        """A message as a checked request, and who answers it."""
        try:
            said: Any = from_json(text)
        except ValueError as error:
            raise BadRequestError(f"a message is not JSON, {error}") from error
        if not isinstance(said, dict):
            raise BadRequestError('a message is no object, expected {"id": 1, "do": "hello"}')
        request = cast("dict[str, Any]", said)
        number, name = request.get("id"), str(request.get("do"))
        known = number if isinstance(number, int) and not isinstance(number, bool) else None
        handler = self._handlers.get(name)
        if handler is None:
            known_names = ", ".join(self._handlers)
            raise BadRequestError(f'no request "{name[:60]}"; expected one of {known_names}', known)
        try:
            return REQUESTS[name].model_validate(request), handler
        except ValidationError as error:
            raise BadRequestError(_sentence(name, error), known) from error


def _sentence(name: str, error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(str(part) for part in first["loc"])[:100]
    said = first["msg"][:200]
    if first["type"] == "string_too_long":
        most = first.get("ctx", {}).get("max_length")
        said = f"too long, expected at most {most} characters"
    return f'request "{name}", {place or "as a whole"}: {said}'
