"""A program as statements of C: what is used once is written where it is used, the rest gets a name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from armdyn.export.c.precision import Numbers
from armdyn.scalars.graph import LEAVES
from armdyn.scalars.program import Program

WIDTH = 88
"""Characters of an expression, above which a part of it gets a name."""
SUM, PRODUCT, UNARY, ATOM = 1, 2, 3, 4
"""How tightly an expression holds together."""


@dataclass(frozen=True)
class Expression:
    """A text of C."""

    text: str
    binding: int

    def within(self, binding: int) -> str:
        """The text as part of another expression, in parentheses if that holds together more tightly."""
        return self.text if self.binding >= binding else f"({self.text})"


@dataclass(frozen=True)
class Statement:
    """name = expression; and the operation it stands for."""

    name: str
    text: str
    position: int


class Writer:
    """Writes the operations of a program one after another, in an order that is given."""

    def __init__(
        self, program: Program, order: Sequence[int], numbers: Numbers, taken: Sequence[str] = ()
    ) -> None:
        """Prepare; names that are taken are those of arguments."""
        self.program, self.order, self.numbers = program, order, numbers
        self.known: dict[int, Expression] = {}
        self.uses = Counter(a for kind, *args in program.operations if kind not in LEAVES for a in args)
        self._taken = set(taken)
        self._count = 0
        self._outputs = set(program.outputs)

    def statements(self) -> Iterator[Statement]:
        """Every operation that has a name; after that `known` has them all."""
        for position in self.order:
            expression = self._expression(position)
            kind = self.program.operations[position][0]
            inline = (
                self.uses[position] == 1 and position not in self._outputs and len(expression.text) <= WIDTH
            )
            if kind in LEAVES or (inline and kind not in ("sin", "cos")):
                self.known[position] = expression
                continue
            name = self._name(position)
            self.known[position] = Expression(name, ATOM)
            yield Statement(name, expression.text, position)

    def _expression(self, position: int) -> Expression:
        kind, *arguments = self.program.operations[position]
        match kind:
            case "const":
                text = self.numbers.constant(arguments[0])
                return Expression(text, UNARY if text.startswith("-") else ATOM)
            case "input":
                return Expression(f"{arguments[0]}[{arguments[1]}]", ATOM)
            case _:
                return self._operation(kind, [self.known[a] for a in arguments])

    def _operation(self, kind: str, given: Sequence[Expression]) -> Expression:
        match kind:
            case "add":
                return Expression(f"{given[0].within(SUM)} + {given[1].within(PRODUCT)}", SUM)
            case "sub":
                return Expression(f"{given[0].within(SUM)} - {given[1].within(PRODUCT)}", SUM)
            case "mul":
                return Expression(f"{given[0].within(PRODUCT)} * {given[1].within(UNARY)}", PRODUCT)
            case "div":
                return Expression(f"{given[0].within(PRODUCT)} / {given[1].within(UNARY)}", PRODUCT)
            case "neg":
                return Expression(f"-{given[0].within(ATOM)}", UNARY)
            case "select":
                condition, positive, otherwise = (x.within(UNARY) for x in given)
                zero = self.numbers.constant(0.0)
                return Expression(f"({condition} > {zero}) ? {positive} : {otherwise}", 0)
            case _:
                return Expression(self.numbers.call(kind, given[0].text), ATOM)

    def _name(self, position: int) -> str:
        """s2 and c2 for the sine and cosine of q[1], else a number."""
        kind, *arguments = self.program.operations[position]
        if kind in ("sin", "cos"):
            source = self.program.operations[arguments[0]]
            if source[:2] == ("input", "q"):
                return f"{kind[0]}{source[2] + 1}"
        while True:
            self._count += 1
            name = f"t{self._count}"
            if name not in self._taken:
                return name
