"""A program as statements of C: what is used once is written where it is used, the rest gets a name."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from armdyn.exports.c.precision import Numbers
from armdyn.exports.c.sines import NAME as SINES
from armdyn.formats.c_text import c_name
from armdyn.scalars.graph import LEAVES
from armdyn.scalars.program import Program

WIDTH = 88
"""Characters of an expression, above which a part of it gets a name."""
CHOICE, SUM, PRODUCT, UNARY, ATOM = range(5)
"""How tightly an expression holds together."""


@dataclass(frozen=True)
class Expression:
    """A text of C."""

    text: str
    binding: int

    def within(self, binding: int) -> str:
        """The text as part of another expression, in parentheses if that holds together more tightly."""
        return self.text if self.binding >= binding else f"({self.text})"


class Writer:
    """Writes the operations of a program, each after what it needs.

    Args:
        program: what is written.
        numbers: the type of all numbers.
        taken: names that arguments have.
        together: whether the sine and the cosine of an angle come from one call.
    """

    def __init__(
        self, program: Program, numbers: Numbers, taken: Collection[str], *, together: bool = False
    ) -> None:
        """Prepare; nothing is written yet."""
        self.operations, self.numbers = program.operations, numbers
        self.known: dict[int, Expression] = {}
        """What has been met so far, as part of an expression."""
        self._uses = Counter(a for kind, *args in self.operations if kind not in LEAVES for a in args)
        self._uses.update(dict.fromkeys(program.outputs, 2))  # a result is read, too
        self._taken, self._count = set(taken), 0
        self._pairs = _pairs(program) if together else {}

    def lines(self, positions: Iterable[int]) -> Iterator[str]:
        """A statement for each of these operations that has a name."""
        for position in positions:
            if position in self.known:  # a cosine whose sine came first
                continue
            if position in self._pairs:
                yield from self._both(*self._pairs[position])
                continue
            kind, expression = self.operations[position][0], self._expression(position)
            short = self._uses[position] == 1 and len(expression.text) <= WIDTH
            if kind in LEAVES or (short and kind not in ("sin", "cos")):
                self.known[position] = expression
                continue
            yield f"const {self.numbers.type} {self._named(position)} = {expression.text};"

    def _both(self, sine: int, cosine: int) -> Iterator[str]:
        """One call for the sine and the cosine of an angle."""
        angle = self.known[self.operations[sine][1]].text
        names = [self._named(sine), self._named(cosine)]
        yield from (f"{self.numbers.type} {name};" for name in names)
        yield f"{SINES}({angle}, &{names[0]}, &{names[1]});"

    def _expression(self, position: int) -> Expression:
        kind, *arguments = self.operations[position]
        match kind:
            case "const":
                text = self.numbers.constant(arguments[0])
                return Expression(text, UNARY if text.startswith("-") else ATOM)
            case "input":
                return Expression(f"{c_name(arguments[0])}[{arguments[1]}]", ATOM)
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
                return Expression(f"({condition} > {zero}) ? {positive} : {otherwise}", CHOICE)
            case _:
                return Expression(self.numbers.call(kind, given[0].text), ATOM)

    def _named(self, position: int) -> str:
        """A new name, by which the operation is known from now on."""
        name = self._name(position)
        self._taken.add(name)
        self.known[position] = Expression(name, ATOM)
        return name

    def _name(self, position: int) -> str:
        """s2 and c23 for the sine of q[1] and the cosine of q[1] + q[2], else a number."""
        kind, *arguments = self.operations[position]
        if kind in ("sin", "cos"):
            name = f"{kind[0]}{self._joints(arguments[0])}"
            if len(name) > 1 and name not in self._taken:
                return name
        while True:
            self._count += 1
            if (name := f"t{self._count}") not in self._taken:
                return name

    def _joints(self, position: int) -> str:
        """The joints of a plain sum of positions, 23 for q[1] + q[2]; nothing for another angle.

        Numbers of two digits are none of these: s12 would be the sine of q[11] and of q[0] + q[1].
        """
        kind, *arguments = self.operations[position]
        if kind == "input" and arguments[0] == "q":
            return str(arguments[1] + 1) if arguments[1] < 9 else ""
        if kind != "add":
            return ""
        first, second = (self._joints(a) for a in arguments)
        return "".join(sorted(first + second)) if first and second else ""


def _pairs(program: Program) -> dict[int, tuple[int, int]]:
    """Of every sine and cosine that share an angle: both."""
    by_angle: defaultdict[int, dict[str, int]] = defaultdict(dict)
    for position, (kind, *arguments) in enumerate(program.operations):
        if kind in ("sin", "cos"):
            by_angle[arguments[0]][kind] = position
    both = [(of["sin"], of["cos"]) for of in by_angle.values() if len(of) == 2]
    return {position: pair for pair in both for position in pair}
