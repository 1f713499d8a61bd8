"""Base parameters whose coefficients are expressions in the robot's lengths and gear ratios."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from armdyn.equations import printing
from armdyn.equations.base_parameters.elimination import Row
from armdyn.equations.expression import Expression, Number, Sum, Symbol, is_negative, product, total
from armdyn.equations.readable import Writer
from armdyn.equations.setting import Setting
from armdyn.errors import InputError, suggestion
from armdyn.mechanics.parameters import Parameter
from armdyn.scalars import Array
from armdyn.scalars.harmonic import Harmonic


@dataclass(frozen=True, eq=False)
class SymbolicBaseParameters:
    """b independent combinations of p parameters, beta = G pi, with G in symbols."""

    setting: Setting
    parameters: tuple[Parameter, ...]
    """All of them, those of the regressor's columns."""
    independent: NDArray[np.intp]
    """(b) the columns of the regressor that are kept"""
    rows: tuple[Row, ...]
    """Of each combination: column -> coefficient, exact."""

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def symbols(self) -> dict[str, float]:
        """The symbols that appear, with the robot's numbers."""
        names = {name for row in self.rows for h in row.values() for name in h.names}
        return {name: value for name, value in self.setting.values.items() if name in names}

    @cached_property
    def grouping(self) -> Array:
        """(b, p) G at the robot's own lengths and gears."""
        return self.evaluate()

    def evaluate(self, **values: float) -> Array:
        """(b, p) G where symbols have other numbers than the robot's: a2=0.4."""
        for name in values:
            if name not in self.symbols:
                hint = suggestion(name, self.symbols)
                raise InputError(f'no symbol "{name}"; {hint}expected some of {", ".join(self.symbols)}')
        known = {**self.setting.values, **values}
        G = np.zeros((len(self), len(self.parameters)))
        for i, row in enumerate(self.rows):
            for k, coefficient in row.items():
                G[i, k] = coefficient.evaluate(known)
        return G

    def values(self, pi: ArrayLike) -> Array:
        """beta = G pi: (..., b) of parameters (..., p)."""
        return np.asarray(pi, dtype=float) @ self.grouping.T

    # Written --------------------------------------------------------------------------------

    @cached_property
    def coefficients(self) -> tuple[Mapping[int, Expression], ...]:
        """Of each combination: column -> coefficient as people write it, the parameter kept first."""
        writer = Writer(self.setting.ring)
        return tuple(
            {k: writer.written(row[k]) for k in (int(own), *sorted(set(row) - {int(own)}))}
            for own, row in zip(self.independent, self.rows, strict=True)
        )

    @cached_property
    def expressions(self) -> tuple[Expression, ...]:
        """Each combination, its parameters being symbols of their names."""
        return tuple(
            total(product((x, Symbol(self.parameters[k].name))) for k, x in row.items())
            for row in self.coefficients
        )

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Each combination in words: `link1.Izz - a1^2 link2.m + kr1^2 motor1.I`."""
        return tuple(
            "".join(_term(x, self.parameters[k].name, i == 0) for i, (k, x) in enumerate(row.items()))
            for row in self.coefficients
        )

    @property
    def short_names(self) -> tuple[str, ...]:
        """The parameter that each combination is called after: `link1.Izz`."""
        return tuple(self.parameters[int(k)].name for k in self.independent)

    @cached_property
    def latex(self) -> tuple[str, ...]:
        """Each combination in LaTeX."""
        return tuple(printing.to_latex(expression) for expression in self.expressions)

    def sympy(self) -> Any:
        """G as a SymPy matrix (b, p)."""
        sympy: Any = import_module("sympy")
        G = sympy.zeros(len(self), len(self.parameters))
        for i, row in enumerate(self.coefficients):
            for k, x in row.items():
                G[i, k] = printing.to_sympy(x)
        return G

    @cached_property
    def harmonics(self) -> tuple[Harmonic, ...]:
        """Each combination exactly, its parameters being symbols of their names."""
        ring = self.setting.ring
        sums: list[Harmonic] = []
        for row in self.rows:
            whole = ring.constant(0.0)
            for k, coefficient in row.items():
                whole = whole + coefficient * ring.symbol(self.parameters[k].name)
            sums.append(whole)
        return tuple(sums)


def _term(coefficient: Expression, name: str, first: bool) -> str:
    """A coefficient and the parameter it belongs to."""
    terms = coefficient.terms if isinstance(coefficient, Sum) else (coefficient,)
    minus = all(is_negative(term) for term in terms)
    size = total(-term for term in terms) if minus else coefficient
    sign = ("-" if minus else "") if first else (" - " if minus else " + ")
    if size == Number(1.0):
        return sign + name
    text = printing.to_text(size, digits=6).replace("**", "^").replace("*", " ")
    return f"{sign}({text}) {name}" if isinstance(size, Sum) else f"{sign}{text} {name}"
