"""The side of the process that works: parts come in on standard input, answers go out where prints went."""

from __future__ import annotations

import os
import queue
import sys
import threading
from typing import IO

from armdyn.processes.pipe import read_part


def own_output() -> IO[bytes]:
    """The pipe to who started this process; whatever else prints goes to standard error."""
    pipe = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return pipe


def incoming() -> queue.SimpleQueue[bytes]:
    """What comes in; when who started this process is gone, so is it, whatever it is doing."""
    jobs: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def listen() -> None:
        while (found := read_part(sys.stdin.buffer)) is not None:
            jobs.put(found[1])
        os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    return jobs
