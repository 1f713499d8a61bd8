"""What a block asks for at other speeds: how long it takes, and how much of their limits its moves need.

Where the tool's turning jumps from one move to the next, accelerations show all of the jump if a sample is
right there, and a part of it if it lies between two samples. What is counted is all of it: a block is possible
whenever it begins. For that the motion one cycle before and behind the end of a move is taken from parabolas
through the three samples on either side.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np

from armdyn.errors import PlanError
from armdyn.feasibility.arm import Arm
from armdyn.feasibility.demand import Demand
from armdyn.feasibility.violations import EDGE, EDGES
from armdyn.motion.planned import Plan
from armdyn.retiming.per_move.blocks import Block
from armdyn.retiming.per_move.conditions import Conditions
from armdyn.robot import Robot
from armdyn.scalars import Array

Values = tuple[tuple[float, float], ...]
"""Speed and acceleration of each move, in the program's units."""


@dataclass(frozen=True)
class Trial:
    """A block at some speeds."""

    duration: float
    """[s]; inf where it cannot be planned"""
    shares: tuple[float, ...]
    """The most that each move needs of any limit, rounding forgiven: 1 is all of it"""

    @property
    def share(self) -> float:
        """The most of all."""
        return max(self.shares)


@dataclass(frozen=True, eq=False)
class Trials:
    """Tries blocks; what has been tried is known."""

    conditions: Conditions
    margin: float
    """Share of every limit that is left free"""
    _known: dict[tuple[int, Values], Trial] = field(default_factory=dict[tuple[int, Values], Trial])
    _arms: dict[Robot, Arm] = field(default_factory=dict[Robot, Arm])

    @property
    def count(self) -> int:
        """How many were made."""
        return len(self._known)

    def of(self, block: Block, values: Values) -> Trial:
        """How a block is with such speeds and accelerations."""
        key = block.steps[0], values
        if key not in self._known:
            self._known[key] = self._tried(block, values)
        return self._known[key]

    def _tried(self, block: Block, values: Values) -> Trial:
        try:
            plan = self.conditions.plan(block.with_values(values), block.start)
        except PlanError:  # with other corners the path may leave what the arm can reach
            return Trial(math.inf, (math.inf,) * len(values))
        demand = Demand.of(plan, [self._arm(plan)])
        return Trial(plan.duration, tuple(move_shares(demand, self.margin).tolist()))

    def _arm(self, plan: Plan) -> Arm:
        robot = plan.phases[0].robot
        if robot not in self._arms:
            self._arms[robot] = self.conditions.verified(plan).arms[0]
        return self._arms[robot]


def move_shares(demand: Demand, margin: float) -> Array:
    """(moves) the most that each move of a block needs of any limit."""
    plan = demand.plan
    found = np.zeros(len(plan.moves) + 1)
    jumps = jumps_of(demand)
    for each, moves in ((demand, (demand.move,)), (jumps, (jumps.move, jumps.plan.move[jumps.samples + 1]))):
        shares = sample_shares(each, margin)
        for move in moves:
            np.maximum.at(found, move, shares)
    for problem in plan.problems:
        found[problem.move] = math.inf
    return found[1:]


def sample_shares(demand: Demand, margin: float) -> Array:
    """(t) the most that a sample needs of any limit, less the margin; rounding is forgiven."""
    shares: list[Array] = [np.zeros(len(demand.samples))]
    for quantity, required, limit in demand.limited():
        usable = limit * ((1 + EDGES.get(quantity, EDGE)) * (1 - margin))
        shares.append(np.max(np.abs(required) / usable, axis=1))
    return np.max(shares, axis=0)


def jumps_of(demand: Demand) -> Demand:
    """What the ends of moves that run on ask for if a sample is right there."""
    plan = demand.plan
    ends = [k for k, move in enumerate(plan.moves) if not move.stops]
    since = np.array([plan.moves[k].end for k in ends]) / plan.cycle
    at = np.floor(since + EDGE).astype(np.intp)  # the last sample before or at the end
    inside = (at >= 2) & (at + 3 < len(plan.time))
    at, part = at[inside], (since - at)[inside][:, None]
    q = np.array([plan.moves[k].q_end for k in ends]).reshape(len(ends), -1)[inside]
    before = q - _on_parabola(plan.q[at - 2], plan.q[at - 1], plan.q[at], part)
    after = _on_parabola(plan.q[at + 3], plan.q[at + 2], plan.q[at + 1], 1 - part) - q
    qdd = (after - before) / plan.cycle**2
    return replace(demand, samples=at, qd=before / plan.cycle, qdd=qdd)


def _on_parabola(q0: Array, q1: Array, q2: Array, part: Array) -> Array:
    """The part of the way from q1 to q2 along the parabola through three samples (m, n)."""
    return q1 + part * ((q2 - q0) / 2 + part * (q2 - 2 * q1 + q0) / 2)
