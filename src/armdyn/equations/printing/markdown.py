"""Equations in Markdown: one a display, many a table."""

from __future__ import annotations

from collections.abc import Sequence

from armdyn.equations.expression import Expression, Sum, operations
from armdyn.equations.printing.latex import defined, to_latex
from armdyn.equations.printing.names import latex_name
from armdyn.equations.readable import Definition

LONG = 100
"""Characters of LaTeX above which a sum is set term by term."""
MANY = 3
"""Equations above which they stand in a table."""


def to_markdown(
    equations: Sequence[tuple[str, Expression]],
    *,
    where: Sequence[Definition] = (),
    short: bool = True,
    digits: int | None = 6,
) -> str:
    """Equations, (left side in LaTeX, expression): $$..$$ each or a table, and what symbols stand for."""
    if len(equations) > MANY:
        rows = ["| | | multiplications | additions |", "|---|---|--:|--:|"]
        for left, expression in equations:
            count = operations(expression)
            right = to_latex(expression, short=short, digits=digits)
            rows.append(f"| ${left}$ | ${right}$ | {count.multiplications} | {count.additions} |")
        blocks = ["\n".join(rows)]
    else:
        blocks = [_display(left, expression, short, digits) for left, expression in equations]
    if where:
        symbols = (f"${latex_name(d.name)} = {defined(d, short, digits)}$" for d in where)
        blocks.append(f"where {', '.join(symbols)}")
    return "\n\n".join(blocks) + "\n"


def _display(left: str, expression: Expression, short: bool, digits: int | None) -> str:
    text = to_latex(expression, short=short, digits=digits)
    if len(text) <= LONG or not isinstance(expression, Sum):
        return f"$$\n{left} = {text}\n$$"
    return f"$$\n{aligned(left, expression, short=short, digits=digits)}\n$$"


def aligned(left: str, expression: Sum, *, short: bool = True, digits: int | None = 6) -> str:
    """A long sum in LaTeX, a line for each term."""
    lines: list[str] = []
    for i, term in enumerate(expression.terms):
        text = to_latex(term, short=short, digits=digits)
        sign, size = ("-", text[1:]) if text[0] == "-" else ("+", text)
        lines.append(f"{left} ={{}}& {text}" if i == 0 else f"& {sign} {size}")
    return "\\begin{aligned}\n" + " \\\\\n".join(lines) + "\n\\end{aligned}"
