"""From legs in time to the samples, moves and phases of a plan."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import ceil

import numpy as np

from armdyn.motion.legs import ON_GRID, Leg, position, positions, sample_times, samples_within, singularities
from armdyn.motion.planned import Phase, Plan, PlannedMove, Whole
from armdyn.motion.problems import NEAR_SINGULAR, position_problems, singularity_problems
from armdyn.motion.walk import Draft, Walk
from armdyn.robot import Robot


def assembled(walk: Walk) -> Plan:
    """The plan of all that was planned on a walk."""
    cycle, legs = walk.cycle, walk.legs
    count = ceil(walk.time / cycle - ON_GRID) + 1
    time = sample_times(count, cycle)
    q = positions(legs, time, cycle) if legs else walk.q[None, :].copy()
    moves = _moves(walk.drafts, legs)
    move = move_numbers(moves, count, cycle)
    problems = [
        *position_problems(walk.robot, cycle, q, move, moves),
        *singularity_problems(cycle, singularities(legs, time, cycle, NEAR_SINGULAR), move, moves),
    ]
    problems.sort(key=lambda problem: problem.time)
    return Plan(
        walk.robot,
        cycle,
        time,
        q,
        move,
        line_numbers(moves, move),
        moves,
        _phases(walk.robots, count, cycle),
        tuple(problems),
        walk.time,
        tuple(walk.notes),
    )


def move_numbers(moves: Sequence[PlannedMove], count: int, cycle: float) -> Whole:
    """(t) the number from 1 of the move that begins at a sample or is under way; the last one to the end."""
    numbers: Whole = np.full(count, len(moves), dtype=np.int64)
    for k, move in enumerate(moves):
        first, last = samples_within(move.start, move.end, cycle)
        numbers[first:last] = k + 1
    return numbers


def line_numbers(moves: Sequence[PlannedMove], move: Whole) -> Whole:
    """(t) the lines of the moves with these numbers, 0 of none."""
    lines: Whole = np.array([0, *(m.line for m in moves)], dtype=np.int64)
    return lines[move]


def _moves(drafts: Sequence[Draft], legs: Sequence[Leg]) -> tuple[PlannedMove, ...]:
    """The moves, one behind the other; a blend is shared by halves."""
    overlaps = [*(leg.overlap for leg in legs[1:]), 0.0]
    moves: list[PlannedMove] = []
    start = 0.0
    for draft in drafts:
        leg, overlap = legs[draft.leg], overlaps[draft.leg]
        blended = draft.end is None and overlap > 0
        since = leg.motion.duration - overlap / 2 if draft.end is None else draft.end
        since = max(since, start - leg.begins)  # a move without length ends with the one before
        end = max(start, leg.begins + since)
        q_end = leg.motion.end if draft.end is None and not blended else position(legs, draft.leg, since)
        moves.append(PlannedMove(draft.line, draft.kind, start, end, q_end, draft.stops and not blended))
        start = end
    return tuple(moves)


def _phases(robots: Sequence[tuple[float, Robot]], count: int, cycle: float) -> tuple[Phase, ...]:
    """Stretches of samples with one robot each; what is replaced before the next sample is left out."""
    firsts = [min(samples_within(since, since, cycle)[0], count) for since, _ in robots]
    bounds = pairwise([*firsts, count])
    phases: list[Phase] = []
    for (first, last), (_, robot) in zip(bounds, robots, strict=True):
        if last > first and phases and phases[-1].robot == robot:
            phases[-1] = Phase(robot, phases[-1].first, last)
        elif last > first:
            phases.append(Phase(robot, first, last))
    return tuple(phases)
