"""A worker process: takes jobs from its standard input, one after the other, and answers on its output."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from time import monotonic
from typing import IO, Any

from armdyn.errors import ArmdynError
from armdyn.processes.child import incoming, own_output
from armdyn.processes.pipe import Kind, part
from armdyn.studio.failures import failure_of, fault
from armdyn.studio.jobs.work import Answered, Workshop
from armdyn.studio.messages.answers import Progress

OFTEN = 0.05
"""[s] between two words on how far a job is."""


class Output:
    """What goes back to the server."""

    def __init__(self, stream: IO[bytes]) -> None:
        """Into a pipe."""
        self._stream = stream
        self._told = -OFTEN

    def send(self, kind: Kind, data: bytes) -> None:
        """One part."""
        self._stream.write(part(kind, data))
        self._stream.flush()

    def tell(self, text: str, fraction: float | None = None) -> None:
        """How far the job is; not told more often than anyone can read."""
        now = monotonic()
        if fraction is not None and now - self._told < OFTEN:
            return
        self._told = now
        self.send(b"P", Progress(fraction=fraction, text=text).model_dump_json().encode())


def main() -> None:
    """Work until the server ends."""
    output = Output(own_output())
    jobs = incoming()
    about: Any = json.loads(jobs.get())
    workshop = Workshop(Path(about["folder"]), about["secret"], output.tell)
    output.send(b"R", b"")
    while True:
        _work(workshop, output, jobs.get())


def _work(workshop: Workshop, output: Output, job: bytes) -> None:
    try:
        answered: Answered = workshop.answer(json.loads(job))
    except ArmdynError as error:
        output.send(b"F", failure_of(error).model_dump_json().encode())
    except MemoryError:
        output.send(b"F", fault(MemoryError("not enough memory")).model_dump_json().encode())
    except Exception as error:  # noqa: BLE001  told to the user; the next job is another
        output.send(b"F", fault(error).model_dump_json().encode())
        if os.environ.get("ARMDYN_DEBUG"):
            sys.excepthook(type(error), error, error.__traceback__)
    else:
        output.send(b"T" if isinstance(answered, str) else b"B", _bytes(answered))


def _bytes(answered: Answered) -> bytes:
    return answered.encode() if isinstance(answered, str) else answered


if __name__ == "__main__":
    main()
