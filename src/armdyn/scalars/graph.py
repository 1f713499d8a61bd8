"""The expression graph: hash-consed, simplified as it is built.

A node is an operation on earlier nodes. The same operation on the same nodes is the same node,
constants fold, zeros and ones disappear, signs move outwards, like terms merge: tracing an
equation exploits the structure of the robot it is traced for.

Operations, as tuples: ("const", value), ("input", name, k), ("add", a, b), ("sub", a, b),
("mul", a, b), ("div", a, b), ("neg", a), ("sin", a), ("cos", a), ("sqrt", a),
("select", condition, a, b), where a, b, condition are indices of earlier nodes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Set
from typing import Any

from armdyn.scalars.origin import noted
from armdyn.scalars.protocol import cos, select, sin, sqrt
from armdyn.scalars.real import exact_cos_sin

Operation = tuple[Any, ...]
LEAVES = frozenset({"const", "input"})
SIGNED = frozenset({"const", "neg"})
"""What may carry a sign, or a value that is known: everything else goes a short way."""


class Graph:
    """A growing set of operations, each stored once."""

    def __init__(self) -> None:
        """Start empty."""
        self.operations: list[Operation] = []
        self.origins: list[str | None] = []
        """What each operation was traced for, see `scalars.origin`."""
        self._index: dict[Operation, int] = {}
        self._depending: dict[frozenset[int], tuple[set[int], int]] = {}

    # Building -----------------------------------------------------------------------------

    def constant(self, value: float) -> Node:
        """The node of a constant."""
        return Node(self, self._constant(value))

    def inputs(self, name: str, size: int) -> list[Node]:
        """The nodes of an input vector."""
        return [Node(self, self._node(("input", name, k))) for k in range(size)]

    def append(self, kind: str, *arguments: Any) -> int:
        """The index of one operation on indices, or of an input or a constant."""
        match kind:
            case "const":
                return self._constant(arguments[0])
            case "input":
                return self._node((kind, *arguments))
            case _:
                return getattr(self, kind)(*arguments)

    def _node(self, operation: Operation) -> int:
        new = len(self.operations)
        index = self._index.setdefault(operation, new)
        if index == new:
            self.operations.append(operation)
            self.origins.append(noted())
        return index

    def _constant(self, value: float) -> int:
        return self._node(("const", float(value) + 0.0))  # + 0.0: there is one zero

    # Looking ------------------------------------------------------------------------------

    def value(self, a: int) -> float | None:
        """The value of a constant node, None of any other."""
        operation = self.operations[a]
        return operation[1] if operation[0] == "const" else None

    def _unsigned(self, a: int) -> tuple[int, bool]:
        """(b, negative) such that the node a is b or -b, with no sign left in b."""
        operation = self.operations[a]
        if operation[0] == "neg":
            return operation[1], True
        if operation[0] == "const" and operation[1] < 0:
            return self._constant(-operation[1]), True
        return a, False

    def _term(self, a: int) -> tuple[float, int]:
        """(c, b) such that the unsigned node a is c times b."""
        operation = self.operations[a]
        if operation[0] == "mul" and (c := self.value(operation[1])) is not None:
            return c, operation[2]
        return 1.0, a

    def depending(self, inputs: Iterable[int], roots: Iterable[int]) -> Set[int]:
        """All nodes that depend on one of the inputs, up to the last of the roots; the inputs included.

        What is known of some inputs is kept: a later call goes on from there.
        """
        key = frozenset(inputs)
        found, known = self._depending.get(key, (set(key), min(key, default=0)))
        following = max(roots, default=-1) + 1
        for index in range(known, following):
            operation = self.operations[index]
            if operation[0] not in LEAVES and not found.isdisjoint(operation[1:]):
                found.add(index)
        self._depending[key] = found, max(known, following)
        return found

    def reached(self, roots: Iterable[int], within: Set[int] | None = None) -> list[int]:
        """Everything the roots stand on, themselves included, in order of construction.

        With `within`, what they stand on through these nodes alone.
        """
        reached: set[int] = set()
        pending = list(roots)
        while pending:
            index = pending.pop()
            if index not in reached and (within is None or index in within):
                reached.add(index)
                operation = self.operations[index]
                if operation[0] not in LEAVES:
                    pending.extend(operation[1:])
        return sorted(reached)

    # Arithmetic on indices ----------------------------------------------------------------

    def neg(self, a: int) -> int:
        """-a."""
        operation = self.operations[a]
        match operation[0]:
            case "const":
                return self._constant(-operation[1])
            case "neg":
                return operation[1]
            case _:
                return self._node(("neg", a))

    def _signed(self, a: int, negative: bool) -> int:
        return self.neg(a) if negative else a

    def add(self, a: int, b: int) -> int:
        """a + b."""
        first, second = self.operations[a][0], self.operations[b][0]
        if first not in SIGNED and second not in SIGNED:
            return self._sum(a, b)
        x, y = self.value(a), self.value(b)
        if x is not None and y is not None:
            return self._constant(x + y)
        if x == 0.0:
            return b
        if y == 0.0:
            return a
        (a, a_negative), (b, b_negative) = self._unsigned(a), self._unsigned(b)
        if a_negative != b_negative:
            return self._difference(b, a) if a_negative else self._difference(a, b)
        return self._signed(self._sum(a, b), a_negative)

    def sub(self, a: int, b: int) -> int:
        """a - b."""
        if self.operations[a][0] not in SIGNED and self.operations[b][0] not in SIGNED:
            return self._difference(a, b)
        return self.add(a, self.neg(b))

    def _sum(self, a: int, b: int) -> int:
        (c, base), (d, other) = self._term(a), self._term(b)
        if base == other:
            return self.mul(self._constant(c + d), base)
        if (cancelled := self._cancelled_sum(a, b)) is not None:
            return cancelled
        return self._node(("add", a, b) if a <= b else ("add", b, a))

    def _difference(self, a: int, b: int) -> int:
        (c, base), (d, other) = self._term(a), self._term(b)
        if base == other:
            return self.mul(self._constant(c - d), base)
        if (cancelled := self._cancelled(a, b)) is not None:
            return cancelled
        opposite = self._index.get(("sub", b, a))
        return self._node(("neg", opposite)) if opposite is not None else self._node(("sub", a, b))

    def _cancelled_sum(self, a: int, b: int) -> int | None:
        """a + b where one takes off what the other holds, (x - t) + (y + t) = x + y."""
        for difference, other in ((a, b), (b, a)):
            if self.operations[difference][0] != "sub":
                continue
            x, t = self.operations[difference][1:]
            if other == t:
                return x
            kind, *terms = self.operations[other]
            if kind == "add" and t in terms:
                terms.remove(t)
                return self.add(x, terms[0])
            if kind == "sub" and terms[0] == t:
                return self.sub(x, terms[1])
        return None

    def _cancelled(self, a: int, b: int) -> int | None:
        """a - b where both are sums with a term in common, (x + y) - (x + z) = y - z."""
        if self.operations[a][0] != "add" or self.operations[b][0] != "add":
            return None
        first, second = self.operations[a][1:], self.operations[b][1:]
        for i, k in ((0, 0), (0, 1), (1, 0), (1, 1)):
            if first[i] == second[k]:
                return self.sub(first[1 - i], second[1 - k])
        return None

    def mul(self, a: int, b: int) -> int:
        """a b."""
        if self.operations[a][0] not in SIGNED and self.operations[b][0] not in SIGNED:
            return self._node(("mul", a, b) if a <= b else ("mul", b, a))
        (a, a_negative), (b, b_negative) = self._unsigned(a), self._unsigned(b)
        x, y = self.value(a), self.value(b)
        if y is not None:
            a, b, x = b, a, y if x is None else x * y
            product = self._constant(x) if self.value(b) is not None else self._scaled(x, b)
        elif x is not None:
            product = self._scaled(x, b)
        else:
            product = self._node(("mul", a, b) if a <= b else ("mul", b, a))
        return self._signed(product, a_negative != b_negative)

    def _scaled(self, c: float, b: int) -> int:
        d, base = self._term(b)
        c *= d
        if c == 0.0:
            return self._constant(0.0)
        return base if c == 1.0 else self._node(("mul", self._constant(c), base))

    def div(self, a: int, b: int) -> int:
        """a / b."""
        x, y = self.value(a), self.value(b)
        if x is not None and y is not None:
            return self._constant(x / y if y else x * math.inf)  # x/0 is infinite, 0/0 no number
        if y:
            return self.mul(a, self._constant(1.0 / y))
        if x == 0.0:
            return a
        (a, a_negative), (b, b_negative) = self._unsigned(a), self._unsigned(b)
        quotient = self._constant(1.0) if a == b and y is None else self._node(("div", a, b))
        return self._signed(quotient, a_negative != b_negative)

    # Functions on indices -----------------------------------------------------------------

    def sin(self, a: int) -> int:
        """Sine; odd, exact at right angles."""
        a, negative = self._unsigned(a)
        x = self.value(a)
        sine = self._constant(exact_cos_sin(x)[1]) if x is not None else self._node(("sin", a))
        return self._signed(sine, negative)

    def cos(self, a: int) -> int:
        """Cosine; even, exact at right angles."""
        a, _ = self._unsigned(a)
        x = self.value(a)
        return self._constant(exact_cos_sin(x)[0]) if x is not None else self._node(("cos", a))

    def sqrt(self, a: int) -> int:
        """Square root."""
        x = self.value(a)
        return self._constant(sqrt(x)) if x is not None else self._node(("sqrt", a))

    def select(self, condition: int, a: int, b: int) -> int:
        """The node a where condition > 0, b elsewhere."""
        x = self.value(condition)
        if x is not None:
            return a if x > 0 else b
        return a if a == b else self._node(("select", condition, a, b))


class Node:
    """A value in a graph; arithmetic on it grows the graph."""

    __slots__ = ("graph", "index")

    def __init__(self, graph: Graph, index: int) -> None:
        """Refer to the operation `index` of `graph`."""
        self.graph, self.index = graph, index

    def lift(self, other: Any) -> int:
        """The index of `other` in this node's graph: a node of it, or a number."""
        if isinstance(other, Node):
            if other.graph is not self.graph:
                raise ValueError("nodes of two graphs cannot be mixed")
            return other.index
        return self.graph.constant(other).index

    def __add__(self, other: Any) -> Node:
        return Node(self.graph, self.graph.add(self.index, self.lift(other)))

    __radd__ = __add__

    def __sub__(self, other: Any) -> Node:
        return Node(self.graph, self.graph.sub(self.index, self.lift(other)))

    def __rsub__(self, other: Any) -> Node:
        return Node(self.graph, self.graph.sub(self.lift(other), self.index))

    def __mul__(self, other: Any) -> Node:
        return Node(self.graph, self.graph.mul(self.index, self.lift(other)))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Node:
        return Node(self.graph, self.graph.div(self.index, self.lift(other)))

    def __rtruediv__(self, other: Any) -> Node:
        return Node(self.graph, self.graph.div(self.lift(other), self.index))

    def __neg__(self) -> Node:
        return Node(self.graph, self.graph.neg(self.index))

    def __repr__(self) -> str:
        return f"Node({self.index}: {self.graph.operations[self.index]})"


@sin.register(Node)
def _sin(x: Node) -> Node:
    return Node(x.graph, x.graph.sin(x.index))


@cos.register(Node)
def _cos(x: Node) -> Node:
    return Node(x.graph, x.graph.cos(x.index))


@sqrt.register(Node)
def _sqrt(x: Node) -> Node:
    return Node(x.graph, x.graph.sqrt(x.index))


@select.register(Node)
def _select(condition: Node, positive: Any, otherwise: Any) -> Node:
    lift = condition.lift
    return Node(condition.graph, condition.graph.select(condition.index, lift(positive), lift(otherwise)))
