"""Nodes in place of others: the same expressions at a value that is known only later."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from armdyn.scalars import Node
from armdyn.scalars.graph import LEAVES


def substituted(outputs: Sequence[Any], old: Sequence[Node], new: Sequence[Any]) -> list[Any]:
    """The outputs with each of the old nodes replaced by a new one, or by a number."""
    graph = old[0].graph
    made = {node.index: old[0].lift(value) for node, value in zip(old, new, strict=True)}
    for index in graph.reached(output.index for output in outputs if isinstance(output, Node)):
        kind, *arguments = graph.operations[index]
        if kind in LEAVES:
            made.setdefault(index, index)
        elif index not in made:
            made[index] = graph.append(kind, *(made[argument] for argument in arguments))
    return [Node(graph, made[output.index]) if isinstance(output, Node) else output for output in outputs]
