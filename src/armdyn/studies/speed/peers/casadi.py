"""CasADi: the very graph that armdyn traced, as a casadi.Function that CasADi evaluates itself.

Inputs and results are arrays made beforehand, handed over once (`Function.buffer`): no call can be cheaper.
A batch is the mapped function, on several threads if asked for.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from armdyn.dynamics.result_names import result_names
from armdyn.native.casadi_function import casadi_function
from armdyn.native.signature import Signature
from armdyn.scalars import Array
from armdyn.studies.speed.peers.peer import Model, Peer
from armdyn.studies.speed.robots import State, Subject
from armdyn.studies.speed.timing import Call

LARGEST_BATCH = 10_000
"""States: it maps one after the other, so that larger batches tell nothing more and take long."""


def _prepared(subject: Subject) -> Model:
    functions: dict[str, Any] = {}

    def function(quantity: str) -> Any:
        if quantity not in functions:
            graph = subject.program(quantity)
            signature = subject.signature(quantity)
            names = result_names(quantity)
            functions[quantity] = casadi_function(quantity, graph, _in_columns(signature), names)
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


def _in_columns(signature: Signature) -> Signature:
    """Results as plain columns: their elements then lie row by row, as NumPy's do."""
    return Signature(signature.inputs, tuple((size,) for size in signature.sizes))


def _memory(array: Any) -> memoryview:
    return memoryview(array)


PEER = Peer("casadi", "casadi", "casadi", _prepared)
