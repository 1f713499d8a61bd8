"""Exact derivatives of graph nodes, forward and reverse: more nodes of the same graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from armdyn.scalars.graph import Graph, Node
from armdyn.scalars.origin import note


def forward(outputs: Sequence[Any], seeds: Sequence[tuple[Node, Any]]) -> list[Any]:
    """Directional derivatives of the outputs when each seeded node moves by its seed."""
    graph = _graph(outputs, [node for node, _ in seeds])
    tangents = {node.index: node.lift(seed) for node, seed in seeds}
    for index in _reached(graph, outputs, tangents):
        if index not in tangents:
            note(graph.origins[index])
            for argument, slope in _slopes(graph, index):
                if argument in tangents:
                    _add(graph, tangents, index, slope(tangents[argument]))
    note(None)
    return [_found(graph, tangents, output) for output in outputs]


def reverse(outputs: Sequence[Any], weights: Sequence[Any], inputs: Sequence[Node]) -> list[Any]:
    """Gradient of the weighted sum of the outputs with respect to the inputs.

    Where a side of `select` that is not taken has no finite slope, zero times that slope spoils the
    gradient; forward mode is not affected.
    """
    graph = _graph(outputs, inputs)
    adjoints: dict[int, int] = {}
    for output, weight in zip(outputs, weights, strict=True):
        if isinstance(output, Node):
            _add(graph, adjoints, output.index, output.lift(weight))
    stops = {node.index for node in inputs}
    moving = set(reached := _reached(graph, outputs, stops))  # a gradient comes down through these alone
    for index in reversed(reached):
        if index in adjoints and index not in stops:  # what only decides a `select` has no adjoint
            note(graph.origins[index])
            for argument, slope in _slopes(graph, index):
                if argument in moving:
                    _add(graph, adjoints, argument, slope(adjoints[index]))
    note(None)
    return [_found(graph, adjoints, node) for node in inputs]


def jacobian(outputs: Sequence[Any], inputs: Sequence[Node]) -> list[list[Any]]:
    """d outputs / d inputs, row by row, in the mode that takes fewer sweeps."""
    if len(outputs) <= len(inputs):
        return [reverse([output], [1], inputs) for output in outputs]
    columns = [forward(outputs, [(node, 1)]) for node in inputs]
    return [[column[i] for column in columns] for i in range(len(outputs))]


def _graph(outputs: Sequence[Any], inputs: Sequence[Node]) -> Graph:
    node = next((x for x in (*outputs, *inputs) if isinstance(x, Node)), None)
    return node.graph if node is not None else Graph()


def _reached(graph: Graph, outputs: Sequence[Any], inputs: Iterable[int]) -> list[int]:
    """What the outputs stand on as far as it depends on the inputs, in order of construction."""
    roots = [output.index for output in outputs if isinstance(output, Node)]
    return graph.reached(roots, graph.depending(inputs, roots))


# On indices: these are the loops that tracing spends its time in -------------------------------


def _add(graph: Graph, totals: dict[int, int], index: int, term: int) -> None:
    totals[index] = graph.add(totals[index], term) if index in totals else term


def _found(graph: Graph, totals: dict[int, int], output: Any) -> Any:
    """The total at a node, zero where nothing has been added."""
    if not isinstance(output, Node) or output.index not in totals:
        return 0
    return Node(graph, totals[output.index])


def _slopes(graph: Graph, index: int) -> list[tuple[int, Callable[[int], int]]]:
    """(argument, slope) of one operation: slope(w) is its partial derivative times w."""
    kind, *arguments = graph.operations[index]
    match kind:
        case "add":
            slopes: list[Callable[[int], int]] = [_same, _same]
        case "sub":
            slopes = [_same, graph.neg]
        case "mul":
            x, y = arguments
            slopes = [partial(graph.mul, y), partial(graph.mul, x)]
        case "div":
            one_over = graph.div(graph.append("const", 1), arguments[1])
            by_second = graph.div(graph.neg(index), arguments[1])
            slopes = [partial(graph.mul, one_over), partial(graph.mul, by_second)]
        case "neg":
            slopes = [graph.neg]
        case "sin":
            slopes = [partial(graph.mul, graph.cos(arguments[0]))]
        case "cos":
            slopes = [partial(graph.mul, graph.neg(graph.sin(arguments[0])))]
        case "sqrt":
            slopes = [partial(graph.mul, graph.div(graph.append("const", 0.5), index))]
        case _:  # select: the condition only chooses; a side not taken, even NaN, adds nothing
            condition, zero = arguments[0], graph.append("const", 0)
            return [
                (arguments[1], lambda w: graph.select(condition, w, zero)),
                (arguments[2], lambda w: graph.select(condition, zero, w)),
            ]
    return list(zip(arguments, slopes, strict=True))


def _same(w: int) -> int:
    return w
