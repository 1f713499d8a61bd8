"""A program: the part of a graph that some outputs need, as a list to be run over arrays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from armdyn.scalars.graph import LEAVES, Node, Operation

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Program:
    """Operations in order of construction; arguments are positions in the list."""

    operations: tuple[Operation, ...]
    outputs: tuple[int, ...]

    def counts(self) -> dict[str, int]:
        """How many operations of each kind: multiplications, additions, divisions, ..."""
        kinds = Counter(operation[0] for operation in self.operations)
        return {
            "multiplications": kinds["mul"],
            "additions": kinds["add"] + kinds["sub"],
            "divisions": kinds["div"],
            "trigonometric": kinds["sin"] + kinds["cos"],
            "square_roots": kinds["sqrt"],
        }

    def run(self, inputs: Mapping[str, Array], out: Array) -> None:
        """Evaluate over a batch: inputs of shape (batch, size), out of shape (batch, outputs)."""
        values: list[Any] = [None] * len(self.operations)
        last_use = self._last_use
        with np.errstate(all="ignore"):  # a bad row gives NaN in its row and disturbs no other
            for position, (kind, *arguments) in enumerate(self.operations):
                if kind == "const":
                    values[position] = arguments[0]
                elif kind == "input":
                    values[position] = inputs[arguments[0]][:, arguments[1]]
                else:
                    values[position] = _NUMPY[kind](*(values[a] for a in arguments))
                    for a in arguments:
                        if last_use[a] == position:
                            values[a] = None
        for column, position in enumerate(self.outputs):
            out[:, column] = values[position]

    @cached_property
    def _last_use(self) -> list[int]:
        last = [-1] * len(self.operations)
        for position, (kind, *arguments) in enumerate(self.operations):
            if kind not in LEAVES:
                for a in arguments:
                    last[a] = position
        for position in self.outputs:
            last[position] = len(self.operations)
        return last


def _where(condition: Any, a: Any, b: Any) -> Any:
    return cast("Any", np.where(np.greater(condition, 0), a, b))


_NUMPY: dict[str, Any] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.true_divide,
    "neg": np.negative,
    "sin": np.sin,
    "cos": np.cos,
    "sqrt": np.sqrt,
    "select": _where,
}


def program(outputs: Sequence[Any]) -> Program:
    """The program that computes the outputs, nodes of one graph or plain numbers."""
    node = next((x for x in outputs if isinstance(x, Node)), None)
    if node is None:
        values = tuple(("const", float(x)) for x in outputs)
        return Program(values, tuple(range(len(values))))
    operations = node.graph.operations
    roots = [node.lift(x) for x in outputs]
    position: dict[int, int] = {}
    kept: list[Operation] = []
    for index in node.graph.reached(roots):
        operation = operations[index]
        if operation[0] not in LEAVES:
            operation = (operation[0], *(position[a] for a in operation[1:]))
        position[index] = len(kept)
        kept.append(operation)
    return Program(tuple(kept), tuple(position[root] for root in roots))
