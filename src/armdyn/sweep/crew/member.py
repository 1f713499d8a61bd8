"""A process of a Dask cluster on this machine, scheduler or worker; gone when who started it is gone."""

from __future__ import annotations

import asyncio
import logging
import sys
from importlib import import_module
from typing import IO, Any

from armdyn.processes.child import incoming, own_output
from armdyn.processes.pipe import part

HERE = "127.0.0.1"


def main() -> None:
    """`scheduler`, or `worker ADDRESS`."""
    output = own_output()
    incoming()
    asyncio.run(_served(output, *sys.argv[2:]))


async def _served(output: IO[bytes], *address: str) -> None:
    config: Any = import_module("dask").config
    distributed: Any = import_module("distributed")
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # who gives out chunks tells what matters
    # who gives out chunks counts deaths; nobody looks at pages, and memory is the system's affair
    config.set({"distributed.scheduler.allowed-failures": 0, "distributed.worker.memory.terminate": False})
    if address:
        member = distributed.Worker(*address, nthreads=1, host=HERE, memory_limit=0, dashboard=False)
    else:
        member = distributed.Scheduler(host=HERE, port=0, dashboard=False)
    async with member:
        output.write(part(b"R", member.address.encode()))
        output.flush()
        await member.finished()


if __name__ == "__main__":
    main()
