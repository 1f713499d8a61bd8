"""An OPC UA server's nodes as telemetry: subscribed, put together into samples, sent on.

Needs asyncua: `pip install "armdyn[opcua]"`.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import import_module
from typing import Any, cast

from armdyn.errors import InputError, MissingDataError
from armdyn.studio.live.client import Telemetry
from armdyn.studio.live.mapping import Mapping
from armdyn.studio.live.merging import Rows

QUEUE = 50
"""Values of a node that the server keeps between two messages."""
WAITING = 10_000
"""Values that may wait here; the oldest go first."""
SHORTEST, LONGEST = 0.2, 5.0
"""[s] between tries to connect."""


@dataclass
class Forwarded:
    """What came of a subscription."""

    rows: int = 0
    connections: int = 0
    problem: str | None = None


class Bridge:
    """From an OPC UA server to a studio, connecting again whenever one of them is away."""

    def __init__(
        self, mapping: Mapping, telemetry: Telemetry, on_problem: Callable[[str], None] | None = None
    ) -> None:
        """Nothing is connected yet."""
        self._asyncua = _library()
        self._mapping, self._telemetry, self._on_problem = mapping, telemetry, on_problem
        self.state = Forwarded()

    async def run(self) -> None:
        """Subscribe and send on, until cancelled."""
        wait = SHORTEST
        failures = (self._asyncua.ua.UaError, OSError, TimeoutError, asyncio.IncompleteReadError)
        while True:
            before = self.state.rows
            try:
                await self._connection()
            except failures as error:
                self._complain(f"{self._mapping.url}: {str(error) or type(error).__name__}")
            wait = SHORTEST if self.state.rows > before else min(2 * wait, LONGEST)
            await asyncio.sleep(wait)

    async def _connection(self) -> None:
        """One connection: until it breaks."""
        mapping = self._mapping
        names = [node for nodes in mapping.fields.values() for node in nodes]
        async with self._asyncua.Client(mapping.url, timeout=4) as client:
            nodes = [client.get_node(name) for name in names]
            places = {node.nodeid: k for k, node in enumerate(nodes)}
            period = 1000 * mapping.period  # [ms], as OPC UA counts
            subscription = await client.create_subscription(period, queue_maxsize=WAITING)
            await subscription.subscribe_data_change(nodes, queuesize=QUEUE, sampling_interval=period)
            self.state.connections += 1
            rows = Rows(len(nodes), mapping.period)
            lost = asyncio.create_task(_until_lost(client))
            try:
                await self._forward(subscription, places, rows, lost)
            finally:
                lost.cancel()

    async def _forward(self, subscription: Any, places: dict[Any, int], rows: Rows, lost: Any) -> None:
        while True:
            event = asyncio.create_task(subscription.__anext__())
            await asyncio.wait((event, lost), return_when=asyncio.FIRST_COMPLETED)
            if not event.done():
                event.cancel()
                raise ConnectionError("the connection is lost")
            change = event.result()
            if getattr(change, "value", None) is None:  # another kind of event, or a bad value
                continue
            for time, values in rows.put(places[change.node.nodeid], _time_of(change), change.value):
                self._send(time, values)

    def _send(self, time: float, values: Sequence[Any]) -> None:
        """A whole row as a sample."""
        fields: dict[str, list[float]] = {}
        first = 0
        try:
            for name, nodes in self._mapping.fields.items():
                fields[name] = self._field(name, values[first : first + len(nodes)])
                first += len(nodes)
            self._telemetry.send(time, fields.pop("q"), fields.pop("qd", None), **fields)
        except InputError as error:
            self._complain(str(error))
            return
        self.state.rows += 1

    def _field(self, name: str, values: Sequence[Any]) -> list[float]:
        """The numbers of a field, SI."""
        flat: Any = cast("Any", values[0]) if len(values) == 1 and isinstance(values[0], list) else values
        factors = self._mapping.factors.get(name, (1.0,))
        try:
            numbers = [float(x) for x in flat]
        except (TypeError, ValueError) as error:
            raise InputError(f"nodes of {name} hold {str(flat)[:60]}, expected numbers") from error
        if len(factors) not in (1, len(numbers)):
            raise InputError(f"units.{name} has {len(factors)} units for {len(numbers)} numbers")
        return [x * factors[k if len(factors) > 1 else 0] for k, x in enumerate(numbers)]

    def _complain(self, sentence: str) -> None:
        if sentence == self.state.problem:
            return
        self.state.problem = sentence
        if self._on_problem is not None:
            self._on_problem(sentence)


async def _until_lost(client: Any) -> None:
    """Look after the connection: a server that is gone sends nothing."""
    while True:
        await client.check_connection()
        await asyncio.sleep(1.0)


def _time_of(change: Any) -> float:
    """[s] since 1970, when a value was measured; else when it was sent."""
    value: Any = change.data.monitored_item.Value
    stamp: datetime | None = value.SourceTimestamp or value.ServerTimestamp
    if stamp is None:
        return datetime.now(UTC).timestamp()
    seconds = (stamp if stamp.tzinfo else stamp.replace(tzinfo=UTC)).timestamp()
    return seconds if math.isfinite(seconds) else 0.0


def _library() -> Any:
    try:
        return import_module("asyncua")
    except ImportError as error:
        raise MissingDataError('OPC UA needs asyncua: pip install "armdyn[opcua]"') from error
