"""What is looked for: factors of speeds and accelerations with which all blocks are possible."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from armdyn.program.settings import Setting
from armdyn.retiming.per_move.blocks import Block
from armdyn.retiming.per_move.trials import Trial, Trials

Factors = tuple[float, ...]
"""One for each setting, above 0 and at most 1."""


@dataclass(frozen=True, eq=False)
class Problem:
    """Blocks, and the settings that change them."""

    settings: tuple[Setting, ...]
    """Speed and acceleration of each statement, one behind the other"""
    blocks: tuple[Block, ...]
    """Those that are looked at"""
    trials: Trials
    allowed: tuple[tuple[float, ...], ...]
    """The share of the limits that each move of each block may need, at most 1"""
    _order: list[int] = field(default_factory=list[int])
    """Blocks that were not possible lately come first: only a matter of speed"""

    @cached_property
    def _uses(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """For the moves of each block: which speed setting it has, and which of its executions it is."""
        where = {
            step: (i, turn)
            for i, setting in enumerate(self.settings)
            if setting.aspect == "speed"
            for turn, step in enumerate(setting.steps)
        }
        return tuple(tuple(where[step] for step in block.steps) for block in self.blocks)

    @cached_property
    def variables(self) -> tuple[int, ...]:
        """Speeds of the statements that have a move in any of the blocks; the accelerations come next."""
        return tuple(sorted({i for uses in self._uses for i, _ in uses}))

    @cached_property
    def neighbours(self) -> tuple[tuple[int, int], ...]:
        """Statements, by their speeds, that run into one another."""
        pairs = {(a, b) for uses in self._uses for (a, _), (b, _) in pairwise(uses) if a != b}
        return tuple(sorted(pairs))

    def beside(self, i: int) -> tuple[int, ...]:
        """Statements, by their speeds, that one runs into or that run into it."""
        return self._beside[i]

    @cached_property
    def _beside(self) -> dict[int, tuple[int, ...]]:
        return {
            i: tuple(sorted({a + b - i for a, b in self.neighbours if i in (a, b)})) for i in self.variables
        }

    def speeds_of(self, block: int) -> tuple[int, ...]:
        """The speed settings of the moves of a block."""
        return tuple(i for i, _ in self._uses[block])

    # Trials -------------------------------------------------------------------------------

    def trial(self, block: int, factors: Factors) -> Trial:
        """How a block is with these factors."""
        values = tuple(
            (
                self.settings[i].with_factor(factors[i])[turn],
                self.settings[i + 1].with_factor(factors[i + 1])[turn],
            )
            for i, turn in self._uses[block]
        )
        return self.trials.of(self.blocks[block], values)

    def is_possible(self, block: int, factors: Factors) -> bool:
        """Whether a block needs no more than it may."""
        return max(self.excess(block, factors)) <= 1

    def excess(self, block: int, factors: Factors) -> list[float]:
        """What each move of a block needs of what it may: 1 is all of it."""
        pairs = zip(self.trial(block, factors).shares, self.allowed[block], strict=True)
        return [share / allowed for share, allowed in pairs]

    def possible(self, factors: Factors) -> bool:
        """Whether all blocks are."""
        if not self._order:
            self._order.extend(range(len(self.blocks)))
        for k, block in enumerate(self._order):
            if not self.is_possible(block, factors):
                self._order.insert(0, self._order.pop(k))
                return False
        return True

    def duration(self, factors: Factors) -> float:
        """Of all blocks together [s], possible or not."""
        return math.fsum(self.trial(block, factors).duration for block in range(len(self.blocks)))


def changed(factors: Factors, new: Sequence[tuple[int, float]]) -> Factors:
    """The factors with some others among them."""
    found = list(factors)
    for i, factor in new:
        found[i] = factor
    return tuple(found)
