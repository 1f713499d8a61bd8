"""Give and take: one factor lowered where that lets another one gain more."""

from __future__ import annotations

from collections.abc import Iterator

from armdyn.retiming.per_move.problem import Factors, Problem, changed
from armdyn.retiming.per_move.quickening import Group, edge, full
from armdyn.retiming.per_move.slowing import slowed_enough

OWN = (0.1, 0.3, 0.7, 0.93)
"""What the other factor of a statement is lowered by,"""
OTHERS = (0.6, 0.93)
"""and what those of a statement beside it are."""
WORTH = 1e-4
"""Relative: a gain below this share of the duration is not worth an exchange."""

Vain = set[tuple[Group, Group, float, Factors]]
"""Exchanges that gained nothing, with the factors round about."""


def exchanged(problem: Problem, factors: Factors, fine: float, vain: Vain) -> Factors:
    """Factors after all exchanges that gain time, each tried once; what is in vain is kept in mind."""
    for group in _groups(problem):
        for lowered, step in _partners(problem, group):
            key = (group, lowered, step, _round_about(problem, factors, group))
            if key in vain:
                continue
            better = _better(problem, factors, group, lowered, step, fine)
            if better == factors:
                vain.add(key)
            factors = better
    for middle in problem.variables:
        factors = _swapped(problem, factors, middle, fine)
    return factors


def _groups(problem: Problem) -> Iterator[Group]:
    """What may be raised."""
    for i in problem.variables:
        yield from ((i,), (i + 1,), (i, i + 1))


def _partners(problem: Problem, group: Group) -> Iterator[tuple[Group, float]]:
    """What may be lowered for a group, by how much: the other factor of its statement, or those beside it."""
    own = group[0] - group[0] % 2
    if len(group) == 1:
        yield from (((own + 1 if group[0] == own else own,), step) for step in OWN)
        return
    for other in problem.beside(own):
        yield from ((lowered, step) for lowered in ((other,), (other + 1,)) for step in OTHERS)


def _round_about(problem: Problem, factors: Factors, group: Group) -> Factors:
    """The factors of the statements near to that of a group."""
    near = {group[0] - group[0] % 2}
    for _ in range(2):
        near |= {j for i in near for j in problem.beside(i)}
    return tuple(factors[j] for i in sorted(near) for j in (i, i + 1))


def _better(
    problem: Problem, factors: Factors, group: Group, lowered: Group, step: float, fine: float
) -> Factors:
    """The factors, or better ones: some lowered, and a group raised then."""
    duration = problem.duration(factors)
    goal = duration * (1 - WORTH)
    most = duration - problem.duration(full(factors, group))
    if duration - most > goal:
        return factors
    start = changed(factors, [(i, step * factors[i]) for i in lowered])
    if problem.duration(start) - most > goal or not problem.possible(start):
        return factors
    found = edge(problem, start, full(start, group), fine)
    return found if problem.duration(found) < goal else factors


def _swapped(problem: Problem, factors: Factors, middle: int, fine: float) -> Factors:
    """A statement made as slow as those beside it, which are then raised: where only one may be fast."""
    beside = problem.beside(middle)
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
        found = _raised(problem, found, i, fine)
    return found if problem.duration(found) < goal else factors


def _raised(problem: Problem, factors: Factors, i: int, fine: float) -> Factors:
    """A statement's factors raised, with as gentle an acceleration as that takes."""
    for group in ((i, i + 1), (i,), (i + 1,)):
        factors = edge(problem, factors, full(factors, group), fine)
    for step in OWN:
        factors = _better(problem, factors, (i,), (i + 1,), step, fine)
    return edge(problem, factors, full(factors, (i + 1,)), fine)


def _value(problem: Problem, factors: Factors, i: int) -> float:
    """A speed in the program's units, where that means something: of path moves; else 0."""
    setting = problem.settings[i]
    return 0.0 if setting.kind == "ptp" else setting.with_factor(factors[i])[0]
