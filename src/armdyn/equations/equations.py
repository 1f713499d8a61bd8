"""Derived equations: each an exact harmonic, a readable expression, and whatever it is printed as."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from armdyn.equations import printing
from armdyn.equations.expression import Expression, Operations, natural, operations
from armdyn.equations.quantities import QUANTITIES, Index, shape_of
from armdyn.equations.readable import Definition, Writer, definitions
from armdyn.equations.setting import Setting
from armdyn.errors import InputError
from armdyn.scalars.harmonic import Harmonic

if TYPE_CHECKING:
    from armdyn.equations.simplified import SimplifiedEquation

Form = Literal["text", "latex", "markdown", "python", "c", "sympy"]
FORMS: tuple[Form, ...] = ("text", "latex", "markdown", "python", "c", "sympy")

SYMBOLS = {
    "angular_velocity": r"\omega",
    "angular_acceleration": r"\dot\omega",
    "acceleration": r"\ddot p",
    "acceleration_of_centre": r"\ddot p_C",
    "force": "f",
    "moment": r"\mu",
    "torque": r"\tau",
    "b_ik": "b",
    "e_ik": "e",
    "d_ik": "d",
    "e_i": "e",
    "d_i": "d",
    "E_i": "E",
    "E_ik": "E",
    "n_ic": "n'_c",
    "n_ia1": "n'_{a1}",
    "n_ia2": "n'_{a2}",
}
"""How the parts of recursions are written."""


@dataclass(frozen=True, eq=False)
class Equation:
    """One element of a quantity."""

    setting: Setting
    writer: Writer
    quantity: str
    index: Index
    harmonic: Harmonic
    """Exact and canonical: two equal elements have equal terms."""

    @cached_property
    def expression(self) -> Expression:
        """The shortest form found, collected per mass where parameters are symbols."""
        return self.writer.written(self.harmonic, masses(self.harmonic))

    @property
    def operations(self) -> Operations:
        """What evaluating the expression takes, sines and cosines given."""
        return operations(self.expression)

    @property
    def name(self) -> str:
        """As a name in code: H11, g2, c123."""
        symbol = QUANTITIES[self.quantity].symbol if self.quantity in QUANTITIES else self.quantity
        return f"{symbol.strip(chr(92)) or self.quantity}{self.tag}"

    @property
    def tag(self) -> str:
        """Its index, run together where every number has one digit."""
        return ("" if all(i < 10 for i in self.index) else "_").join(str(i) for i in self.index)

    @property
    def left_side(self) -> str:
        """What stands left of the equals sign, in LaTeX."""
        known = QUANTITIES.get(self.quantity)
        symbol = (
            known.symbol if known is not None and known.symbol else SYMBOLS.get(self.quantity, self.quantity)
        )
        return f"{symbol}_{{{self.tag.replace('_', ',')}}}" if self.index else symbol

    def latex(self, *, short: bool = True) -> str:
        """The equation in LaTeX; short=False spells sines and cosines out."""
        return f"{self.left_side} = {printing.to_latex(self.expression, short=short)}"

    def sympy(self) -> Any:
        """The expression as a SymPy object."""
        return printing.to_sympy(self.expression)

    def evaluate(self, **values: Any) -> NDArray[np.float64]:
        """The value where symbols have numbers or arrays: q=q, qd=qd or q1=0.3, m4=1.2.

        q, qd and qdd of shape (..., n) give all coordinates at once. Symbols of the robot's parameters have
        the robot's values unless others are given.
        """
        known: dict[str, Any] = dict(self.setting.values)
        for name, value in values.items():
            suffix = {"q": "", "qd": "d", "qdd": "dd"}.get(name)
            if suffix is None:
                known[name] = value
                continue
            array = _coordinates(name, value, self.setting.n)
            known |= {f"{self.setting.stem}{suffix}{i + 1}": array[..., i] for i in range(self.setting.n)}
        ring = self.setting.ring
        missing = sorted(self.harmonic.names - {*known, *ring.definitions, *ring.scaled})
        if missing:
            raise InputError(
                f"{self.name} depends on {', '.join(missing)}: give q=, qd=, qdd= or these by name"
            )
        return self.harmonic.evaluate(known)

    def __str__(self) -> str:
        """One line of plain text."""
        index = ",".join(str(i) for i in self.index)
        return f"{self.quantity}[{index}] = {printing.to_text(self.expression)}"

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex()}$"

    def document(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "quantity": self.quantity,
            "index": list(self.index),
            "expression": printing.to_text(self.expression),
            "latex": printing.to_latex(self.expression),
            "operations": {**self.operations._asdict(), "total": self.operations.total},
        }


@dataclass(frozen=True, eq=False)
class Equations:
    """The equations of a quantity, in order; equations[1, 2] is an element."""

    setting: Setting
    quantity: str
    equations: tuple[Equation, ...]

    def __iter__(self) -> Iterator[Equation]:
        return iter(self.equations)

    def __len__(self) -> int:
        return len(self.equations)

    def __getitem__(self, index: int | Index) -> Equation:
        """The element of an index counted from 1; symmetric ones in any order."""
        wanted = (index,) if isinstance(index, int) else tuple(index)
        known = QUANTITIES[self.quantity]
        if known.symmetric and len(wanted) == len(known.indices):
            wanted = (*wanted[:-2], *sorted(wanted[-2:]))
        for equation in self.equations:
            if equation.index == wanted:
                return equation
        raise KeyError(f"{self.quantity} has no element {index}; {self.equations[0].index} is the first")

    # Short forms ----------------------------------------------------------------------------

    def simplified(self, tolerance: float | None = None, **options: Any) -> tuple[SimplifiedEquation, ...]:
        """Every equation made short with a known error: see `armdyn.equations.simplified.simplified`."""
        from armdyn.equations.simplified import simplified

        return simplified(self, tolerance, **options)

    def trade_offs(self, **options: Any) -> tuple[tuple[SimplifiedEquation, ...], ...]:
        """Operations against error of every equation: see `armdyn.equations.simplified.trade_offs`."""
        from armdyn.equations.simplified import trade_offs

        return trade_offs(self, **options)

    # Printed --------------------------------------------------------------------------------

    def written(self, form: Form = "text") -> str:
        """All of them in a form that people or compilers read."""
        match form:
            case "text":
                return str(self)
            case "latex":
                return self.latex()
            case "markdown":
                return self.markdown()
            case "python":
                return self.python()
            case "c":
                return self.c()
            case "sympy":
                return "\n".join(f"{equation.name} = {equation.sympy()}" for equation in self)
        raise InputError(f"form {form!r}, expected one of {', '.join(FORMS)}")

    def latex(self, *, short: bool = True) -> str:
        """All of them in LaTeX, aligned."""
        rows = [equation.latex(short=short).replace(" = ", " &= ", 1) for equation in self]
        rows += [
            f"{name} &= {text}" for name, text in printing.definitions(self.setting.ring, self._used, short)
        ]
        return "\\begin{aligned}\n" + " \\\\\n".join(rows) + "\n\\end{aligned}"

    def markdown(self) -> str:
        """All of them in Markdown with LaTeX."""
        pairs = [(equation.left_side, equation.expression) for equation in self]
        return printing.to_markdown(pairs, where=self.definitions)

    def python(self) -> str:
        """Functions of the joints in Python, one for each quantity."""
        return "\n\n".join(printing.to_python(function) for function in self.functions())

    def c(self) -> str:
        """Functions of the joints in C, one for each quantity."""
        return "\n".join(printing.to_c(function) for function in self.functions())

    def sympy(self) -> Any:
        """A SymPy matrix, where the quantity has one or two indices; otherwise index -> object."""
        sympy: Any = import_module("sympy")
        shape = _shape(equation.index for equation in self)
        if len(shape) not in (1, 2) or len({equation.quantity for equation in self}) > 1:
            return {(equation.quantity, *equation.index): equation.sympy() for equation in self}
        known = QUANTITIES[self.quantity]
        filled = sympy.zeros(*(shape if len(shape) == 2 else (*shape, 1)))
        for equation in self:
            at = tuple(i - 1 for i in equation.index)
            filled[at if len(at) == 2 else (*at, 0)] = equation.sympy()
            if known.symmetric:
                filled[at[::-1]] = filled[at]
        return filled

    def functions(self) -> list[printing.Function]:
        """The equations as functions to be written in code: whole quantities, or single elements of one."""
        found: list[printing.Function] = []
        for quantity in dict.fromkeys(equation.quantity for equation in self):
            mine = {e.index: e.expression for e in self if e.quantity == quantity}
            found += functions_of(self.setting, quantity, mine, self.definitions)
        return found

    @cached_property
    def definitions(self) -> tuple[Definition, ...]:
        """What symbols stand for that are square roots or quotients."""
        return definitions(self.setting.ring, self._used)

    @cached_property
    def _used(self) -> set[str]:
        return {name for equation in self for name in equation.harmonic.names}

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex()}$"

    def __str__(self) -> str:
        return "\n".join(str(equation) for equation in self)

    def document(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "robot": self.setting.robot.name,
            "motors": self.setting.tree.motors,
            "parameters": self.setting.parameters,
            "coordinates": self.setting.coordinates,
            "equations": [equation.document() for equation in self],
            "values": self.setting.values,
        }


def _shape(indices: Iterable[Index]) -> tuple[int, ...]:
    """The largest index along each axis."""
    return tuple(max(axis) for axis in zip(*indices, strict=True))


def _coordinates(name: str, value: Any, n: int) -> NDArray[np.float64]:
    """(..., n) numbers for the coordinates."""
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} is {value!r}, expected numbers of shape (..., {n})") from error
    if array.ndim == 0 or array.shape[-1] != n:
        raise InputError(f"{name} has shape {array.shape}, expected (..., {n})")
    return array


def functions_of(
    setting: Setting,
    quantity: str,
    elements: Mapping[Index, Expression],
    definitions: Sequence[Definition] = (),
) -> list[printing.Function]:
    """A quantity as a function, or each of some elements of it as one of its own."""
    known = QUANTITIES.get(quantity)
    shape = shape_of(setting.robot, quantity) if known is not None and known.indices else _shape(elements)
    function = printing.Function(
        quantity,
        elements,
        shape,
        setting.n,
        setting.stem,
        symmetric=known is not None and known.symmetric,
        definitions=definitions,
        values=setting.values,
        description=f"{quantity} of {setting.robot.name}",
    )
    places = {place for index in elements for place in function.places(index)}
    if len(places) == math.prod(shape):
        return [function]
    return [
        replace(
            function,
            name="_".join((quantity, *map(str, index))),
            elements={(): expression},
            shape=(),
            symmetric=False,
            description=f"element {', '.join(map(str, index))} of {quantity} of {setting.robot.name}",
        )
        for index, expression in elements.items()
    ]


def masses(h: Harmonic) -> list[str]:
    """The masses that appear, links before payloads."""
    found = [name for name in h.names if name[0] == "m" and (name[1:].isdigit() or name.startswith("mL"))]
    return sorted(found, key=natural)
