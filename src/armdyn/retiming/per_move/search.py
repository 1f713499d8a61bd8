"""The shortest program: slowed enough, then quickened and exchanged until nothing more is won."""

from __future__ import annotations

from collections.abc import Callable

from armdyn.retiming.per_move.covering import covered
from armdyn.retiming.per_move.exchanging import Vain, exchanged
from armdyn.retiming.per_move.problem import Factors, Problem
from armdyn.retiming.per_move.quickening import COARSE, FINE, quickened
from armdyn.retiming.per_move.slowing import not_found, slowed_enough

ROUNDS = 6
"""Of exchanging and quickening, at most."""
ENOUGH = 1e-3
"""Relative: after a round that gains less there is no other."""


def shortest(problem: Problem, factors: Factors, told: Callable[[float], None]) -> Factors:
    """Possible factors of which none can be raised; `told` is told the share of the work that is done."""
    factors = quickened(problem, _slowed(problem, covered(problem, factors)), COARSE)
    vain: Vain = set()
    for k in range(ROUNDS):
        told(0.2 + 0.6 * k / ROUNDS)
        duration = problem.duration(factors)
        factors = quickened(problem, exchanged(problem, factors, COARSE, vain), COARSE)
        if problem.duration(factors) > duration * (1 - ENOUGH):
            break
    told(0.8)
    return quickened(problem, factors, FINE)


def mended(problem: Problem, factors: Factors) -> Factors:
    """Factors of which none can be raised, near to such that are not quite possible."""
    return quickened(problem, _slowed(problem, factors), FINE)


def _slowed(problem: Problem, factors: Factors) -> Factors:
    slow = slowed_enough(problem, factors)
    if slow is None:
        raise not_found(problem, factors)
    return slow
