"""What a quantity is: its inputs, its results, and how it is written down over graph nodes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Concatenate, Literal

from armdyn.dynamics.model import Model, Nodes
from armdyn.errors import InputError
from armdyn.scalars import Array

Size = int | Literal["n", "2n", "pairs", "bodies", "drives", "points", "parameters", "task"]
"""Elements along an axis: a number, or one that the robot gives.

pairs: n (n + 1)/2; points: where friction acts; parameters: those of the regressor; task: axes that the
option `task` names, with commas between them, six by default.
"""

Build = Callable[Concatenate[Model, Nodes, ...], Sequence[Any]]
"""(model, nodes of the inputs, a value for each option) -> the results one after another, each row by row."""

Evaluate = Callable[[str, Mapping[str, Array]], tuple[Array, ...]]
"""(name of a quantity without options, its inputs) -> its results."""

VECTOR: tuple[Size, ...] = ("n",)
MATRIX: tuple[Size, ...] = ("n", "n")


@dataclass(frozen=True)
class Quantity:
    """One entry of the table `QUANTITIES`."""

    inputs: tuple[str, ...]
    """What must be given, in the order of the method's arguments."""
    results: tuple[tuple[Size, ...], ...]
    """The axes of each result."""
    build: Build
    optional: tuple[str, ...] = ()
    """What may be given: of wrench, at and base, and of what may differ from the robot."""
    options: Mapping[str, tuple[str | None, ...]] = field(default_factory=dict[str, tuple[str | None, ...]])
    """Choices that are no arrays, each with the values it may take; none where `build` knows them."""
    iterated: Callable[[Model, Evaluate, Mapping[str, Array]], tuple[Array, ...]] | None = None
    """How it is found where something rests or the steps that its graph takes are not enough."""
    settles_in_motion: bool = True
    """Whether those steps are always enough for a robot that nothing can hold at rest."""
    from_rest: str | None = None
    """A quantity of the same inputs and results that decides what sticks, for nearly all states."""
    bare: bool = True
    """Whether `Dynamics` has a method of its name that returns the results as they are."""

    @property
    def defaults(self) -> tuple[Any, ...]:
        """The options that its method takes by default: the first of their values, or None."""
        return tuple(known[0] if known else None for known in self.options.values())

    def check_options(self, values: tuple[Any, ...]) -> None:
        """Refuse a value that an option does not take."""
        for (option, known), value in zip(self.options.items(), values, strict=True):
            if not known and not (value is None or isinstance(value, str)):
                raise InputError(f"{option} is {value!r}, expected a name")
            if known and value not in known:
                *first, last = (word for word in known if word is not None)
                raise InputError(f'{option} "{value}", expected {", ".join(first)} or {last}')
