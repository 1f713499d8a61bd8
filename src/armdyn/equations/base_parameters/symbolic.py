"""Base parameters whose coefficients are expressions in the robot's lengths and gear ratios.

How many there are and which parameters are kept is seen from numbers, at other lengths than the robot's, so that
nothing holds by chance. What is counted in them follows exactly: from joint to joint by regrouping, and for
the few parameters that this leaves from the terms of their energies.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from armdyn.dynamics import Dynamics
from armdyn.equations import printing
from armdyn.equations.base_parameters.actions import bare
from armdyn.equations.base_parameters.elimination import Row, added, solved
from armdyn.equations.base_parameters.expansion import Expansion
from armdyn.equations.base_parameters.numbers import Pattern, Samples
from armdyn.equations.base_parameters.regrouping import regrouping
from armdyn.equations.expression import Expression, Number, Product, Sum, Symbol, is_negative, product, total
from armdyn.equations.readable import Writer
from armdyn.equations.setting import Setting
from armdyn.errors import InputError
from armdyn.mechanics.dependencies import columns_among, preference
from armdyn.mechanics.parameters import Parameter, parameters, resisting_points
from armdyn.mechanics.tree.motors import MotorModel
from armdyn.robot import BaseMotion, Robot
from armdyn.scalars import Array
from armdyn.scalars.harmonic import Harmonic

SEED = 0
"""Of the random states and lengths."""


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


def symbolic_base_parameters(
    robot: Robot | Dynamics,
    motors: MotorModel | None = None,
    *,
    friction: bool = False,
    among: Sequence[str] | None = None,
) -> SymbolicBaseParameters:
    """The base parameters of a robot, their coefficients as expressions in its lengths and gear ratios.

    A length that is zero is structure and stays zero, right angles are exact; other angles, the ratios of joints
    that follow others and of gear stages are decimals.

    Args:
        robot: the robot, or a `Dynamics` that says which motor model and whether friction counts.
        motors: how much of the drives counts; by default the best the data support.
        friction: whether friction and offsets are parameters too.
        among: names of the parameters that may differ from zero, or their endings (`Izz`); by default all.
    """
    if isinstance(robot, Dynamics):
        robot, motors, friction = robot.robot, robot.motors, robot.friction
    return of_setting(Setting.of(robot, motors, parameters="symbolic"), friction=friction, among=among)


def of_setting(
    setting: Setting, *, friction: bool = False, among: Sequence[str] | None = None
) -> SymbolicBaseParameters:
    """The base parameters of an arm in the symbols, or numbers, of a setting."""
    robot = setting.robot
    _check(robot, friction)
    known = parameters(robot, setting.whole, friction=friction)
    allowed = columns_among(known, among)
    pattern = _pattern(setting, known, set(allowed.tolist()))
    counted = _counted(setting, known, pattern)
    kept = [k for k in pattern.kept if k in set(allowed.tolist())]
    rows = {k: {k: setting.ring.constant(1.0)} for k in kept}
    for column in allowed.tolist():
        for k, x in counted.get(column, {}).items():
            rows[k][column] = x
    return SymbolicBaseParameters(setting, known, np.array(kept, dtype=np.intp), tuple(rows.values()))


def _check(robot: Robot, friction: bool) -> None:
    """Refuse what energies do not describe."""
    if robot.base_motion != BaseMotion():
        raise InputError(
            f'robot "{robot.name}" stands on a base that moves, where symbolic base parameters are not known; '
            "use base_parameters, which finds them from numbers"
        )
    loaded = [point.name for point in resisting_points(robot) if friction and point.friction.load]
    if loaded:
        raise InputError(
            f'friction of "{loaded[0]}" depends on the load, which tells rotors from links in a way that no '
            "polynomial describes; ask with friction=False, or use base_parameters, which finds them from numbers"
        )


def _pattern(setting: Setting, known: Sequence[Parameter], first: set[int]) -> Pattern:
    """What depends on what: for lengths in symbols whatever they are, and then for the robot's own too."""
    samples = Samples.of(setting.robot, setting.tree.motors, known)
    preferred = preference(known, first)
    own = samples.pattern(preferred, SEED, other_lengths=False)
    if setting.parameters == "numeric":
        return own
    general = samples.pattern(preferred, SEED, other_lengths=True)
    if general.kept != own.kept:
        by_chance = sorted(set(general.kept) ^ set(own.kept))
        raise InputError(
            f'robot "{setting.robot.name}": {known[by_chance[0]].name} is counted in others at its own lengths and '
            "gear ratios, but not at others; use base_parameters, which finds base parameters from numbers"
        )
    return general


def _counted(setting: Setting, known: Sequence[Parameter], pattern: Pattern) -> dict[int, Row]:
    """Column that is not kept -> K of those that are."""
    others, ring = set(pattern.support), setting.ring
    found, left = solved(regrouping(setting.written, bare(setting.whole), ring), others, lambda k: -k)
    rest = sorted(others - set(found))
    expansion = Expansion(setting, known, {k for c in rest for k in (c, *pattern.support[c])})
    direct = {c: expansion.counted_in(c, pattern.support[c]) for c in rest}
    unsolved = [c for c, row in direct.items() if row is None]
    if left or unsolved:
        which = known[unsolved[0] if unsolved else min(left[0])].name
        raise InputError(
            f'robot "{setting.robot.name}": what {which} is counted in is no polynomial in lengths and gear ratios; '
            "use base_parameters, which finds it from numbers"
        )
    counted = {c: _negative(row, c) for c, row in direct.items() if row is not None}
    for column, row in found.items():
        mine: Row = {}
        for k, x in _negative(row, column).items():
            mine = added(mine, counted[k] if k in direct else {k: ring.constant(1.0)}, x)
        counted[column] = mine
    return counted


def _negative(row: Row, own: int) -> Row:
    """What a column equals, of a row that has it once and is zero."""
    return {k: -x for k, x in row.items() if k != own}


def _term(coefficient: Expression, name: str, first: bool) -> str:
    """A coefficient and the parameter it belongs to."""
    minus = is_negative(coefficient)
    size = -coefficient if minus else coefficient
    sign = ("-" if minus else "") if first else (" - " if minus else " + ")
    if size == Number(1.0):
        return sign + name
    text = printing.to_text(size, digits=6).replace("**", "^").replace("*", " ")
    return f"{sign}({text}) {name}" if isinstance(size, Sum) else f"{sign}{text} {name}"
