"""`armdyn telemetry`: an OPC UA server's nodes, sent on to a studio."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from armdyn.cli.interrupts import StopRequest, stop_requests
from armdyn.cli.options import JsonOption
from armdyn.cli.output import print_json, print_line, printable

if TYPE_CHECKING:
    from armdyn.studio.live.opcua import Bridge

LOOK = 0.1
"""[s] after which a wish to stop is heard."""


def telemetry(
    mapping: Annotated[Path, typer.Argument(metavar="MAPPING", help="TOML file: which nodes hold what.")],
    link: Annotated[str, typer.Argument(metavar="LINK", help="What `armdyn studio` has printed.")],
    duration: Annotated[
        float | None,
        typer.Option("--duration", metavar="S", help="Stop after so long [default: never].", min=0),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Send what an OPC UA server publishes of a running robot to the studio, until interrupted."""
    import asyncio

    from armdyn.studio.live.client import Telemetry
    from armdyn.studio.live.mapping import read_mapping
    from armdyn.studio.live.opcua import Bridge

    asked = read_mapping(mapping)
    client = Telemetry(link, robot=asked.robot, name=asked.name, on_problem=_complain)
    with client, stop_requests() as request:
        bridge = Bridge(asked, client, _complain)
        asyncio.run(_until_stopped(bridge, request, duration))
    said = {"samples": bridge.state.rows, **vars(client.state)}
    if json:
        print_json(said)
    else:
        counts = f"{said['samples']} samples read, {said['sent']} sent, {said['dropped']} dropped"
        print_line(f"{counts}, {said['connections']} connections to the studio")


async def _until_stopped(bridge: Bridge, request: StopRequest, duration: float | None) -> None:
    """Run a bridge until someone wants it to stop, or it is time."""
    import asyncio
    from time import monotonic

    ends = float("inf") if duration is None else monotonic() + duration
    running = asyncio.create_task(bridge.run())
    while request.number is None and monotonic() < ends and not running.done():
        await asyncio.wait((running,), timeout=LOOK)
    running.cancel()
    await asyncio.wait((running,))
    if not running.cancelled() and (error := running.exception()) is not None:
        raise error


def _complain(sentence: str) -> None:
    """What is wrong, at once, on standard error: it may mend itself."""
    print(f"armdyn: {printable(sentence)}", file=sys.stderr, flush=True)
