"""One row from many nodes: values that belong to one instant, though each comes by itself.

A server stamps every value, those of one cycle within a small time of each other, and sends those that have
changed. A row is whole when all nodes have spoken of its instant; it goes without those that are silent once
later instants are well under way: what is silent has not changed.
"""

from __future__ import annotations

from bisect import insort
from dataclasses import dataclass, field
from typing import Any

PATIENCE = 5.0
"""Periods for which a row waits for nodes that are silent."""
MOST_WAITING = 1000
"""Rows; a clock that runs wild makes no more."""


@dataclass(order=True)
class Row:
    """What nodes have said of an instant."""

    time: float
    """[s] the first stamp"""
    values: dict[int, Any] = field(compare=False, default_factory=dict[int, Any])


class Rows:
    """Rows under way."""

    def __init__(self, nodes: int, period: float) -> None:
        """Of so many nodes, a period [s] apart."""
        self._nodes, self._period = nodes, period
        self._waiting: list[Row] = []
        self._latest: dict[int, Any] = {}
        self._told = -float("inf")

    def put(self, node: int, time: float, value: Any) -> list[tuple[float, list[Any]]]:
        """A node has a value at an instant [s]; the rows that are whole now, in the order of time."""
        if time <= self._told + self._period / 2:
            return []  # its row has gone without it
        row = next((row for row in self._waiting if abs(row.time - time) <= self._period / 2), None)
        if row is None:
            row = Row(time)
            insort(self._waiting, row)
        row.values[node] = value
        return self._whole()

    def _whole(self) -> list[tuple[float, list[Any]]]:
        found: list[tuple[float, list[Any]]] = []
        while self._waiting and self._is_due(self._waiting[0]):
            row = self._waiting.pop(0)
            self._latest |= row.values
            self._told = row.time
            if len(self._latest) == self._nodes:
                found.append((row.time, [self._latest[k] for k in range(self._nodes)]))
        return found

    def _is_due(self, row: Row) -> bool:
        waited = self._waiting[-1].time - row.time
        return (
            len(row.values) == self._nodes
            or waited > PATIENCE * self._period
            or len(self._waiting) > MOST_WAITING
        )
