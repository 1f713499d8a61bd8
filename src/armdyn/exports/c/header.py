"""The header of an export: what it is, in which units, what each function takes and returns."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

from armdyn.errors import counted
from armdyn.exports.c.function import arguments, prototype
from armdyn.exports.c.functions import OPEN_AT_REST, CFunction
from armdyn.exports.c.quantities import ARGUMENTS
from armdyn.exports.c.setting import Setting
from armdyn.exports.c.sines import MACRO
from armdyn.exports.c.templates import filled
from armdyn.formats.c_text import c_comment
from armdyn.robot import Joint

OK, NOT_FINITE, UNDECIDED = 0, 1, 2
_WIDTH = 94


def header_text(setting: Setting, functions: Sequence[CFunction], written: str) -> str:
    """The whole file."""
    traced, macro = setting.traced, setting.prefix.upper()
    lines = [part for text in _about(setting, written) for part in _wrapped(text)]
    return filled(
        "header.h",
        title=c_comment(f"The dynamics of {traced.robot.name} as functions in C99."),
        about="\n".join(f" * {line}".rstrip() for line in lines),
        friction_term=" + friction" if traced.friction else "",
        undecided=_undecided(setting, functions),
        sines=f" * Sines are the file's own, or with {MACRO} defined those of <math.h>.\n",
        guard=f"ARMDYN_{macro}_H",
        macro=macro,
        n=traced.n,
        OK=OK,
        NOT_FINITE=NOT_FINITE,
        UNDECIDED=UNDECIDED,
        functions="\n".join(_declared(setting, function) for function in functions),
    )


def _undecided(setting: Setting, functions: Sequence[CFunction]) -> str:
    quantities = {function.quantity for function in functions}
    if not setting.traced.can_stick:
        return ""
    lines: list[str] = []
    if "forward" in quantities:
        lines.append(f" *   {UNDECIDED}  where forward does not find what dry friction holds.")
    if quantities.intersection(OPEN_AT_REST):
        lines.append(
            f" *     Derivatives of accelerations: {NOT_FINITE} also where friction holds something."
        )
    return "".join(f"{line}\n" for line in lines)


def _about(setting: Setting, written: str) -> Iterator[str]:
    traced = setting.traced
    yield written
    yield f"{counted(traced.n, 'joint')}:"
    for k, joint in enumerate(traced.robot.joints):
        yield f"  q[{k}] {joint.name}: {joint.kind} [{_unit(joint)}]"
    yield f"Numbers: {setting.numbers.type}. Motors: {traced.motors}. Friction: {_friction(setting)}."
    felt: Any = traced.robot.gravity
    gravity = ", ".join(f"{float(g):g}" for g in felt)
    tool = traced.robot.tool.body
    yield f"Gravity: ({gravity}) m/s2. The tool stands on body {tool}."
    yield (
        f"Formulation: {traced.method.name}; accelerations by "
        f"{traced.method.name if traced.under_load else traced.forward_method.name}."
    )
    if setting.payload:
        yield f"The payload is an argument, in the frame of body {tool}; all zeros for none."


def _friction(setting: Setting) -> str:
    if not setting.traced.friction:
        return "off"
    return "on, and can hold the arm at rest" if setting.traced.can_stick else "on"


def _unit(joint: Joint) -> str:
    return "rad" if joint.kind == "revolute" else "m"


def _declared(setting: Setting, function: CFunction) -> str:
    counts = function.program.counts()
    said = ", ".join(f"{number} {kind.replace('_', ' ')}" for kind, number in counts.items() if number)
    held = function.quantity == "forward" and setting.traced.can_stick
    text = [function.description, *_meanings(function)]
    text.append(f"{said or 'no operations'}{', in motion' if held else ''}.")
    lines = [part for line in text for part in _wrapped(line)]
    comment = "/* " + "\n * ".join(lines) + " */"
    head = prototype(function.name, function.signature, setting.precision, results=function.results)
    return f"{comment}\n{head};\n"


def _wrapped(text: str) -> list[str]:
    """Lines of a comment, indented as the text is."""
    indent = "  " if text.startswith("  ") else ""
    safe = c_comment(text)
    return textwrap.wrap(safe, _WIDTH, initial_indent=indent, subsequent_indent=f"{indent}  ")


def _meanings(function: CFunction) -> Iterator[str]:
    """One line for each argument whose meaning is known."""
    for argument in (group for both in arguments(function.signature, function.results) for group in both):
        if argument.name in ARGUMENTS:
            yield f"  {argument.name}: {ARGUMENTS[argument.name]}"
