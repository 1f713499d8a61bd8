"""Give and take: one factor lowered where that lets another one gain more."""

from __future__ import annotations

from collections.abc import Iterator

from armdyn.retiming.per_move.problem import Factors, Problem, changed
from armdyn.retiming.per_move.quickening import Group, edge, full
from armdyn.retiming.per_move.slowing import slowed_enough

STEPS = (0.7, 0.9, 0.97)
"""What a factor is lowered by."""
WORTH = 1e-4
"""Relative: a gain below this share of the duration is not worth an exchange."""


def exchanged(problem: Problem, factors: Factors, fine: float) -> Factors:
    """Factors after all exchanges that gain time, each tried once."""
    for group in _groups(problem):
        for lowered in _partners(problem, group):
            for step in STEPS:
                factors = _better(problem, factors, _lowered(factors, lowered, step), group, fine)
    for middle in problem.variables:
        factors = _swapped(problem, factors, middle, fine)
    return factors


def _groups(problem: Problem) -> Iterator[Group]:
    """What may be raised."""
    for i in problem.variables:
        yield from ((i,), (i + 1,), (i, i + 1))


def _partners(problem: Problem, group: Group) -> Iterator[Group]:
    """What may be lowered for a group: the other factor of its statement, or those that it runs into."""
    own = group[0] - group[0] % 2
    if len(group) == 1:
        yield (own + 1 if group[0] == own else own,)
        return
    for other in sorted({a + b - own for a, b in problem.neighbours if own in (a, b)}):
        yield from ((other,), (other + 1,), (other, other + 1))


def _lowered(factors: Factors, group: Group, step: float) -> Factors:
    return changed(factors, [(i, step * factors[i]) for i in group])


def _better(problem: Problem, factors: Factors, start: Factors, group: Group, fine: float) -> Factors:
    """The factors, or better ones: others at the start, and a group raised from there."""
    duration = problem.duration(factors)
    goal = duration * (1 - WORTH)
    most = duration - problem.duration(full(factors, group))
    if duration - most > goal or problem.duration(start) - most > goal or not problem.possible(start):
        return factors
    found = edge(problem, start, full(start, group), fine)
    return found if problem.duration(found) < goal else factors


def _swapped(problem: Problem, factors: Factors, middle: int, fine: float) -> Factors:
    """A statement made as slow as those beside it, which are then raised: where only one may be fast."""
    beside = sorted({a + b - middle for a, b in problem.neighbours if middle in (a, b)})
    slowest = min((_value(problem, factors, i) for i in beside), default=0.0)
    own = _value(problem, factors, middle)
    if not 0 < slowest < own:
        return factors
    goal = problem.duration(factors) * (1 - WORTH)
    start = changed(factors, [(middle, factors[middle] * slowest / own)])
    if problem.duration(full(start, tuple(j for i in beside for j in (i, i + 1)))) > goal:
        return factors
    found = slowed_enough(problem, start)
    if found is None:
        return factors
    for i in (*beside, middle):
        for group in ((i, i + 1), (i,), (i + 1,)):
            found = edge(problem, found, full(found, group), fine)
    return found if problem.duration(found) < goal else factors


def _value(problem: Problem, factors: Factors, i: int) -> float:
    """A speed in the program's units, where that means something: of path moves; else 0."""
    setting = problem.settings[i]
    return 0.0 if setting.kind == "ptp" else setting.with_factor(factors[i])[0]
