"""Nodes in place of others: the same expressions at a value that is known only later."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from armdyn.scalars import Graph, Node
from armdyn.scalars.origin import note


def substituted(outputs: Sequence[Any], old: Sequence[Node], new: Sequence[Any]) -> list[Any]:
    """The outputs with each of the old nodes replaced by a new one, or by a number."""
    graph = old[0].graph
    made = {node.index: old[0].lift(value) for node, value in zip(old, new, strict=True)}
    roots = [output.index for output in outputs if isinstance(output, Node)]
    for index in graph.reached(roots, graph.depending(made, roots)):
        if index not in made:
            note(graph.origins[index])
            kind, *arguments = graph.operations[index]
            made[index] = graph.append(kind, *(made.get(argument, argument) for argument in arguments))
    note(None)
    return [_node(graph, made, output) if isinstance(output, Node) else output for output in outputs]


def _node(graph: Graph, made: dict[int, int], output: Node) -> Node:
    return Node(graph, made.get(output.index, output.index))
