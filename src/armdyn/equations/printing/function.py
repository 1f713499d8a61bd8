"""A function in code: what it is given, what it computes first, and its results."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from armdyn.equations.expression import (
    Cosine,
    Expression,
    Power,
    Product,
    Sine,
    Sum,
    Symbol,
    natural,
    order,
    power,
    product,
    total,
    walk,
)
from armdyn.equations.printing.names import code_angle
from armdyn.equations.readable import Definition, names_in
from armdyn.equations.sharing import shared

Index = tuple[int, ...]
SUFFIXES = ("", "d", "dd")
"""Positions, rates, accelerations."""


@dataclass(frozen=True)
class Function:
    """A quantity to be written as a function of the joints: `to_python`, `to_c`."""

    name: str
    elements: Mapping[Index, Expression]
    """Index counted from 1 -> expression; what is missing is 0."""
    shape: tuple[int, ...]
    """(6, 6) of a mass matrix, () of an energy."""
    n: int
    """Number of joints."""
    stem: str = "q"
    """What coordinates are called: q1, qd1, qdd1."""
    symmetric: bool = False
    """Whether the last two indices can be exchanged; one of both elements is enough then."""
    definitions: Sequence[Definition] = ()
    """What opaque symbols stand for, in the order of computing them."""
    values: Mapping[str, float] = field(default_factory=dict[str, float])
    """The numbers of parameters that have one."""
    description: str = ""
    """One line on what it computes."""
    output: str = "result"
    """What the result is called in C."""

    @property
    def coordinates(self) -> dict[str, tuple[str, int]]:
        """Coordinate or rate -> the argument it stands in, and its place there counted from 0."""
        return {f"{self.stem}{d}{i + 1}": (f"{self.stem}{d}", i) for d in SUFFIXES for i in range(self.n)}

    @property
    def names(self) -> set[str]:
        """All symbols that must be known."""
        return names_in((*self.elements.values(), *(d.argument for d in self.definitions)))

    @property
    def arguments(self) -> list[str]:
        """q, and its rates where they appear."""
        used = {self.coordinates[name][0] for name in self.names if name in self.coordinates}
        return [f"{self.stem}{d}" for d in SUFFIXES if not d or f"{self.stem}{d}" in used]

    @property
    def parameters(self) -> list[str]:
        """The symbols that are neither coordinates nor defined by others."""
        known = {*self.coordinates, *(d.name for d in self.definitions)}
        return sorted(self.names - known, key=natural)

    def places(self, index: Index) -> list[Index]:
        """Where an element stands, counted from 0: twice in a symmetric quantity."""
        at = tuple(i - 1 for i in index)
        if self.symmetric and at[-1] != at[-2]:
            return [at, (*at[:-2], at[-1], at[-2])]
        return [at]


@dataclass(frozen=True)
class Step:
    """name = function(expression), the function being sin, cos, sqrt, reciprocal or value."""

    name: str
    function: str
    argument: Expression


def wave_name(wave: Expression) -> str:
    """A sine or cosine in code: s2, c23."""
    assert isinstance(wave, Sine | Cosine)
    return f"{'s' if isinstance(wave, Sine) else 'c'}{code_angle(wave.angle)}"


def steps(function: Function, *, name_bases: bool) -> tuple[list[Step], dict[Index, Expression]]:
    """What is computed in order, and the elements in terms of it.

    name_bases: whether a sum to a power gets a name, for languages that write powers as products.
    """
    done: dict[str, Step] = {}
    for definition in function.definitions:
        _waves(definition.argument, done)
        done[definition.name] = Step(definition.name, definition.function, definition.argument)
    for expression in function.elements.values():
        _waves(expression, done)
    prefix = _unused_prefix({*function.names, *done})
    named, results = shared(list(function.elements.values()), prefix)
    if name_bases:
        named, results = _with_bases(named, results, f"{prefix}b")
    more = [Step(name, "value", expression) for name, expression in named]
    return [*done.values(), *more], dict(zip(function.elements, results, strict=True))


def _waves(expression: Expression, done: dict[str, Step]) -> None:
    """The sines and cosines of an expression, in order."""
    for wave in sorted({part for part in walk(expression) if isinstance(part, Sine | Cosine)}, key=order):
        angle = total(factor * Symbol(name) for name, factor in wave.angle)
        step = Step(wave_name(wave), "sin" if isinstance(wave, Sine) else "cos", angle)
        done.setdefault(step.name, step)


def _unused_prefix(names: set[str]) -> str:
    return next(
        p for p in ("t", "u", "v", "tmp") if not any(re.fullmatch(rf"{p}b?\d+", name) for name in names)
    )


def _with_bases(
    named: Sequence[tuple[str, Expression]], results: Sequence[Expression], prefix: str
) -> tuple[list[tuple[str, Expression]], list[Expression]]:
    """The same with every sum or product that is raised to a power named before it is used."""
    steps: list[tuple[str, Expression]] = []

    def name(base: Expression) -> Expression:
        steps.append((f"{prefix}{len(steps) + 1}", base))
        return Symbol(steps[-1][0])

    for target, expression in named:
        written = _replaced(expression, name)
        steps.append((target, written))
    return steps, [_replaced(expression, name) for expression in results]


def _replaced(expression: Expression, name: Callable[[Expression], Expression]) -> Expression:
    match expression:
        case Sum(terms):
            return total([_replaced(term, name) for term in terms])
        case Product(factors):
            return product([_replaced(factor, name) for factor in factors])
        case Power(base, exponent):
            inner = _replaced(base, name)
            return power(name(inner) if isinstance(inner, Sum | Product) else inner, exponent)
        case _:
            return expression
