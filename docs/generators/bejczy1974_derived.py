"""[Bejczy1974]: the state equations as armdyn derives them, beside the length of the printed ones."""

from __future__ import annotations

from functools import cache

from bejczy1974_arm import arm
from bejczy1974_grid import grid
from bejczy1974_print import DIAGONAL, GRAVITY, Printed
from bejczy1974_simplified import as_expression
from verdicts import proven

from armdyn.equations.derive import derive
from armdyn.equations.equations import Equation
from armdyn.equations.expression import Angle, Expression, Operations, Sum, operations
from armdyn.equations.printing.numbers import decimal, fraction
from armdyn.equations.printing.text import Text

WIDTH = 106


@cache
def equation(symbol: str) -> Equation:
    """D11 .. D66 and D2 .. D5, links alone, every parameter a symbol; D_i with the sign of the left side."""
    index = tuple(int(digit) for digit in symbol[1:])
    quantity = "mass_matrix" if len(index) == 2 else "gravity"
    return derive(arm(), quantity, motors="none", parameters="symbolic")[index]


def printed_cost(printed: Printed) -> Operations:
    """Of the mended print; k411 squared counts as armdyn's does."""
    return operations(as_expression(printed.right, squares=True))


def table() -> str:
    """Operations of the report's form and of armdyn's, sines and cosines given."""
    rows = []
    for printed in (*DIAGONAL, *GRAVITY[1:5]):
        theirs, ours = printed_cost(printed), equation(printed.symbol).operations
        shorter = 100 - 100 * ours.total / theirs.total
        verdict = f"{shorter:.0f} % shorter" if shorter >= 1 else "as long"
        proven(f"({printed.equation}): no longer", ours.total <= theirs.total)
        counts = (str(n) for n in (*theirs, *ours))
        rows.append((f"({printed.equation}) {printed.symbol}", *counts, verdict))
    return grid("equation | printed, mended: products | sums | armdyn: products | sums | verdict", rows)


# Text -----------------------------------------------------------------------------------------


def _wave(sine: bool, angle: Angle) -> str:
    """s2, or s(2 theta2), as the report writes it."""
    ((name, factor),) = angle
    return f"{'s' if sine else 'c'}{name[1:] if factor == 1 else f'({factor} theta{name[1:]})'}"


def _number(value: float, digits: int = 5) -> str:
    near = fraction(value)
    return decimal(value, digits) if near is None else f"{near.numerator}/{near.denominator}"


LENGTHS = {"d2": "r2", "d6": "r6", "q3": "r3"}


def text(expression: Expression) -> str:
    """In the report's letters: s2, c2, r2, r3, r6."""
    writer = Text(_wave, _number, lambda name: LENGTHS.get(name, name), lambda base, n: f"{base}^{n}")
    return writer.of(expression).replace("*", " ")


def block(symbol: str) -> str:
    """An equation as text, a line or more for each link."""
    expression = equation(symbol).expression
    terms = expression.terms if isinstance(expression, Sum) else (expression,)
    lines = [f"{symbol} =" if len(symbol) == 3 else f"-{symbol} ="]
    for k, term in enumerate(terms):
        written = text(term)
        sign = "" if k == 0 else "- " if written.startswith("-") else "+ "
        lines += _wrapped(sign + (written.removeprefix("-") if sign == "- " else written))
    return "\n".join(lines)


def _wrapped(line: str) -> list[str]:
    """Lines that fit, broken before a sign."""
    done: list[str] = []
    rest, indent = line, "    "
    while len(indent) + len(rest) > WIDTH:
        room = WIDTH - len(indent)
        cut = max(rest.rfind(" + ", 0, room), rest.rfind(" - ", 0, room))
        if cut <= 0:
            break
        done.append(indent + rest[:cut])
        rest, indent = rest[cut + 1 :], "      "
    return [*done, indent + rest]


def blocks() -> str:
    """All of them, in one block of text."""
    symbols = [printed.symbol for printed in (*DIAGONAL, *GRAVITY[1:5])]
    return "```text\n" + "\n\n".join(block(symbol) for symbol in symbols) + "\n```\n"
