"""Stretches of a program from rest to rest: what one asks for does not depend on the speeds in another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from armdyn.motion.moves import ChangePayload, ChangeTool, Move, PathMove, PointToPoint, Step
from armdyn.motion.planned import Plan
from armdyn.scalars import Array


@dataclass(frozen=True, eq=False)
class Block:
    """Moves that run into one another."""

    steps: tuple[int, ...]
    """Which steps of the program, from 0"""
    moves: tuple[Move, ...]
    """As programmed"""
    before: tuple[Step, ...]
    """The last changes of tool and payload before it"""
    start: Array
    """(n) where the arm is then"""
    numbers: tuple[int, ...]
    """Of its moves in the plan, from 1"""
    lasting: tuple[float, ...]
    """How long they last as programmed [s]"""

    def with_values(self, values: Sequence[tuple[float, float]]) -> list[Step]:
        """Its steps with other speeds and accelerations, in the program's units."""
        moves = (_with_values(move, *value) for move, value in zip(self.moves, values, strict=True))
        return [*self.before, *moves]

    def time(self, plan: Plan) -> tuple[float, float]:
        """When a plan of the whole program begins and ends it [s]."""
        return plan.moves[self.numbers[0] - 1].start, plan.moves[self.numbers[-1] - 1].end


def _with_values(move: Move, speed: float, acceleration: float) -> Move:
    if isinstance(move, PointToPoint):
        return replace(move, speed=speed, acceleration=acceleration)
    return replace(move, speed=speed / 1e3, acceleration=acceleration / 1e3)


def blocks_of(steps: Sequence[Step], plan: Plan) -> tuple[Block, ...]:
    """All blocks of a program, in their order, with the plan of its steps."""
    numbers = _numbers(steps)
    return tuple(_block(steps, plan, group, numbers) for group in _groups(steps))


def _numbers(steps: Sequence[Step]) -> list[int]:
    """The number of the move that each step is in a plan; a change of tool or payload is none."""
    is_move = [not isinstance(step, ChangeTool | ChangePayload) for step in steps]
    return np.cumsum(is_move).tolist()


def _groups(steps: Sequence[Step]) -> Iterator[list[int]]:
    """Steps that run into one another."""
    group: list[int] = []
    for k, step in enumerate(steps):
        if not isinstance(step, PointToPoint | PathMove):
            continue
        group.append(k)
        if k + 1 == len(steps) or not runs_into(step, steps[k + 1]):
            yield group
            group = []


def runs_into(move: Move, following: Step) -> bool:
    """Whether a move and the next step are planned together."""
    if isinstance(move, PathMove) and isinstance(following, PathMove):
        return move.keep_speed or bool(move.corner)
    return move.blend and isinstance(following, PointToPoint | PathMove)


def _block(steps: Sequence[Step], plan: Plan, group: Sequence[int], numbers: Sequence[int]) -> Block:
    first = group[0]
    moves = tuple(step for k in group if isinstance(step := steps[k], PointToPoint | PathMove))
    number = numbers[first]
    start = plan.moves[number - 2].q_end if number > 1 else plan.q[0]
    changes = (_last(steps[:first], ChangeTool), _last(steps[:first], ChangePayload))
    before = tuple(change for change in changes if change is not None)
    mine = tuple(numbers[k] for k in group)
    lasting = tuple(plan.moves[k - 1].end - plan.moves[k - 1].start for k in mine)
    return Block(tuple(group), moves, before, start, mine, lasting)


def _last(steps: Sequence[Step], kind: type[ChangeTool | ChangePayload]) -> Step | None:
    return next((step for step in reversed(steps) if isinstance(step, kind)), None)
