"""Ways to make a program feasible that are quick to try: each is verified before it is offered."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from armdyn.feasibility import Verification
from armdyn.motion.path.junctions import JUMPS
from armdyn.studio.runs.suggestions import LARGEST, Remedy

GENTLE = tuple(map(math.radians, (25, 12, 6)))
"""[rad/s2] Turn accelerations, tried until one is enough: more than joints can follow makes moves creep."""
TRIES = 6
"""Moves do something to their neighbours: slower ones are verified again, so often."""
SLOWEST = 0.05
"""Share of its speed below which a line creeps: another way is better."""

Attempt = Callable[[dict[int, float], float | None], Verification]
"""(line -> share of its speed, turn acceleration) -> the program that says so, verified."""


def remedies(found: Verification, attempt: Attempt) -> tuple[Remedy, ...]:
    """Slower lines, and slower lines between which the tool turns gradually, as far as that is enough."""
    if found.feasible or not found.source or len(found.plan.time) > LARGEST:
        return ()
    if any(move.impossible or not move.override for move in found.moves):
        return ()
    slower = _remedy(attempt, None, found)
    jumps = any(JUMPS in note for note in found.notes)
    gentle = (_remedy(attempt, acceleration) for acceleration in (GENTLE if jumps else ()))
    return tuple(each for each in (slower, next(filter(None, gentle), None)) if each is not None)


def _remedy(attempt: Attempt, turning: float | None, found: Verification | None = None) -> Remedy | None:
    """The shares at which no line asks for too much; None where they are not found."""
    shares: dict[int, float] = {}
    found = found or attempt(shares, turning)
    for _ in range(TRIES):
        if found.feasible:
            return Remedy(shares, turning, found.plan.duration)
        slower = dict(_slower(found))
        if not slower:
            return None
        shares = {line: _share(shares, slower, line) for line in sorted(shares.keys() | slower.keys())}
        if min(shares.values()) < SLOWEST:
            return None
        found = attempt(shares, turning)
    return None


def _slower(found: Verification) -> Iterator[tuple[int, float]]:
    """Lines, and at which share of its speed the slowest of their moves is possible by itself."""
    lines = {move.line for move in found.moves if move.override < 1}
    for line in lines:
        yield line, min(move.override for move in found.moves if move.line == line)


def _share(before: dict[int, float], slower: dict[int, float], line: int) -> float:
    """In whole per cent, rounded down."""
    return math.floor(100 * before.get(line, 1.0) * slower.get(line, 1.0) + 1e-9) / 100
