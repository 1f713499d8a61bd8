"""Common subexpressions: what several expressions need is computed once and given a name.

Equal parts are one part. Then two factors that stand together in several products become a product of
their own, and two terms that stand together in several sums a sum, those first that most have in common.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

from armdyn.equations.expression import (
    Expression,
    Number,
    Power,
    Product,
    Sum,
    Symbol,
    power,
    product,
    total,
)

Term = tuple[int, int]
"""(sign, part); the sign of a factor is 1."""


class _Parts:
    """The parts of expressions, each once."""

    def __init__(self) -> None:
        self.leaves: dict[int, Expression] = {}
        self.powers: dict[int, tuple[int, int]] = {}
        self.lists: dict[int, tuple[bool, list[Term]]] = {}
        """Part -> whether a sum, and its terms or factors."""
        self._known: dict[object, int] = {}

    def _place(self, key: object) -> tuple[int, bool]:
        new = key not in self._known
        return self._known.setdefault(key, len(self._known)), new

    def of(self, expression: Expression) -> Term:
        """(sign, part) of an expression."""
        match expression:
            case Number(value) if value < 0:
                return -1, self.of(Number(-value))[1]
            case Sum(terms):
                return self.joined(True, [self.of(term) for term in terms])
            case Product(factors):
                return self.joined(
                    False, [self.of(f) for f in factors if f != Number(-1.0)], _sign(factors[0])
                )
            case Power(base, exponent):
                sign, part = self.of(base)
                place, _ = self._place((part, exponent))
                self.powers[place] = (part, exponent)
                return sign**exponent, place
            case _:
                place, _ = self._place(expression)
                self.leaves[place] = expression
                return 1, place

    def joined(self, is_sum: bool, members: list[Term], sign: int = 1) -> Term:
        """A sum whose first term has a plus, or a product of positive factors, and the sign before it."""
        members = sorted(members, key=_place_of)
        if is_sum:
            sign = members[0][0]
            members = [(sign * s, part) for s, part in members]
        else:
            for s, _ in members:
                sign *= s
            members = [(1, part) for _, part in members]
        if len(members) == 1:
            return sign, members[0][1]
        place, new = self._place((is_sum, tuple(members)))
        if new:
            self.lists[place] = (is_sum, members)
        return sign, place

    def needs(self, part: int) -> list[int]:
        """What a part is made of."""
        if part in self.powers:
            return [self.powers[part][0]]
        return [member for _, member in self.lists[part][1]] if part in self.lists else []

    def reached(self, roots: Sequence[int]) -> list[int]:
        """All that the roots are made of, what is needed first."""
        seen: dict[int, None] = {}

        def visit(part: int) -> None:
            if part not in seen:
                for member in self.needs(part):
                    visit(member)
                seen[part] = None

        for root in roots:
            visit(root)
        return list(seen)

    # Pairs ------------------------------------------------------------------------------------

    def share(self, roots: Sequence[int]) -> bool:
        """Make pairs that products or sums have in common parts of their own; whether there were any."""
        users: dict[tuple[bool, Term, Term], list[int]] = {}
        for part in self.reached(roots):
            for pair in set(self._pairs(part)):
                users.setdefault(pair, []).append(part)
        common = sorted((pair for pair in users if len(users[pair]) > 1), key=lambda p: (-len(users[p]), p))
        return sum(self._extract(pair, users[pair]) for pair in common) > 0

    def _pairs(self, part: int) -> Iterator[tuple[bool, Term, Term]]:
        if part in self.lists:
            is_sum, members = self.lists[part]
            for (s, a), (t, b) in combinations(members, 2):
                yield is_sum, (1, a), (s * t, b)

    def _extract(self, pair: tuple[bool, Term, Term], users: list[int]) -> bool:
        users = [part for part in users if pair in self._pairs(part)]  # earlier pairs took some apart
        if len(users) < 2:
            return False
        is_sum, first, second = pair
        _, shared = self.joined(is_sum, [first, second])
        changed = False
        for part in users:
            if part == shared:
                continue
            members = list(self.lists[part][1])
            sign = next(s for s, a in members if a == first[1])
            members.remove((sign, first[1]))
            members.remove((sign * second[0], second[1]))
            self.lists[part] = (is_sum, sorted([*members, (sign, shared)], key=_place_of))
            changed = True
        return changed

    def written(
        self, roots: Sequence[Term], prefix: str
    ) -> tuple[list[tuple[str, Expression]], list[Expression]]:
        """(name, expression) of what is needed more than once, in order, and the roots."""
        order = self.reached([part for _, part in roots])
        uses = Counter(member for part in order for member in self.needs(part))
        uses.update(part for _, part in roots)
        made: dict[int, Expression] = {}
        named: list[tuple[str, Expression]] = []
        for part in order:
            made[part] = self._expression(part, made)
            if uses[part] > 1 and isinstance(made[part], Sum | Product | Power):
                named.append((f"{prefix}{len(named) + 1}", made[part]))
                made[part] = Symbol(named[-1][0])
        return named, [made[part] if sign > 0 else -made[part] for sign, part in roots]

    def _expression(self, part: int, made: dict[int, Expression]) -> Expression:
        if part in self.leaves:
            return self.leaves[part]
        if part in self.powers:
            base, exponent = self.powers[part]
            return power(made[base], exponent)
        is_sum, members = self.lists[part]
        if is_sum:
            return total(made[a] if sign > 0 else -made[a] for sign, a in members)
        return product(made[a] for _, a in members)


def shared(
    expressions: Sequence[Expression], prefix: str = "t"
) -> tuple[list[tuple[str, Expression]], list[Expression]]:
    """(name, expression) of common subexpressions in order, and the expressions in terms of those."""
    found = _Parts()
    roots = [found.of(expression) for expression in expressions]
    while found.share([part for _, part in roots]):
        pass
    return found.written(roots, prefix)


def _place_of(member: Term) -> int:
    return member[1]


def _sign(factor: Expression) -> int:
    return -1 if factor == Number(-1.0) else 1
