"""Exact derivatives of graph nodes, forward and reverse: more nodes of the same graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from armdyn.scalars.graph import LEAVES, Graph, Node
from armdyn.scalars.protocol import cos, select, sin


def forward(outputs: Sequence[Any], seeds: Sequence[tuple[Node, Any]]) -> list[Any]:
    """Directional derivatives of the outputs when each seeded node moves by its seed."""
    graph = _graph(outputs, [node for node, _ in seeds])
    tangents: dict[int, Any] = {node.index: seed for node, seed in seeds}
    for index in _reached(graph, outputs):
        if index in tangents or graph.operations[index][0] in LEAVES:
            continue
        terms = [
            slope(tangents[argument]) for argument, slope in _slopes(graph, index) if argument in tangents
        ]
        if terms:
            tangents[index] = sum(terms[1:], terms[0])
    return [tangents.get(output.index, 0) if isinstance(output, Node) else 0 for output in outputs]


def reverse(outputs: Sequence[Any], weights: Sequence[Any], inputs: Sequence[Node]) -> list[Any]:
    """Gradient of the weighted sum of the outputs with respect to the inputs.

    Where a side of `select` that is not taken has no finite slope, zero times that slope spoils the
    gradient; forward mode is not affected.
    """
    graph = _graph(outputs, inputs)
    adjoints: dict[int, Any] = {}
    for output, weight in zip(outputs, weights, strict=True):
        if isinstance(output, Node):
            adjoints[output.index] = adjoints.get(output.index, 0) + weight
    stops = {node.index for node in inputs}
    for index in reversed(_reached(graph, outputs)):
        if index not in adjoints or index in stops or graph.operations[index][0] in LEAVES:
            continue
        for argument, slope in _slopes(graph, index):
            adjoints[argument] = adjoints.get(argument, 0) + slope(adjoints[index])
    return [adjoints.get(node.index, 0) for node in inputs]


def jacobian(outputs: Sequence[Any], inputs: Sequence[Node]) -> list[list[Any]]:
    """d outputs / d inputs, row by row, in the mode that takes fewer sweeps."""
    if len(outputs) <= len(inputs):
        return [reverse([output], [1], inputs) for output in outputs]
    columns = [forward(outputs, [(node, 1)]) for node in inputs]
    return [[column[i] for column in columns] for i in range(len(outputs))]


def _graph(outputs: Sequence[Any], inputs: Sequence[Node]) -> Graph:
    node = next((x for x in (*outputs, *inputs) if isinstance(x, Node)), None)
    return node.graph if node is not None else Graph()


def _reached(graph: Graph, outputs: Sequence[Any]) -> list[int]:
    return graph.reached(output.index for output in outputs if isinstance(output, Node))


def _slopes(graph: Graph, index: int) -> list[tuple[int, Callable[[Any], Any]]]:
    """(argument, slope) of one operation: slope(w) is its partial derivative times w."""
    kind, *arguments = graph.operations[index]
    result = Node(graph, index)
    x, y = (Node(graph, arguments[k]) if k < len(arguments) else result for k in (0, 1))
    match kind:
        case "add":
            partials: list[Any] = [1, 1]
        case "sub":
            partials = [1, -1]
        case "mul":
            partials = [y, x]
        case "div":
            partials = [1 / y, -result / y]
        case "neg":
            partials = [-1]
        case "sin":
            partials = [cos(x)]
        case "cos":
            partials = [-sin(x)]
        case "sqrt":
            partials = [0.5 / result]
        case _:  # select: the condition only chooses; a side not taken, even NaN, adds nothing
            return [
                (arguments[1], lambda w: select(x, w, 0)),
                (arguments[2], lambda w: select(x, 0, w)),
            ]
    return [(argument, _times(partial)) for argument, partial in zip(arguments, partials, strict=True)]


def _times(partial: Any) -> Callable[[Any], Any]:
    return lambda w: partial * w
