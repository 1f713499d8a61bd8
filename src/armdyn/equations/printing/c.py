"""Quantities as functions in C (C99)."""

from __future__ import annotations

from itertools import product

from armdyn.equations.expression import Expression
from armdyn.equations.printing.function import Function, steps
from armdyn.equations.printing.names import code_name
from armdyn.equations.printing.numbers import decimal
from armdyn.equations.printing.python import named_wave, symbol_in
from armdyn.equations.printing.text import Text
from armdyn.formats.c_text import c_comment

CALLS = {"sin": "sin({})", "cos": "cos({})", "sqrt": "sqrt({})", "reciprocal": "1.0/({})", "value": "{}"}


def to_c(function: Function) -> str:
    """A complete function of the joint positions, and of rates and parameters where these appear.

    Parameters stand in a structure, whose numbers a macro has. A result with a shape is the last argument.
    """
    computed, results = steps(function, name_bases=True)
    text = _text(function)
    body = [
        f"const double {step.name} = {CALLS[step.function].format(text.of(step.argument))};"
        for step in computed
    ]
    body += _results(function, results, text)
    body = [f"(void) {name};" for name in _unused(function, body)] + body
    head = [
        "#include <math.h>",
        "",
        *_structure(function),
        f"/* {c_comment(function.description or function.name)} */",
    ]
    return "\n".join([*head, _signature(function), "{", *(f"    {line}" for line in body), "}"]) + "\n"


def _text(function: Function) -> Text:
    read, parameters = symbol_in(function, batch=False), set(function.parameters)

    def symbol(name: str) -> str:
        return f"p->{code_name(name)}" if name in parameters else read(name)

    return Text(named_wave, decimal, symbol, lambda base, n: f"({'*'.join([base] * n)})")


def _results(function: Function, results: dict[tuple[int, ...], Expression], text: Text) -> list[str]:
    if not function.shape:
        return [f"return {text.of(results[()])};"]
    held = {place: index for index in results for place in function.places(index)}
    lines: list[str] = []
    for place in product(*map(range, function.shape)):
        index = held.get(place)
        own = index is not None and function.places(index)[0] == place
        if index is None:
            value = "0.0"
        else:
            value = text.of(results[index]) if own else _element(function, function.places(index)[0])
        lines.append(f"{_element(function, place)} = {value};")
    return sorted(lines, key=lambda line: line.count(f"{function.output}["))  # copies come last


def _element(function: Function, place: tuple[int, ...]) -> str:
    return function.output + "".join(f"[{i}]" for i in place)


def _unused(function: Function, body: list[str]) -> list[str]:
    """The arguments that nothing depends on; compilers warn of these."""
    return [name for name in function.arguments if not any(f"{name}[" in line for line in body)]


def _structure(function: Function) -> list[str]:
    """The parameters, and a macro with the numbers of those that have one."""
    if not function.parameters:
        return []
    name, members = code_name(function.name), [code_name(p) for p in function.parameters]
    lines = [f"typedef struct {{ double {', '.join(members)}; }} {name}_parameters;", ""]
    known = [f".{code_name(p)} = {function.values[p]!r}" for p in function.parameters if p in function.values]
    if known:
        lines += [f"#define {name.upper()}_VALUES {{ {', '.join(known)} }}", ""]
    return lines


def _signature(function: Function) -> str:
    name = code_name(function.name)
    given = [f"const double {argument}[{function.n}]" for argument in function.arguments]
    if function.parameters:
        given.append(f"const {name}_parameters *p")
    if not function.shape:
        return f"double {name}({', '.join(given)})"
    return f"void {name}({', '.join(given)}, double {_element_type(function)})"


def _element_type(function: Function) -> str:
    return function.output + "".join(f"[{size}]" for size in function.shape)
