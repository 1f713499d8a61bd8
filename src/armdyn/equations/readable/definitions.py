"""What the opaque symbols of expressions stand for, in the order in which they can be computed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from armdyn.equations.expression import (
    Cosine,
    Expression,
    Number,
    Sine,
    Symbol,
    evaluate,
    product,
    total,
    walk,
)
from armdyn.equations.readable.writer import Writer
from armdyn.scalars.harmonic import Ring


@dataclass(frozen=True)
class Definition:
    """name = sqrt(argument), 1/argument, or the argument itself: an angle at no whole multiple of joints."""

    name: str
    function: Literal["sqrt", "reciprocal", "value"]
    argument: Expression


def names_in(expressions: Iterable[Expression]) -> set[str]:
    """The symbols that appear, in sines and cosines too."""
    found: set[str] = set()
    for expression in expressions:
        for part in walk(expression):
            if isinstance(part, Symbol):
                found.add(part.name)
            elif isinstance(part, Sine | Cosine):
                found.update(name for name, _ in part.angle)
    return found


def definitions(ring: Ring, names: Iterable[str], writer: Writer | None = None) -> tuple[Definition, ...]:
    """What those of the names stand for that stand for something, and all that is needed for it first."""
    writer = writer or Writer(ring)
    found: dict[str, Definition] = {}

    def define(name: str) -> None:
        if name in found:
            return
        if name in ring.scaled:
            angle = total(product((Number(factor), Symbol(joint))) for joint, factor in ring.scaled[name])
            made = Definition(name, "value", angle)
        elif name in ring.definitions:
            known = ring.definitions[name]
            made = Definition(name, known.function, writer.written(known.argument))
        else:
            return
        for needed in sorted(names_in([made.argument])):
            define(needed)
        found[name] = made

    for name in sorted(names):
        define(name)
    return tuple(found.values())


def with_definitions(values: Mapping[str, Any], defined: Sequence[Definition]) -> dict[str, Any]:
    """Values of symbols, and of those that are defined by them."""
    known = dict(values)
    for definition in defined:
        x = evaluate(definition.argument, known)
        match definition.function:
            case "sqrt":
                known[definition.name] = np.sqrt(x)
            case "reciprocal":
                known[definition.name] = 1.0 / x
            case _:
                known[definition.name] = x
    return known
