"""Where two moves must not both be fast: which one is slow, so that the whole is as short as can be.

What two moves that run into one another ask too much of at their common end is mended by either: the tool
passes there with the speed of the slower one. For every such end one of them is chosen, by going along the
moves and keeping the best choice so far for either side of the last end.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from armdyn.motion.moves import PathMove
from armdyn.retiming.per_move.problem import Factors, Problem, changed

MUCH = 3.0
"""An excess above this is likely to be that of a jump, which is mended by a speed in proportion."""

SAFE, GENTLE = 0.93, 0.1
"""Shares of these speeds, and of all accelerations, to begin with: ramps come on top of jumps."""


def covered(problem: Problem, factors: Factors) -> Factors:
    """The factors with one slow move beside every end that asks for much too much."""
    for block in range(len(problem.blocks)):
        speeds = problem.speeds_of(block)
        levels = _levels(problem, block, factors)
        new = dict[int, float]()
        if min(levels) == 1:
            continue
        for i, level in zip(speeds, levels, strict=True):
            if level < 1:
                new[i] = min(new.get(i, 1.0), SAFE * factors[i] * level)
            new[i + 1] = GENTLE * factors[i + 1]
        factors = changed(factors, tuple(new.items()))
    return factors


def _levels(problem: Problem, block: int, factors: Factors) -> list[float]:
    """The share of its speed that each move of a block keeps."""
    moves, lasting = problem.blocks[block].moves, problem.blocks[block].lasting
    excess = problem.excess(block, factors)
    speeds = [move.speed if isinstance(move, PathMove) else 0.0 for move in moves]
    values = [speed * factors[i] for speed, i in zip(speeds, problem.speeds_of(block), strict=True)]
    passing = [
        min(a, b) / min(x, y) if min(a, b) > 0 and min(x, y) > MUCH else 0.0
        for (a, b), (x, y) in zip(pairwise(values), pairwise(excess), strict=True)
    ]
    return slow_sides(values, lasting, passing)


def slow_sides(speeds: Sequence[float], lasting: Sequence[float], passing: Sequence[float]) -> list[float]:
    """The share of its speed that each of n moves keeps, so that all together last as briefly as can be.

    Args:
        speeds: (n) of the moves.
        lasting: (n) how long they last at these speeds [s].
        passing: (n - 1) the largest speed at their common ends; 0 where any will do.
    """
    best: dict[bool, tuple[float, list[float]]] = {False: (0.0, [])}
    limit = 0.0  # of the last end, where the move behind it is the slow one
    for speed, time, after in zip(speeds, lasting, [*passing, 0.0], strict=True):
        found: dict[bool, tuple[float, list[float]]] = {}
        for behind, (total, levels) in best.items():
            for ahead in (False, True) if after else (False,):  # whether the next move is the slow one
                limits = [limit] * behind + [after] * (bool(after) and not ahead)
                level = min([1.0, *(each / speed for each in limits)])
                tried = (total + time / level, [*levels, level])
                found[ahead] = min(found.get(ahead, tried), tried)
        best, limit = found, after
    return min(best.values())[1]
