"""CasADi: the very graph that armdyn traced, as a casadi.Function that CasADi evaluates itself.

Inputs and results are arrays made beforehand, handed over once (`Function.buffer`): no call can be cheaper.
A batch is the mapped function, on several threads if asked for.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from armdyn.native.signature import Signature
from armdyn.scalars import Array, Program
from armdyn.studies.speed.peers.peer import Model, Peer, imported
from armdyn.studies.speed.robots import State, Subject
from armdyn.studies.speed.timing import Call

LARGEST_BATCH = 10_000
"""States: it maps one after the other, so that larger batches tell nothing more and take long."""
_NAMES = {"add": "plus", "sub": "minus", "mul": "times", "div": "rdivide"}


def _prepared(subject: Subject) -> Model:
    functions: dict[str, Any] = {}

    def function(quantity: str) -> Any:
        if quantity not in functions:
            graph = subject.program(quantity)
            functions[quantity] = function_of(quantity, graph, subject.signature(quantity))
        return functions[quantity]

    def call(quantity: str, state: State, threads: int) -> Call | None:
        if state.count > LARGEST_BATCH:
            return None
        signature = subject.signature(quantity)
        whole, label = function(quantity), "casadi.Function"
        if not state.single:
            whole = whole.map(state.count, *(["thread", threads] if threads > 1 else []))
            label += ".map"
        inputs = state.inputs(name for name, _ in signature.inputs)
        batch = () if state.single else (state.count,)
        results = tuple(np.empty((*batch, *shape)) for shape in signature.results)
        return _buffered(label, whole, inputs, results)

    return call


def _buffered(label: str, function: Any, inputs: tuple[Array, ...], results: tuple[Array, ...]) -> Call:
    """The call that reads and fills the arrays; a state's row is a column to CasADi, so none is turned."""
    buffer, run = function.buffer()
    for k, array in enumerate(inputs):
        buffer.set_arg(k, _memory(np.ascontiguousarray(array)))
    for k, array in enumerate(results):
        buffer.set_res(k, _memory(array))
    held = SimpleNamespace(run=run, buffer=buffer)
    return Call(label, held, "run", read=lambda: results)


def _memory(array: Any) -> memoryview:
    return memoryview(array)


def function_of(name: str, graph: Program, signature: Signature) -> Any:
    """The graph in CasADi's scalars; its elements are those of the results, row by row."""
    casadi = imported("casadi")
    inputs = {k: casadi.SX.sym(k, size) for k, size in signature.inputs}
    values = _values(graph, inputs)
    outputs, results = iter(values[position] for position in graph.outputs), list[Any]()
    for size in signature.sizes:
        results.append(casadi.densify(casadi.vertcat(*(next(outputs) for _ in range(size)))))
    return casadi.Function(name, list(inputs.values()), results)


def _values(graph: Program, inputs: dict[str, Any]) -> list[Any]:
    """Every operation of the graph; one without friction takes no choices."""
    casadi = imported("casadi")
    values: list[Any] = []
    for kind, *arguments in graph.operations:
        if kind == "const":
            values.append(casadi.SX(arguments[0]))
        elif kind == "input":
            values.append(inputs[arguments[0]][arguments[1]])
        elif kind == "neg":
            values.append(-values[arguments[0]])
        else:
            values.append(getattr(casadi, _NAMES.get(kind) or kind)(*(values[a] for a in arguments)))
    return values


PEER = Peer("casadi", "casadi", "casadi", _prepared)
