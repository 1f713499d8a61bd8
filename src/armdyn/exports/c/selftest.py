"""A program in C that compares every function with values that armdyn computed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from armdyn.exports.c.function import arguments, wrapped
from armdyn.exports.c.functions import CFunction
from armdyn.exports.c.references import References, references
from armdyn.exports.c.setting import Setting
from armdyn.exports.c.templates import filled
from armdyn.formats.c_text import c_comment, c_string
from armdyn.scalars import Array


def selftest_text(setting: Setting, functions: Sequence[CFunction], written: str) -> str:
    """The whole file."""
    tests = [_test(setting, function, references(setting, function)) for function in functions]
    return filled(
        "selftest.c",
        prefix=setting.prefix,
        robot=c_comment(setting.traced.robot.name),
        written=written,
        type_const=f"const {setting.numbers.type}",
        tests="\n".join(tests),
        calls="\n".join(f"    failed += test_{_short(setting, function)}();" for function in functions),
    )


def _short(setting: Setting, function: CFunction) -> str:
    return function.name.removeprefix(f"{setting.prefix}_")


def _test(setting: Setting, function: CFunction, known: References) -> str:
    inputs, outputs = arguments(function.signature, function.results)
    states, kind = len(known.allowed[0]), setting.numbers.type
    lines = [line for a in inputs for line in _table(setting, a.name, known.inputs[a.name])]
    for output, expected, allowed in zip(outputs, known.results, known.allowed, strict=True):
        lines += _table(setting, f"expected_{output.name}", expected)
        lines.append(f"static const double allowed_{output.name}[{states}] = {{")
        lines += [f"    {line}" for line in wrapped(f"{', '.join(f'{x:.3g}' for x in allowed)}}};", "")]
    lines += [f"{output.declared(kind)};" for output in outputs]
    first = inputs[0]
    lines += [f"{kind} bad[{first.shape[0]}];", "double worst = 0.0;", "int k, failed = 0;", ""]
    results = [output.name for output in outputs]
    call = f"{function.name}({', '.join([f'{a.name}[k]' for a in inputs] + results)})"
    lines += [f"for (k = 0; k < {states}; k++) {{", *_indented(wrapped(f"if ({call} != 0) {{"))]
    lines += ["        failed++;", "    }"]
    for output in outputs:
        size = len(output.elements)
        got = f"share(&{output.elements[0]}, expected_{output.name}[k], {size}, allowed_{output.name}[k])"
        lines += [
            "    {",
            f"        const double one = {got};",
            "        worst = (one > worst) ? one : worst;",
        ]
        lines += ["    }"]
    lines += ["}", "/* what is not finite must be noticed */"]
    lines += [f"for (k = 0; k < {first.shape[0]}; k++) {{", f"    bad[k] = {first.name}[0][k];", "}"]
    lines += [f"bad[{first.shape[0] - 1}] = {setting.numbers.constant(float('inf'))};"]
    other = ["bad", *(f"{a.name}[0]" for a in inputs[1:]), *results]
    lines += wrapped(f"failed += ({function.name}({', '.join(other)}) == 0) ? 1 : 0;")
    lines.append(f"return said({c_string(function.name)}, {states}, worst, failed);")
    body = _indented(lines)
    return "\n".join([f"static int test_{_short(setting, function)}(void)", "{", *body, "}", ""])


def _indented(lines: Iterable[str]) -> list[str]:
    return [f"    {line}" if line else "" for line in lines]


def _table(setting: Setting, name: str, rows: Array) -> list[str]:
    kind = setting.numbers.type
    text = [f"static const {kind} {name}[{len(rows)}][{rows.shape[1]}] = {{"]
    for k, row in enumerate(rows.tolist()):
        numbers = ", ".join(setting.numbers.constant(x) for x in row)
        text += [f"    {line}" for line in wrapped(f"{{{numbers}}}{',' if k + 1 < len(rows) else ''}", "")]
    return [*text, "};"]
