"""Dependencies read from the actions of parameters, which over harmonics have one form only.

A parameter is counted in others if the terms of its actions are those of theirs: an equation for every
product of coordinates, rates, sines and cosines, which holds in lengths and gears as polynomials.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import Any

from armdyn.equations.base_parameters.actions import actions, bare
from armdyn.equations.base_parameters.elimination import Row, added, solved, tidy
from armdyn.equations.setting import Setting
from armdyn.mechanics.parameters import Parameter
from armdyn.mechanics.rubbing import FrictionPoint
from armdyn.mechanics.tree.coordinates import CoordinateState
from armdyn.scalars.harmonic import Harmonic

State = tuple[int, tuple[tuple[str, bool, int], ...]]
"""(which of the actions, powers and frequencies of what changes along a motion)"""
Column = dict[State, Harmonic]
"""The terms of a parameter's actions: state -> what stands before it, in lengths and gears."""


class Expansion:
    """The actions of some parameters of an arm, term by term."""

    def __init__(self, setting: Setting, parameters: Sequence[Parameter], columns: Collection[int]) -> None:
        """For the columns given: the others are left out of all sums."""
        self._setting = setting
        ring = setting.ring
        pi = [ring.symbol(p.name) if k in columns else 0 for k, p in enumerate(parameters)]
        acting = actions(
            setting.written,
            bare(setting.whole),
            parameters,
            pi,
            (setting.joints(), setting.joints("d")),
            self._speed,
        )
        names = {parameters[k].name: k for k in columns}
        self.columns: dict[int, Column] = {k: {} for k in columns}
        for which, action in enumerate(acting):
            if isinstance(action, Harmonic):
                for powers, value in action.collected(set(names)).items():
                    if powers:  # what no parameter multiplies is the robot's own friction
                        ((name, _),) = powers
                        self.columns[names[name]].update(self._terms(which, value))

    def counted_in(self, column: int, others: Sequence[int]) -> Row | None:
        """The combination that does nothing, 1 column - K others; None if there is none in such symbols."""
        equations: dict[State, Row] = {}
        for k in (column, *others):
            for state, value in self.columns[k].items():
                equations.setdefault(state, {})
                equations[state] = {**equations[state], k: value}
        found, left = solved(equations.values(), others, lambda k: k)
        if left or len(found) < len(others):
            return None
        one = self._setting.ring.constant(1.0)
        row: Row = {column: one}
        for k, equation in found.items():  # M_k x_k + M_column = 0 in every state's row
            if column in equation:
                row = added(row, {k: equation[column]}, -one)
        return row

    def _terms(self, which: int, value: Harmonic) -> Column:
        ring, constants = value.ring, self._setting.values
        terms: dict[State, dict[int, complex]] = {}
        for key, c in value.terms.items():
            moving = tuple(digit for digit in ring.digits(key) if digit[0] not in constants)
            if moving:  # a constant in U is felt by nobody
                rest = key - sum(d * ring.unit(name, angle) for name, angle, d in moving)
                terms.setdefault((which, moving), {})[rest] = c
        largest = max(map(abs, value.terms.values()), default=0.0)
        tidied = {state: tidy(Harmonic(ring, rest), largest) for state, rest in terms.items()}
        return {state: h for state, h in tidied.items() if h.terms}

    def _speed(self, point: FrictionPoint, theta: CoordinateState) -> Any:
        """|thetad| = |k| |qd_j| where it follows one joint; a symbol of its own where it follows several."""
        ring = self._setting.ring
        if point.coordinate.law is not None or len(theta.gradient) != 1:
            return ring.symbol(f"speed of {point.name}")
        ((j, slope),) = theta.gradient
        slope = ring.constant(1.0) * slope
        sign = math.copysign(1.0, float(slope.evaluate(self._setting.values)))
        return sign * slope * ring.symbol(f"speed {j + 1}")
