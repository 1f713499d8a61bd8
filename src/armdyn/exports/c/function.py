"""One function in C: the text of a program whose inputs and results a signature names."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from armdyn.exports.c.blocks import blocks
from armdyn.exports.c.precision import NUMBERS, Precision
from armdyn.exports.c.statements import SUM, Writer
from armdyn.formats.c_text import c_comment, c_name
from armdyn.native.propagation import watched
from armdyn.native.signature import Signature
from armdyn.scalars.program import Program

WIDTH = 96
"""Characters of a line."""
_JOINED = "\x1f"
"""A space at which no line ends."""


@dataclass(frozen=True)
class Argument:
    """An array that is given or filled."""

    name: str
    shape: tuple[int, ...]

    def element(self, index: tuple[int, ...]) -> str:
        """One element of it."""
        return self.name + "".join(f"[{i}]" for i in index)

    @property
    def elements(self) -> list[str]:
        """All elements, row by row."""
        return [self.element(index) for index in product(*map(range, self.shape))]

    def declared(self, type_: str) -> str:
        """What a prototype says of it."""
        return f"{type_} {self.name}{''.join(f'[{size}]' for size in self.shape)}"


def function_text(
    name: str,
    program: Program,
    signature: Signature,
    precision: Precision = "double",
    *,
    results: Sequence[str] | None = None,
    bodies: Mapping[str, str] | None = None,
    description: str = "",
    static: bool = False,
    own_sines: bool = False,
) -> str:
    """A whole function of C99 that needs nothing but <math.h>; the same text for the same program.

        int name(const double q[6], .., double result[6])

    Every input is an array of its size, and every result one of its shape, row by row; a single number is
    an array of one. What has no element is no argument. It returns 0, and 1 where a result is no finite
    number: something given is not finite, or the equations have no answer there. Results are written last:
    they may lie where inputs lie.

    Args:
        name: of the function.
        program: what it computes.
        signature: its inputs and results.
        precision: "double" or "single".
        results: names of the results; `result`, or `result1`, `result2`, .. by default.
        bodies: origins of operations along which statements are ordered, outwards, and what comments call
            them.
        description: lines of a comment that stands before it, made safe by whoever gives it.
        static: whether only its own file sees it.
        own_sines: whether sines and cosines come from `sines_text`, which then stands before.
    """
    numbers = NUMBERS[precision]
    inputs, outputs = arguments(signature, results)
    writer = Writer(program, numbers, [a.name for a in (*inputs, *outputs)], together=own_sines)
    body: list[str] = []
    for block in blocks(program, bodies):
        lines = [part for line in writer.lines(block.positions) for part in wrapped(line)]
        if lines and bodies:
            body += [*([""] if body else []), f"/* {c_comment(block.title)} */"]
        body += lines
    elements = [element for output in outputs for element in output.elements]
    stores = [
        f"{element} = {writer.known[position].text};"
        for element, position in zip(elements, program.outputs, strict=True)
    ]
    used = {c_name(operation[1]) for operation in program.operations if operation[0] == "input"}
    unused = [f"(void){a.name};" for a in inputs if a.name not in used]
    watch, status = _status(program, signature, writer, numbers.type)
    lines = [*unused, *body, *([""] if body else []), *watch, *stores, status]
    head = prototype(name, signature, precision, results=results, static=static)
    comment = [f"/* {description} */"] if description else []
    return "\n".join([*comment, head, "{", *(f"    {line}" if line else "" for line in lines), "}", ""])


def prototype(
    name: str,
    signature: Signature,
    precision: Precision = "double",
    *,
    results: Sequence[str] | None = None,
    static: bool = False,
) -> str:
    """The head of a function, with no semicolon behind it."""
    kind = NUMBERS[precision].type
    inputs, outputs = arguments(signature, results)
    given = [f"const {a.declared(kind)}" for a in inputs] + [a.declared(kind) for a in outputs]
    start = f"{'static ' if static else ''}int {name}("
    whole = f"{start}{', '.join(argument.replace(' ', _JOINED) for argument in given) or 'void'})"
    return "\n".join(wrapped(whole, " " * len(start))).replace(_JOINED, " ")


def wrapped(line: str, indent: str = "    ") -> list[str]:
    """A line, or several where it is too long."""
    return textwrap.wrap(
        line, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def arguments(
    signature: Signature, results: Sequence[str] | None = None
) -> tuple[list[Argument], list[Argument]]:
    """The arrays that are given and those that are filled; those without elements left out."""
    count = len(signature.results)
    names = results or (["result"] if count == 1 else [f"result{k + 1}" for k in range(count)])
    inputs = [Argument(c_name(name), (size,)) for name, size in signature.inputs if size]
    shaped = zip(names, signature.results, signature.sizes, strict=True)
    return inputs, [Argument(c_name(name), shape or (1,)) for name, shape, size in shaped if size]


def _status(program: Program, signature: Signature, writer: Writer, kind: str) -> tuple[list[str], str]:
    """A sum in which whatever is not finite shows, taken before results are written, and what it says."""
    watch = watched(program, signature)
    looked_at = [writer.known[position].within(SUM) for position in watch.outputs]
    looked_at += [f"{c_name(name)}[{k}]" for name, k in watch.inputs]
    if not looked_at:
        return [], "return 0;"
    return wrapped(f"const {kind} seen = {' + '.join(looked_at)};"), "return isfinite(seen) ? 0 : 1;"
