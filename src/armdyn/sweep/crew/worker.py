"""A worker process: evaluates chunks that come in on its standard input, one after the other."""

from __future__ import annotations

import os
import sys
from typing import IO

from armdyn.errors import ArmdynError
from armdyn.processes.child import incoming, own_output
from armdyn.processes.pipe import Kind, part
from armdyn.sweep.crew.messages import chunk_of, computed_bytes, setup_of
from armdyn.sweep.workbench import Workbench


def main() -> None:
    """Work until who started it is gone."""
    output = own_output()
    jobs = incoming()
    try:
        study, manifest = setup_of(jobs.get())
        bench = Workbench(study)
    except ArmdynError as error:
        _send(output, b"F", str(error).encode())
        return
    if manifest.rows == 0:  # chunks are not cut yet: what does a row take?
        _send(output, b"T", repr(bench.pilot(manifest)).encode())
        return
    while True:
        chunk = chunk_of(jobs.get())
        try:
            answer = computed_bytes(bench.computed(manifest, chunk))
        except MemoryError:
            os._exit(1)  # as if it had been killed: another process has all its memory
        except Exception as error:  # noqa: BLE001  told to the user; the next chunk is another
            if os.environ.get("ARMDYN_DEBUG"):
                sys.excepthook(type(error), error, error.__traceback__)
            _send(output, b"F", f"{type(error).__name__}: {error}".encode())
        else:
            _send(output, b"B", answer)


def _send(output: IO[bytes], kind: Kind, data: bytes) -> None:
    output.write(part(kind, data))
    output.flush()


if __name__ == "__main__":
    main()
