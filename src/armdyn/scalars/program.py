"""A program: the part of a graph that some outputs need, as a list to be run over arrays."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from armdyn.scalars.graph import LEAVES, Node, Operation

Array = NDArray[np.float64]


def breaks(operation: Operation) -> bool:
    """Whether it makes what is not finite out of finite numbers, or is not finite itself; overflow aside."""
    kind = operation[0]
    return kind in ("div", "sqrt") or (kind == "const" and not math.isfinite(operation[1]))


@dataclass(frozen=True)
class Program:
    """Operations in order of construction; arguments are positions in the list."""

    operations: tuple[Operation, ...]
    outputs: tuple[int, ...]
    origins: tuple[str | None, ...] = field(default=(), compare=False, repr=False)
    """What each operation was traced for, where that is known (`scalars.origin`): for readers only."""

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

    @property
    def piece(self) -> int:
        """States to evaluate together: few enough to stay in cache, many enough to amortise the loop."""
        return 8192

    @property
    def breaks(self) -> bool:
        """Whether finite inputs may give what is not finite; overflow aside."""
        return any(breaks(operation) for operation in self.operations)

    def run(self, inputs: Mapping[str, Array], *results: Array) -> bool:
        """Evaluate with NumPy: inputs (batch, size); the outputs, in turn, into results (batch, size).

        Returns True: every row may hold what is not a finite number.
        """
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
        columns = (result[:, k] for result in results for k in range(result.shape[1]))
        for column, position in zip(columns, self.outputs, strict=True):
            column[...] = values[position]
        return True

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
    reached = node.graph.reached(roots)
    for index in reached:
        operation = operations[index]
        if operation[0] not in LEAVES:
            operation = (operation[0], *(position[a] for a in operation[1:]))
        position[index] = len(kept)
        kept.append(operation)
    origins = tuple(node.graph.origins[index] for index in reached)
    return Program(tuple(kept), tuple(position[root] for root in roots), origins)
