"""What page and server say to each other: one schema for every message.

A request is one JSON text `{"id": 7, "do": "state", ..}`. It is answered by `{"id": 7, "result": {..}}`, by
`{"id": 7, "error": {..}}` or, where there are arrays, by one binary frame (`armdyn.studio.frames`). Long work
says in between how far it is: `{"id": 7, "progress": {..}}`. What no one asked for is an event:
`{"event": "files", ..}`.

`python -m armdyn.studio.messages` writes the page's types, web/src/messages.ts.
"""

from armdyn.studio.messages.answers import Failure, Progress
from armdyn.studio.messages.model import Message, Request
from armdyn.studio.messages.settings import Settings
from armdyn.studio.messages.table import EVENTS, REQUESTS, RESULTS

__all__ = ["EVENTS", "REQUESTS", "RESULTS", "Failure", "Message", "Progress", "Request", "Settings"]
