"""Slow enough: from any factors to possible ones, each move slowed by what it asks too much."""

from __future__ import annotations

import math
from collections.abc import Sequence

from armdyn.errors import InputError
from armdyn.retiming.per_move.problem import Factors, Problem, changed

SLOWEST = 2.0**-14
"""The least share of its speed that a move is slowed to."""
FINE = 0.02
"""Relative: shares are found to this; what is lost is won back afterwards."""
EAGER = 0.7
"""Loads fall with the square of the speed, jumps with the speed itself: what is too much is mended by this
power of it."""
STEPS = 40
"""In which that must do."""
MOST_ROUNDS = 50
"""Blocks that share statements may have to be slowed in turn so often."""


def slowed_enough(problem: Problem, factors: Factors) -> Factors | None:
    """Factors, none above the given ones, with which all blocks are possible; None if none are found."""
    for _ in range(MOST_ROUNDS):
        bad = [b for b in range(len(problem.blocks)) if not problem.is_possible(b, factors)]
        if not bad:
            return factors
        slow = _slowed_block(problem, bad[0], factors)
        if slow is None:
            return None
        factors = slow
    return None


def not_found(problem: Problem, factors: Factors) -> InputError:
    """What to say where no factors are found."""
    bad = next(b for b in range(len(problem.blocks)) if not problem.is_possible(b, factors))
    lines = sorted({move.line for move in problem.blocks[bad].moves})
    where = f"line {lines[0]}" if len(lines) == 1 else f"lines {lines[0]} to {lines[-1]}"
    return InputError(
        f"{where}: not possible at any speed down to {SLOWEST:.2g} of what is programmed; `verify` says what "
        "is exceeded"
    )


def _slowed_block(problem: Problem, block: int, factors: Factors) -> Factors | None:
    """Each move by what it asks too much; where that leads nowhere, all by a common share."""
    slow = factors
    for _ in range(STEPS):
        excess = problem.excess(block, slow)
        if max(excess) <= 1:
            return slow
        if not math.isfinite(max(excess)):
            break
        slow = _slowed_moves(problem, block, slow, excess)
    return _common_share(problem, block, factors)


def _slowed_moves(problem: Problem, block: int, factors: Factors, excess: Sequence[float]) -> Factors:
    """The moves that ask too much, slowed by as much where that is a jump, or a bit less."""
    new = dict[int, float]()
    for i, share in zip(problem.speeds_of(block), excess, strict=True):
        if share > 1:
            r = (share * (1 + FINE)) ** -EAGER
            new[i] = min(new.get(i, 1.0), factors[i] * r)
            new[i + 1] = min(new.get(i + 1, 1.0), factors[i + 1] * r**2)
    return changed(factors, tuple(new.items()))


def _common_share(problem: Problem, block: int, factors: Factors) -> Factors | None:
    """The largest common share r of the speeds, r^2 of the accelerations, at which a block is possible."""
    speeds = sorted(set(problem.speeds_of(block)))

    def at(share: float) -> Factors:
        new = [(i, share * factors[i]) for i in speeds] + [(i + 1, share**2 * factors[i + 1]) for i in speeds]
        return changed(factors, new)

    slow, fast = 0.5, 1.0
    while not problem.is_possible(block, at(slow)):
        slow, fast = slow / 2, slow
        if slow < SLOWEST:
            return None
    while fast > slow * (1 + FINE):
        middle = math.sqrt(slow * fast)
        slow, fast = (middle, fast) if problem.is_possible(block, at(middle)) else (slow, middle)
    return at(slow)
