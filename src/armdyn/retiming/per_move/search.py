"""The shortest program: slowed enough, then quickened and exchanged until nothing more is won."""

from __future__ import annotations

from collections.abc import Callable

from armdyn.retiming.per_move.exchanging import WORTH, exchanged
from armdyn.retiming.per_move.problem import Factors, Problem
from armdyn.retiming.per_move.quickening import COARSE, FINE, quickened
from armdyn.retiming.per_move.slowing import not_found, slowed_enough

ROUNDS = 6
"""Of exchanging and quickening, at most."""


def shortest(problem: Problem, factors: Factors, told: Callable[[float], None]) -> Factors:
    """Possible factors of which none can be raised; `told` is told the share of the work that is done."""
    slow = slowed_enough(problem, factors)
    if slow is None:
        raise not_found(problem, factors)
    told(0.1)
    factors = quickened(problem, slow, COARSE)
    told(0.3)
    for k in range(ROUNDS):
        duration = problem.duration(factors)
        factors = quickened(problem, exchanged(problem, factors, COARSE), COARSE)
        told(0.3 + 0.5 * (k + 1) / ROUNDS)
        if problem.duration(factors) > duration * (1 - WORTH):
            break
    return quickened(problem, factors, FINE)
