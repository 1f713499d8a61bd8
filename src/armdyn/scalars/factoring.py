"""Fewer operations from a traced program: sums are seen whole, factored, and shared.

Tracing adds two terms at a time, in the order of the equations. Here every sum is a set of signed
terms again: terms with a factor in common become one product (a b + a c = a (b + c)), and two
terms that stand together in several sums are added once. Values change by rounding only.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain, combinations
from operator import itemgetter

from armdyn.scalars.graph import LEAVES, Graph, Node, Operation
from armdyn.scalars.origin import note
from armdyn.scalars.program import Program, program

Term = tuple[int, int]
"""(sign, node)"""
Pair = tuple[int, int, int]
"""Two nodes of a sum, and whether their signs agree (1) or not (-1)"""


_node = itemgetter(1)
"""The node of a term."""
LONG = 10_000
"""Operations above which a program is left as it is: the search would cost more than it saves."""


def factored(traced: Program) -> Program:
    """The same outputs from no more operations."""
    if len(traced.operations) > LONG:
        return traced
    sums = _Sums(traced)
    while sums.factor() or sums.share():
        pass
    return sums.written()


class _Sums:
    """The operations of a program, with sums of any number of signed terms."""

    def __init__(self, traced: Program) -> None:
        self.outputs, self.origins = traced.outputs, traced.origins
        self.operations: dict[int, Operation] = {}
        self.terms: dict[int, list[Term]] = {}
        self._known: dict[tuple[Term, ...] | Operation, int] = {}
        self._next = len(traced.operations)
        self._order: list[int] | None = None
        uses = Counter(a for kind, *args in traced.operations if kind not in LEAVES for a in args)
        uses.update(traced.outputs)
        for node, operation in enumerate(traced.operations):
            kind, *args = operation
            if kind in ("add", "sub"):
                signs = (1, 1 if kind == "add" else -1)
                parts = zip(signs, args, strict=True)
                self.terms[node] = [t for s, a in parts for t in self._signed_terms(s, a, uses)]
            else:
                self.operations[node] = operation
                self._known.setdefault(operation, node)

    def _signed_terms(self, sign: int, node: int, uses: Counter[int]) -> list[Term]:
        """A summand as terms: a sum that nobody else uses is taken apart."""
        if node in self.terms and uses[node] == 1:
            return [(sign * s, n) for s, n in self.terms[node]]
        operation = self.operations.get(node)
        return [(-sign, operation[1])] if operation and operation[0] == "neg" else [(sign, node)]

    # Looking ------------------------------------------------------------------------------

    def _needs(self, node: int) -> Iterable[int]:
        if node in self.terms:
            return [n for _, n in self.terms[node]]
        operation = self.operations[node]
        return () if operation[0] in LEAVES else operation[1:]

    def _reached(self) -> list[int]:
        """Everything the outputs stand on, what is needed first; found anew when a sum has changed."""
        if self._order is None:
            self._order = list(self._walk())
        return self._order

    def _walk(self) -> Iterator[int]:
        seen: set[int] = set()
        pending = list(reversed(self.outputs))
        while pending:
            node = pending.pop()
            if node < 0:  # all that ~node needs has been met
                yield ~node
            elif node not in seen:
                seen.add(node)
                pending.append(~node)
                pending.extend(self._needs(node))

    def _uses(self, reached: Iterable[int]) -> Counter[int]:
        uses = Counter(chain.from_iterable(map(self._needs, reached)))
        uses.update(self.outputs)
        return uses

    # Writing ------------------------------------------------------------------------------

    def _change(self, node: int, terms: list[Term]) -> None:
        """Give a sum other terms."""
        self.terms[node] = terms
        self._order = None

    def _new(self, key: tuple[Term, ...] | Operation) -> int:
        if key not in self._known:
            self._known[key] = self._next
            self._next += 1
        return self._known[key]

    def _sum(self, terms: list[Term]) -> Term:
        """(sign, node) of a sum; a sum and its negative are one node."""
        if len(terms) == 1:
            return terms[0]
        ordered = sorted(terms, key=_node)
        sign = ordered[0][0]
        key = tuple((sign * s, n) for s, n in ordered)
        node = self._new(key)
        self.terms.setdefault(node, list(key))
        return sign, node

    def _product(self, a: int, b: int) -> int:
        operation = ("mul", min(a, b), max(a, b))
        node = self._new(operation)
        self.operations.setdefault(node, operation)
        return node

    # Factors ------------------------------------------------------------------------------

    def factor(self) -> bool:
        """Take common factors out of sums; whether there were any."""
        reached = self._reached()
        uses = self._uses(reached)
        sums = [node for node in reached if node in self.terms]
        return sum(self._factor_sum(node, uses) for node in sums) > 0

    def _factor_sum(self, node: int, uses: Counter[int]) -> bool:
        products = [term for term in self.terms[node] if self._is_product(term[1], uses)]
        if len(products) < 2:
            return False
        sharing: dict[int, list[Term]] = defaultdict(list)
        for term in products:
            for factor in set(self.operations[term[1]][1:]):
                sharing[factor].append(term)
        factor = max(sharing, key=lambda f: len(sharing[f]))
        if len(sharing[factor]) < 2:
            return False
        taken = sharing[factor]
        rest = [term for term in self.terms[node] if term not in taken]
        others = [(sign, self._other(product, factor)) for sign, product in taken]
        sign, inner = self._sum([t for s, n in others for t in self._signed_terms(s, n, uses)])
        self._change(node, [*rest, (sign, self._product(factor, inner))])
        return True

    def _is_product(self, node: int, uses: Counter[int]) -> bool:
        """Whether it is a product that only one sum uses."""
        operation = self.operations.get(node)
        return operation is not None and operation[0] == "mul" and uses[node] == 1

    def _other(self, product: int, factor: int) -> int:
        _, a, b = self.operations[product]
        return b if a == factor else a

    # Shared pairs -------------------------------------------------------------------------

    def share(self) -> bool:
        """Add pairs of terms that several sums have in common once; whether there were any."""
        first: dict[Pair, int] = {}
        users: dict[Pair, set[int]] = {}
        for node in self._reached():
            if node in self.terms:
                for pair in self._pairs(node):
                    other = first.setdefault(pair, node)
                    if other != node:
                        users.setdefault(pair, {other}).add(node)
        common = sorted(users, key=lambda p: (-len(users[p]), p))
        return sum(self._share_pair(pair, users[pair]) for pair in common) > 0

    def _pairs(self, node: int) -> Iterator[Pair]:
        terms = sorted(self.terms[node], key=_node)
        for (s, a), (t, b) in combinations(terms, 2):
            if a != b:
                yield a, b, s * t

    def _share_pair(self, pair: Pair, users: set[int]) -> bool:
        users = {node for node in users if pair in self._pairs(node)}  # earlier pairs took some apart
        if len(users) < 2:
            return False
        a, b, agree = pair
        alone = sorted(node for node in users if len(self.terms[node]) == 2)
        if alone:
            shared, sign = alone[0], next(s for s, n in self.terms[alone[0]] if n == a)
        else:
            sign, shared = self._sum([(1, a), (agree, b)])
        for node in users - {shared}:
            rest = list(self.terms[node])
            mine = next(s for s, n in rest if n == a and (s * agree, b) in rest)
            rest.remove((mine, a))
            rest.remove((mine * agree, b))
            self._change(node, [*rest, (mine * sign, shared)])
        return True

    # Back to a program --------------------------------------------------------------------

    def written(self) -> Program:
        """The program, two terms at a time again."""
        graph = Graph()
        made: dict[int, int] = {}
        for node in self._reached():
            note(self.origins[node] if node < len(self.origins) else None)  # a new one stems from several
            if node in self.terms:
                made[node] = self._added(graph, [(s, made[n]) for s, n in self.terms[node]])
            else:
                kind, *args = self.operations[node]
                values = args if kind in LEAVES else [made[a] for a in args]
                made[node] = graph.append(kind, *values)
        note(None)
        return program([Node(graph, made[node]) for node in self.outputs])

    def _added(self, graph: Graph, terms: list[Term]) -> int:
        terms = sorted(terms, key=lambda term: -term[0])  # what is added first, so that no sign is left over
        total = terms[0][1] if terms[0][0] > 0 else graph.neg(terms[0][1])
        for sign, node in terms[1:]:
            total = graph.add(total, node) if sign > 0 else graph.sub(total, node)
        return total
