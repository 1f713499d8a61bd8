"""Quantities as functions in Python."""

from __future__ import annotations

from armdyn.equations.expression import Angle, Cosine, Expression, Sine
from armdyn.equations.printing.function import Function, Step, steps, wave_name
from armdyn.equations.printing.names import code_name
from armdyn.equations.printing.numbers import decimal
from armdyn.equations.printing.text import Text

CALLS = {
    "sin": "np.sin({})",
    "cos": "np.cos({})",
    "sqrt": "np.sqrt({})",
    "reciprocal": "1.0/({})",
    "value": "{}",
}


def to_python(function: Function) -> str:
    """A complete function of the joint positions, and of rates and parameters where these appear.

    Parameters are keyword arguments, with their numbers as defaults where they have one.
    """
    computed, results = steps(function, name_bases=False)
    lines = [
        f"def {code_name(function.name)}({_signature(function)}):",
        f'    """{_documentation(function)}"""',
    ]
    lines += ["    import numpy as np", ""]
    lines += [f"    {name} = np.asarray({name}, dtype=float)" for name in function.arguments]
    lines += [f"    {step.name} = {CALLS[step.function].format(_text(function, step))}" for step in computed]
    text = Text(named_wave, decimal, symbol_in(function, batch=True))
    if not function.shape:
        lines.append(f"    return {text.of(results[()])}")
        return "\n".join(lines) + "\n"
    lines.append(f"    {function.output} = np.zeros({_batch(function)} + {function.shape})")
    for index, expression in results.items():
        places = " = ".join(
            f"{function.output}[..., {', '.join(map(str, place))}]" for place in function.places(index)
        )
        lines.append(f"    {places} = {text.of(expression)}")
    lines.append(f"    return {function.output}")
    return "\n".join(lines) + "\n"


def _signature(function: Function) -> str:
    parameters = [
        f"{code_name(name)}={function.values[name]!r}" if name in function.values else code_name(name)
        for name in function.parameters
    ]
    return ", ".join([*function.arguments, *(["*", *parameters] if parameters else [])])


def _documentation(function: Function) -> str:
    given = ", ".join(f"{name}: (..., {function.n})" for name in function.arguments)
    return f"{function.description or function.name}; {given}."


def _batch(function: Function) -> str:
    """The leading axes that the arguments have together."""
    shapes = [f"{name}.shape" for name in function.arguments]
    return f"{shapes[0]}[:-1]" if len(shapes) == 1 else f"np.broadcast_shapes({', '.join(shapes)})[:-1]"


def _text(function: Function, step: Step) -> str:
    return Text(named_wave, decimal, symbol_in(function, batch=True)).of(step.argument)


class _Symbols:
    """How symbols are read: coordinates from their arguments."""

    def __init__(self, function: Function, batch: bool) -> None:
        self.coordinates, self.before = function.coordinates, "..., " if batch else ""

    def __call__(self, name: str) -> str:
        if name in self.coordinates:
            argument, place = self.coordinates[name]
            return f"{argument}[{self.before}{place}]"
        return code_name(name)


def symbol_in(function: Function, *, batch: bool) -> _Symbols:
    """How the symbols of a function are read: in Python of batches, in C of one state."""
    return _Symbols(function, batch)


def named_wave(sine: bool, angle: Angle) -> str:
    """The name of a sine or cosine that was computed before."""
    wave: Expression = Sine(angle) if sine else Cosine(angle)
    return wave_name(wave)
