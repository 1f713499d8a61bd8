"""As fast as can be: factors raised to the edge of what is possible, the largest gain first."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from armdyn.retiming.per_move.problem import Factors, Problem, changed

COARSE, FINE = 0.05, 0.002
"""Relative: factors are found to this, at first and in the end."""
GAIN = 1e-6
"""[s] A gain below this is none."""

Group = tuple[int, ...]
"""Settings that are raised together."""


def edge(problem: Problem, low: Factors, high: Factors, fine: float) -> Factors:
    """From possible factors towards others, which may be too high, as far as is possible.

    Where not even the least step is possible, that is the first thing to be seen.
    """
    logs = [math.log(b / a) for a, b in zip(low, high, strict=True)]
    span = max(map(abs, logs))

    def at(share: float) -> Factors:
        return tuple(a * math.exp(share * log) for a, log in zip(low, logs, strict=True))

    least = fine / span if span > fine else 1.0
    if least < 1 and not problem.possible(at(least)):
        return low
    if problem.possible(high):
        return high
    if least == 1:
        return low
    inside, outside = least, 1.0
    while outside == 1 and 3 * inside < 1:  # most factors have but little room
        inside, outside = (3 * inside, 1.0) if problem.possible(at(3 * inside)) else (inside, 3 * inside)
    while (outside - inside) * span > fine:
        middle = 0.5 * (inside + outside)
        inside, outside = (middle, outside) if problem.possible(at(middle)) else (inside, middle)
    return at(inside)


def quickened(problem: Problem, factors: Factors, fine: float) -> Factors:
    """Factors of which none can be raised, alone or speed and acceleration together, by more than `fine`."""
    while True:
        found = _largest_first(problem, factors, fine)
        if found == factors:
            return factors
        factors = found


@dataclass
class _Candidate:
    """A group, what raising it gains at most, and for which factors that is certain."""

    group: Group
    gain: float
    factors: Factors | None = None
    since: int = -1


def _largest_first(problem: Problem, factors: Factors, fine: float) -> Factors:
    """Raise groups, the one with the largest gain first; a gain once found is a bound for later."""
    duration = problem.duration(factors)
    candidates = [
        _Candidate(group, duration - problem.duration(full(factors, group)))
        for group in _groups(problem)
        if edge(problem, factors, _a_step_up(factors, group, fine), fine) != factors
    ]
    raised = 0
    while candidates:
        best = max(candidates, key=lambda candidate: candidate.gain)
        if best.since == raised and best.factors is not None:
            factors, raised = best.factors, raised + 1
            duration = problem.duration(factors)
            candidates.remove(best)
            continue
        best.factors = _again(problem, factors, best, fine)
        best.gain, best.since = duration - problem.duration(best.factors), raised
        if best.factors == factors or best.gain < -GAIN:
            candidates.remove(best)
    return factors


def _again(problem: Problem, factors: Factors, candidate: _Candidate, fine: float) -> Factors:
    """A group raised to where it could be raised before, if that is still possible; else to the edge."""
    if candidate.factors is not None:
        as_before = changed(factors, [(i, candidate.factors[i]) for i in candidate.group])
        if problem.possible(as_before):
            return as_before
    return edge(problem, factors, full(factors, candidate.group), fine)


def _groups(problem: Problem) -> Iterator[Group]:
    """Speed and acceleration of each statement together, then one by one."""
    for i in problem.variables:
        yield i, i + 1
        yield (i,)
        yield (i + 1,)


def _a_step_up(factors: Factors, group: Group, fine: float) -> Factors:
    """The factors with those of a group a least step higher."""
    return changed(factors, [(i, min(factors[i] * (1 + fine), 1.0)) for i in group])


def full(factors: Factors, group: Group) -> Factors:
    """The factors with those of a group as programmed."""
    return changed(factors, [(i, 1.0) for i in group])
