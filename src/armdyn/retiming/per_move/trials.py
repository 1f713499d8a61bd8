"""What a block asks for at other speeds: how long it takes, and how much of their limits its moves need."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from armdyn.errors import PlanError
from armdyn.feasibility.arm import Arm
from armdyn.feasibility.demand import Demand
from armdyn.motion.planned import Phase, Plan
from armdyn.retiming.per_move.blocks import Block
from armdyn.retiming.per_move.conditions import Conditions
from armdyn.retiming.per_move.sampling import Sampled
from armdyn.retiming.sample_shares import sample_shares
from armdyn.robot import Robot

Values = tuple[tuple[float, float], ...]
"""Speed and acceleration of each move, in the program's units."""


@dataclass(frozen=True)
class Trial:
    """A block at some speeds."""

    duration: float
    """[s]; inf where it cannot be planned"""
    shares: tuple[float, ...]
    """The most that each move needs of any limit, rounding forgiven: 1 is all of it"""


@dataclass(frozen=True, eq=False)
class Trials:
    """Tries blocks; what has been tried is known."""

    conditions: Conditions
    margin: float
    """Share of every limit that is left free"""
    _known: dict[tuple[int, Values], Trial] = field(default_factory=dict[tuple[int, Values], Trial])
    _arms: dict[Robot, Arm] = field(default_factory=dict[Robot, Arm])

    def of(self, block: Block, values: Values) -> Trial:
        """How a block is with such speeds and accelerations."""
        key = block.steps[0], values
        if key not in self._known:
            self._known[key] = self._tried(block, values)
        return self._known[key]

    def _tried(self, block: Block, values: Values) -> Trial:
        try:
            found = self.conditions.sampled(block.with_values(values), block.start)
        except PlanError:  # with other corners the path may leave what the arm can reach
            return Trial(math.inf, (math.inf,) * len(values))
        if not found.possible:
            return Trial(found.duration, (math.inf,) * len(values))
        shares = sample_shares(_demand(found, self._arm(block, found.robot)), self.margin)
        most = np.zeros(len(values))
        for moves in found.moves:
            np.maximum.at(most, moves, shares)
        return Trial(found.duration, tuple(most.tolist()))

    def _arm(self, block: Block, robot: Robot) -> Arm:
        if robot not in self._arms:
            plan = self.conditions.plan([*block.before, *block.moves], block.start)
            self._arms[robot] = self.conditions.verified(plan).arms[0]
        return self._arms[robot]


def _demand(found: Sampled, arm: Arm) -> Demand:
    """What the places ask for, each for itself."""
    count = len(found.q)
    every = np.arange(count)
    phases = (Phase(found.robot, 0, count),)
    places = Plan(
        found.robot, 1.0, every.astype(float), found.q, every, every, (), phases, (), found.duration, ()
    )
    return Demand(places, [arm], every, found.qd, found.qdd)
